//! Values, what is said of bad ones, and points to try.

use chainrule::array::Array;
use chainrule::diagnostic::Kind;
use chainrule::evaluate::{Inputs, Nested, check_inputs, evaluate, hits, infinite_slope, not_finite, points, sides};
use chainrule::graph::{NodeId, Program, Property, Repeat, Request, read_expression};
use chainrule::shape::{Dim, Name, Shape, Sizes};
use std::collections::BTreeMap;

/// An expression with inputs like `x: n, A: m n`.
fn program(text: &str, inputs: &str) -> Program {
    let mut request = Request::default();
    for (name, shape) in inputs.split(',').filter_map(|part| part.split_once(':')) {
        request.declare(name.trim(), shape.trim()).unwrap();
    }
    read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}

/// Numbers in Python's notation.
fn nested(text: &str) -> Nested {
    fn value(rest: &mut &str) -> Nested {
        *rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('[') {
            *rest = inner;
            let mut items = Vec::new();
            loop {
                *rest = rest.trim_start_matches([' ', ',']);
                if let Some(after) = rest.strip_prefix(']') {
                    *rest = after;
                    return Nested::List(items);
                }
                items.push(value(rest));
            }
        }
        let end = rest.find([',', ']']).unwrap_or(rest.len());
        let number = rest[..end].trim().parse().unwrap();
        *rest = &rest[end..];
        Nested::Number(number)
    }
    value(&mut &*text)
}

/// Values like `x = [1, 2]; y = 3`.
fn given(text: &str) -> BTreeMap<Name, Nested> {
    let pairs = text.split(';').filter_map(|part| part.split_once('='));
    pairs.map(|(name, numbers)| (Name::from(name.trim()), nested(numbers))).collect()
}

#[test]
fn values() {
    let table: [(&str, &str, &str, &[f64]); 12] = [
        ("x @ A", "x: m, A: m n", "x = [1, 2]; A = [[1, 2, 3], [4, 5, 6]]", &[9.0, 12.0, 15.0]),
        ("A.T @ x", "x: m, A: m n", "x = [1, 2]; A = [[1, 2, 3], [4, 5, 6]]", &[9.0, 12.0, 15.0]),
        ("mean(A, 0)", "A: m n", "A = [[1, 2, 3], [3, 6, 9]]", &[2.0, 4.0, 6.0]),
        ("sum(A * A)", "A: m n", "A = [[1, 2], [3, 0]]", &[14.0]),
        ("softmax(x, 0)", "x: n", "x = [1000, 1000]", &[0.5, 0.5]),
        ("var(x)", "x: n", "x = [1, 3]", &[1.0]),
        ("inv(A) @ x", "A: n n, x: n", "A = [[0, 2], [4, 0]]; x = [2, 4]", &[1.0, 1.0]),
        ("logsumexp(x, 0)", "x: n", "x = [-2000, -2000]", &[-2000.0 + std::f64::consts::LN_2]),
        ("maximum(x, 2) - x / 2", "x: n", "x = [1, 4]", &[1.5, 2.0]),
        ("x[1] * x", "x: n", "x = [2, 3]", &[6.0, 9.0]),
        ("diag(x) + eye(2)", "x: 2", "x = [2, 3]", &[3.0, 0.0, 0.0, 4.0]),
        ("cross_entropy(x, y)", "x: n, y: n", "x = [0, 0]; y = [1, 0]", &[std::f64::consts::LN_2]),
    ];
    for (text, shapes, numbers, expected) in table {
        let program = program(text, shapes);
        let inputs = check_inputs(&program, &given(numbers), &Sizes::new()).unwrap();
        let values = evaluate(&program, &[program.output], &inputs).unwrap();
        let found = values.get(program.output).data();
        let gap = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == expected.len() && gap < 1e-14, "{text}: {found:?}");
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let table = [
        ("x @ y", "x: n, y: n", "x = [1, 2]; y = [1, 2, 3]", Kind::DimensionConflict, "n is 2 in x and 3 in y"),
        (
            "A @ x",
            "A: m n, x: n",
            "A = [[1, 2], [1, 2, 3]]; x = [1, 2]",
            Kind::ValueShape,
            "the rows of A have different lengths (2 and 3)",
        ),
        ("x @ y", "x: n, y: n", "x = [1, 2, 3]", Kind::MissingValue, "no value given for y"),
        ("x @ x", "x: 2", "x = [1, nan]", Kind::NotFinite, "the input x has a NaN at entry 1"),
        ("x - x", "x: 2", "x = [inf, 1]", Kind::NotFinite, "the input x has an infinity at entry 0"),
        ("A + A", "A: 2 2", "A = [[1, 2], [1, nan]]", Kind::NotFinite, "the input A has a NaN at entry [1, 1]"),
        ("x + x", "x: 2", "x = [1, 2, 3]", Kind::ValueShape, "x is 2: an axis of 3 stands where 2 is declared"),
        ("x + x", "x: n", "x = [[1, 2]]", Kind::ValueShape, "x is n, which has 1 axis; its numbers have 2 axes"),
        ("x + x", "x: n", "x = [1, [2]]", Kind::ValueShape, "x mixes numbers and lists"),
        ("x + x", "x: n", "x = [1]; X = 2", Kind::UnknownName, "there is no input X (did you mean x?)"),
    ];
    for (text, shapes, numbers, kind, says) in table {
        let program = program(text, shapes);
        let told = check_inputs(&program, &given(numbers), &Sizes::new()).unwrap_err();
        assert_eq!((told[0].kind, told[0].to_string().as_str()), (kind, says), "{text}");
    }
}

