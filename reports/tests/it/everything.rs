//! A record that holds one of everything, made by code. Must never be read from a file: a new field must break it.

use std::io::Cursor;

use wildcheck_reports::Summary;
use wildcheck_tables::{
    Alone, Identity, Lane, Operand, Outcome, RefereeRecord, Refereed, RunEvent, Verdict,
    event::{Answer, Certificate, ClaimResult, Pile, RowResult, SCHEMA, WitnessRecord},
    read_events,
    row::Direction,
};

fn identity(name: &str, version: &str, lane: Lane) -> Identity {
    Identity {
        address: if lane == Lane::MEMORY { name.to_owned() } else { format!("process:{name}@{version}") },
        name: name.to_owned(),
        version: Some(version.to_owned()),
        commit: (lane != Lane::MEMORY).then(|| "abc1234".to_owned()),
        lane,
        dialect: "nats".to_owned(),
        remarks: Vec::new(),
    }
}

fn answer(oracle: &str, lane: Lane, verdict: Verdict) -> Answer {
    Answer { oracle: oracle.to_owned(), lane, verdict, pattern: None, subject: None, delivered: None }
}

fn answers(reference: bool, server: bool, naive: bool) -> Vec<Answer> {
    let mut live = answer("nats-server", Lane::WIRE, server.into());
    live.pattern = Some(Outcome::Accepted);
    live.subject = Some(Outcome::RefusedOpen("'Invalid Subject'".to_owned()));
    vec![answer("reference", Lane::MEMORY, reference.into()), live, answer("naive", Lane::MEMORY, naive.into())]
}

pub fn row(line: u64, left: &[u8], right: &[u8], holds: bool) -> RunEvent {
    RunEvent::Row(RowResult {
        table: "nats/match.csv".to_owned(),
        line,
        operation: "match".to_owned(),
        left: Operand::from(left),
        right: Some(Operand::from(right)),
        expected: "true".to_owned(),
        answers: answers(true, holds, true),
        clause: "nats-star".to_owned(),
        holds,
        pile: None,
    })
}

/// The same operand by two lanes, which answer differently: two rows.
pub fn by_lane(line: u64, lane: Lane, expected: &str, outcome: Outcome) -> RunEvent {
    let mut live = answer("nats-server", lane, false.into());
    live.pattern = Some(outcome);
    RunEvent::Row(RowResult {
        table: "nats/validation.csv".to_owned(),
        line,
        operation: "valid-pattern".to_owned(),
        left: Operand::from(&b""[..]),
        right: None,
        expected: expected.to_owned(),
        answers: vec![answer("reference", Lane::MEMORY, false.into()), live],
        clause: "nats-empty".to_owned(),
        holds: true,
        pile: None,
    })
}

pub fn witness(cause: &str, count: u64, known: bool, alone: &str) -> RunEvent {
    RunEvent::Witness(WitnessRecord {
        cause: cause.to_owned(),
        name: "star-crosses-separators".to_owned(),
        statement: "The one-token wildcard runs across separators.".to_owned(),
        direction: Direction::TooMuch,
        pattern: Operand::from(&b"a|`*"[..]),
        subject: Operand::from(&b"a|`\xff<b>"[..]),
        found: (Operand::from(&b"x.*"[..]), Operand::from(&b"x.y.z"[..])),
        answers: answers(false, alone != "naive", true),
        alone: alone.to_owned(),
        clause: "nats-star".to_owned(),
        count,
        known,
        pile: Pile::Legal,
        shell: "echo 'a' | nc -w1 127.0.0.1 1".to_owned(),
    })
}

/// A witness of another pile, without a line for a shell.
fn illegal() -> RunEvent {
    let RunEvent::Witness(mut other) = witness("WC011", 4, true, "nats-server") else { unreachable!() };
    (other.pile, other.shell) = (Pile::Illegal, String::new());
    RunEvent::Witness(other)
}

