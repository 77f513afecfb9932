//! Kinds of question on which tools have been wrong: the right derivative of each.
//!
//! Most stand in `reports/problems.toml`; here is what is no closed expression:
//! numbers at a point, conventions at kinks, pullbacks, refusals, and notation.
//!
//! What the language cannot say, and so is in no table: an entry of a matrix as the
//! variable (refused, see below), matrices of symbolic entries written in brackets
//! and operators beside derivatives (`Derivative(f(x), x)`), integrals, ODEs, sparse
//! patterns as objects, expectations, closures over time derivatives x'. Formatting
//! faults of one tool (a `d` dropped in d/dr, order of printed terms) have no input.

use crate::expression::expression;
use chainrule::array::Array;
use chainrule::course::{read_problems, solve};
use chainrule::derive::{self, Map, Reason};
use chainrule::diagnostic::Kind;
use chainrule::evaluate::{At, Inputs, evaluate, jacobian, pulled, values_for};
use chainrule::graph::{Program, Request, read_expression, resolve_wrt};
use chainrule::notation::{Page, Sheet, page};
use chainrule::picture::{dot, picture};
use chainrule::render::{html, latex, markdown, text, typst};
use chainrule::{reading, witness};

#[test]
fn problems_are_right_and_read_as_they_should() {
    let problems = read_problems(include_str!("../reports/problems.toml")).unwrap();
    let mut wrong = Vec::new();
    for problem in &problems {
        let outcome = solve(problem, None);
        let expected = outcome.expected_size.unwrap_or_default();
        let reads = match problem.topic.as_str() {
            "matrix" => outcome.closed && outcome.size <= expected,
            "index" => !outcome.closed,
            other => panic!("{other} is no topic of {}", problem.id),
        };
        if !outcome.ok || !reads || outcome.lines_checked != outcome.steps || outcome.expected_error.is_none() {
            let what = outcome.trouble.clone().unwrap_or_else(|| format!("{} for {expected}", outcome.size));
            wrong.push(format!("{} ({}): {} [{what}]", problem.id, problem.source, outcome.answer));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn program(text: &str, shapes: &[(&str, &str)]) -> Program {
    expression(text, shapes, &[])
}

fn inputs(program: &Program, values: &[(&str, &[f64])]) -> Inputs {
    let mut inputs = Inputs::new(program.sizes.clone());
    for (name, data) in values {
        let node = program.input_named(name).unwrap();
        let sizes = program.shape(node).0.iter().map(|dim| dim.as_size().unwrap()).collect();
        inputs.set(node, Array::new(sizes, data.to_vec()).unwrap());
    }
    inputs
}

/// A shape, an expression, the variable, values of the inputs, the Jacobian row by row.
type Numbers<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, &'a [(&'a str, &'a [f64])], &'a [f64]);

fn found(&(shapes, text, wrt, values, _): &Numbers) -> Vec<f64> {
    let program = program(text, shapes);
    let wrt = program.input_named(wrt).unwrap();
    let derivation = derive::without_rows(&program, program.output, wrt).unwrap();
    let inputs = inputs(&program, values);
    let values = values_for(&derivation, &inputs).unwrap();
    jacobian(&derivation, At { values: &values, inputs: &inputs }).unwrap().data().to_vec()
}

#[test]
fn jacobians_are_no_sums_of_columns() {
    let table: &[Numbers] = &[
        // Three outputs of three inputs, not the sum of their rows.
        (
            &[("x", "3")],
            "stack([x[0]**2 + 2 * x[1] + x[2], x[0] + x[1]**3 + x[2]**2, 2 * x[0] + x[1]**2 + x[2]**3])",
            "x",
            &[("x", &[1.0, 2.0, 3.0])],
            &[2.0, 2.0, 1.0, 1.0, 12.0, 6.0, 2.0, 4.0, 27.0],
        ),
        // The pattern of entries that move: y in the first row, x[0] and x[1] in the second.
        (
            &[("x", "3"), ("y", "")],
            "stack([y * x[0], x[0] + x[1]])",
            "x",
            &[("x", &[1.0, 2.0, 3.0]), ("y", &[5.0])],
            &[5.0, 0.0, 0.0, 1.0, 1.0, 0.0],
        ),
        // A component that does not depend on the variable has a row of zeros.
        (&[("x", "1"), ("y", "1")], "stack([x[0], 3 * y[0]])", "y", &[("x", &[2.0]), ("y", &[7.0])], &[0.0, 3.0]),
        // More outputs than inputs.
        (
            &[("x", "2")],
            "stack([x[0] * x[1], x[0], x[1] ** 2])",
            "x",
            &[("x", &[2.0, 3.0])],
            &[3.0, 2.0, 1.0, 0.0, 0.0, 6.0],
        ),
        // A product of sine and cosine at 0 has no negative power of the sine.
        (&[("x", "")], "sin(x) * cos(x)", "x", &[("x", &[0.0])], &[1.0]),
        // The outer product by a column: one row each, not the whole shape.
        (
            &[("u", "2 1"), ("v", "1 2")],
            "sum(u * v * v, 1)",
            "u",
            &[("u", &[1.0, 1.0]), ("v", &[2.0, 3.0])],
            &[13.0, 0.0, 0.0, 13.0],
        ),
    ];
    for line in table {
        assert_eq!(found(line), line.4, "{}", line.1);
    }
}

#[test]
fn kinks_follow_the_conventions_stated() {
    const X: &[(&str, &str)] = &[("x", "1")];
    const AT_ZERO: &[(&str, &[f64])] = &[("x", &[0.0])];
    let table: &[Numbers] = &[
        (X, "relu(x)", "x", AT_ZERO, &[0.0]),
        (X, "maximum(x, 0)", "x", AT_ZERO, &[0.5]),
        (X, "minimum(x, 0)", "x", AT_ZERO, &[0.5]),
        (X, "where(x > 0, x, 0)", "x", AT_ZERO, &[0.0]),
        (X, "clamp(x, 0, 1)", "x", AT_ZERO, &[0.0]),
        (X, "relu6(x)", "x", AT_ZERO, &[0.0]),
        (X, "relu6(x)", "x", &[("x", &[6.0])], &[0.0]),
        (X, "abs(x)", "x", AT_ZERO, &[0.0]),
        (X, "leaky_relu(x, 0.1)", "x", AT_ZERO, &[0.1]),
        (X, "relu(x) - relu(-x)", "x", AT_ZERO, &[0.0]),
        (X, "x ** 3", "x", &[("x", &[-2.0])], &[12.0]),
        (X, "x ** 2", "x", AT_ZERO, &[0.0]),
        (X, "x ** 1", "x", AT_ZERO, &[1.0]),
        (&[("x", "1"), ("y", "")], "x ** y", "x", &[("x", &[-2.0]), ("y", &[3.0])], &[12.0]),
        (&[("x", "1"), ("y", "")], "x ** y", "x", &[("x", &[0.0]), ("y", &[2.0])], &[0.0]),
        (X, "2 ** x", "x", AT_ZERO, &[std::f64::consts::LN_2]),
    ];
    for line in table {
        let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-14;
        let numbers = found(line);
        assert!(numbers.iter().zip(line.4).all(close), "{} at {:?}: {numbers:?}", line.1, line.3);
    }
}

/// A second derivative of relu is 0 beside the kink, no NaN.
#[test]
fn relu_is_straight_beside_its_kink() {
    let program = program("sum(relu(x))", &[("x", "2")]);
    let x = program.input_named("x").unwrap();
    let gradient = reading::gradient_program(&program, program.output, x).unwrap();
    let again = derive::derive(&gradient, gradient.output, x).unwrap();
    assert_eq!(again.result, Map::Zero);
}

#[test]
fn the_square_of_a_norm_has_a_derivative_at_zero() {
    let mut program = program("norm(x) ** 2", &[("x", "2")]);
    let (x, out) = (program.input_named("x").unwrap(), program.output);
    let reading = reading::derivative(&mut program, out, x, 1).unwrap();
    let inputs = inputs(&program, &[("x", &[0.0, 0.0])]);
    let value = evaluate(&program, &[reading.node], &inputs).unwrap();
    assert_eq!(value.get(reading.node).data(), [0.0, 0.0]);
}

#[test]
fn where_there_is_no_derivative_that_is_said() {
    for (text, says) in [("norm(x)", "the norm has no derivative at 0"), ("sum(sqrt(x))", "sqrt at 0 is infinite")] {
        let mut request = Request { strict: true, ..Request::default() };
        request.declare("x", "2").unwrap();
        request.setting_flag("x=0").unwrap();
        let program = read_expression(text, &request).unwrap();
        let mut derivation = derive::derive(&program, program.output, program.inputs[0]).unwrap();
        let answers = reading::answers(&mut derivation).unwrap();
        let told = witness::check(derivation, answers).unwrap_err();
        assert_eq!(told.kind, Kind::NotFinite, "{told}");
        assert!(told.message.contains(says), "{told}");
    }
}

/// What is pulled back has the shape of the result; what comes out that of the variable.
#[test]
fn pullbacks_are_no_jacobians() {
    type Pulled<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str, &'a [f64], &'a [f64]);
    let table: &[Pulled] = &[
        (&[("x", "3")], "x - mean(x)", "x", &[1.0, 1.0, 1.0], &[0.0, 0.0, 0.0]),
        (&[("x", "2"), ("A", "3 2")], "A @ x", "x", &[1.0, 10.0, 100.0], &[531.0, 642.0]),
        (&[("X", "2 2"), ("b", "2")], "X + b", "b", &[1.0, 2.0, 3.0, 4.0], &[4.0, 6.0]),
        (&[("X", "2 2"), ("b", "1 2")], "X + b", "b", &[1.0, 2.0, 3.0, 4.0], &[4.0, 6.0]),
        (&[("X", "2 2"), ("b", "2 1")], "X + b", "b", &[1.0, 2.0, 3.0, 4.0], &[3.0, 7.0]),
        (&[("X", "2 2"), ("s", "")], "s * X", "s", &[1.0, 2.0, 3.0, 4.0], &[30.0]),
        (&[("u", "2 1"), ("v", "1 2")], "u * v", "v", &[1.0, 2.0, 3.0, 4.0], &[7.0, 10.0]),
    ];
    for (shapes, text, wrt, cotangent, wanted) in table {
        let program = program(text, shapes);
        let wrt = program.input_named(wrt).unwrap();
        let mut derivation = derive::without_rows(&program, program.output, wrt).unwrap();
        let answers = reading::answers(&mut derivation).unwrap();
        // Every input is 1, 2, 3, …
        let counted: Vec<(String, Vec<f64>)> = shapes
            .iter()
            .map(|(name, shape)| {
                let sizes = shape.split(' ').filter_map(|size| size.parse::<usize>().ok());
                ((*name).to_string(), (1..=sizes.product::<usize>()).map(|n| n as f64).collect())
            })
            .collect();
        let counted: Vec<(&str, &[f64])> = counted.iter().map(|(name, data)| (&**name, &**data)).collect();
        let inputs = inputs(&program, &counted);
        let values = values_for(&derivation, &inputs).unwrap();
        let sizes = values.get(program.output).sizes().to_vec();
        let cotangent = Array::new(sizes, cotangent.to_vec()).unwrap();
        let found = pulled(&answers, At { values: &values, inputs: &inputs }, &cotangent).unwrap().unwrap();
        assert_eq!(found.sizes(), inputs.get(wrt).unwrap().sizes(), "{text}");
        assert_eq!(found.data(), *wanted, "{text}");
    }
}

fn page_of(program: &Program, wrt: &str) -> Page {
    let wrt = resolve_wrt(program, wrt).unwrap();
    let mut derivation = derive::derive(program, program.output, wrt).unwrap();
    let answers = reading::answers(&mut derivation).unwrap();
    page(&witness::check(derivation, answers).unwrap(), &Sheet::default())
}

#[test]
fn a_result_that_does_not_depend_on_the_variable_says_so() {
    let program = program("2 * c", &[("x", "3"), ("c", "2")]);
    let derivation = derive::derive(&program, program.output, program.inputs[0]).unwrap();
    assert_eq!(derivation.result, Map::Zero);
    let reasons = &derivation.paragraphs[0].steps[0].reasons;
    assert!(matches!(reasons[..], [Reason::Apart(..)]), "{reasons:?}");
    let shown = text(&page_of(&program, "x"), 100).to_string();
    assert!(shown.contains("the result does not depend on x"), "{shown}");
}

/// z = x + y is no variable beside x: by z, the program is cut at z, and that is said.
#[test]
fn a_value_of_the_program_is_a_variable_where_the_program_is_cut() {
    let request = Request { lets: vec!["z = x + y".into()], ..Request::default() };
    let mut request = Request { strict: true, ..request };
    ["x", "y"].iter().for_each(|name| request.declare(name, "").unwrap());
    let program = read_expression("x * z", &request).unwrap();
    for (wrt, derivative) in [("x", "x + z"), ("z", "x"), ("y", "x")] {
        let shown = text(&page_of(&program, wrt), 100).to_string();
        let answers = ["x + z", "2 x + y", "z + x"];
        let right = if wrt == "x" { answers.iter().any(|a| shown.contains(a)) } else { shown.contains(derivative) };
        assert!(right, "{wrt}: {shown}");
        assert_eq!(shown.contains("the program is cut at z"), wrt == "z", "{shown}");
    }
}

#[test]
fn what_has_no_meaning_is_refused() {
    for (text, kind, says) in [
        ("sin(x) = x", Kind::UnsupportedStatement, "not a definition"),
        ("x[0] > x[1]", Kind::NotAValue, "true or false"),
    ] {
        let mut request = Request { strict: true, ..Request::default() };
        request.declare("x", "2").unwrap();
        let told = read_expression(text, &request).unwrap_err();
        assert_eq!(told[0].kind, kind, "{}", told[0]);
        assert!(told[0].message.contains(says), "{}", told[0]);
    }
    let program = program("2 * M", &[("M", "3 3")]);
    let told = resolve_wrt(&program, "M[1, 1]").unwrap_err();
    assert!(told.message.contains("is an expression"), "{told}");
}

/// Minus signs and brackets that a format must not lose: (text, variable, what the
/// text format, LaTeX, Typst, and HTML without its tags hold).
const SIGNS: &[(&str, &str, [&str; 4])] = &[
    ("a - (b - x)", "x", ["a − (b − x)", r"-(\mathbf{b}-\mathbf{x})", "- (", "(b−x)"]),
    ("x * (-a)", "a", ["x ⊙ (−a)", r"\odot(-\mathbf{a})", "(-", "(−a)"]),
    ("-(x - b) + a", "x", ["−(x − b) + a", r"-(\mathbf{x}-\mathbf{b})", "-(", "−(x−b)"]),
    ("(a + b) * x", "x", ["(a + b) ⊙ x", r"(\mathbf{a}+\mathbf{b})\odot", "(", "(a+b)"]),
];

/// HTML without tags and spaces.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside && !c.is_whitespace() => text.push(c),
            _ => {}
        }
    }
    text
}

