//! Pictures of programs: one model, four formats.

use crate::drawing::{assert_clear, dot_graph, mermaid_graph, svg_graph};
use crate::pinned::pinned;
use chainrule::graph::{Program, Request, read, read_expression};
use chainrule::picture::{Picture, Role, dot, mermaid, picture, svg, text};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::collections::BTreeSet;

const ATTENTION: &str = "
def attention(x: \"n d\", w_q: \"d h\", w_k: \"d h\", w_v: \"d h\", w_o: \"h d\"):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / sqrt(q.shape[-1])
    a = softmax(scores, axis=-1)
    return x + a @ v @ w_o
";

const RECURRENT: &str = "
def recurrent(h0: \"d\", c0: \"d\", u: \"d d\", w: \"m d\", xs: \"T m\"):
    h, c = h0, c0
    for t in range(T):
        z = sigmoid(h @ u + xs[t] @ w)
        c = z * c + (1 - z) * tanh(h)
        h = z * tanh(c)
    return h
";

const DENSE: &str = "
def dense(x: \"d\", w: \"d d\", v: \"d d\"):
    a = x @ w
    b = a + x
    c = (b + a + x) @ v
    return c + b + a + x @ v
";

const NESTED: &str = "
def nested(x: \"d\", w: \"N d d\", v: \"M d\"):
    for i in range(N):
        y = x
        for j in range(M):
            y = y * v[j]
        x = x + y @ w[i]
    return x
";

/// A stack of blocks written out, `times` of them.
fn stack(times: usize) -> String {
    let weights: Vec<String> = (0..times).map(|i| format!("w{i}: \"d f\", v{i}: \"f d\"")).collect();
    let mut source = format!("def stack(x0: \"d\", {}):\n", weights.join(", "));
    for i in 0..times {
        source += &format!("    x{} = x{i} + relu(x{i} @ w{i}) @ v{i}\n", i + 1);
    }
    source + &format!("    return x{times}\n")
}

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/docs/examples/{name}.py", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn program(source: &str) -> Program {
    read(source, &Request::default()).unwrap_or_else(|d| panic!("{source}\n{d:?}"))
}

fn drawn(source: &str, wrt: Option<&str>) -> Picture {
    let program = program(source);
    let wrt = wrt.map(|name| program.input_named(name).or_else(|| program.named(name)).unwrap());
    picture(&program, program.output, wrt).unwrap_or_else(|d| panic!("{d}"))
}

/// Everything that a picture must be in every format.
fn assert_sound(picture: &Picture) {
    let nodes: BTreeSet<usize> = (0..picture.nodes.len()).collect();
    let edges: BTreeSet<(usize, usize)> = picture.edges.iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(edges.len(), picture.edges.len(), "an edge is drawn twice");
    assert!(picture.edges.iter().all(|edge| edge.from < edge.to), "an edge leads back");
    let svg = svg(picture);
    assert_eq!(svg_graph(&svg), (nodes.clone(), edges.clone()), "svg");
    // The drawing has the way back of a loop beside its frame.
    let with_back = edges.iter().copied().chain(picture.ways_back()).collect();
    for (format, graph) in [("dot", dot_graph(&dot(picture))), ("mermaid", mermaid_graph(&mermaid(picture)))] {
        assert_eq!(graph, (nodes.clone(), BTreeSet::clone(&with_back)), "{format}");
    }
    assert_clear(&svg);
    for room in [60, 100] {
        let text = text(picture, room);
        let wide = text.0.iter().find(|line| line.width() > room);
        assert_eq!(wide, None, "{text}");
    }
    let wide = text(picture, 300).to_string();
    for node in &picture.nodes {
        let label = node.label().replace(char::is_control, " ");
        let shape = node.shape.to_string();
        let says = |line: &str| line.contains(&label) && line.ends_with(&shape);
        assert!(wide.lines().any(says), "{label}\n{wide}");
    }
}

#[test]
fn every_format_of_the_examples() {
    let cases = [
        ("residual_block", example("residual_block"), "x"),
        ("two_blocks", example("two_blocks"), "x"),
        ("loop", example("stack"), "x"),
        ("mlp", example("mlp"), "x"),
        ("attention", ATTENTION.to_string(), "x"),
    ];
    for (name, source, wrt) in &cases {
        let picture = drawn(source, Some(wrt));
        assert_sound(&picture);
        pinned("picture", &format!("{name}.txt"), &text(&picture, 100).to_string());
        pinned("picture", &format!("{name}.svg"), &svg(&picture));
        pinned("picture", &format!("{name}.dot"), &dot(&picture));
        pinned("picture", &format!("{name}.mermaid"), &mermaid(&picture));
        pinned("picture", &format!("{name}-program.txt"), &text(&drawn(source, None), 60).to_string());
    }
    for (name, source, wrt) in [("recurrent", RECURRENT, "h0"), ("dense", DENSE, "x"), ("nested", NESTED, "x")] {
        let picture = drawn(source, Some(wrt));
        assert_sound(&picture);
        pinned("picture", &format!("{name}.txt"), &text(&picture, 100).to_string());
    }
}

#[test]
fn the_identity_path_is_where_every_factor_is_the_identity() {
    let table = [
        (example("residual_block"), "x", "x, out"),
        // One row is added to each: that is no identity.
        (example("residual_block"), "b2", ""),
        (example("residual_block"), "branch", "branch, out"),
        (example("residual_block"), "w2", ""),
        (example("mlp"), "x", ""),
        (example("post_activation"), "x", ""),
        (example("scaled_skip"), "x", ""),
        (example("two_blocks"), "x", "x, x1, x2"),
        (ATTENTION.to_string(), "x", "x, out"),
        (ATTENTION.to_string(), "w_v", ""),
    ];
    for (source, wrt, path) in table {
        // The output of these examples has no name: its expression stands for it.
        let mut program = program(&source);
        program.set_name(program.output, "out".into());
        let wrt = program.named(wrt).unwrap();
        let picture = picture(&program, program.output, Some(wrt)).unwrap();
        let names = picture.nodes.iter().filter(|node| node.identity).map(|node| node.name.clone().unwrap_or_default());
        let found: Vec<String> = names.collect();
        // A scalar multiple of the identity is no identity, so neither end alone is a path.
        let found = if found.len() > 1 { found.join(", ") } else { String::new() };
        assert_eq!(found, path, "{source} by {:?}", program.name(wrt));
    }
}

#[test]
fn local_derivatives_are_matrices_where_there_are_some() {
    let table = [
        ("tanh(x)", "x", "diag(1 − out²)"),
        ("log_softmax(x, -1)", "x", "I − 1 softmax(x)ᵀ"),
        ("x - mean(x)", "x", "(1 / n) 1ᵀ | I | −1"),
        ("x @ A @ x", "x", "Aᵀ | xᵀ | xᵀA"),
        ("sum(A @ x)", "x", "A | 1ᵀ"),
        ("sum(A)", "A", "1ᵀ dA 1"),
        ("x + f(x)", "x", "J_f(x) | I | I"),
        ("exp(A @ x)", "A", "dA x | diag(out)"),
    ];
    for (expression, wrt, locals) in table {
        let mut request = Request::default();
        request.function_flag("f:n -> n").unwrap();
        let mut program = read_expression(expression, &request).unwrap_or_else(|d| panic!("{d:?}"));
        program.set_name(program.output, "out".into());
        let wrt = program.input_named(wrt).unwrap();
        let picture = picture(&program, program.output, Some(wrt)).unwrap();
        let found: Vec<String> = picture.edges.iter().filter_map(|edge| edge.local()).collect();
        assert_eq!(found.join(" | "), locals, "{expression}");
    }
}

#[test]
fn what_does_not_depend_on_the_variable_rests() {
    let picture = drawn(&example("residual_block"), Some("w2"));
    let resting = picture.nodes.iter().filter(|node| !node.moves).map(|node| node.label());
    assert_eq!(
        resting.collect::<Vec<_>>(),
        ["x", "w1", "b1", "b2", "x @ w1", "x @ w1 + b1", "h = relu(x @ w1 + b1)"],
        "values on the way that only the variable's own path uses are drawn too"
    );
}

#[test]
fn long_stacks_are_folded_and_the_size_is_bounded() {
    for times in [3, 4, 16, 54] {
        let picture = drawn(&stack(times), Some("x0"));
        assert_sound(&picture);
        assert_eq!(picture.nodes.len(), 7, "{times}");
        assert_eq!(picture.blocks[0].times, times.to_string());
        let names: Vec<&str> = picture.nodes.iter().filter_map(|node| node.name.as_deref()).collect();
        assert!(names.contains(&format!("w0 … w{}", times - 1).as_str()), "{names:?}");
        assert!(picture.nodes[picture.out].identity);
    }
    assert_eq!(drawn(&stack(2), Some("x0")).blocks.len(), 0, "two blocks are drawn both");
    // Layers that differ in size do not fold.
    let mut wide = String::from("def wide(x: \"n0\"");
    (0..40).for_each(|i| wide += &format!(", w{i}: \"n{i} n{}\"", i + 1));
    wide += "):\n";
    (0..40).for_each(|i| wide += &format!("    x = tanh(x @ w{i})\n"));
    wide += "    return x\n";
    let program = program(&wide);
    let refused = picture(&program, program.output, None).unwrap_err();
    assert_eq!(refused.message, "the picture would have 121 nodes, more than can be read (60)");
}

#[test]
fn weights_shared_by_the_blocks_stay_one() {
    let source = "
def shared(x: \"d\", w: \"d d\", b: \"d\"):
    x = x + relu(x @ w + b)
    x = x + relu(x @ w + b)
    x = x + relu(x @ w + b)
    return x
";
    let picture = drawn(source, Some("x"));
    assert_sound(&picture);
    let inputs = picture.nodes.iter().filter(|node| node.role == Role::Input).map(|node| node.label());
    assert_eq!(inputs.collect::<Vec<_>>(), ["x", "w", "b"]);
    assert_eq!(picture.blocks[0].times, "3");
}

#[test]
fn no_name_breaks_a_format() {
    let names = [
        "x @ W1 + b1",
        "\"",
        "a \"quoted\" name",
        "a -> b",
        "two\nlines",
        "<b>&amp;</b> <![CDATA[",
        "]]> --> -->",
        "[x]{y}(z)|w|",
        "\\ \\n \\\"",
        "`md` *a* __b__ #35; #quot;",
        "1. one",
        "- item",
        "end",
        "%% comment",
        "subgraph; style",
        "\u{0}\u{7}\u{1b}[31m",
        "𝛼 ⊙ β̄ 名前",
        "",
    ];
    let picture = drawn(&example("residual_block"), Some("x"));
    for name in names {
        let mut broken = picture.clone();
        broken.title = name.to_string();
        broken.notes.push(name.to_string());
        for node in &mut broken.nodes {
            node.name = Some(name.to_string());
            node.aside = node.expression.is_none().then(|| name.to_string());
        }
        broken.blocks.push(chainrule::picture::Block {
            title: name.into(),
            times: name.into(),
            inside: None,
            back: vec![(0, 1)],
        });
        broken.nodes[5].block = Some(0);
        assert_sound(&broken);
    }
}

#[test]
fn the_drawing_can_be_heard_and_follows_the_page() {
    let svg = svg(&drawn(&example("residual_block"), Some("x")));
    let document = roxmltree::Document::parse(&svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let child = |name: &str| root.children().find(|n| n.has_tag_name(name)).and_then(|n| n.text()).unwrap();
    assert_eq!(child("title"), "Computation graph of residual_block, by x");
    for says in ["Inputs: x (d_model), w1", "z to h: diag(1[z > 0])", "The identity path, drawn thick: x, "] {
        assert!(child("desc").contains(says), "{}", child("desc"));
    }
    assert!(svg.contains("prefers-color-scheme:dark") && svg.contains("currentColor"));
    assert!(!svg.contains("url(") && !svg.contains("@import") && !svg.contains("<script"));
    // The identity path is told by more than its colour.
    let skip = document.descendants().find(|n| n.attribute("class") == Some("edge identity")).unwrap();
    assert!(skip.descendants().any(|n| n.text() == Some("I")));
}

#[test]
fn what_is_set_and_what_is_given_is_said() {
    let mut request = Request::default();
    request.setting_flag("w2=0").unwrap();
    let program = read(&example("residual_block"), &request).unwrap();
    let picture = picture(&program, program.output, program.input_named("x")).unwrap();
    assert!(picture.nodes.iter().any(|node| node.label() == "w2 = 0"));
    let request = Request { assumptions: vec!["y one-hot".to_string()], ..Request::default() };
    let program = read(&example("softmax_cross_entropy"), &request).unwrap();
    let given = chainrule::picture::picture(&program, program.output, program.input_named("z")).unwrap();
    assert!(given.nodes.iter().any(|node| node.label() == "y one-hot"));
}

#[test]
fn a_loop_says_what_a_turn_hands_on() {
    let picture = drawn(&example("stack"), Some("x"));
    let [block] = &picture.blocks[..] else { panic!("one loop") };
    let [(end, start)] = block.back[..] else { panic!("one value is handed on") };
    assert_eq!(picture.nodes[start].role, Role::Start);
    assert!(end > start);
    assert!(picture.notes.iter().any(|note| note.starts_with("From turn to turn, ")));
    assert!(svg(&picture).contains("class=\"back\""));
    assert!(dot(&picture).contains(&format!("n{end} -> n{start} [label=\"next turn\"")));
    assert!(mermaid(&picture).contains(&format!("n{end} -.->|\"next turn\"| n{start}")));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, rng_seed: RngSeed::Fixed(7), ..ProptestConfig::default() })]

    /// Boxes, labels and lines of random programs keep clear of each other, and all
    /// formats say the same.
    #[test]
    fn random_programs_are_drawn(tape in prop::collection::vec(any::<u8>(), 1..60), by in 0usize..7) {
        const NAMES: &[&str] = &["x", "y", "v", "A", "B", "a"];
        let program = program(&crate::random::function(&crate::random::lines(&tape), NAMES));
        let wrt = NAMES.get(by).and_then(|name| program.input_named(name));
        if let Ok(picture) = picture(&program, program.output, wrt) {
            assert_sound(&picture);
            prop_assert_eq!(svg(&picture), svg(&picture.clone()));
        }
    }
}
