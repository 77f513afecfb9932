//! The problems of the corpus: right, in closed form, and no longer than what is published.

use chainrule::course::{Outcome, read_numbers, read_problems, solve};

#[test]
fn problems_are_right_closed_and_short() {
    let problems = read_problems(include_str!("corpus/cases.toml")).unwrap();
    let numbers = read_numbers(include_str!("corpus/values.json")).unwrap();
    let (mut right, mut closed, mut short, mut published) = (0, 0, 0, 0);
    let mut report = String::new();
    for problem in &problems {
        let outcome = solve(problem, numbers.get(&problem.id));
        right += usize::from(outcome.ok && outcome.lines_checked == outcome.steps);
        let Some(expected) = outcome.expected_size else {
            if !outcome.ok || outcome.lines_checked != outcome.steps {
                report += &told(&outcome);
            }
            continue;
        };
        published += 1;
        closed += usize::from(outcome.ok && outcome.closed);
        short += usize::from(outcome.ok && outcome.closed && outcome.size <= expected);
        assert!(4 * outcome.size <= 5 * expected || !outcome.closed, "more than a quarter longer: {}", told(&outcome));
        if !(outcome.ok && outcome.closed && outcome.size <= expected && outcome.lines_checked == outcome.steps) {
            report += &told(&outcome);
        }
    }
    println!("{report}right {right} of {}, closed {closed}, short {short} of {published}", problems.len());
    // What was reached; it may not fall.
    assert_eq!((right, closed), (525, 469));
    assert!(short >= 468, "short {short}");
}

fn told(outcome: &Outcome) -> String {
    let Outcome { id, trouble, answer, size, expected_size, steps, lines_checked, error, .. } = outcome;
    format!(
        "{id}: {answer} {size} > {expected_size:?}, {lines_checked} of {steps} lines, error {error:.1e} {trouble:?}\n"
    )
}
