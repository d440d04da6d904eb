//! The same work on many things, as many at a time as there are cores. Must never change their order.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicUsize, Ordering},
};

use super::{failure::Failure, session::Session};

/// `work` on each; the results in the order of `things`.
///
/// # Errors
/// The first of the failures, in that order; [`Failure::Interrupted`].
pub fn by_side<T: Sync, R: Send>(
    session: &Session,
    things: &[T],
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, Failure>)>> = Mutex::default();
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(things.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(place) else { break };
                    if session.interrupt.is_set() {
                        break;
                    }
                    let result = work(thing);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((place, result));
                }
            });
        }
    });
    if session.interrupt.is_set() {
        return Err(Failure::Interrupted);
    }
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}
