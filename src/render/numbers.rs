//! Arrays of numbers as aligned text.

use super::lines::width;
use crate::array::Array;

/// So many rows of a matrix are shown at most.
const ROWS: usize = 16;
/// So many slices of an array of higher rank are shown at most.
const SLICES: usize = 4;
/// Digits after the point.
const DIGITS: usize = 6;

/// The lines of an array, at most `room` columns each; what does not fit is left
/// out in the middle.
pub(super) fn rows(array: &Array, room: usize) -> Vec<String> {
    let style = Style::of(array.data());
    match array.sizes() {
        [] => vec![style.write(array.data().first().copied().unwrap_or(f64::NAN))],
        [_] => matrix(&[array.data()], &style, room),
        [_, columns] => {
            let rows: Vec<&[f64]> = array.data().chunks(*columns.max(&1)).collect();
            matrix(&rows, &style, room)
        }
        _ => slices(array, room),
    }
}

/// One matrix after the other; depth is the rank.
fn slices(array: &Array, room: usize) -> Vec<String> {
    let count = array.sizes()[0];
    let mut lines = Vec::new();
    for i in 0..count.min(SLICES) {
        lines.push(format!("[{i}]"));
        lines.extend(array.index(i).map_or_else(Vec::new, |part| rows(&part, room)));
    }
    if count > SLICES {
        lines.push(format!("⋯ {} more", count - SLICES));
    }
    lines
}

fn matrix(rows: &[&[f64]], style: &Style, room: usize) -> Vec<String> {
    let shown = kept(rows.len(), ROWS);
    let texts: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|x| style.write(*x)).collect()).collect();
    let cell = texts.iter().flatten().map(|text| width(text)).max().unwrap_or(1);
    let columns = rows.first().map_or(0, |row| row.len());
    let fits = (room.saturating_sub(2) / (cell + 2)).max(3);
    let places = kept(columns, fits);
    let mut lines = Vec::new();
    for row in shown {
        let Some(row) = row else {
            lines.push(" ⋮".to_string());
            continue;
        };
        let cells = places.iter().map(|place| match place {
            Some(place) => format!("{:>cell$}", texts[row][*place]),
            None => "⋯".to_string(),
        });
        lines.push(format!("[{}]", cells.collect::<Vec<_>>().join("  ")));
    }
    lines
}

/// Which of `count` places are shown in `room`, `None` for those left out.
fn kept(count: usize, room: usize) -> Vec<Option<usize>> {
    if count <= room {
        return (0..count).map(Some).collect();
    }
    let first = (room - 1).div_ceil(2);
    let last = room - 1 - first;
    (0..first).map(Some).chain([None]).chain((count - last..count).map(Some)).collect()
}

/// How all numbers of one array are written.
struct Style {
    digits: usize,
    scientific: bool,
}

impl Style {
    fn of(data: &[f64]) -> Style {
        let largest = data.iter().fold(0.0f64, |max, x| max.max(x.abs()));
        let smallest = data.iter().filter(|x| **x != 0.0).fold(f64::INFINITY, |min, x| min.min(x.abs()));
        let scientific = largest >= 1e7 || (largest > 0.0 && largest < 1e-3) || (smallest < 1e-5 && largest < 1e-2);
        let digits = (0..DIGITS).find(|digits| data.iter().all(|x| exact(*x, *digits))).unwrap_or(DIGITS);
        Style { digits, scientific }
    }

    fn write(&self, x: f64) -> String {
        let text = match self.scientific {
            true if x == 0.0 => "0".to_string(),
            true => format!("{x:.5e}"),
            false => format!("{x:.*}", self.digits),
        };
        // −0 reads as 0.
        let zero = text.starts_with('-') && text.chars().all(|c| matches!(c, '-' | '0' | '.'));
        if zero { text[1..].to_string() } else { text.replace('-', "−") }
    }
}

/// Do so many digits after the point say all?
fn exact(x: f64, digits: usize) -> bool {
    format!("{x:.digits$}").parse() == Ok(x)
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::array::Array;

    #[test]
    fn numbers_line_up_and_exact_ones_are_seen() {
        let table = [
            (Array::identity(2), vec!["[1  0]", "[0  1]"]),
            (Array::vector(vec![0.5, -1.25]), vec!["[ 0.50  −1.25]"]),
            (Array::scalar(-0.0), vec!["0"]),
            (Array::vector(vec![1.0, 1.0 + 1e-9]), vec!["[1.000000  1.000000]"]),
            (Array::vector(vec![2.5e9]), vec!["[2.50000e9]"]),
            (Array::vector(vec![2.5e-5, 0.0]), vec!["[2.50000e−5           0]"]),
        ];
        for (array, lines) in table {
            assert_eq!(rows(&array, 80), lines);
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_the_middle() {
        let lines = rows(&Array::filled(&[40, 40], 1.0), 30);
        assert!(lines.iter().all(|line| line.chars().count() <= 30));
        assert!(lines.len() <= 17 && lines.iter().any(|line| line.contains('⋮')) && lines[0].contains('⋯'));
    }
}
