//! Lanes beside the rows: where edges run that cannot run straight.

/// Something that wants a place beside the rows: a lane, or the border of a block.
///
/// Places are counted by slots: row r is slot 2 r, the gap below it slot 2 r + 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    /// The slots whose boxes it must clear.
    pub near: (usize, usize),
    /// The slots it takes up itself.
    pub own: (usize, usize),
    /// Half the width of what stands on it.
    pub half: f64,
    /// The distance it keeps.
    pub gap: f64,
}

/// The distance of each, short ones inside; `taken` is how far the boxes reach in
/// each slot. Afterwards it is how far everything reaches.
pub(super) fn outward(taken: &mut [f64], wants: &[Want]) -> Vec<f64> {
    let boxes = taken.to_vec();
    let mut order: Vec<usize> = (0..wants.len()).collect();
    order.sort_by_key(|i| (wants[*i].own.1.saturating_sub(wants[*i].own.0), *i));
    let mut places = vec![0.0; wants.len()];
    for i in order {
        let want = &wants[i];
        let farthest = |reach: &[f64], (first, last): (usize, usize)| {
            reach.iter().take(last + 1).skip(first).fold(0.0_f64, |far, reach| far.max(*reach))
        };
        let inner = farthest(&boxes, want.near).max(farthest(taken, want.own));
        places[i] = inner + want.gap + want.half;
        for reach in taken.iter_mut().take(want.own.1 + 1).skip(want.own.0) {
            *reach = places[i] + want.half;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{Want, outward};

    fn lane(first: usize, last: usize) -> Want {
        Want { near: (first, last), own: (first + 1, last - 1), half: 5.0, gap: 10.0 }
    }

    #[test]
    fn short_lanes_run_inside_long_ones_and_lanes_end_to_end_share_a_place() {
        let mut taken = vec![40.0; 9];
        let places = outward(&mut taken, &[lane(0, 8), lane(0, 4), lane(4, 8)]);
        assert_eq!(places, [75.0, 55.0, 55.0]);
        assert_eq!(taken[4], 80.0);
    }
}
