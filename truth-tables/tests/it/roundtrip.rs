//! The laws of reading and writing: what is written is read back, and no bytes make the reader panic.

use proptest::{collection::vec, prelude::*};
use wildcheck_tables::{
    Fate, Lane, ObservedRow, Operand, Outcome, Seen, parse_bytes,
    row::{
        BaselineRow, Cause, Claim, Clause, ClauseStatus, Direction, MatchRow, OperandKind, Relation, RelationRow,
        ValidationRow,
    },
    table::{TableRow, merge, parse, render},
};

fn operand() -> impl Strategy<Value = Operand> {
    prop_oneof!["[ab.*>']{0,4}".prop_map(|text| Operand(text.into_bytes())), vec(any::<u8>(), 0..6).prop_map(Operand),]
}

/// Free text as people write it: anything but control characters.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z,\"\\\\ é]{0,8}", "\\PC{0,8}"]
        .prop_map(|text| text.chars().filter(|c| !c.is_control()).collect())
}

fn filled() -> impl Strategy<Value = String> {
    text().prop_map(|text| format!("x{text}x"))
}

fn word() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9.-]{0,6}"
}

fn lane() -> impl Strategy<Value = Lane> {
    word().prop_map(|name| Lane(name.into()))
}

fn version() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), (0u8..3, 0u8..20, 0u8..20).prop_map(|(a, b, c)| format!("{a}.{b}.{c}"))]
}

fn match_row() -> impl Strategy<Value = MatchRow> {
    (operand(), operand(), any::<(bool, Option<bool>, Option<bool>)>(), word(), filled(), version(), version(), text())
        .prop_map(|(pattern, subject, (expected, server, naive), clause, source, since, until, note)| MatchRow {
            pattern,
            subject,
            expected,
            server,
            naive,
            clause,
            source,
            since,
            until,
            note,
        })
}

fn validation_row() -> impl Strategy<Value = ValidationRow> {
    let kind = prop_oneof![Just(OperandKind::Pattern), Just(OperandKind::Subject)];
    let fate = prop_oneof![
        Just(None),
        Just(Some(Fate::Accepted)),
        Just(Some(Fate::RefusedOpen)),
        Just(Some(Fate::RefusedClosed)),
        Just(Some(Fate::RefusedClient)),
        Just(Some(Fate::RefusedDelivered)),
        Just(Some(Fate::Inexpressible)),
    ];
    (kind, operand(), lane(), fate, any::<bool>(), word(), filled(), version(), version(), text()).prop_map(
        |(operand, text, lane, server, strict, clause, source, since, until, note)| ValidationRow {
            operand,
            text,
            lane,
            server,
            strict,
            clause,
            source,
            since,
            until,
            note,
        },
    )
}

fn relation_row() -> impl Strategy<Value = RelationRow> {
    let relation = prop_oneof![Just(Relation::Subset), Just(Relation::Overlap)];
    (relation, operand(), operand(), any::<bool>(), proptest::option::of(operand()), word(), filled(), text()).prop_map(
        |(relation, left, right, expected, witness, clause, source, note)| RelationRow {
            relation,
            left,
            right,
            expected,
            witness,
            clause,
            source,
            note,
        },
    )
}

fn clause() -> impl Strategy<Value = Clause> {
    let status = prop_oneof![Just(ClauseStatus::Stated), Just(ClauseStatus::Measured), Just(ClauseStatus::Open)];
    (word(), filled(), status, filled()).prop_map(|(id, statement, status, source)| Clause {
        id,
        statement,
        status,
        source,
    })
}

fn claim() -> impl Strategy<Value = Claim> {
    ((word(), filled(), filled(), lane()), (text(), text(), text()), (version(), version(), text())).prop_map(
        |((id, claim, source, lane), (probe, expected, verdict), (since, until, note))| Claim {
            id,
            claim,
            source,
            lane,
            probe,
            expected,
            verdict,
            since,
            until,
            note,
        },
    )
}

fn cause() -> impl Strategy<Value = Cause> {
    let direction = prop_oneof![Just(Direction::TooMuch), Just(Direction::TooLittle), Just(Direction::Both)];
    ("WC[0-9]{3}", word(), filled(), filled(), direction)
        .prop_map(|(code, name, statement, dialect, direction)| Cause { code, name, statement, dialect, direction })
}

fn baseline_row() -> impl Strategy<Value = BaselineRow> {
    (word(), filled(), lane(), filled(), version(), version(), filled()).prop_map(
        |(dialect, oracle, lane, cause, since, until, reason)| BaselineRow {
            dialect,
            oracle,
            lane,
            cause,
            since,
            until,
            reason,
        },
    )
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let words = prop_oneof![Just(String::new()), any::<String>(), "[ :\\\\x'a]{1,8}"];
    prop_oneof![
        Just(Outcome::Accepted),
        words.clone().prop_map(Outcome::RefusedOpen),
        words.clone().prop_map(Outcome::RefusedClosed),
        words.clone().prop_map(Outcome::RefusedClient),
        words.prop_map(Outcome::Inexpressible),
    ]
}

