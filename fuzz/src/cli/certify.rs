//! `certify`: is there any disagreement in a whole scope? Must never let the naive approximation decide the exit code.

use wildcheck::{
    certify::{CertifyOptions, NaiveCoverage},
    exit::ExitCode,
    scope::Scope,
};

use super::{args::Live, bounded, desk::Desk, failure::Failure, session::Session};

/// The options of `certify`.
#[derive(clap::Args)]
pub struct Args {
    /// The literal tokens, with commas between them; \xNN is a byte; the dialect's wildcards are added
    #[arg(long, value_name = "LIST", default_value = bounded::TOKENS)]
    tokens: String,
    /// The greatest number of tokens of an operand
    #[arg(long, value_name = "N", default_value_t = 5)]
    depth: usize,
    /// Also the empty token and misplaced wildcards, on both sides
    #[arg(long)]
    invalid: bool,
    /// Only one pair of those that differ by a renaming of the literals; the certificate says what that covers
    #[arg(long)]
    canonical: bool,
    #[command(flatten)]
    live: Live,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let baseline = session.tables()?.baseline;
    let scope = Scope::parse(session.dialect, &args.tokens, args.depth, args.invalid, args.canonical)?;
    let oracles = bounded::open_all(session, &args.live)?;
    let identities = bounded::identities(session, oracles.iter().map(|(_, oracle)| &**oracle))?;
    let mut desk = Desk::open(session, &scope.to_string(), identities)?;
    let mut naive = String::new();
    let result = oracles.into_iter().try_fold(ExitCode::Agree, |code, (_, oracle)| {
        bounded::self_check(session, &mut desk)?;
        let options = CertifyOptions { seed: session.seed, ..CertifyOptions::default() };
        let certified = bounded::certify(session, &scope, &options, oracle, baseline.clone(), &mut desk)?;
        let of = match certified.naive_coverage {
            NaiveCoverage::Exhaustive => format!("{} pairs", certified.naive.pairs),
            NaiveCoverage::Sample => format!("a sample of {} pairs", certified.naive.pairs),
        };
        naive = format!(
            "; the naive approximation is wrong on {} of {of}, by {} causes",
            certified.naive.disagreements(),
            certified.naive_witnesses.len()
        );
        Ok(code.worst(bounded::verdict(&certified, &mut desk)))
    });
    let tally = desk.tally.clone();
    let sentence = format!("{} pairs asked, {} disagreements{naive}", tally.pairs, tally.disagreements);
    Ok(desk.close(result.map(|code| code.worst(tally.code(false))), &sentence))
}
