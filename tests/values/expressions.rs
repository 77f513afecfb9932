//! One-line expressions: letters, flags, assumptions, the variable.

use chainrule::graph::{Program, Property, Request, read, read_expression, resolve_wrt};

fn shapes(program: &Program) -> String {
    let named = program.inputs.iter().map(|id| format!("{}: {}", program.name(*id).unwrap(), program.shape(*id)));
    named.collect::<Vec<_>>().join(", ")
}

fn with(shapes: &[&str], functions: &[&str]) -> Request {
    let mut request = Request::default();
    shapes.iter().for_each(|flag| request.shape_flag(flag).unwrap());
    functions.iter().for_each(|flag| request.function_flag(flag).unwrap());
    request
}

#[test]
fn letters_and_use_settle_shapes() {
    let table = [
        ("x + relu(x @ W1 + b1) @ W2 + b2", "x: n, W1: n × m, b1: m, W2: m × n, b2: n"),
        ("alpha * x", "alpha: scalar, x: n"),
        ("θ * A @ B", "θ: scalar, A: n × m, B: m × p"),
        ("F.relu(x) + torch.exp(y)", "x: n, y: n"),
        ("trace(A)", "A: n × n"),
        ("mu_1 * x", "mu_1: scalar, x: n"),
    ];
    for (text, expected) in table {
        let program = read_expression(text, &Request::default()).unwrap();
        assert_eq!(shapes(&program), expected, "{text}");
        assert!(program.assumptions[0].contains("by the first letter"), "{:?}", program.assumptions);
    }
}

#[test]
fn flags_go_before_letters() {
    let program = read_expression("x + f(x)", &with(&[], &["f:d -> d"])).unwrap();
    assert_eq!(shapes(&program), "x: d");
    let program = read_expression("x @ w * n", &with(&["x=batch n", "w=n k"], &[])).unwrap();
    assert_eq!((shapes(&program).as_str(), program.assumptions.len()), ("x: batch × n, w: n × k", 0));
    let told = read_expression("x @ w", &with(&["x=n", "v=n"], &[])).unwrap_err();
    assert!(told[0].to_string().contains("v has a shape but does not occur"), "{}", told[0]);
    let strict = Request { strict: true, ..with(&["W=n n", "x=n"], &[]) };
    let told = read_expression("w @ x", &strict).unwrap_err();
    assert!(told[0].to_string().contains("did you mean W?"), "{}", told[0]);
}

#[test]
fn assumptions_and_settings_are_noted() {
    let mut request = with(&["A=n n", "x=n", "y=n"], &[]);
    request.assumptions = ["A symmetric", "A is positive definite", "y one-hot", "x @ y positive", "y labels -1/+1"]
        .map(String::from)
        .to_vec();
    request.setting_flag("x=0").unwrap();
    let program = read_expression("x @ A @ y + log(x @ y)", &request).unwrap();
    let properties: Vec<Property> = program.properties.iter().map(|(_, property)| property.clone()).collect();
    let expected =
        [Property::Symmetric, Property::PositiveDefinite, Property::OneHot, Property::Positive, Property::SignLabels];
    assert_eq!(properties, expected);
    assert_eq!(program.settings.len(), 1);
    let product = program.properties[3].0;
    assert!(program.graph().neighbors(product).count() > 0, "the assumed value is the one in use");
    for (text, says) in [
        ("A square", "is no assumption"),
        ("B symmetric", "B is not defined"),
        ("x symmetric", "needs a square matrix"),
        ("A + x) positive", "unmatched ')'"),
    ] {
        let request = Request { assumptions: vec![text.to_string()], ..with(&["A=n n", "x=n", "y=n"], &[]) };
        let told = read_expression("x @ A @ y", &request).unwrap_err();
        assert!(told[0].message.contains(says), "{}", told[0]);
    }
}

#[test]
fn the_variable_is_an_input_or_a_named_value() {
    let request = Request { lets: vec!["h = x @ w1".into(), "c = 3".into()], ..with(&["x=n", "w1=n m"], &[]) };
    let program = read_expression("sum(h) * c", &request).unwrap();
    assert_eq!(resolve_wrt(&program, "h"), Ok(program.definitions[0].node));
    let table = [
        ("W1", "did you mean w1?"),
        ("c", "is a number"),
        ("n", "is a dimension"),
        ("sum", "is a function"),
        ("x + w1", "is an expression"),
        ("", "no variable"),
        ("quantum", "one of x, w1, h, c"),
    ];
    for (text, says) in table {
        let told = resolve_wrt(&program, text).unwrap_err();
        assert!(told.to_string().contains(says), "{text}: {told}");
    }
    let of = Request { of: Some("h".into()), ..request };
    let program = read_expression("sum(h) * c", &of).unwrap();
    assert_eq!(program.shape(program.output).to_string(), "m");
}

/// Any text is read or refused: pieces of programs cut, doubled and mixed.
#[test]
fn mangled_texts_never_end_in_a_crash() {
    let file = "import torch.nn.functional as F\ndef g(a, b=2):\n    \"\"\"\n    >>> a = torch.randn(2, 3)\n    >>> g(a).shape\n    torch.Size([2, 3])\n    \"\"\"\n    return a * b, [a, 1e-3]\ndef f(x: \"d\", w: Float[T, \"N d d\"], α: float = .5, *, k: int = 3):\n    for i in range(N):\n        y, z = g(x @ w[i])\n        x += α * y[:, None] if k else z  # ζ\n    B, T = w.shape[:2]; x = x.T.sum(-1, keepdims=True) ** -2 @ (lambda q: q)(f\"{x}\")\n    return x / math.sqrt(B) - softmax(x, axis=0)\n";
    let pieces = [
        "(", ")", "[", "x", "**", " ", "\n", "'", "\"\"\"", ".", "2e9", "🙂", "é", ">>> ", "=", ",", ":", "-", "@",
        "    ", "\\", "f\"{", "not ",
    ];
    let mut seed = 1u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let place =
        |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    for _ in 0..3_000 {
        let mut text = file.to_string();
        for _ in 0..1 + random(4) {
            let (a, b) = (place(&text, random(text.len())), place(&text, random(text.len())));
            match random(3) {
                0 => text.insert_str(a, pieces[random(pieces.len())]),
                1 => text.replace_range(a..place(&text, a + random(6)).max(a), ""),
                _ => {
                    let copied = text[a.min(b)..a.max(b)].chars().take(40).collect::<String>();
                    text.insert_str(b, &copied);
                }
            }
        }
        let lines: Vec<&str> = text.lines().collect();
        let line = lines[random(lines.len())].trim();
        let told = read(&text, &Request::default()).err().into_iter().flatten();
        for told in told {
            let span = told.span.unwrap_or_default();
            assert!(span.end <= text.len() as u32 + 1 && text.is_char_boundary(span.start as usize), "{told}: {text}");
        }
        let _ = read_expression(line, &Request::default());
    }
}
