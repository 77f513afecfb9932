//! Every record can be written down, and its attributes are seen.

use crate::cases::{cases, sizes};
use chainrule::evaluate::{Inputs, evaluate};
use chainrule::graph::{Request, read_expression};
use chainrule::notation::{Scribe, Style, of};
use chainrule::ops;
use chainrule::reading::text;
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
    let table = [
        ("softmax(x, axis=0)", "softmax(x)"),
        ("softmax(A, axis=0)", "softmax(A, axis=0)"),
        ("logsumexp(x, axis=0)", "logsumexp(x)"),
        ("var(x)", "var(x)"),
        ("A.var(axis=0, unbiased=False)", "var(A, axis=0)"),
        ("max(A)", "max(A)"),
        ("flip(x)", "flip(x)"),
        ("flip(A, axis=1)", "flip(A, axis=1)"),
        ("A[1:3]", "A[1:3, :]"),
        ("A[:, 0]", "A[:, 0]"),
        ("A[..., ::2]", "A[:, :5:2]"),
        ("concatenate([x, y], axis=0)", "concatenate(x, y)"),
        ("A.reshape(2, -1)", "reshape(A, 2, 10)"),
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

/// What an answer prints can be pasted back: the text is read as the same value.
#[test]
fn every_record_reads_back() {
    let mut missed = Vec::new();
    // Functions without a body have no text; the value of a comparison is no result.
    let silent =
        |notation| matches!(notation, ops::Notation::Function | ops::Notation::Jacobian | ops::Notation::Comparison(_));
    for op in ops::all().filter(|op| !silent(op.notation)) {
        for case in cases(op) {
            let (mut request, at) = (Request { strict: true, ..Request::default() }, case.point(0));
            for (i, arg) in case.args.iter().enumerate() {
                let shape = case.program.shape(*arg).0.iter().map(|dim| dim.to_string()).collect::<Vec<_>>().join(" ");
                request.declare(&format!("x{i}"), &shape).unwrap();
            }
            for (size, _) in sizes() {
                request.declare(&format!("has_{size}"), &size).unwrap();
            }
            let written = text(&case.program, case.program.output);
            let program = match read_expression(&written, &request) {
                Ok(program) => program,
                Err(told) => {
                    missed.push(format!("{}: {written}: {}", case.says, told[0]));
                    break;
                }
            };
            let mut inputs = Inputs::new(sizes());
            for (i, arg) in case.args.iter().enumerate() {
                inputs.set(program.input_named(&format!("x{i}")).unwrap(), at.get(*arg).unwrap().clone());
            }
            let found = evaluate(&program, &[program.output], &inputs).unwrap().get(program.output).clone();
            let value = case.value(&at);
            let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b.abs() || a == b || a.is_nan() && b.is_nan();
            if found.sizes() != value.sizes() || !found.data().iter().zip(value.data()).all(near) {
                missed.push(format!("{}: {written}", case.says));
                break;
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
