//! How work grows with its size.

use allocation_counter::measure;

/// Work of four times the size may ask for so many times as much memory as four works of
/// the size: work in proportion asks for as much, quadratic work for four times that.
const MOST: f64 = 1.5;

/// Does the work grow in proportion to its size, four times `size` against four times over?
/// What is counted are the bytes asked for on the way: seconds tell more of the machine.
pub fn grows_linearly(what: &str, size: usize, work: impl Fn(usize)) {
    // What is made once, on first use, belongs to neither.
    work(size);
    let (few, many) = (4 * asked(|| work(size)), asked(|| work(4 * size)));
    assert!((many as f64) < MOST * few as f64, "{what}: {few} bytes four times over, {many} for four times the size");
}

fn asked(work: impl FnOnce()) -> u64 {
    measure(work).bytes_total
}