#[test]
fn values_that_are_not_finite_are_told_with_their_entry() {
    let table = [
        ("log(x)", "x: 2", "x = [-1, 2]", "log(x)", "log of a negative number: entry 0 of x is -1"),
        (
            "1 + sqrt(2 * x)",
            "x: 2",
            "x = [-4, 1]",
            "sqrt(2 * x)",
            "square root of a negative number: entry 0 of 2 * x is -8",
        ),
        ("x / y", "x: 2, y: 2", "x = [1, 2]; y = [1, 0]", "x / y", "division by zero: entry 1 of y is 0"),
        ("x / x", "x: 2", "x = [0, 2]", "x / x", "0 / 0: entry 0 of x is 0"),
        ("A / x", "A: 2 2, x: 2", "A = [[1, 2], [3, 4]]; x = [1, 0]", "A / x", "division by zero: entry 1 of x is 0"),
        (
            "x / A",
            "A: 2 2, x: 2",
            "A = [[1, 2], [0, 4]]; x = [1, 1]",
            "x / A",
            "division by zero: entry [1, 0] of A is 0",
        ),
        ("x / sqrt(var(x))", "x: 3", "x = [2, 2, 2]", "x / sqrt(var(x))", "division by zero: sqrt(var(x)) is 0"),
        (
            "logdet(A)",
            "A: 2 2",
            "A = [[1, 2], [3, 4]]",
            "logdet(A)",
            "the determinant is negative: its log is undefined",
        ),
        (
            "inv(A) @ x",
            "A: 2 2, x: 2",
            "A = [[1, 1], [1, 1]]; x = [1, 1]",
            "inv(A)",
            "the matrix is singular: it has no inverse",
        ),
        (
            "exp(x) - exp(x)",
            "x: 2",
            "x = [0, 800]",
            "exp(x)",
            "exp of a number too large for a double: entry 1 of x is 800",
        ),
        ("x ** 0.5", "x: 2", "x = [1, -1]", "x ** 0.5", "fractional power of a negative number: entry 1 of x is -1"),
    ];
    for (text, shapes, numbers, place, says) in table {
        let program = program(text, shapes);
        let inputs = check_inputs(&program, &given(numbers), &Sizes::new()).unwrap();
        let values = evaluate(&program, &[program.output], &inputs).unwrap();
        let told = not_finite(&program, &values).unwrap_or_else(|| panic!("{text}: nothing told"));
        assert!(told.message.starts_with(says), "{text}: {told}");
        assert_eq!(told.span.map(|span| span.of(&program.source)), Some(place), "{text}");
    }
}

