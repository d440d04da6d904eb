//! The sentences of the terminal about what is in the record. Must never judge, and never print a whole long operand.

use wildcheck_tables::{
    Alone, Identity, Operand, RefereeRecord, Refereed,
    event::{Certificate, WitnessRecord},
    row::Direction,
};

/// What a referee said, in one line.
pub fn refereed(referee: &RefereeRecord) -> String {
    let of = |alone| referee.count(alone);
    let (program, reference, unknown) = (of(Alone::UnderTest), of(Alone::Reference), of(Alone::Unknown));
    let unknown = if unknown > 0 { format!(", {unknown} without an answer") } else { String::new() };
    format!(
        "referee {}: {} pairs asked; alone: {} on {program}, the reference on {reference}{unknown}",
        described(&referee.oracle),
        referee.pairs.len(),
        referee.under_test
    )
}

/// A pair on which the reference stands alone, in one line.
pub fn contradicted(referee: &RefereeRecord, pair: &Refereed) -> String {
    let Refereed { cause, name, pattern, subject, clause, reference, .. } = pair;
    let known = if pair.known { "known" } else { "NEW" };
    format!(
        "THE REFERENCE STANDS ALONE: it says {reference} on pattern {} subject {} [{clause}], {} and {} say {}; {cause} \
         {name}, {known}",
        short(pattern),
        short(subject),
        referee.under_test,
        referee.oracle,
        !reference
    )
}

/// A witness in one line.
pub fn witness(witness: &WitnessRecord) -> String {
    let WitnessRecord { cause, name, pattern, subject, alone, count, clause, .. } = witness;
    let direction = match witness.direction {
        Direction::TooMuch => "too much",
        Direction::TooLittle => "too little",
        Direction::Both => "too much here, too little there",
    };
    // The reference is right by definition: where it stands alone, the others are wrong together.
    let who = if alone == "reference" { "everybody but the reference" } else { alone };
    let known = if witness.known { "known" } else { "NEW" };
    format!(
        "{cause} {name}: {who} delivers {direction} on pattern {} subject {} [{clause}], {count} times, {known}",
        short(pattern),
        short(subject)
    )
}

/// An operand for a line: a long one is cut, its length is told.
fn short(operand: &Operand) -> String {
    const SHOWN: usize = 60;
    if operand.0.len() <= SHOWN {
        return format!("{operand:?}");
    }
    format!("{:?}… ({} bytes)", Operand::from(&operand.0[..SHOWN / 2]), operand.0.len())
}

/// A certificate, a line each thing.
pub fn certified(c: &Certificate) -> String {
    let mut text = format!(
        "certificate\n  scope          {}\n  patterns       {}\n  subjects       {}\n  pairs          {}\n  deliveries     {}\n  \
         disagreements  {}\n  oracle         {}\n  digest         {}",
        c.scope,
        c.patterns,
        c.subjects,
        c.pairs,
        c.matches,
        c.disagreements,
        described(&c.oracle),
        c.digest
    );
    if c.covers > 0 {
        text.push_str(&format!("\n  stands for     {} pairs by renaming of literals", c.covers));
    }
    for remark in &c.oracle.remarks {
        text.push_str(&format!("\n  remark         {remark}"));
    }
    for limit in &c.limits {
        text.push_str(&format!("\n  not covered    {limit}"));
    }
    text
}

/// An oracle with its version and, where it tells one, its commit.
pub fn described(identity: &Identity) -> String {
    match &identity.commit {
        Some(commit) => format!("{identity} git {commit}"),
        None => identity.to_string(),
    }
}
