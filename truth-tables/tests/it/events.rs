//! A record read back: whole, torn, broken, of a later format.

use wildcheck_tables::{EventLog, RunEvent, TablesError, read_events};

fn finished() -> RunEvent {
    RunEvent::Finished { exit: 0, meaning: "all agree".into(), pairs: 4, disagreements: 0, seconds: 0.5 }
}

fn not_run() -> RunEvent {
    RunEvent::NotRun { what: "image lane".into(), why: "no engine".into() }
}

fn lines(events: &[RunEvent]) -> String {
    events.iter().map(|event| serde_json::to_string(event).expect("an event") + "\n").collect()
}

fn read(text: &str) -> Result<EventLog, TablesError> {
    read_events(text.as_bytes())
}

#[test]
fn a_whole_record_is_not_cut_off() {
    let events = vec![not_run(), finished()];
    let log = read(&lines(&events)).expect("a record");
    assert_eq!(log, EventLog { events, ..EventLog::default() });
}

#[test]
fn a_record_torn_anywhere_is_read_as_far_as_it_goes() {
    let text = lines(&[not_run(), not_run(), finished()]);
    for end in 0..text.len() {
        let log = read(&text[..end]).expect("a torn record");
        // The last line may be whole and lack only its line feed.
        let whole = text[..end].matches('\n').count() + usize::from(text[end..].starts_with('\n'));
        assert_eq!(log.events.len(), whole, "{end}");
        assert_eq!(log.cut_off, end + 1 < text.len(), "{end}");
    }
}

#[test]
fn a_record_without_its_last_event_was_cut_off() {
    assert!(read(&lines(&[not_run()])).expect("a record").cut_off);
    assert!(read("").expect("a record").cut_off);
}

#[test]
fn a_broken_line_before_the_last_is_told_with_its_number() {
    let text = lines(&[not_run()]) + "{\"event\":\"not-run\",\"what\":1}\n" + &lines(&[finished()]);
    let told = read(&text).expect_err("no event").to_string();
    assert!(told.starts_with("line 2 of the record is not an event: invalid type: integer `1`"), "{told}");
    let told = read(&text.replace("not-run\",\"what\":1}", "started\"}")).expect_err("no event").to_string();
    assert!(told.starts_with("line 2 of the record is not an event: "), "{told}");
}

#[test]
fn an_event_of_an_unknown_kind_is_passed_over_and_counted() {
    let text = lines(&[not_run()]) + "{\"event\":\"surprise\",\"more\":[]}\n" + &lines(&[finished()]);
    let log = read(&text).expect("a record");
    assert_eq!(log, EventLog { events: vec![not_run(), finished()], cut_off: false, skipped: 1 });
}

#[test]
fn a_later_format_is_refused_even_where_its_events_are_unknown() {
    let told = read("{\"event\":\"begun\",\"schema\":2,\"more\":[]}\n").expect_err("a later format").to_string();
    assert_eq!(told, "the record has schema 2; this wildcheck reads up to 1");
}
