//! Programs as people paste them.

use chainrule::diagnostic::{Diagnostic, Kind};
use chainrule::graph::{Kind as Node, Program, Request, read};
use chainrule::reading::backward_pass;
use chainrule::witness::check_pass;

use crate::growth::grows_linearly;

/// As a course prints it: imports, a signature of tensors, a session, a test, a main block.
const COURSE: &str = r#"import torch
import torch.nn.functional as F
import pytest


def residual_block(x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor,
                   w2: torch.Tensor, b2: torch.Tensor) -> torch.Tensor:
    """Compute x + relu(x @ w1 + b1) @ w2 + b2.

    >>> x = torch.randn(2, 4)
    >>> w1, b1 = torch.randn(4, 8), torch.randn(8)
    >>> w2, b2 = torch.randn(8, 4), torch.randn(4)
    >>> residual_block(x, w1, b1, w2, b2).shape
    torch.Size([2, 4])
    """
    h = F.relu(x @ w1 + b1)  # the hidden layer
    branch = h @ w2 + b2     # back to the width of x
    # the skip
    return x + branch


@pytest.mark.parametrize("n", [1, 2])
def test_residual_block(n):
    x = torch.randn(n, 4)
    out = residual_block(x, torch.zeros(4, 8), torch.zeros(8), torch.zeros(8, 4), torch.zeros(4))
    assert torch.equal(out, x)


if __name__ == "__main__":
    torch.manual_seed(0)
    print(residual_block(torch.randn(2, 4), *[torch.randn(4, 8)]))
"#;

fn program(text: &str) -> Program {
    read(text, &Request::default()).unwrap_or_else(|told| panic!("{text}\n{told:?}"))
}

fn refused(text: &str, request: &Request) -> Diagnostic {
    read(text, request).unwrap_err().remove(0)
}

