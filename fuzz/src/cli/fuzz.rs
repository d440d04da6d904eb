//! `fuzz`: what does random search find beyond a scope? Must never report that something vanished: not finding is not
//! proof.

use std::time::Duration;

use wildcheck::{
    exit::ExitCode,
    search::{SearchOptions, search},
};

use super::{args::Live, bounded, desk::Desk, failure::Failure, session::Session};

/// The options of `fuzz`.
#[derive(clap::Args)]
pub struct Args {
    /// Stop after this time: 90s, 10m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1m")]
    max_time: Duration,
    /// Stop after so many grids; with a seed that makes a search repeatable
    #[arg(long, value_name = "N")]
    max_grids: Option<u64>,
    #[command(flatten)]
    live: Live,
}

/// Runs it.
pub fn run(session: &mut Session, args: Args) -> Result<ExitCode, Failure> {
    let session = &*session;
    let baseline = session.tables()?.baseline;
    let oracles = bounded::open_all(session, &args.live)?;
    let identities = bounded::identities(session, oracles.iter().map(|(_, oracle)| &**oracle))?;
    let share = args.max_time / u32::try_from(oracles.len().max(1)).unwrap_or(u32::MAX);
    let mut scope = format!("random search of {} seconds", args.max_time.as_secs_f64());
    if let Some(grids) = args.max_grids {
        scope.push_str(&format!(", at most {grids} grids"));
    }
    let mut desk = Desk::open(session, &scope, identities)?;
    let (mut grids, mut pairs, mut wrong) = (0, 0, 0);
    let mut causes = 0;
    let result = oracles.into_iter().try_for_each(|(_, oracle)| {
        bounded::self_check(session, &mut desk)?;
        let mut trio = bounded::trio(session, oracle, baseline.clone())?;
        let options = SearchOptions { max_time: Some(share), max_grids: args.max_grids, seed: session.seed };
        let found = search(session.dialect, &options, &mut trio, &mut desk);
        bounded::findings(&mut trio, &mut desk);
        let found = found?;
        grids += found.grids;
        pairs += found.under_test.pairs;
        wrong += found.under_test.disagreements();
        causes += found.witnesses.len() + found.naive_witnesses.len();
        Ok(())
    });
    let tally = desk.tally.clone();
    let sentence = format!(
        "{grids} grids, {pairs} pairs asked, {wrong} disagreements with the reference; {causes} causes seen, {} new",
        tally.new_causes + tally.new_naive
    );
    let code = if result.is_ok() && grids == 0 { ExitCode::Nothing } else { tally.code(true) };
    Ok(desk.close(result.map(|()| code), &sentence))
}

/// `90s`, `10m`, `2h`, or seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) => (number, &text[number.len()..]),
        None => (text, "s"),
    };
    let seconds = match unit {
        "h" => 3600.0,
        "m" => 60.0,
        _ => 1.0,
    };
    number
        .parse::<f64>()
        .ok()
        .and_then(|number| Duration::try_from_secs_f64(number * seconds).ok())
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "expected a time such as 90s, 10m or 2h".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_seconds_minutes_and_hours() {
        for (text, seconds) in [("90s", 90), ("10m", 600), ("2h", 7200), ("5", 5), ("0.5m", 30)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for text in ["", "m", "0s", "-1s", "ten", "1d", "nan", "inf"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
