//! The levels of detail: what each shows, and that every line of each holds.

use crate::expression::expression;
use chainrule::derive::{self, Derivation, Line, Paragraph, Step};
use chainrule::notation::{Block, Detail, Sheet, page};
use chainrule::reading;
use chainrule::render::{flat, words};
use chainrule::witness;

const INPUTS: &[(&str, &str)] = &[
    ("X", "m n"),
    ("Y", "m k"),
    ("x", "n"),
    ("y", "m"),
    ("u", "n"),
    ("a", ""),
    ("W", "n k"),
    ("V", "k n"),
    ("b", "k"),
    ("A", "n n"),
];

const CASES: &[(&str, &str)] = &[
    ("x + relu(x @ W + b) @ V + u", "x"),
    ("sum((X @ x - y) ** 2) + a * sum(x ** 2)", "x"),
    ("mean((tanh(X @ W) @ V - X) ** 2)", "W"),
    ("x @ A @ x / (x @ x)", "x"),
    ("softmax(A @ tanh(A @ x), 0) * x + x", "x"),
    ("logsumexp(A @ x, 0) - x @ u", "x"),
    ("exp(exp(x)) * x + exp(exp(x))", "x"),
    ("trace(inv(A + outer(x, x)) @ A)", "A"),
    ("sum(sigmoid(relu(X @ W) @ V) * X)", "X"),
    ("2 * x - 3 + x", "x"),
    ("(exp(x) / sum(exp(x))) @ u", "x"),
];

fn derived((text, wrt): (&str, &str)) -> Derivation {
    let program = expression(text, INPUTS, &[]);
    let wrt = program.input_named(wrt).unwrap();
    derive::derive(&program, program.output, wrt).unwrap_or_else(|d| panic!("{text}: {d}"))
}

/// The lines as steps of their own, each of the whole map.
fn as_steps(lines: Vec<Line>) -> Vec<Step> {
    let step = |line: Line| Step {
        reasons: line.reasons,
        before: line.before,
        after: line.after.clone(),
        path: Vec::new(),
        became: line.after,
    };
    lines.into_iter().map(step).collect()
}

#[test]
fn merged_lines_hold_each_by_itself() {
    for case in CASES {
        let derivation = derived(*case);
        let mut merged = derivation.clone();
        for paragraph in &mut merged.paragraphs {
            let lines = derive::merged(&derivation, paragraph, &|_| false);
            assert!(lines.len() <= paragraph.steps.len(), "{case:?}");
            assert_eq!(
                lines.last().map(|line| &line.after),
                paragraph.steps.last().map(|step| &step.after),
                "{case:?}"
            );
            assert!(lines.windows(2).all(|pair| pair[0].after == pair[1].before), "{case:?}");
            assert!(lines.iter().all(|line| !line.reasons.is_empty()), "{case:?}");
            paragraph.steps = as_steps(lines);
        }
        let count = |d: &Derivation| d.paragraphs.iter().map(|p: &Paragraph| p.steps.len()).sum::<usize>();
        let report = witness::check_steps(&merged).unwrap_or_else(|told| panic!("{case:?}: {told}"));
        assert_eq!((report.steps, report.unchecked), (count(&merged), 0), "{case:?}");
        assert!(count(&merged) < count(&derivation), "{case:?}: nothing was merged");
    }
}

/// The lines of the page, left-hand sides left out.
fn lines(case: (&str, &str), detail: Detail) -> Vec<String> {
    let mut derivation = derived(case);
    let answers = reading::answers(&mut derivation).unwrap();
    let checked = witness::check(derivation, answers).unwrap_or_else(|told| panic!("{case:?}: {told}"));
    let page = page(&checked, &Sheet { detail, ..Sheet::default() });
    let rows =
        page.blocks.into_iter().filter_map(|block| if let Block::Lines(_, rows) = block { Some(rows) } else { None });
    rows.flatten().map(|row| format!("{} | {}", flat(&row.math), words(&row.why))).collect()
}

#[test]
fn each_level_shows_what_it_says() {
    let ridge = ("sum((X @ x - y) ** 2) + a * sum(x ** 2)", "x");
    let answer = "2 (Xᵀz + a x) | dL = ⟨G, dx⟩, so ∇L = G; n";
    let table: [(Detail, &[&str]); 3] = [
        (Detail::Answer, &[answer]),
        (
            Detail::Steps,
            &[
                "2 zᵀ dz + 2 a xᵀ dx | power rule",
                "2 zᵀ X dx + 2 a xᵀ dx | constant matrix factor; y is constant",
                "⟨2 (Xᵀz + a x), dx⟩ | collect",
                answer,
            ],
        ),
        (Detail::Full, &["d(‖z‖²) + d(a ‖x‖²) | sum", answer]),
    ];
    for (detail, expected) in table {
        let found = lines(ridge, detail);
        if detail == Detail::Full {
            assert_eq!(
                (found.first().map(String::as_str), found.last().map(String::as_str)),
                (Some(expected[0]), Some(answer))
            );
            assert!(found.len() > 8, "{found:?}");
        } else {
            assert_eq!(found, expected, "{detail:?}");
        }
    }
}

#[test]
fn no_line_of_any_level_repeats_the_one_before() {
    for case in CASES {
        for detail in [Detail::Answer, Detail::Steps, Detail::Full] {
            let found = lines(*case, detail);
            let maths: Vec<&str> = found.iter().filter_map(|line| line.split(" | ").next()).collect();
            // The last line is the answer, which stands by itself.
            let repeated = maths.windows(2).take(maths.len().saturating_sub(2)).find(|pair| pair[0] == pair[1]);
            assert_eq!(repeated, None, "{case:?} {detail:?}");
        }
    }
}
