//! Maps of matrices as one matrix on stacked entries.

use crate::expression::expression;
use chainrule::derive;
use chainrule::graph::Program;
use chainrule::reading::{Answers, Stacking, answers, gradient_program, text};
use chainrule::witness;

/// All dimensions differ, so that no two matrices can be exchanged.
const SHAPES: &[(&str, &str)] = &[
    ("X", "m n"),
    ("A", "p m"),
    ("B", "n q"),
    ("C", "m n"),
    ("M", "m m"),
    ("N", "n n"),
    ("W", "n k"),
    ("V", "k n"),
    ("v", "n"),
    ("s", ""),
];

fn program(text: &str) -> Program {
    expression(text, SHAPES, &[])
}

/// The matrix in the input language, after it was compared with differences.
fn stacked(p: &Program, by: Stacking) -> Option<String> {
    let x = p.input_named("X").unwrap();
    let mut derivation = derive::derive(p, p.output, x).unwrap();
    let mut found: Answers = answers(&mut derivation).unwrap();
    found.stack(by);
    let checked = witness::check(derivation, found).unwrap_or_else(|d| panic!("{}: {d}", p.source));
    let answers = &checked.value().1;
    answers.stacked.and_then(|found| found.node).map(|node| text(&answers.program, node))
}

#[test]
fn maps_of_matrices_have_a_matrix_on_stacked_entries() {
    let table = [
        ("A @ X @ B", "kron(B.T, A)", "kron(A, B.T)"),
        ("A @ X", "kron(eye(n), A)", "kron(A, eye(n))"),
        ("X @ B", "kron(B.T, eye(m))", "kron(eye(m), B.T)"),
        ("X.T", "commutation(m, n)", "commutation(n, m)"),
        ("B.T @ X.T @ A.T", "commutation(p, q) @ kron(B.T, A)", "commutation(q, p) @ kron(A, B.T)"),
        ("C * X", "diag(vec(C))", "diag(reshape(C, m * n))"),
        ("X * v", "kron(diag(v), eye(m))", "kron(eye(m), diag(v))"),
        ("s * X", "s * eye(m * n)", "s * eye(m * n)"),
        ("X - M @ X @ N", "eye(m * n) - kron(N.T, M)", "eye(m * n) - kron(M, N.T)"),
        (
            "X + relu(X @ W) @ V",
            "eye(m * n) + kron(V.T, eye(m)) @ diag(vec(where(z > 0, 1, 0))) @ kron(W.T, eye(m))",
            "eye(m * n) + kron(eye(m), V.T) @ diag(reshape(where(z > 0, 1, 0), k * m)) @ kron(eye(m), W.T)",
        ),
        (
            "X @ X.T",
            "kron(X, eye(m)) + kron(eye(m), X) @ commutation(m, n)",
            "kron(eye(m), X) + kron(X, eye(m)) @ commutation(n, m)",
        ),
    ];
    for (expr, columns, rows) in table {
        let p = program(expr);
        assert_eq!(stacked(&p, Stacking::Columns).as_deref(), Some(columns), "{expr}");
        assert_eq!(stacked(&p, Stacking::Rows).as_deref(), Some(rows), "{expr}");
    }
}

#[test]
fn what_has_no_such_matrix_gets_none() {
    for expr in ["softmax(X, 1)", "X / sum(X ** 2)"] {
        assert_eq!(stacked(&program(expr), Stacking::Columns), None, "{expr}");
    }
}

#[test]
fn hessians_by_matrices_are_operators_and_have_matrices() {
    let table = [
        ("trace(X.T @ M @ X)", "(M + M.T) @ d(X)", "kron(eye(n), M + M.T)"),
        ("trace(M @ X @ N @ X.T)", "M @ d(X) @ N + M.T @ d(X) @ N.T", "kron(N.T, M) + kron(N, M.T)"),
        ("sum((A @ X @ B) ** 2)", "2 * (A.T @ A @ d(X) @ B @ B.T)", "2 * kron(B @ B.T, A.T @ A)"),
        ("sum(exp(X))", "g * d(X)", "diag(vec(g))"),
    ];
    for (expr, operator, matrix) in table {
        let p = program(expr);
        let x = p.input_named("X").unwrap();
        let gradient = gradient_program(&p, p.output, x).unwrap();
        let mut derivation = derive::derive(&gradient, gradient.output, x).unwrap();
        let found = answers(&mut derivation).unwrap();
        assert_eq!(text(&found.program, found.differential.unwrap()), operator, "{expr}");
        assert_eq!(stacked(&gradient, Stacking::Columns).as_deref(), Some(matrix), "{expr}");
        stacked(&gradient, Stacking::Rows).unwrap();
    }
}

#[test]
fn anything_by_a_scalar_has_a_second_derivative() {
    for (expr, wanted) in [("exp(s * X)", "X ** 2 * exp(s * X)"), ("sin(s * v)", "-(v ** 2 * sin(s * v))")] {
        let p = program(expr);
        let s = p.input_named("s").unwrap();
        let mut first = gradient_program(&p, p.output, s).unwrap();
        let out = first.output;
        let second = chainrule::reading::derivative(&mut first, out, s, 1).unwrap();
        assert_eq!(text(&first, second.node), wanted, "{expr}");
    }
}