fn observed_row() -> impl Strategy<Value = ObservedRow> {
    let seen =
        prop_oneof![
            (operand(), operand(), any::<bool>()).prop_map(|(pattern, subject, delivered)| Seen::Match {
                pattern,
                subject,
                delivered
            }),
            (operand(), outcome()).prop_map(|(text, outcome)| Seen::Pattern { text, outcome }),
            (operand(), outcome(), any::<bool>()).prop_map(|(text, outcome, delivered)| {
                let delivered = delivered && matches!(outcome, Outcome::RefusedOpen(_) | Outcome::RefusedClosed(_));
                Seen::Subject { text, outcome, delivered }
            }),
            (filled(), "[0-9a-f]{1,8}", any::<(u64, u64)>())
                .prop_map(|(scope, digest, (pairs, matches))| Seen::Scope { scope, digest, pairs, matches }),
            version().prop_map(|version| Seen::As { version }),
        ];
    (lane(), seen).prop_map(|(lane, seen)| ObservedRow { lane, seen })
}

/// Rows with distinct keys, rendered, are read back as they were, without a problem, and render to the same bytes.
fn comes_back<R: TableRow + PartialEq + std::fmt::Debug>(fresh: Vec<R>) -> Result<(), TestCaseError> {
    let mut rows: Vec<R> = Vec::new();
    for row in fresh {
        if rows.iter().all(|old| old.key() != row.key()) {
            rows.push(row);
        }
    }
    rows.sort_by_cached_key(|row| row.key());
    let bytes = render(&rows);
    let parsed = parse::<R>("x.csv", &bytes);
    prop_assert_eq!(&parsed.problems, &vec![]);
    prop_assert_eq!(&parsed.rows, &rows);
    prop_assert_eq!(render(&parsed.rows), bytes);
    prop_assert_eq!(parsed.lines, (2..rows.len() as u64 + 2).collect::<Vec<_>>());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_match_row_comes_back(rows in vec(match_row(), 0..8)) {
        comes_back(rows)?;
    }

    #[test]
    fn every_validation_row_comes_back(rows in vec(validation_row(), 0..8)) {
        comes_back(rows)?;
    }

    #[test]
    fn every_relation_row_comes_back(rows in vec(relation_row(), 0..8)) {
        comes_back(rows)?;
    }

    #[test]
    fn every_clause_cause_claim_and_baseline_row_comes_back(
        clauses in vec(clause(), 0..6),
        causes in vec(cause(), 0..6),
        claims in vec(claim(), 0..6),
        baseline in vec(baseline_row(), 0..6),
    ) {
        comes_back(clauses)?;
        comes_back(causes)?;
        comes_back(claims)?;
        comes_back(baseline)?;
    }

    #[test]
    fn every_observation_comes_back(rows in vec(observed_row(), 0..8)) {
        comes_back(rows)?;
    }

    #[test]
    fn merging_rows_into_themselves_changes_nothing(rows in vec(match_row(), 0..8)) {
        let mut once = Vec::new();
        merge(&mut once, rows);
        let mut twice = once.clone();
        let merged = merge(&mut twice, once.clone());
        prop_assert_eq!((merged.added, merged.changed), (0, 0));
        prop_assert_eq!(render(&twice), render(&once));
    }

    #[test]
    fn no_bytes_make_the_reader_panic(
        name in prop_oneof!["(nats/)?(match|causes|clauses|observed/s@1.2).csv", any::<String>()],
        bytes in prop_oneof![
            vec(any::<u8>(), 0..64),
            vec(prop_oneof![Just(b','), Just(b'"'), Just(b'\n'), Just(b'\r'), Just(b'a'), Just(b'\\'), Just(0xff)], 0..64),
        ],
        header in any::<bool>(),
    ) {
        let head = if header { MatchRow::COLUMNS.join(",") + "\n" } else { String::new() };
        let bytes = [head.as_bytes(), &bytes].concat();
        let problems = parse_bytes(&name, &bytes);
        prop_assert!(!problems.is_empty(), "files are missing at least");
    }

    #[test]
    fn what_is_read_without_a_problem_is_written_as_it_was(
        cells in vec(("[ab.*>\\\\x0-9',]{0,5}", "[a']{0,2}", prop_oneof![Just(""), Just("true"), Just("nope")]), 0..4)
    ) {
        let body: Vec<String> =
            cells.iter().map(|(left, right, yes)| format!("{left},{right},true,{yes},,c,hand,,,\n")).collect();
        let bytes = (MatchRow::COLUMNS.join(",") + "\n" + &body.concat()).into_bytes();
        let parsed = parse::<MatchRow>("x.csv", &bytes);
        if parsed.problems.is_empty() {
            prop_assert_eq!(render(&parsed.rows), bytes);
        }
    }
}
