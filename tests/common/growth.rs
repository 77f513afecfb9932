//! How the time of some work grows with its size.

use std::time::{Duration, Instant};

/// The time of a size four times as large may be so many times that of the smaller: work
/// in proportion takes four times as long, work that is quadratic sixteen times.
const MOST: f64 = 9.0;
/// Another program on the machine disturbs one attempt, not all.
const ATTEMPTS: usize = 4;

/// Does the work take time in proportion to its size, `size` against four times that?
pub fn grows_linearly(what: &str, size: usize, work: impl Fn(usize)) {
    let mut met = Vec::new();
    for _ in 0..ATTEMPTS {
        let (few, many) = (time(|| work(size)), time(|| work(4 * size)));
        let times = many.as_secs_f64() / few.as_secs_f64();
        if times < MOST {
            return;
        }
        met.push(format!("{few:?} then {many:?}"));
    }
    panic!("{what}: four times the size took {}", met.join("; "));
}

fn time(work: impl Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
