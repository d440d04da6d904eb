//! What a library's own repository shows of an audit: the badge and the page.

use wildcheck_reports::{Format, Summary, render};
use wildcheck_tables::{
    Operand, RunEvent,
    event::{Pile, WitnessRecord},
};

use crate::everything::{events, lines, summary, witness};

/// An audit of 1,234,567 verdicts with these witnesses, that ended with this code.
fn audit(witnesses: &[(Pile, u64)], exit: u8) -> Summary {
    let mut told: Vec<RunEvent> =
        events().into_iter().filter(|e| ["started", "finished"].contains(&e.kind())).collect();
    for event in &mut told {
        match event {
            RunEvent::Started { fail_on, arguments, oracles, .. } => {
                *fail_on = Some(vec![Pile::Legal]);
                *arguments = ["run", "--oracle", "exec:python3 it's.py"].map(str::to_owned).to_vec();
                oracles[1].name = "<lib> & co".to_owned();
            }
            RunEvent::Finished { exit: code, .. } => *code = exit,
            _ => {}
        }
    }
    told.insert(1, RunEvent::Grid { patterns: 1, subjects: 1, pairs: 1_234_567, matches: 0, disagreements: 0 });
    for (index, (pile, count)) in witnesses.iter().enumerate() {
        let RunEvent::Witness(record) = witness(&format!("WC{index:03}"), *count, false, "lib") else { unreachable!() };
        let pattern = Operand::from(format!("a|{index}").as_bytes());
        told.insert(2, RunEvent::Witness(WitnessRecord { pile: *pile, pattern, ..record }));
    }
    summary(&lines(&told))
}

fn badge(summary: &Summary) -> (String, String) {
    let badge: serde_json::Value = serde_json::from_str(&render(summary, Format::BadgeJson).unwrap()).unwrap();
    (badge["message"].as_str().unwrap().to_owned(), badge["color"].as_str().unwrap().to_owned())
}

#[test]
fn a_badge_names_the_piles_that_are_not_empty() {
    let told = |witnesses: &[(Pile, u64)], exit| badge(&audit(witnesses, exit));
    let said = |text: &str, color: &str| (text.to_owned(), color.to_owned());
    assert_eq!(told(&[], 0), said("nats: 0 wrong on legal of 1,234,567", "brightgreen"));
    assert_eq!(
        told(&[(Pile::Illegal, 4000), (Pile::Limits, 1)], 0),
        said("nats: 0 wrong on legal of 1,234,567, 4,000 illegal accepted, 1 limits", "green")
    );
    assert_eq!(told(&[(Pile::Legal, 2), (Pile::Legal, 3)], 1), said("nats: 5 wrong on legal of 1,234,567", "red"));
}

#[test]
fn a_run_that_did_not_end_has_no_result_and_one_that_a_referee_contradicts_is_disputed() {
    assert_eq!(badge(&audit(&[], 5)), ("nats: no result".to_owned(), "lightgrey".to_owned()));
    assert_eq!(badge(&summary("")), ("run: no result".to_owned(), "lightgrey".to_owned()));
    let (message, color) = badge(&summary(&lines(&events())));
    assert!(message.ends_with(", disputed") && color == "orange", "{message} {color}");
}

#[test]
fn the_badge_as_an_image_escapes_its_text() {
    let mut summary = audit(&[(Pile::Legal, 5)], 1);
    summary.dialect = "<a&b>\"'".to_owned();
    let svg = render(&summary, Format::BadgeSvg).unwrap();
    assert!(svg.contains("&lt;a&amp;b&gt;&quot;&#x27;: 5 wrong"), "{svg}");
    assert!(!svg.contains("<a&b>"), "{svg}");
}

#[test]
fn the_page_tells_who_the_piles_the_smallest_pairs_and_how_to_see_it_again() {
    insta::assert_snapshot!(render(&audit(&[(Pile::Illegal, 4), (Pile::Legal, 1200)], 1), Format::Page).unwrap());
}

#[test]
fn a_page_stays_a_page_however_much_is_wrong() {
    let page = render(&audit(&[(Pile::Legal, 1); 100], 1), Format::Page).unwrap();
    assert!(page.lines().count() < 60, "{page}");
    assert!(page.contains("76 more are in the run's report."), "{page}");
}
