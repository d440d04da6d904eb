use wildcheck::*;
use wildcheck_oracle::{memory::*, *};
use wildcheck_tables::*;
fn main() {
    let d = wildcheck_matcher::by_name("nats").unwrap();
    let s = Scope::parse(d, "a,b,B", 4, true, false).unwrap();
    let g = Grid { dialect: "nats", patterns: s.patterns().collect(), subjects: s.subjects().collect() };
    let mut t = tally::Tally::new(d);
    let a = Memory::new(d, Opinion::Reference).observe(&g).unwrap();
    let b = Memory::new(d, Opinion::Naive).observe(&g).unwrap();
    let now = std::time::Instant::now();
    println!("{:?} {:?}", t.grid(&g, &a, &b), now.elapsed());
    println!("chosen {:?}", classify::choose(&t).order.iter().map(|i| t.mutants()[*i].name).collect::<Vec<_>>());
    for (i, m) in t.mutants().iter().enumerate() {
        println!("{} {}", m.name, t.likeness(i));
    }
    for (r, e) in t.entries() {
        let (tag, m) = match r {
            tally::Reading::Alone(m) => ("alone", m),
            tally::Reading::Together(m) => ("together", m),
            _ => ("none", 0),
        };
        println!(
            "{} {} {:?} {:?} {:?}",
            tag,
            e.count,
            e.smallest.pattern,
            e.smallest.subject,
            t.mutants().iter().enumerate().filter(|(i, _)| m >> i & 1 == 1).map(|(_, m)| m.name).collect::<Vec<_>>()
        );
    }
}