#[test]
fn slopes_that_are_infinite_are_told() {
    let table = [
        ("sqrt(x)", "x: 2", "x = [0, 1]", Some("the derivative of sqrt at 0 is infinite: entry 0 of x is 0")),
        ("norm(x)", "x: 2", "x = [0, 0]", Some("the norm has no derivative at 0")),
        ("x ** 0.5", "x: 2", "x = [1, 0]", Some("the derivative of a root at 0 is infinite: entry 1 of x is 0")),
        ("sqrt(x)", "x: 2", "x = [2, 1]", None),
    ];
    for (text, shapes, numbers, says) in table {
        let program = program(text, shapes);
        let inputs = check_inputs(&program, &given(numbers), &Sizes::new()).unwrap();
        let values = evaluate(&program, &[program.output], &inputs).unwrap();
        assert_eq!(not_finite(&program, &values), None, "{text}");
        assert_eq!(infinite_slope(&program, &values).map(|told| told.message).as_deref(), says, "{text}");
    }
}

#[test]
fn kinks_are_met_where_the_side_changes() {
    let table: [(&str, &str, &[usize], &str); 4] = [
        ("relu(x)", "x = [1, 0]", &[1], "relu'(0) = 0"),
        ("abs(x - 1)", "x = [1, 0]", &[0], "abs'(0) = 0"),
        ("maximum(x, 2 * x)", "x = [1, 0]", &[1], "a tie in maximum gives half to each"),
        ("clamp(x, 0, 1)", "x = [0.5, 1]", &[1], "clamp' at a bound = 0"),
    ];
    for (text, numbers, entry, says) in table {
        let program = program(text, "x: n");
        let inputs = check_inputs(&program, &given(numbers), &Sizes::new()).unwrap();
        let values = evaluate(&program, &[program.output], &inputs).unwrap();
        let found = hits(&program, &values);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].entry.as_slice(), found[0].says), (entry, says), "{text}");
    }
}

/// `x = x + relu(x @ w[k])` over stacked weights, and the same written out.
fn loop_and_calls(count: usize) -> (Program, Program) {
    let block = |program: &mut Program, x: NodeId, w: NodeId| {
        let z = program.call("matmul", &[x, w]).unwrap();
        let h = program.call("relu", &[z]).unwrap();
        program.call("add", &[x, h]).unwrap()
    };
    let shape = |text: &str| Shape::parse(text).unwrap();
    let mut body = Program::new();
    let (start, weight) = (body.input("x", shape("d")), body.input("w", shape("d d")));
    let end = block(&mut body, start, weight);
    let mut looped = Program::new();
    let (x, w) = (looped.input("x", shape("d")), looped.input("w", shape("N d d")));
    let repeat = Repeat {
        count: Dim::named("N"),
        index: Name::from("k"),
        body,
        carried: vec![(start, end)],
        stacked: vec![weight],
        shared: Vec::new(),
        counter: None,
    };
    looped.output = looped.repeat(repeat, vec![x, w])[0];
    let mut written = Program::new();
    let (mut x, w) = (written.input("x", shape("d")), written.input("w", shape("N d d")));
    for k in 0..count {
        let attrs = [("at", chainrule::ops::Attr::Whole(k as i64))];
        let wk = written.call_with("index", &[w], &attrs).unwrap();
        x = block(&mut written, x, wk);
    }
    written.output = x;
    (looped, written)
}

