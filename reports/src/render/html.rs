//! One page for a browser, without a script and without another file; and the view that both templates show. Must
//! never put text on the page unescaped.

use minijinja::{Environment, Value, context, syntax::SyntaxConfig};
use wildcheck_tables::{
    Alone, RefereeRecord,
    event::{ClaimResult, Pile},
};

use super::{failed, told};
use crate::{ReportError, Summary};

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let mut environment = Environment::new();
    environment.set_syntax(syntax()?);
    // The name ends in .html, so the engine escapes.
    environment.add_template("report.html", include_str!("report.html.j2")).map_err(failed)?;
    let template = environment.get_template("report.html").map_err(failed)?;
    template.render(view(summary)).map_err(failed)
}

/// What a report for people shows. No time and no duration: the same run again is the same text.
pub(super) fn view(summary: &Summary) -> Value {
    let witness = |w: &wildcheck_tables::event::WitnessRecord| {
        let [reference, server, naive] = told::three(&w.answers);
        context! {
            cause => &*w.cause, name => &*w.name, statement => &*w.statement, known => w.known, who => told::who(w),
            direction => told::direction(w), count => w.count, pattern => told::short(&w.pattern),
            subject => told::short(&w.subject), reference, server, naive, alone => &*w.alone, clause => &*w.clause,
            shell => &*w.shell,
        }
    };
    let group = |heading: String, wanted: &dyn Fn(&wildcheck_tables::event::WitnessRecord) -> bool| {
        let witnesses: Vec<Value> = summary.witnesses.iter().filter(|w| wanted(w)).map(witness).collect();
        (!witnesses.is_empty()).then(|| context! { heading, witnesses })
    };
    let mut groups: Vec<Value> = Vec::new();
    for pile in Pile::ALL {
        let heading = format!("Disagreements: {}", pile.heading());
        groups.extend(group(heading, &|w| w.pile == pile && w.alone != "naive"));
    }
    groups.extend(group("Where the naive approximation stands alone".to_owned(), &|w| w.alone == "naive"));
    let broken = summary.broken().map(|row| {
        let [reference, server, naive] = told::three(&row.answers);
        context! {
            place => format!("{}:{}", row.table, row.line), question => told::question(row), expected => &*row.expected,
            reference, server, naive, clause => &*row.clause,
        }
    });
    let last = summary.oracles.len().saturating_sub(1);
    let oracles = summary.oracles.iter().enumerate().map(|(index, oracle)| {
        // By place and name: the one under test may itself be the reference or the approximation.
        let role = match oracle.name.as_str() {
            "reference" if index == 0 => "reference",
            "naive" if index == last => "approximation",
            _ => "under test",
        };
        context! {
            role, who => told::full(oracle), address => &*oracle.address, lane => oracle.lane.to_string(),
            remarks => oracle.remarks.clone(),
        }
    });
    let contradicted: Vec<Value> = summary
        .contradicted()
        .map(|(referee, pair)| {
            context! {
                who => told::asked(&referee.oracle), under_test => &*referee.under_test, cause => &*pair.cause,
                name => &*pair.name, pattern => told::short(&pair.pattern), subject => told::short(&pair.subject),
                reference => pair.reference.to_string(), others => (!pair.reference).to_string(), clause => &*pair.clause,
            }
        })
        .collect();
    let referees: Vec<Value> = summary.referees.iter().map(referee).collect();
    let certificates = summary.certificates.iter().map(|c| {
        context! {
            oracle => told::full(&c.oracle), scope => &*c.scope, patterns => c.patterns, subjects => c.subjects,
            pairs => c.pairs, matches => c.matches, disagreements => c.disagreements, covers => c.covers,
            digest => &*c.digest, limits => c.limits.clone(), remarks => c.oracle.remarks.clone(),
        }
    });
    let tables: Vec<Value> = told::held(summary)
        .into_iter()
        .map(|held| context! { table => &*held.table, rows => held.rows, hold => held.hold })
        .collect();
    let self_checks: Vec<Value> = summary
        .self_checks
        .iter()
        .map(|check| context! { cause => &*check.cause, name => &*check.name, caught => check.caught })
        .collect();
    let drift: Vec<Value> = summary
        .drift
        .iter()
        .map(|entry| context! { place => &*entry.place, expected => &*entry.expected, seen => &*entry.seen })
        .collect();
    let claims: Vec<Value> = summary
        .claims
        .chunk_by(|a, b| a.id == b.id)
        .map(|lanes| {
            let lane =
                |of: &ClaimResult| context! { lane => of.lane.to_string(), verdict => &*of.verdict, seen => &*of.seen };
            let first = &lanes[0];
            context! {
                overall => &*first.overall, ranges => &*first.ranges, claim => &*first.claim, source => &*first.source,
                lanes => lanes.iter().map(lane).collect::<Vec<_>>(),
            }
        })
        .collect();
    let findings: Vec<Value> = summary
        .findings
        .iter()
        .map(|finding| context! { kind => &*finding.kind, text => &*finding.text, kept => finding.kept.clone() })
        .collect();
    let not_run: Vec<Value> =
        summary.not_run.iter().map(|entry| context! { what => &*entry.what, why => &*entry.why }).collect();
    context! {
        command => &*summary.command, dialect => &*summary.dialect, sentence => summary.sentence(), seed => summary.seed,
        scope => &*summary.scope, rows_asked => summary.rows.len(), rows_broken => summary.broken().count(),
        pairs => summary.pairs, deliveries => summary.matches, disagreements => summary.disagreements,
        oracles => oracles.collect::<Vec<_>>(), self_checks, contradicted, referees, broken => broken.collect::<Vec<_>>(),
        drift, groups, claims, tables, certificates => certificates.collect::<Vec<_>>(),
        findings, not_run, skipped => summary.skipped,
        version => &*summary.wildcheck,
    }
}

fn referee(referee: &RefereeRecord) -> Value {
    let pairs = referee.pairs.iter().map(|pair| {
        context! {
            cause => &*pair.cause, name => &*pair.name, pattern => told::short(&pair.pattern),
            subject => told::short(&pair.subject), reference => pair.reference.to_string(),
            referee => pair.referee.verdict.as_str(), alone => told::alone(referee, pair),
        }
    });
    let count = |alone| referee.count(alone);
    context! {
        who => told::asked(&referee.oracle), under_test => &*referee.under_test, asked => referee.pairs.len(),
        program => count(Alone::UnderTest), reference => count(Alone::Reference), unknown => count(Alone::Unknown),
        pairs => pairs.collect::<Vec<_>>(),
    }
}

/// A tag on a line of its own leaves no line behind.
pub(super) fn syntax() -> Result<SyntaxConfig, ReportError> {
    SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(failed)
}