/// A referee that sides with each once, and once has no answer.
fn referee(server: &Identity) -> RefereeRecord {
    let pair = |alone, verdict: Verdict, known| {
        let mut referee = answer("nats-server", Lane::WIRE, verdict);
        referee.pattern = Some(Outcome::RefusedOpen("'Invalid Subject'".to_owned()));
        Refereed {
            cause: "WC001".to_owned(),
            name: "tail-matches-zero".to_owned(),
            pile: Pile::Legal,
            pattern: Operand::from(&b"a|>"[..]),
            subject: Operand::from(&b"<b>`"[..]),
            clause: "nats-tail".to_owned(),
            reference: false,
            referee,
            alone,
            known,
        }
    };
    let pairs = vec![
        pair(Alone::UnderTest, false.into(), false),
        pair(Alone::Reference, true.into(), false),
        pair(Alone::Reference, true.into(), true),
        pair(Alone::Unknown, Verdict::Unsupported, false),
    ];
    RefereeRecord { oracle: server.clone(), under_test: "somebody's_matcher 1.2".to_owned(), pairs }
}

fn claim(lane: Lane, verdict: &str, seen: &str) -> RunEvent {
    RunEvent::Claim(ClaimResult {
        id: "nats-claim-star".to_owned(),
        claim: "`*` is <one> token | no more.".to_owned(),
        source: "hand".to_owned(),
        lane,
        verdict: verdict.to_owned(),
        seen: seen.to_owned(),
        recorded: "confirmed".to_owned(),
        ranges: "wire: refuted until 2.9.10, confirmed since 2.10.25".to_owned(),
        overall: "version-dependent".to_owned(),
    })
}

/// One of every kind of event, and the second word on one cause.
pub fn events() -> Vec<RunEvent> {
    let server = identity("nats-server", "2.15.1", Lane::WIRE);
    vec![
        RunEvent::Started {
            schema: SCHEMA,
            wildcheck: "0.1.0".to_owned(),
            command: "run".to_owned(),
            arguments: vec!["run".to_owned()],
            dialect: "nats".to_owned(),
            seed: 7,
            scope: "tokens a,b; depth 2".to_owned(),
            oracles: vec![
                identity("reference", "0.1.0", Lane::MEMORY),
                server.clone(),
                identity("naive", "0.1.0", Lane::MEMORY),
            ],
            fail_on: None,
            at: "2026-01-02T03:04:05Z".to_owned(),
        },
        RunEvent::SelfCheck {
            cause: "WC003".to_owned(),
            name: "case-folded".to_owned(),
            caught: true,
            witness: Some((Operand::from(&b"a"[..]), Operand::from(&b"A"[..]))),
        },
        row(2, b"a.*", b"a.b", true),
        row(3, b"a|b.*", b"a|b.\xe2\x82\xac", false),
        by_lane(2, Lane::CLIENT, "refused-client", Outcome::RefusedClient("no subject".to_owned())),
        by_lane(3, Lane::WIRE, "inexpressible", Outcome::Inexpressible("empty".to_owned())),
        RunEvent::Grid { patterns: 3, subjects: 4, pairs: 12, matches: 5, disagreements: 2 },
        witness("WC002", 1, true, "naive"),
        witness("WC000", 2, false, "nats-server"),
        witness("WC002", 9, true, "naive"),
        illegal(),
        RunEvent::Referee(referee(&server)),
        RunEvent::Drift {
            place: "nats/match.csv:3".to_owned(),
            expected: "true".to_owned(),
            seen: "a false | other".to_owned(),
        },
        claim(Lane::CLIENT, "confirmed", ""),
        claim(Lane::WIRE, "refuted", "x got 1 | \"<y>\""),
        RunEvent::Finding {
            kind: "server-died".to_owned(),
            text: "it was started again".to_owned(),
            kept: Some("last-grid.json".to_owned()),
        },
        RunEvent::NotRun { what: "image lane".to_owned(), why: "no container engine # answers".to_owned() },
        RunEvent::Certificate(Certificate {
            scope: "tokens a,b; depth 2".to_owned(),
            patterns: 3,
            subjects: 4,
            pairs: 12,
            matches: 5,
            disagreements: 2,
            covers: 24,
            oracle: server,
            digest: "00ff".to_owned(),
            limits: vec!["operands of more than 2 tokens".to_owned()],
        }),
        RunEvent::Finished {
            exit: 1,
            meaning: "a disagreement that the baseline does not know".to_owned(),
            pairs: 12,
            disagreements: 2,
            seconds: 0.5,
        },
    ]
}

pub fn lines(events: &[RunEvent]) -> String {
    events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
}

pub fn summary(text: &str) -> Summary {
    Summary::of(read_events(Cursor::new(text)).unwrap())
}
