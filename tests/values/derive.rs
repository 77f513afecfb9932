//! Derivations: trees, steps, rows.

use crate::program::program;
use chainrule::derive::{self, Derivation, Expansion, Map};
use chainrule::graph::{Definition, Env, NodeId, Program, Repeat, build};
use chainrule::ops::Number;
use chainrule::reading::{self, answers};
use chainrule::shape::{Dim, Shape};

fn shown(d: &Derivation, map: &Map) -> String {
    let name = |id: NodeId| d.program.name(id).map_or_else(|| format!("#{}", id.index()), |n| n.to_string());
    match map {
        Map::Identity => "I".into(),
        Map::Zero => "0".into(),
        Map::Sum(t) => format!("({})", t.iter().map(|m| shown(d, m)).collect::<Vec<_>>().join(" + ")),
        Map::Compose(t) => t.iter().map(|m| shown(d, m)).collect::<Vec<_>>().join(" "),
        Map::Factor(f) => format!("[{} {}]", d.program.op(f.node).map_or("?", |(op, _)| op.name), name(f.of)),
        Map::Pending { node, base, opened } => {
            let of = d.program.name(*node).map_or("?", |name| &**name);
            format!("d({of}{})/d{}", if *opened { "!" } else { "" }, name(*base))
        }
        Map::Named(k) => d.parts[*k].name.to_string(),
        Map::Product(_) => "∏".into(),
        Map::Turns(_) => "Σ".into(),
    }
}

fn page(d: &Derivation) -> String {
    let mut text = String::new();
    for p in &d.paragraphs {
        text += &format!("{}\n", shown(d, &p.start));
        for s in &p.steps {
            let reasons: Vec<String> = s.reasons.iter().map(|r| r.says(&d.program, &d.parts)).collect();
            text += &format!("  = {:44} {}\n", shown(d, &s.after), reasons.join("; "));
        }
    }
    text
}

const BLOCK: &[(&str, &str)] = &[("x", "batch d"), ("w1", "d f"), ("b1", "f"), ("w2", "f d"), ("b2", "d")];

const RESIDUAL: &[(&str, &str)] = &[("h", "relu(x @ w1 + b1)"), ("branch", "h @ w2 + b2"), ("out", "x + branch")];

fn derived(program: &Program, wrt: &str) -> Derivation {
    let wrt = program.input_named(wrt).or_else(|| program.named(wrt)).unwrap();
    derive::derive(program, program.output, wrt).unwrap_or_else(|d| panic!("{d}"))
}

#[test]
fn the_residual_block_is_a_sum_with_a_bare_identity() {
    let d = derived(&program(BLOCK, RESIDUAL), "x");
    let Map::Sum(terms) = &d.result else { panic!("no sum: {:?}", d.result) };
    assert_eq!(terms[0], Map::Identity);
    let Map::Compose(factors) = &terms[1] else { panic!("no composition: {:?}", terms[1]) };
    let ops: Vec<&str> = factors
        .iter()
        .map(|f| if let Map::Factor(f) = f { d.program.op(f.node).unwrap().0.name } else { "?" })
        .collect();
    assert_eq!(ops, ["matmul", "where", "matmul"]);
    assert_eq!(d.whole.as_ref().map(|whole| whole.rows.to_string()).as_deref(), Some("batch"));
    assert_eq!(
        page(&d),
        "\
d(out)/dx
  = d(out!)/dx                                   definition of out
  = (d(x)/dx + d(branch)/dx)                     sum
  = (I + d(branch)/dx)                           a variable by itself
  = (I + d(branch!)/dx)                          definition of branch
  = (I + d(?)/dx)                                b2 is constant
  = (I + [matmul h] d(h)/dx)                     constant matrix factor
  = (I + [matmul h] [where z] d(z)/dx)           relu
  = (I + [matmul h] [where z] d(z!)/dx)          definition of z
  = (I + [matmul h] [where z] d(?)/dx)           b1 is constant
  = (I + [matmul h] [where z] [matmul x])        constant matrix factor
"
    );
}

