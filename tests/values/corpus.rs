//! The problems of the corpus: right, in closed form, and no longer than what is published.

use chainrule::course::{Numbers, Outcome, Problem, read_numbers, read_problems, solve};
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::read_expression;

#[test]
fn problems_are_right_closed_and_short() {
    let problems = read_problems(include_str!("../corpus/cases.toml")).unwrap();
    let numbers = read_numbers(include_str!("../corpus/values.json")).unwrap();
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
    assert!(short >= 469, "short {short}");
}

fn told(outcome: &Outcome) -> String {
    let Outcome { id, trouble, answer, size, expected_size, steps, lines_checked, error, .. } = outcome;
    format!(
        "{id}: {answer} {size} > {expected_size:?}, {lines_checked} of {steps} lines, error {error:.1e} {trouble:?}\n"
    )
}

/// The value of the answer, pasted back with the named parts it uses.
fn pasted(problem: &Problem, outcome: &Outcome, numbers: &Numbers) -> Result<Vec<f64>, String> {
    let mut request = problem.request(false).map_err(|told| told.to_string())?;
    let name = |line: &str| line.split('=').next().map(|name| name.trim().to_string());
    for part in &outcome.parts {
        if !request.lets.iter().any(|known| name(known) == name(part)) {
            request.lets.push(part.clone());
        }
    }
    let program = read_expression(&outcome.answer, &request).map_err(|told| told[0].to_string())?;
    let mut inputs = Inputs::new(problem.named_sizes());
    for (name, value) in &numbers.inputs {
        if let Some(input) = program.input_named(name) {
            inputs.set(input, value.to_array(name).map_err(|told| told.to_string())?);
        }
    }
    let values = evaluate(&program, &[program.output], &inputs).map_err(|told| told.to_string())?;
    Ok(values.get(program.output).data().to_vec())
}

#[test]
fn answers_without_a_matrix_expression_can_be_pasted_back() {
    let problems = read_problems(include_str!("../corpus/cases.toml")).unwrap();
    let numbers = read_numbers(include_str!("../corpus/values.json")).unwrap();
    let mut count = 0;
    for problem in problems.iter().filter(|problem| problem.expected.is_none()) {
        let outcome = solve(problem, numbers.get(&problem.id));
        let (Some(wanted), Some(numbers)) = (&outcome.derivative, numbers.get(&problem.id)) else { continue };
        if outcome.closed {
            continue;
        }
        let found = pasted(problem, &outcome, numbers).unwrap_or_else(|told| panic!("{}: {told}", told_of(&outcome)));
        let far = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-9 * wanted.max_abs().max(1e-3);
        assert!(!found.iter().zip(wanted.data()).any(far), "{}", told_of(&outcome));
        assert_eq!(found.len(), wanted.data().len(), "{}", told_of(&outcome));
        count += 1;
    }
    assert!(count >= 40, "{count}");
}

fn told_of(outcome: &Outcome) -> String {
    format!("{}: {} where {:?}", outcome.id, outcome.answer, outcome.parts)
}
