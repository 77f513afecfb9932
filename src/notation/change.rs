//! Which part of a line differs from the line before.

use crate::derive::Map;

/// The parts of `after` that `before` does not have, as paths; none where the
/// whole is new.
pub(super) fn change(before: &Map, after: &Map) -> Vec<Vec<usize>> {
    let (mut before, mut after, mut path) = (before, after, Vec::new());
    loop {
        let (old, new) = match (before, after) {
            (Map::Sum(old), Map::Sum(new)) | (Map::Compose(old), Map::Compose(new)) => (old, new),
            // One part of a container is left: the rest of it went away.
            _ => return if path.is_empty() { Vec::new() } else { vec![path] },
        };
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let room = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        let (changed_old, changed_new) = (&old[start..old.len() - end], &new[start..new.len() - end]);
        match (changed_old, changed_new) {
            ([a], [b]) if same_sort(a, b) => {
                path.push(start);
                (before, after) = (a, b);
            }
            _ if start + end == 0 && path.is_empty() => return Vec::new(),
            _ => {
                let at = |i| path.iter().copied().chain([i]).collect();
                return (start..new.len() - end).map(at).collect();
            }
        }
    }
}

fn same_sort(a: &Map, b: &Map) -> bool {
    matches!((a, b), (Map::Sum(_), Map::Sum(_)) | (Map::Compose(_), Map::Compose(_)))
}

#[cfg(test)]
mod tests {
    use super::change;
    use crate::derive::Map;

    #[test]
    fn only_what_is_new_is_marked() {
        let (i, n) = (Map::Identity, Map::Named);
        let sum = |terms: &[Map]| Map::Sum(terms.to_vec());
        let chain = |factors: &[Map]| Map::Compose(factors.to_vec());
        let table = [
            (sum(&[n(0), n(1)]), sum(&[i.clone(), n(1)]), vec![vec![0]]),
            (sum(&[i.clone(), n(1)]), sum(&[i.clone(), chain(&[n(2), n(3)])]), vec![vec![1]]),
            (
                sum(&[i.clone(), chain(&[n(2), n(3)])]),
                sum(&[i.clone(), chain(&[n(2), n(4), n(5)])]),
                vec![vec![1, 1], vec![1, 2]],
            ),
            (n(0), sum(&[i.clone(), n(1)]), vec![]),
            (sum(&[n(0), n(1)]), i, vec![]),
        ];
        for (before, after, paths) in table {
            assert_eq!(change(&before, &after), paths);
        }
    }
}
