//! The language of probes: what is read, what is refused, what a condition holds against.

use wildcheck_tables::probe::{Arrived, Expectation, Probe, Sightings, Step};

fn refusal(text: &str) -> String {
    Probe::parse(text).expect_err("a refusal").to_string()
}

#[test]
fn quotes_hold_blanks_and_backslashes_are_bytes() {
    let probe = Probe::parse("server max_payload=1024; a connect; a sub \"a b\" as x; a send SUB  2\\r\\n").unwrap();
    assert_eq!(probe.server, [("max_payload".to_owned(), "1024".to_owned())]);
    assert!(matches!(&probe.steps[1], Step::Sub { pattern, .. } if pattern == b"a b"));
    assert!(matches!(&probe.steps[2], Step::Send { bytes, .. } if bytes == b"SUB  2\r\n"));
}

#[test]
fn what_is_no_step_is_refused_with_what_was_expected() {
    assert_eq!(refusal("a connect; b pub x"), "`b pub x`: no step before opens the connection b");
    assert_eq!(refusal("a connect loud"), "`a connect loud`: expected verbose, pedantic, headers or no_responders");
    assert_eq!(refusal("a connect; a sub x"), "`a sub x`: expected `as NAME`");
    assert_eq!(refusal("a connect; a sub x as i; a sub y as i"), "`a sub y as i`: the name i is taken");
    assert_eq!(
        refusal("a connect; a pub x size many"),
        "`a pub x size many`: expected a number up to 67108864 after size"
    );
    assert_eq!(refusal("a connect; a pub \"x"), "`a pub \"x`: a quote has no end");
    assert_eq!(refusal("a connect; a pub x\\y"), "`a pub x\\y`: expected \\r, \\n, \\t, \\\\ or \\xNN");
    assert_eq!(
        refusal("server include=/etc/passwd; a connect"),
        "`server include=/etc/passwd`: expected KEY=VALUE of letters, digits, `_`, `.` and `-`"
    );
    assert_eq!(refusal(" ; "), "`;`: a probe has at least one step");
}

#[test]
fn a_condition_says_what_was_seen_instead() {
    let probe = Probe::parse("a connect; a sub x as i; a sub y as j").unwrap();
    let read = |text: &str| Expectation::parse(text, &probe).unwrap();
    let mut seen = Sightings::default();
    seen.arrived.insert("i".to_owned(), vec![Arrived { headers: vec![b"K:v".to_vec()], ..Arrived::default() }]);
    seen.conns.entry("a".to_owned()).or_default().errors.push("Invalid Subject".to_owned());
    for holds in ["i got 1 and j got 0", "i+j got >=1", "i got <=1", "i header K=v", "a open", "a error \"Invalid\""] {
        assert_eq!(read(holds).failed(&seen), [], "{holds}");
    }
    assert_eq!(read("j no header").failed(&seen), [], "nothing came with a header");
    for (fails, instead) in [
        ("i no header", "i got 1 (the first: headers [K:v])"),
        ("i+j got 2", "i+j got 1"),
        ("i status 503", "i got 1 (the first: headers [K:v])"),
        ("a closed", "a open with error \"Invalid Subject\""),
        ("a no error", "a error \"Invalid Subject\""),
        ("a refused \"\"", "a no refusal by the client"),
        ("j reply r", "j got nothing"),
    ] {
        assert_eq!(read(fails).failed(&seen)[0].to_string(), instead, "{fails}");
    }
}

#[test]
fn a_condition_speaks_of_names_that_the_probe_makes() {
    let probe = Probe::parse("a connect; a sub x as i").unwrap();
    let refusal = |text: &str| Expectation::parse(text, &probe).expect_err("a refusal").to_string();
    assert_eq!(refusal("j got 1"), "`j got 1`: the probe has no subscription j");
    assert_eq!(refusal("i open"), "`i open`: the probe has no connection i");
    assert_eq!(refusal(""), "``: expected a condition");
    assert!(refusal("i has 1").contains("expected got N, header"));
}
