//! Walking several buffers at once, each with its own steps.

/// The step of each axis through a row-major buffer.
pub fn strides(sizes: &[usize]) -> Vec<usize> {
    let mut steps = vec![1; sizes.len()];
    for axis in (1..sizes.len()).rev() {
        steps[axis - 1] = steps[axis] * sizes[axis];
    }
    steps
}

/// Calls `visit` for every entry of `sizes`, last axis fastest, with the place
/// in each buffer: the sum of index times step over the axes. A step of 0
/// repeats; an axis may step through a buffer along its diagonal.
pub fn walk<const N: usize>(sizes: &[usize], steps: [&[usize]; N], mut visit: impl FnMut([usize; N])) {
    if sizes.contains(&0) {
        return;
    }
    let Some((inner, outer)) = sizes.split_last() else {
        return visit([0; N]);
    };
    let inner_step = steps.map(|s| s[outer.len()]);
    let mut index = vec![0; outer.len()];
    let mut place = [0; N];
    loop {
        let mut at = place;
        for _ in 0..*inner {
            visit(at);
            (0..N).for_each(|n| at[n] += inner_step[n]);
        }
        // Count up, from the last outer axis.
        let mut axis = outer.len();
        loop {
            let Some(next) = axis.checked_sub(1) else { return };
            axis = next;
            index[axis] += 1;
            (0..N).for_each(|n| place[n] += steps[n][axis]);
            if index[axis] < outer[axis] {
                break;
            }
            (0..N).for_each(|n| place[n] -= steps[n][axis] * outer[axis]);
            index[axis] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{strides, walk};

    #[test]
    fn walks_in_row_major_order() {
        assert_eq!(strides(&[2, 3, 4]), [12, 4, 1]);
        let mut seen = Vec::new();
        walk(&[2, 3], [&[3, 1], &[1, 2]], |at| seen.push(at));
        assert_eq!(seen, [[0, 0], [1, 2], [2, 4], [3, 1], [4, 3], [5, 5]]);
        walk(&[2, 0], [&[0, 0]], |_| unreachable!("no entries"));
    }
}