#[test]
fn brackets_and_signs_survive_every_format() {
    for (expression, wrt, [in_text, in_latex, in_typst, in_html]) in SIGNS {
        let program = program(expression, &[("a", "n"), ("b", "n"), ("x", "n")]);
        let page = page_of(&program, wrt);
        let spaceless = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let table = [
            ("text", text(&page, 100).to_string(), *in_text),
            ("latex", latex(&page, false), in_latex),
            ("markdown", markdown(&page), in_latex),
            ("typst", typst(&page, false), in_typst),
            ("html", plain(&html(&page, false)), in_html),
        ];
        for (format, shown, part) in table {
            assert!(spaceless(&shown).contains(&spaceless(part)), "{expression} in {format}: {part}\n{shown}");
        }
    }
}

/// A name with an underscore is one name in every format; TeX reads it as such.
#[test]
fn underscores_survive_every_format() {
    let program = program("w_out * t_rap", &[("w_out", "n"), ("t_rap", "n")]);
    let page = page_of(&program, "t_rap");
    assert!(text(&page, 100).to_string().contains("w_out"));
    for shown in [latex(&page, false), markdown(&page)] {
        assert!(!shown.contains("w_out}") || shown.contains(r"w\_out"), "a bare underscore in TeX: {shown}");
        assert!(shown.contains("out") && shown.contains("rap"), "{shown}");
    }
    // Mathematics of a Markdown page is fenced, so that no `_` and no `\\` is eaten.
    let outside = markdown(&page).split("```").step_by(2).collect::<String>();
    assert!(!outside.contains(r"\\"), "{outside}");
}

