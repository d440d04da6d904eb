fn main() {
    std::fs::write("truth-tables/causes.csv", wildcheck_tables::table::render(&wildcheck::mutants::causes())).unwrap();
}
