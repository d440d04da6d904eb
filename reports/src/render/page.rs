//! One page about one audit, for the repository of the library that was audited: who, the verdict, the piles, the
//! smallest pairs with the names of their causes, and how to see it again.
//!
//! Must never grow beyond a page: what does not fit is counted, the worst first.

use minijinja::{Value, context};
use wildcheck_tables::{
    Alone,
    event::{Pile, WitnessRecord},
};

use super::{badge::grouped, failed, markdown, told};
use crate::{ReportError, Summary};

/// So many causes have a line.
const SHOWN: usize = 24;

pub(super) fn render(summary: &Summary) -> Result<String, ReportError> {
    let environment = markdown::environment("page", include_str!("page.md.j2"))?;
    environment.get_template("page").map_err(failed)?.render(view(summary)?).map_err(failed)
}

fn view(summary: &Summary) -> Result<Value, ReportError> {
    let under_test = told::under_test(&summary.oracles);
    let who: Vec<Value> = under_test
        .iter()
        .map(|oracle| context! { who => told::full(oracle), remarks => oracle.remarks.clone() })
        .collect();
    let mut witnesses: Vec<&WitnessRecord> = summary.witnesses.iter().filter(|w| w.alone != "naive").collect();
    witnesses.sort_by_key(|witness| witness.pile);
    let piles: Vec<Value> = Pile::ALL
        .iter()
        .map(|pile| {
            let of_pile = witnesses.iter().filter(|witness| witness.pile == *pile);
            let verdicts: u64 = of_pile.clone().map(|witness| witness.count).sum();
            context! { heading => pile.heading(), causes => of_pile.count(), verdicts => grouped(verdicts) }
        })
        .collect();
    let pairs: Vec<Value> = witnesses.iter().take(SHOWN).map(|witness| pair(summary, witness)).collect();
    let again = summary.arguments.iter().map(String::as_str);
    let seed = summary.seed.to_string();
    let seeded = summary.arguments.iter().any(|argument| argument.starts_with("--seed"));
    let seed = if seeded { vec![] } else { vec!["--seed", &seed] };
    let again = shlex::try_join(std::iter::once("wildcheck").chain(again).chain(seed)).map_err(failed)?;
    let referees: Vec<Value> = summary
        .referees
        .iter()
        .map(|referee| {
            context! {
                who => told::asked(&referee.oracle), asked => referee.pairs.len(),
                agreed => referee.count(Alone::UnderTest), reference => referee.count(Alone::Reference),
            }
        })
        .collect();
    Ok(context! {
        who, dialect => &*summary.dialect, wildcheck => &*summary.wildcheck, sentence => verdict(summary, &witnesses),
        pairs_asked => grouped(summary.pairs), rows => summary.rows.len(), broken => summary.broken().count(), piles,
        pairs, more => witnesses.len().saturating_sub(SHOWN), referees, again,
        not_run => summary.not_run.iter().map(|entry| entry.what.clone()).collect::<Vec<_>>(),
    })
}

fn verdict(summary: &Summary, witnesses: &[&WitnessRecord]) -> String {
    if !summary.is_whole() {
        return summary.sentence();
    }
    match witnesses.iter().any(|witness| witness.pile == Pile::Legal) {
        true => "It is wrong on legal input.".to_owned(),
        false => "It is right on all legal input that was asked.".to_owned(),
    }
}

fn pair(summary: &Summary, witness: &WitnessRecord) -> Value {
    let answers = summary.referees.iter().flat_map(|referee| &referee.pairs);
    let referee = answers
        .filter(|pair| (&pair.pattern, &pair.subject) == (&witness.pattern, &witness.subject))
        .map(|pair| pair.referee.verdict.as_str())
        .next();
    let reference = witness.answers.first().map_or("", |answer| answer.verdict.as_str());
    context! {
        pile => witness.pile.heading(), cause => &*witness.cause, name => &*witness.name,
        direction => told::direction(witness), pattern => told::short(&witness.pattern),
        subject => told::short(&witness.subject), clause => &*witness.clause, reference,
        referee => referee.unwrap_or(""),
    }
}
