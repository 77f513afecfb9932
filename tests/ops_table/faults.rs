//! Faults planted in every rule: the comparison with differences finds them all.

use crate::agreement::rule_agrees;
use chainrule::ops::{self, Op, OpRef, Rule};

/// What a slip of the pen replaces, and by what.
const SLIPS: &[(&str, &str)] = &[
    (" + ", " - "),
    (" - ", " + "),
    ("-(", "("),
    (" / ", " * "),
    ("sin(", "cos("),
    ("cos(", "sin("),
    ("sinh(", "cosh("),
    ("cosh(", "sinh("),
    ("sigmoid(x)", "tanh(x)"),
    ("softmax(x, axis)", "log_softmax(x, axis)"),
    ("mean(", "sum("),
    ("sum(", "mean("),
    ("sign(", "abs("),
    (" > ", " < "),
    (" < ", " > "),
    ("out * ", ""),
    ("x * ", ""),
    (" * out", ""),
    ("2 * ", ""),
    ("2 * ", "3 * "),
    (" ** 2", " ** 3"),
    ("(1 - ", "(2 - "),
    ("(1 + ", "(2 + "),
    ("out", "x"),
    ("dx", "(-dx)"),
    ("dx", "(2 * dx)"),
    ("dx", "(1.000001 * dx)"),
    ("dx", "x"),
    ("dx", "(dx * dx)"),
    ("dy", "(-dy)"),
    ("dy", "(1.000001 * dy)"),
    ("ds", "(-ds)"),
    ("da", "(-da)"),
    ("dlo", "(-dlo)"),
    ("dhi", "(-dhi)"),
    ("deps", "(-deps)"),
];

/// All rules that differ from this one by one slip at one place.
fn slipped(rule: &str) -> Vec<String> {
    let at_each_place = |(from, to): &(&str, &str)| {
        let whole_word = |at: usize| {
            let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let (before, after) = (rule[..at].chars().next_back(), rule[at + from.len()..].chars().next());
            !(letter(from.chars().next()) && letter(before) || letter(from.chars().next_back()) && letter(after))
        };
        let places = rule.match_indices(from).map(|(at, _)| at).filter(|at| whole_word(*at));
        places.map(|at| format!("{}{to}{}", &rule[..at], &rule[at + from.len()..])).collect::<Vec<_>>()
    };
    SLIPS.iter().flat_map(at_each_place).collect()
}

/// The operation with another rule.
fn with_rule(op: OpRef, rule: String) -> OpRef {
    Box::leak(Box::new(Op { rule: Rule::Text(Box::leak(rule.into_boxed_str())), ..*op }))
}

#[test]
fn every_planted_fault_is_caught() {
    let (mut planted, mut by_numbers, mut missed) = (0, 0, Vec::new());
    for op in ops::all() {
        let Some(rule) = op.rule.text() else { continue };
        let faults = slipped(rule);
        assert!(faults.len() >= 2, "{}: {} faults planted", op.name, faults.len());
        for fault in faults {
            planted += 1;
            match rule_agrees(with_rule(op, fault.clone())) {
                // How entries that tie share is a convention, compared below.
                Ok(_) if fault.contains(" * sum(x == a") => {}
                Ok(_) => missed.push(format!("{}: {fault}", op.name)),
                // The others no longer fit in shape or cannot be read.
                Err(told) => by_numbers += usize::from(told.contains("differences")),
            }
        }
    }
    assert!(missed.is_empty(), "{} of {planted} missed:\n{}", missed.len(), missed.join("\n"));
    assert!(planted > 500 && by_numbers > 500, "{by_numbers} of {planted}");
}

#[test]
fn entries_that_tie_share() {
    use chainrule::derive::rules;
    use chainrule::evaluate::{Inputs, evaluate};
    use chainrule::graph::{Request, read_expression};
    let table: [(&str, &[f64], f64); 5] = [
        ("max(x)", &[2.0, 5.0, 5.0], 0.5 * 10.0 + 0.5 * 100.0),
        ("max(x)", &[5.0, 5.0, 5.0], 37.0),
        ("min(x)", &[2.0, 5.0, 2.0], 0.5 + 0.5 * 100.0),
        ("amax(x, axis=0)", &[7.0, 5.0, 5.0], 1.0),
        ("norm(x, 1)", &[0.0, -2.0, 3.0], 90.0),
    ];
    for (text, x, slope) in table {
        let mut request = Request::default();
        request.declare("x", "3").unwrap();
        let mut program = read_expression(text, &request).unwrap();
        let (out, x_node) = (program.output, program.inputs[0]);
        let local = rules::local(&mut program, out, &|node| node == x_node).unwrap();
        let mut at = Inputs::default();
        at.set(x_node, chainrule::array::Array::vector(x.to_vec()));
        at.set_hole(x_node, chainrule::array::Array::vector(vec![1.0, 10.0, 100.0]));
        let found = evaluate(&program, &[local], &at).unwrap().get(local).as_scalar();
        assert_eq!(found, Some(slope), "{text} at {x:?}");
    }
}
