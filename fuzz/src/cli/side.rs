//! The same work on many things, as many at a time as there are cores. Must never change their order.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use super::{failure::Failure, session::Session};

/// What became of the things.
pub struct Done<R> {
    /// The results that there are, in the order of the things.
    pub results: Vec<R>,
    /// The first of the failures, in that order, or the interrupt: some have no result.
    pub failure: Option<Failure>,
}

impl<R> Done<R> {
    /// All results.
    ///
    /// # Errors
    /// The failure.
    pub fn all(self) -> Result<Vec<R>, Failure> {
        self.failure.map_or(Ok(self.results), Err)
    }
}

/// `work` on each. After a failure nothing new is begun.
pub fn by_side<T: Sync, R: Send>(
    session: &Session,
    things: &[T],
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Done<R> {
    let failed = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, Failure>)>> = Mutex::default();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(things.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(place) else { break };
                    if session.interrupt.is_set() || failed.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = work(thing);
                    failed.fetch_or(result.is_err(), Ordering::Relaxed);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    let mut told = Done { results: Vec::with_capacity(done.len()), failure: None };
    for (_, result) in done {
        match result {
            Ok(result) => told.results.push(result),
            Err(failure) => _ = told.failure.get_or_insert(failure),
        }
    }
    if session.interrupt.is_set() {
        told.failure = Some(Failure::Interrupted);
    }
    told
}
