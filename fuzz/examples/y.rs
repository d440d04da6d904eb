use std::time::Instant;
struct S;
impl wildcheck::sink::Sink for S {
    fn event(&mut self, _: wildcheck_tables::RunEvent) -> std::io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: u64, _: Option<u64>) {}
}
fn main() {
    use wildcheck::*;
    use wildcheck_oracle::memory::*;
    for d in wildcheck_matcher::dialects() {
        let mut r = Memory::new(*d, Opinion::Reference);
        let t0 = Instant::now();
        for m in mutants::of(*d) {
            let t = Instant::now();
            let mut w = mutants::Planted::new(*d, m);
            let c = selfcheck::look_for(*d, m, &mut w, 1, &mut r, &mut S).unwrap();
            let e = t.elapsed();
            if e.as_millis() > 100 || !c.caught {
                println!("{} {} {:?} {}", d.name(), m.name, e, c.caught);
            }
        }
        println!("{} {:?}", d.name(), t0.elapsed());
    }
}