fn definitions(program: &Program) -> String {
    let line = |d: &chainrule::graph::Definition| format!("{} = {} : {}", d.name, d.text, program.shape(d.node));
    program.definitions.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn with_shapes(shapes: &[(&str, &str)]) -> Request {
    let mut request = Request::default();
    for (name, shape) in shapes {
        request.declare(name, shape).unwrap();
    }
    request
}

#[test]
fn the_block_of_a_course_reads_as_it_is() {
    let program = program(COURSE);
    assert_eq!(program.title, "residual_block");
    let lines = "h = F.relu(x @ w1 + b1) : 2 × 8\nbranch = h @ w2 + b2 : 2 × 4\nout = x + branch : 2 × 4";
    assert_eq!(definitions(&program), lines);
    let (wrt, why) = program.suggested_wrt.clone().unwrap();
    assert_eq!((&**program.name(wrt).unwrap(), why.as_str()), ("x", "x is the first parameter"));
}

#[test]
fn a_session_that_shows_another_shape_is_told() {
    let text = COURSE.replace("torch.Size([2, 4])", "torch.Size([2, 8])");
    let told = refused(&text, &Request::default());
    assert_eq!((told.kind, told.span.unwrap().of(&text)), (Kind::ShapeMismatch, "torch.Size([2, 8])"));
    assert!(told.message.contains("(2, 4)"), "{told}");
}

#[test]
fn shapes_come_from_flags_annotations_and_sessions_in_this_order() {
    let text = "import torch\ndef f(x: 'batch d', w: Float[Tensor, \"d k\"], s: float, b):\n    \"\"\"\n    >>> b = torch.ones(5, requires_grad=True)\n    >>> x = torch.randn(3, 4)\n    \"\"\"\n    return s * (x @ w)\n";
    let program = program(text);
    let shapes = |p: &Program| p.inputs.iter().map(|id| p.shape(*id).to_string()).collect::<Vec<_>>().join(", ");
    assert_eq!(shapes(&program), "batch × d, d × k, scalar, 5");
    let sizes: Vec<String> = program.sizes.iter().map(|(name, size)| format!("{name}={size}")).collect();
    assert_eq!(sizes, ["batch=3", "d=4"]);
    assert_eq!(program.suggested_wrt.as_ref().unwrap().1, "b has requires_grad=True");
    let flagged = read(text, &with_shapes(&[("x", "d"), ("b", "7")])).unwrap();
    assert_eq!(shapes(&flagged), "d, d × k, scalar, 7");
    assert_eq!(flagged.shape(flagged.output).to_string(), "k");
}

#[test]
fn python_around_the_block_is_read() {
    let table = [
        (
            "def f(x: \"b t c\"):\n    B, T, C = x.shape\n    y = x / math.sqrt(C)\n    return y.sum(-1) / x.size(1)\n",
            "b × t",
        ),
        ("def f(x: \"n\"):\n    y = x\n    y = y + 1\n    y: float = y * 2\n    return y\n", "n"),
        ("def g(a, b=2):\n    return a * b, a\ndef f(x: \"n\"):\n    y, z = g(x)\n    return y + g(z, b=3)[1]\n", "n"),
        ("SCALE = 2\nW = eye(3)\ndef f(x: \"3\"):\n    return SCALE * (W @ x)\n", "3"),
        ("def f(x: \"n\"):\n    x += 1\n    x *= 2\n    return x\n", "n"),
        ("def relu(x):\n    return x * 2\ndef f(x: \"n\"):\n    return relu(x)\n", "n"),
        ("from torch.nn.functional import relu as r\ndef f(x: \"n\"):\n    return r(x)\n", "n"),
        ("def f(x: \"n\", act=F.relu):\n    return act(x)\n", "n"),
        ("def f(x: \"n m\"):\n    return x.T @ x.relu().pow(2)\n", "m × m"),
        ("def f(x: \"n\", k: int):\n    return x * k\n", "n"),
        (
            "def f(x: \"n\"):\n    if x.ndim != 1:\n        raise ValueError\n    assert x.sum() > 0\n    return x\n",
            "n",
        ),
        ("def f(x: \"n\"):\n    return x\ndef later(x):\n    ...\n", "n"),
        (
            "x = torch.randn(2, 3, requires_grad=True)\nw = torch.randn(3)\n\nx\ny = x @ w\nloss = y.sum()\nloss\n",
            "scalar",
        ),
        ("x = torch.randn(2, 3)\ny = x * 2\n", "2 × 3"),
    ];
    for (text, shape) in table {
        let program = program(text);
        assert_eq!(program.shape(program.output).to_string(), shape, "{text}");
    }
}

#[test]
fn a_loop_over_stacked_weights_is_one_node() {
    let text = "def f(x: \"b d\", w: \"N d d\", b: \"N d\", s: float):\n    for k in range(N):\n        h = relu(x @ w[k] + b[k])\n        x = x + s * h / (k + 1)\n    return x\n";
    let program = program(text);
    let Node::Carried(0) = program.node(program.output).kind else { panic!() };
    let node = program.node(program.output).args[0];
    let Node::Repeat(repeat) = &program.node(node).kind else { panic!() };
    assert_eq!((repeat.count.to_string().as_str(), &*repeat.index), ("N", "k"));
    let names = |nodes: &[_]| nodes.iter().map(|id| repeat.body.name(*id).unwrap().to_string()).collect::<Vec<_>>();
    assert_eq!(names(&repeat.stacked), ["w[k]", "b[k]"]);
    assert_eq!(names(&repeat.shared), ["s"]);
    assert!(repeat.counter.is_some());
    assert_eq!(program.node(node).args.len(), 4);
    assert_eq!(repeat.body.shape(repeat.stacked[0]).to_string(), "d × d");
    assert_eq!(definitions(&repeat.body), "h = relu(x @ w[k] + b[k]) : b × d\nx = x + s * h / (k + 1) : b × d");
}

#[test]
fn loops_of_other_forms_read() {
    let table = [
        "def f(x: \"d\", w: \"N d d\"):\n    for k in range(len(w)):\n        x = x @ w[k]\n    return x\n",
        "def f(x: \"d\", w: \"3 d d\"):\n    for k in range(w.shape[0]):\n        x += x @ w[k]\n    return x\n",
        "def f(x: \"d\", w: \"d d\", n: int = 4):\n    for _ in range(n):\n        x = x @ w\n    return x\n",
        "def f(x: \"d\", y: \"d\", w: \"N d d\"):\n    for k in range(N):\n        x, y = y @ w[k], x\n    return x + y\n",
        "def g(x, w):\n    return x + x @ w\ndef f(x: \"d\", w: \"N d d\"):\n    for k in range(N):\n        x = g(x, w[k])\n    return x\n",
        "def f(x: \"d\", w: \"N M d d\"):\n    for i in range(N):\n        for j in range(M):\n            x = x @ w[i][j]\n    return x\n",
    ];
    for text in table {
        match read(text, &Request::default()) {
            Ok(program) => assert_eq!(program.shape(program.output).to_string(), "d", "{text}"),
            // A slice of a slice needs the outer slice under a name.
            Err(told) => assert!(text.contains("w[i][j]"), "{text}: {told:?}"),
        }
    }
}

#[test]
fn what_is_reached_and_not_supported_is_told_at_its_place() {
    let table = [
        ("def f(x: \"n\"):\n    ...\n", Kind::UnsupportedStatement, "f", "no body yet"),
        ("def f(x):\n    return x\n", Kind::MissingShape, "x", "--shape x="),
        ("def f(x: \"n,m\"):\n    return x\n", Kind::BadDeclaration, "n,m", "separated by spaces"),
        ("def f(x: \"n\"):\n    return f(x)\n", Kind::UnsupportedSyntax, "f(x)", "recursion"),
        (
            "def f(x: \"n\"):\n    while True:\n        x = x\n    return x\n",
            Kind::UnsupportedStatement,
            "while",
            "range(N)",
        ),
        (
            "def f(x: \"n\"):\n    y = x\n    x += 1\n    return y\n",
            Kind::UnsupportedStatement,
            "x += 1",
            "another name",
        ),
        (
            "def f(x: \"n m\"):\n    y = x.T\n    x += 1\n    return y\n",
            Kind::UnsupportedStatement,
            "x += 1",
            "another name",
        ),
        (
            "def f(x: \"d\", w: \"N d d\"):\n    for k in range(1, N):\n        x = x @ w[k - 1]\n    return x\n",
            Kind::UnsupportedStatement,
            "range(1, N)",
            "runs from 0",
        ),
        (
            "def f(x: \"d\", w: \"N d d\"):\n    for k in range(N):\n        x = x @ w[k - 1]\n    return x\n",
            Kind::UnsupportedSyntax,
            "k - 1",
            "only the index [k]",
        ),
        (
            "def f(x: \"d\", w: \"M d d\"):\n    for k in range(N):\n        x = x @ w[k]\n    return x\n",
            Kind::UnknownName,
            "N",
            "not defined",
        ),
        (
            "def f(x: \"d\", w: \"N d k\"):\n    for k in range(N):\n        x = x @ w[k]\n    return x\n",
            Kind::ShapeMismatch,
            "for k in range(N):\n        x = x @ w[k]",
            "keeps its shape",
        ),
        ("def f(x: \"n\"):\n    return x[x > 0]\n", Kind::UnsupportedSyntax, "x[x > 0]", "how many entries"),
        ("def f(x: \"n\"):\n    return x[::2]\n", Kind::UnsupportedSyntax, "[::2]", "is not known"),
        ("def f(x: \"n\"):\n    return x[:, 0]\n", Kind::AxisOutOfRange, "[:, 0]", "rank 1"),
        (
            "def f(x: \"n\"):\n    y = x[1:]\n    x += 1\n    return y\n",
            Kind::UnsupportedStatement,
            "x += 1",
            "another name",
        ),
        ("def f(x: \"n\"):\n    return (x + 1).H\n", Kind::UnsupportedAttribute, ".H", "only .T"),
        ("def f(x: \"n\", y: \"m\"):\n    return (x) + (y)\n", Kind::ShapeMismatch, "+", "do not broadcast"),
        ("y = w * 2\n", Kind::UnknownName, "w", "--shape w="),
    ];
    for (text, kind, place, says) in table {
        let told = refused(text, &Request::default());
        assert_eq!((told.kind, told.span.unwrap().of(text)), (kind, place), "{text}: {told}");
        assert!(told.to_string().contains(says), "{text}: {told}");
    }
}

#[test]
fn several_mistakes_are_told_at_once() {
    let text = "def f(x: \"n\", w: \"m m\"):\n    a = x @ w\n    b = a + 1\n    c = rleu(x)\n    return b + c\n";
    let told = read(text, &Request::default()).unwrap_err();
    assert_eq!(told.iter().map(|d| d.kind).collect::<Vec<_>>(), [Kind::ShapeMismatch, Kind::UnknownFunction]);
}

#[test]
fn long_programs_read_in_linear_time() {
    let head = "def f(x: \"d\", w1: \"d h\", b1: \"h\", w2: \"h d\", b2: \"d\"):\n";
    let block = "def g(x, w1, b1, w2, b2):\n    h = relu(x @ w1 + b1)\n    return x + h @ w2 + b2\n";
    let lines =
        move |n: usize| head.to_string() + &"    x = x + relu(x @ w1 + b1) @ w2 + b2\n".repeat(n) + "    return x\n";
    let calls = move |n: usize| format!("{block}{head}{}    return x\n", "    x = g(x, w1, b1, w2, b2)\n".repeat(n));
    let reads = |text: &str| {
        let program = program(text);
        assert_eq!(program.shape(program.output).to_string(), "d");
    };
    let doubling: String =
        (1..60).map(|i| format!("def f{i}(x):\n    return f{j}(x) + f{j}(x)\n", j = i - 1)).collect();
    let work = move || {
        grows_linearly("lines", 2_000, |n| reads(&lines(n)));
        grows_linearly("calls", 2_000, |n| reads(&calls(n)));
        reads(&format!("def f0(x):\n    return x\n{doubling}def f(x: \"d\"):\n    return f59(x)\n"));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// A sign, a factor or a whole cotangent that is lost does not pass the check.
#[test]
fn a_backward_pass_that_does_not_hold_is_told() {
    let text = "def f(x: \"b d\", w: \"d h\", c: \"h\", v: \"h d\", t: \"b d\"):\n    y = x + tanh(x @ w + c) @ v\n    return mean((y - t) ** 2)\n";
    let pass = backward_pass(program(text)).unwrap();
    let report = check_pass(pass.clone()).unwrap().report().unwrap().clone();
    assert_eq!((report.steps, report.unchecked), (5, 0));
    let inputs = pass.program.inputs.clone();
    let of_inputs = (0..pass.cotangents.len()).filter(|i| inputs.contains(&pass.cotangents[*i].of));
    for place in of_inputs.collect::<Vec<_>>() {
        for lost in ["sign", "factor", "cotangent"] {
            let mut wrong = pass.clone();
            let value = wrong.cotangents[place].value;
            match lost {
                "sign" => wrong.cotangents[place].value = wrong.program.call("neg", &[value]).unwrap(),
                "factor" => wrong.cotangents[place].value = wrong.program.call("add", &[value, value]).unwrap(),
                _ => _ = wrong.cotangents.remove(place),
            }
            let told = check_pass(wrong).unwrap_err().to_string();
            assert!(told.contains("the cotangent of"), "{lost} of cotangent {place}: {told}");
        }
    }
}

/// Every block has a weight of its own: the cotangents of all of them are one pass.
#[test]
fn a_backward_pass_takes_time_in_proportion_to_the_inputs() {
    grows_linearly("backward pass", 128, |n| {
        let weights: String = (0..n).map(|i| format!(", w{i}: \"d d\"")).collect();
        let lines: String = (0..n).map(|i| format!("    x = x + tanh(w{i} @ x)\n")).collect();
        let pass = backward_pass(program(&format!("def f(x: \"d\"{weights}):\n{lines}    return x.sum()\n"))).unwrap();
        assert_eq!(pass.cotangents.iter().filter(|one| pass.program.inputs.contains(&one.of)).count(), n + 1);
        assert_eq!(check_pass(pass).unwrap().report().unwrap().steps, n + 1);
    });
}
