//! Hessians, derived line by line from the gradient.

use crate::expression::expression;
use chainrule::derive::{self, View};
use chainrule::diagnostic::Kind;
use chainrule::graph::Program;
use chainrule::reading;
use chainrule::witness;

fn program(text: &str, assume: &[&str]) -> Program {
    expression(text, &[("x", "n"), ("y", "m"), ("X", "m n"), ("A", "n n"), ("B", "n n"), ("a", "")], assume)
}

#[test]
fn hessians_are_jacobians_of_gradients() {
    let table: &[(&str, &[&str], &str)] = &[
        ("x @ A @ x", &[], "A + A.T"),
        ("x @ A @ x", &["A symmetric"], "2 * A"),
        ("sum((X @ x - y) ** 2)", &[], "2 * (X.T @ X)"),
        ("sum(x ** 3)", &[], "diag(6 * x)"),
        ("(x @ x) ** 2", &[], "4 * (x @ x) * eye(n) + 8 * outer(x, x)"),
        ("a * sum(x)", &[], "zeros(n, n)"),
    ];
    for (text, assume, hessian) in table {
        let p = program(text, assume);
        let x = p.input_named("x").unwrap();
        let mut gradient = reading::gradient_program(&p, p.output, x).unwrap();
        let mut derivation = derive::derive(&gradient, gradient.output, x).unwrap();
        assert_eq!(derivation.view, View::Jacobian);
        let answers = reading::answers(&mut derivation).unwrap();
        let checked = witness::check(derivation, answers).unwrap_or_else(|d| panic!("{text}: {d}"));
        assert!(checked.report().is_some_and(|r| r.answer && r.unchecked == 0), "{text}");
        let output = gradient.output;
        let again = reading::derivative(&mut gradient, output, x, 1).unwrap();
        assert_eq!(reading::text(&gradient, again.node), *hessian, "{text}");
    }
}

#[test]
fn only_scalars_have_a_hessian() {
    let p = program("A @ x", &[]);
    let refused = reading::gradient_program(&p, p.output, p.input_named("x").unwrap()).unwrap_err();
    assert_eq!(refused.kind, Kind::BadOrder);
}