/// A column stays a column: the gradient by a column is one, its shape is said.
#[test]
fn a_column_stays_a_column() {
    let program = program("sum(A @ x)", &[("A", "2 2"), ("x", "2 1")]);
    let wrt = program.input_named("x").unwrap();
    let mut derivation = derive::derive(&program, program.output, wrt).unwrap();
    let answers = reading::answers(&mut derivation).unwrap();
    let node = answers.gradient.unwrap();
    assert_eq!(answers.program.shape(node).to_string(), "2 × 1");
    let shown = text(&page_of(&program, "x"), 100).to_string();
    assert!(shown.contains("2 × 1"), "{shown}");
}

/// Labels of a picture hold what the source holds: quotes, arrows, line breaks.
#[test]
fn labels_of_pictures_are_quoted() {
    let source = "def f(x: \"n\", w1: \"n n\", b1: \"n\"):\n    h = F.softmax(\n        x@w1 + b1, dim=-1)  # \"->\"\n    return h\n";
    let program = chainrule::graph::read(source, &Request::default()).unwrap();
    let drawn = dot(&picture(&program, program.output, Some(program.inputs[0])).unwrap());
    for line in drawn.lines() {
        let quotes = line.replace("\\\"", "").matches('"').count();
        assert_eq!(quotes % 2, 0, "{line}");
    }
    assert!(drawn.contains("softmax"), "{drawn}");
}