/// Definitions, the variable, the result.
type Row = (&'static [(&'static str, &'static str)], &'static str, &'static str);

#[test]
fn results_have_the_structure_of_the_program() {
    let square = [("x", "n"), ("a", ""), ("A", "n n"), ("B", "n n")];
    let table: &[Row] = &[
        (&[("y", "A @ x")], "x", "[matmul x]"),
        (&[("y", "x ** 0 + x")], "x", "I"),
        (&[("y", "x + relu(A @ x)")], "x", "(I + [where z] [matmul x])"),
        (&[("y", "relu(x + A @ x)")], "x", "[where z] (I + [matmul x])"),
        (&[("y", "x + x")], "x", "[mul x]"),
        (&[("y", "x + relu(x) - x")], "x", "[where x]"),
        (&[("y", "a * x + B @ x")], "x", "([mul x] + [matmul x])"),
        (&[("y", "x + A @ x + B @ x")], "x", "(I + [matmul x] + [matmul x])"),
        (&[("y", "B * a")], "x", "0"),
        (&[("y", "x @ A @ x")], "x", "([matmul #4] [matmul x] + [matmul x])"),
        // A value used twice that all paths pass: the chain rule, once.
        (&[("u", "exp(x)"), ("y", "u + A @ u")], "x", "(I + [matmul u]) [mul x]"),
        // A value used twice that not all paths pass gets a name.
        (&[("u", "exp(exp(x))"), ("y", "x * u + u")], "x", "([mul x] + [mul u] D_u + D_u)"),
    ];
    for (lets, wrt, result) in table {
        let d = derived(&program(&square, lets), wrt);
        assert_eq!(shown(&d, &d.result), *result, "{lets:?} by {wrt}");
    }
}

#[test]
fn a_short_gradient_is_given_also_where_the_differential_has_named_parts() {
    let table = [("lam / 2 * w @ w + sum(log(1 + exp(X @ w)))", "lam * w + sigmoid(X @ w) @ X")];
    for (text, gradient) in table {
        let p = program(&[("X", "n d"), ("w", "d"), ("lam", "")], &[("out", text)]);
        let mut derivation = derived(&p, "w");
        let found = answers(&mut derivation).unwrap();
        assert_eq!(found.gradient.map(|node| reading::text(&found.program, node)).as_deref(), Some(gradient), "{text}");
    }
}

#[test]
fn rows_that_mix_are_not_taken_apart() {
    let table: &[(&str, Option<&str>)] = &[
        ("relu(x) + b", Some("m")),
        ("x @ W", Some("m")),
        ("x * v", Some("m")),
        ("x + y", Some("m")),
        ("M @ x", None),
        ("x @ x.T", None),
        ("x - mean(x, 0)", None),
        ("x - mean(x, 1, keepdims=True)", Some("m")),
        ("(W.T @ x.T).T", Some("m")),
        ("x * sum(x)", None),
    ];
    let inputs = [("x", "m n"), ("y", "m n"), ("W", "n n"), ("M", "m m"), ("b", "n"), ("v", "m 1")];
    for (text, rows) in table {
        let d = derived(&program(&inputs, &[("out", text)]), "x");
        assert_eq!(d.whole.map(|whole| whole.rows.to_string()).as_deref(), *rows, "{text}");
    }
}

#[test]
fn two_blocks_are_a_product_later_blocks_on_the_left() {
    let lets =
        [("h", "relu(x @ w1 + b1)"), ("y", "x + h @ w2 + b2"), ("g", "relu(y @ w1 + b1)"), ("out", "y + g @ w2 + b2")];
    let d = derived(&program(BLOCK, &lets), "x");
    assert_eq!(shown(&d, &d.result), "(I + J_1) (I + J_0)");
    assert_eq!(d.parts[1].like, Some(0));
    let Some(Expansion::Terms(terms)) = derive::expansion(&d) else { panic!("not multiplied out") };
    assert_eq!(terms, vec![vec![vec![]], vec![vec![0], vec![1]], vec![vec![1, 0]]]);
}

#[test]
fn a_setting_acts_after_the_last_differentiation() {
    let mut p = program(BLOCK, RESIDUAL);
    let w2 = p.input_named("w2").unwrap();
    p.settings.push((w2, Number::ZERO));
    let d = derived(&p, "x");
    assert_eq!(d.result, Map::Identity);
    let last = page(&d).lines().rev().take(2).map(str::to_string).collect::<Vec<_>>();
    assert!(last[1].ends_with("w2 = 0") && last[0].ends_with("zero product"), "{last:?}");
    assert_ne!(derived(&p, "w2").result, Map::Zero);
}

#[test]
fn a_long_stack_is_linear_and_needs_no_stack() {
    let blocks = 20_000;
    let mut p = Program::new();
    let mut input = |name: &str, shape: &str| p.input(name, Shape::parse(shape).unwrap());
    let (x, w, b) = (input("x", "d"), input("w", "d d"), input("b", "d"));
    let mut at = x;
    for _ in 0..blocks {
        let z = p.call("matmul", &[at, w]).unwrap();
        let z = p.call("add", &[z, b]).unwrap();
        let h = p.call("relu", &[z]).unwrap();
        at = p.call("add", &[at, h]).unwrap();
        p.definitions.push(Definition { name: "x".into(), node: at, text: String::new() });
    }
    p.output = at;
    let d = derived(&p, "x");
    assert_eq!(d.parts.len(), blocks);
    assert!(d.parts.iter().skip(1).all(|part| part.like == Some(0) && part.beside_identity));
    assert!(matches!(derive::expansion(&d), Some(Expansion::Counts(counts)) if counts[1] == Some(20_000)));
    let lines: usize = d.paragraphs.iter().map(|p| p.steps.len()).sum();
    assert!(lines < 10 * blocks, "{lines} lines");
}

#[test]
fn at_an_intermediate_value_the_program_is_cut() {
    let p = program(BLOCK, RESIDUAL);
    let d = derived(&p, "h");
    assert_eq!(shown(&d, &d.result), "[matmul h]");
    assert!(d.program.assumptions[0].contains("cut at h"));
}

/// `for k in range(N): x = x + tanh(x @ w[k] + b)`.
fn stack(count: Dim) -> Program {
    let shape = |text: &str| Shape::parse(text).unwrap();
    let mut body = Program::new();
    let (x, w, b) = (body.input("x", shape("d")), body.input("w", shape("d d")), body.input("b", shape("d")));
    let env = Env::new().node("x", x).node("w", w).node("b", b);
    let end = build(&mut body, "x + tanh(x @ w + b)", &env).unwrap();
    body.output = end;
    let mut p = Program::new();
    let (x0, ws, b0) = (
        p.input("x", shape("d")),
        p.input("w", Shape([vec![count.clone()], shape("d d").0].concat())),
        p.input("b", shape("d")),
    );
    let repeat = Repeat {
        count,
        index: "k".into(),
        body,
        carried: vec![(x, end)],
        stacked: vec![w],
        shared: vec![b],
        counter: None,
    };
    p.output = p.repeat(repeat, vec![x0, ws, b0])[0];
    p.set_name(p.output, "out".into());
    p
}

#[test]
fn a_loop_is_a_product_over_its_turns() {
    for count in [Dim::named("N"), Dim::size(5)] {
        let p = stack(count);
        let d = derived(&p, "x");
        assert_eq!(d.result, Map::Product(0));
        assert!(d.loops[0].alone().is_some_and(|turn| turn.result.has_bare_identity()));
        let d = derived(&p, "b");
        assert_eq!(d.result, Map::Turns(0));
    }
}

#[test]
fn a_number_with_a_name_stays_a_number() {
    let text = "def f(x: \"2 n\"):\n    B, C = x.shape\n    k = 2\n    return x ** k + 2 * x\n";
    let p = chainrule::graph::read(text, &chainrule::graph::Request::default()).unwrap();
    let names: Vec<&str> = p.definitions.iter().map(|d| &*d.name).collect();
    assert_eq!(names, ["k", "out"], "sizes are no values");
    let d = derive::derive(&p, p.output, p.input_named("x").unwrap()).unwrap();
    let two =
        d.program.graph().node_indices().find(|id| d.program.number_of(*id).is_some_and(|n| n.as_whole() == Some(2)));
    assert_eq!(two.and_then(|two| d.program.name(two)), None);
}
