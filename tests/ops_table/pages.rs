//! Every record can be written down, and its attributes are seen.

use crate::cases::cases;
use chainrule::notation::{Scribe, Style, of};
use chainrule::ops;
use chainrule::render::flat;
use std::collections::BTreeMap;

#[test]
fn every_record_renders() {
    for op in ops::all() {
        let cases = cases(op);
        for case in &cases {
            for style in [Style::Columns, Style::Written] {
                let text = flat(&Scribe::new(&case.program, style).math(case.program.output));
                assert!(!text.is_empty() && !text.contains('⋯'), "{}: {text}", case.says);
            }
        }
        assert!(!cases.is_empty(), "{} has no case", op.name);
    }
}

/// Two uses that differ in an attribute are two texts, where the notation is a call.
#[test]
fn attributes_are_seen() {
    let called = |op: &ops::OpRef| matches!(op.notation, ops::Notation::Call(_) | ops::Notation::Slice);
    for op in ops::all().filter(called) {
        let mut seen: BTreeMap<(String, Vec<String>), String> = BTreeMap::new();
        for case in cases(op) {
            let text = flat(&of(&case.program, case.program.output));
            let shapes = case.args.iter().map(|arg| case.program.shape(*arg).to_string()).collect();
            if let Some(other) = seen.insert((text.clone(), shapes), case.says.clone()) {
                let values = |says: &str| case.says == says;
                assert!(values(&other), "{text} is both {} and {other}", case.says);
            }
        }
    }
}

#[test]
fn a_default_is_left_out_and_nothing_else() {
    use chainrule::graph::{Request, read_expression};
    let table = [
        ("softmax(x, axis=0)", "softmax(x, axis=0)"),
        ("logsumexp(x, axis=0)", "logsumexp(x, axis=0)"),
        ("var(x)", "var(x)"),
        ("A.var(axis=0, unbiased=False)", "var(A, axis=0)"),
        ("max(A)", "max(A)"),
        ("flip(x)", "flip(x)"),
        ("flip(A, axis=1)", "flip(A, axis=1)"),
        ("A[1:3]", "A[1:3, :]"),
        ("A[:, 0]", "A[:, 0]"),
        ("A[..., ::2]", "A[:, :5:2]"),
        ("concatenate([x, y], axis=0)", "concatenate(x, y, axis=0)"),
        ("A.reshape(2, -1)", "reshape(A, dims=(2, 10))"),
        ("kron(A, A)", "A ⊗ A"),
    ];
    for (text, expected) in table {
        let mut request = Request::default();
        for (name, shape) in [("x", "n"), ("y", "m"), ("A", "4 5")] {
            let letter = |c: char| c.is_alphanumeric() || c == '_';
            if text.split(|c| !letter(c)).any(|word| word == name) {
                request.declare(name, shape).unwrap();
            }
        }
        let program = read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"));
        assert_eq!(flat(&of(&program, program.output)), expected, "{text}");
    }
}