#[test]
fn a_loop_runs_as_its_turns_written_out() {
    let count = 5;
    let (looped, written) = loop_and_calls(count);
    let sizes = Sizes::from([(Name::from("N"), count), (Name::from("d"), 3)]);
    let inputs = points::draw_at(&looped, &sizes, "loop", 0).unwrap();
    let values = evaluate(&looped, &[looped.output], &inputs).unwrap();
    let mut same = Inputs::new(sizes);
    for (a, b) in looped.inputs.iter().zip(&written.inputs) {
        same.set(*b, inputs.get(*a).unwrap().clone());
    }
    let others = evaluate(&written, &[written.output], &same).unwrap();
    assert_eq!(values.get(looped.output), others.get(written.output));
    let sides_found = sides(&looped, &values);
    assert_eq!(sides_found.iter().map(|side| side.turns.clone()).collect::<Vec<_>>(), [[0], [1], [2], [3], [4]]);
}

#[test]
fn twenty_thousand_blocks_run() {
    let (_, written) = loop_and_calls(20_000);
    let sizes = Sizes::from([(Name::from("N"), 20_000), (Name::from("d"), 3)]);
    // The second attempt draws small weights for what is deep.
    let inputs = points::draw_at(&written, &sizes, "deep", 1).unwrap();
    let values = evaluate(&written, &[written.output], &inputs).unwrap();
    assert_eq!(not_finite(&written, &values), None);
    assert!(values.get(written.output).max_abs() > 1e-3);
}

#[test]
fn points_are_fixed_by_their_text_and_have_the_properties() {
    let mut program = program("x @ A @ x + p @ B @ p + sum(C)", "x: n, A: n n, p: m, B: m m, C: n m");
    let id = |program: &Program, name: &str| program.input_named(name).unwrap();
    program.properties = vec![
        (id(&program, "A"), Property::Symmetric),
        (id(&program, "A"), Property::Positive),
        (id(&program, "B"), Property::Orthogonal),
        (id(&program, "p"), Property::Probability),
        (id(&program, "C"), Property::OneHot),
    ];
    let at = |seed: &str, attempt| points::draw(&program, seed, attempt).unwrap();
    let (first, again, other) = (at("a", 0), at("a", 0), at("b", 0));
    let (x, a) = (id(&program, "x"), id(&program, "A"));
    assert_eq!(first.get(x), again.get(x));
    assert_ne!(first.get(x), other.get(x));
    assert_ne!(first.sizes["n"], first.sizes["m"]);
    assert_eq!(first.get(a).map(Array::transpose).as_ref(), first.get(a));
    assert!(first.get(a).unwrap().data().iter().all(|x| *x > 0.0));
    let total = |name: &str| first.get(id(&program, name)).unwrap().data().iter().sum::<f64>();
    assert!((total("p") - 1.0).abs() < 1e-15);
    assert_eq!(total("C"), first.sizes["n"] as f64);
    let b = first.get(id(&program, "B")).unwrap();
    let gram = chainrule::array::contract(&[(b, &[0, 1]), (b, &[2, 1])], &[0, 2], b.sizes()).unwrap();
    assert!(gram.zip(&Array::identity(b.sizes()[0]), |g, i| g - i).unwrap().max_abs() < 1e-14);
}

#[test]
fn some_attempt_finds_where_a_program_is_finite() {
    let table = [
        ("sum(log(x))", "x: 5"),
        ("sum(sqrt(1 - x ** 2))", "x: 5"),
        ("logdet(A)", "A: 5 5"),
        ("sum(log(x)) + logdet(A)", "x: 5, A: 5 5"),
        ("sum(arcsin(A @ x))", "x: 5, A: 5 5"),
    ];
    for (text, shapes) in table {
        let program = program(text, shapes);
        let finite = |attempt: usize| {
            let inputs = points::draw(&program, text, attempt).unwrap();
            not_finite(&program, &evaluate(&program, &[program.output], &inputs).unwrap()).is_none()
        };
        assert!((0..8).any(finite), "{text}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_is_made() {
    let program = program("outer(x, x)", "x: 1000000");
    let inputs = points::draw(&program, "large", 0).unwrap();
    let told = evaluate(&program, &[program.output], &inputs).unwrap_err();
    assert_eq!(told.kind, Kind::TooLarge);
    let larger = self::program("outer(x, x)", "x: 1000000000");
    assert_eq!(points::draw(&larger, "large", 0).unwrap_err().kind, Kind::TooLarge);
}
