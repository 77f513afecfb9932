//! Python around the mathematics: loops turn by turn, branches, lists, stars.
//! Each program is the same graph as one written out.

use crate::graph::{fingerprint, written};
use chainrule::derive;
use chainrule::diagnostic::{Diagnostic, Kind};
use chainrule::graph::{Program, Request, read, read_expression};
use chainrule::{reading, witness};

fn program(text: &str) -> Program {
    read(text, &Request { unroll: true, ..Request::default() }).unwrap_or_else(|told| panic!("{text}\n{told:?}"))
}

/// The first lines and the shapes of the parameters that the tables share.
const HEAD: &str = "import torch\nimport torch.nn.functional as F\n";

fn function(params: &str, body: &str) -> String {
    let lines: String = body.split('\n').map(|line| format!("    {line}\n")).collect();
    format!("{HEAD}def f({params}):\n{lines}")
}

/// Parameters, a body, the same written out.
const SAME: &[(&str, &str, &str)] = &[
    // Several values handed on from turn to turn.
    (
        "x: 'd', w: '3 d d'",
        "h, c = x, 0\nfor k in range(3):\n    h = torch.tanh(h @ w[k])\n    c = c + h.sum()\nreturn c",
        "h0 = torch.tanh(x @ w[0])\nh1 = torch.tanh(h0 @ w[1])\nh2 = torch.tanh(h1 @ w[2])\nreturn 0 + h0.sum() + h1.sum() + h2.sum()",
    ),
    ("x: 'd', y: 'd'", "for _ in range(3):\n    x, y = y, x + y\nreturn y", "a = x + y\nb = y + a\nreturn a + b"),
    // A value of the turn before, by its index.
    (
        "x: '4 d'",
        "y = x[0]\nfor t in range(1, 4):\n    y = y * x[t] + x[t - 1]\nreturn y",
        "return ((x[0] * x[1] + x[0]) * x[2] + x[1]) * x[3] + x[2]",
    ),
    (
        "x: '3 d'",
        "y = 0\nfor t in range(2, -1, -1):\n    y = y + x[t] * (t + 1)\nreturn y",
        "return 0 + x[2] * 3 + x[1] * 2 + x[0] * 1",
    ),
    ("x: '3 d'", "y = 0\nfor t in reversed(range(3)):\n    y = y + x[t]\nreturn y", "return 0 + x[2] + x[1] + x[0]"),
    // Loops inside loops.
    (
        "x: 'd', w: '2 2 d d'",
        "for i in range(2):\n    for j in range(2):\n        x = x @ w[i, j]\nreturn x",
        "return x @ w[0, 0] @ w[0, 1] @ w[1, 0] @ w[1, 1]",
    ),
    // Lists: what is collected, what is run over.
    (
        "x: '3 d', w: 'd d'",
        "h = x[0]\nhs = []\nfor t in range(3):\n    h = torch.tanh(h @ w) + x[t]\n    hs.append(h)\nreturn torch.stack(hs)",
        "a = torch.tanh(x[0] @ w) + x[0]\nb = torch.tanh(a @ w) + x[1]\nc = torch.tanh(b @ w) + x[2]\nreturn torch.stack([a, b, c])",
    ),
    (
        "x: '3 d'",
        "out = []\nfor xt in x:\n    out += [xt * 2]\nreturn torch.stack(out)",
        "return torch.stack([x[0] * 2, x[1] * 2, x[2] * 2])",
    ),
    (
        "x: 'd', w1: 'd d', w2: 'd d'",
        "for w in [w1, w2]:\n    x = F.relu(x @ w)\nreturn x",
        "return F.relu(F.relu(x @ w1) @ w2)",
    ),
    (
        "x: 'd', w1: 'd d', w2: 'd d', b1: 'd', b2: 'd'",
        "for i, (w, b) in enumerate(zip([w1, w2], [b1, b2])):\n    x = x @ w + b\n    if i < 1:\n        x = F.relu(x)\nreturn x",
        "return F.relu(x @ w1 + b1) @ w2 + b2",
    ),
    (
        "x: '3 d'",
        "return torch.stack([x[t] * t for t in range(3)])",
        "return torch.stack([x[0] * 0, x[1] * 1, x[2] * 2])",
    ),
    ("x: '3 d'", "return sum(x[t] for t in range(3))", "return x[0] + x[1] + x[2]"),
    ("x: 'd', y: 'd'", "xs = [x, y]\nreturn sum([a.sum() for a in xs])", "return x.sum() + y.sum()"),
    // Shapes put together.
    ("x: 'b t 6'", "return x.view(*x.shape[:-1], 2, 3)", "b, t, c = x.shape\nreturn x.view(b, t, 2, 3)"),
    ("x: 'b t 6'", "return x.reshape(x.shape[:-1] + (2, 3))", "b, t, c = x.shape\nreturn x.view(b, t, 2, 3)"),
    (
        "x: 'b t 6'",
        "*lead, c = x.shape\nreturn x.view(*lead, 2, c // 2)",
        "b, t, c = x.shape\nreturn x.view(b, t, 2, 3)",
    ),
    ("x: 'b t 6'", "first, *rest = x.shape\nreturn x / rest[-1]", "return x / 6"),
    // Branches that shapes, defaults and flags decide.
    ("x: 'n', mask=None", "if mask is not None:\n    x = x * mask\nreturn x", "return x"),
    ("x: 'n', mask: 'n' = None", "if mask is not None:\n    x = x * mask\nreturn x", "return x * mask"),
    ("x: 'n', training=False", "if training:\n    x = F.dropout(x)\nelse:\n    x = 2 * x\nreturn x", "return 2 * x"),
    ("x: 'n'", "if x.dim() == 1:\n    x = x.unsqueeze(0)\nreturn x", "return x.unsqueeze(0)"),
    (
        "x: 'n m'",
        "if len(x.shape) == 1:\n    return x\nelif x.ndim == 2:\n    return x.sum(1)\nelse:\n    return x.sum()",
        "return x.sum(1)",
    ),
    ("x: 'n', mode='mean'", "y = x ** 2\nif mode == 'mean':\n    return y.mean()\nreturn y", "return (x ** 2).mean()"),
    ("x: 'n', mode='sum'", "return x.sum() if mode in ('sum', 'total') else x", "return x.sum()"),
    ("x: 'n', eps=None", "eps = eps or 2\nreturn x * eps", "return x * 2"),
    ("x: 'n', w: 'n'", "if isinstance(w, torch.Tensor) and not x.ndim > 1:\n    x = x * w\nreturn x", "return x * w"),
    (
        "x: '4 n'",
        "if x.shape[0] != 4 or x.shape[1] == x.shape[-1] and x.size(0) > 3:\n    x = -x\nreturn x",
        "return -x",
    ),
    // A name that a turn leaves behind.
    (
        "x: 'n', w: 'n n'",
        "for _ in range(2):\n    v = w @ x\n    x = torch.tanh(v)\nreturn x @ v",
        "a = w @ x\nb = w @ torch.tanh(a)\nreturn torch.tanh(b) @ b",
    ),
    // Functions inside functions, and lambdas with a name.
    (
        "x: 'n', w: 'n n'",
        "def f(v):\n    h = w @ v\n    return torch.tanh(h)\nreturn f(f(x) + x)",
        "a = torch.tanh(w @ x) + x\nreturn torch.tanh(w @ a)",
    ),
    ("x: 'n'", "act = lambda z, k=2: z * torch.sigmoid(k * z)\nreturn act(x)", "return x * torch.sigmoid(2 * x)"),
    // Entries of classes, and what is assigned where a condition holds.
    ("x: 'n c', y: 'n'", "return x.gather(1, y[:, None]).squeeze(1)", "return x.gather(-1, y.unsqueeze(1)).squeeze(1)"),
    ("x: 'n'", "y = x * 2\ny[y > 1] = 0\nreturn y", "y = x * 2\nreturn torch.where(y > 1, 0, y)"),
    (
        "x: 'n c', t: 'n'",
        "y = x * 2\ny[torch.arange(x.shape[0]), t] = 0\nreturn y",
        "y = x * 2\nreturn torch.where(F.one_hot(t, x.shape[1]) == 1, 0, y)",
    ),
    ("x: 'n'", "return x[::-1]", "return x.flip(0)"),
    ("x: '6 n'", "return x[4:0:-2]", "return x.flip(0)[1:5:2]"),
    // Conditions on entries.
    ("x: 'n', y: 'n'", "return torch.where((x > 0) & (y > 0), x, y)", "return torch.where((x > 0) * (y > 0), x, y)"),
    (
        "x: 'n', y: 'n'",
        "return torch.where((x > 0) | (y > 0), x, y)",
        "return torch.where((x > 0) + (y > 0) > 0, x, y)",
    ),
    ("x: 'n'", "return x.masked_fill(~(x > 0), 1)", "return torch.where((x > 0) == 0, 1, x)"),
    ("x: 'n', mask: 'n'", "return x.masked_fill(~mask, 0)", "return torch.where(mask == 0, 0, x)"),
    ("x: 'n'", "return (x > 0) * x", "c = x > 0\nreturn c * x"),
    // The entries at which a condition holds, where they are added up.
    ("x: 'n'", "return x[x > 0].sum()", "return torch.where(x > 0, x, 0).sum()"),
    ("x: 'n'", "return torch.mean(x[x > 0])", "c = x > 0\nreturn torch.where(c, x, 0).sum() / c.sum()"),
    (
        "x: 'n', y: 'n'",
        "d = x - y\nkeep = y > 0\nreturn torch.sum(torch.exp(-d[keep]) ** 2)",
        "return torch.where(y > 0, torch.exp(-(x - y)) ** 2, 0).sum()",
    ),
    (
        "x: 'n', y: 'n'",
        "c = (x > 0) & (y < 1)\nreturn x[c] @ y[c]",
        "return torch.where((x > 0) & (y < 1), x * y, 0).sum()",
    ),
    ("X: 'm n'", "return torch.norm(X[X > 0])", "return torch.norm(torch.where(X > 0, X, 0))"),
    ("x: 'n'", "return torch.masked_select(x, x > 0).sum()", "return torch.where(x > 0, x, 0).sum()"),
    (
        "X: 'm n', y: 'm'",
        "return X[y > 0].mean(axis=0)",
        "c = y > 0\nreturn torch.where(c[:, None], X, 0).sum(0) / c.sum()",
    ),
    (
        "X: 'm n', y: 'm'",
        "return X[y > 0].mean()",
        "c = y > 0\nreturn torch.where(c[:, None], X, 0).sum() / (X.shape[1] * c.sum())",
    ),
    // Several values of one call, lists of factors, differences.
    (
        "A: 'n n'",
        "sign, size = torch.linalg.slogdet(A)\nreturn sign * size",
        "d = torch.det(A)\nreturn torch.sign(d) * torch.log(torch.abs(d))",
    ),
    ("A: 'n n'", "return torch.slogdet(A).logabsdet", "return torch.log(torch.abs(torch.det(A)))"),
    ("A: 'n n', B: 'n m'", "return torch.linalg.multi_dot([A, A, B])", "return A @ A @ B"),
    ("x: 'n'", "return torch.diff(x)", "return x[1:] - x[:-1]"),
    ("X: 'm n'", "return torch.diff(X, dim=0)", "return X[1:] - X[:-1]"),
];

#[test]
fn what_python_says_in_turns_is_the_same_graph_as_written_out() {
    for (params, body, written_out) in SAME {
        let (a, b) = (program(&function(params, body)), program(&function(params, written_out)));
        let texts = [written(&a, a.output), written(&b, b.output)];
        assert_eq!(fingerprint(&a, a.output), fingerprint(&b, b.output), "{body}\n{texts:#?}");
        assert_eq!(a.shape(a.output), b.shape(b.output), "{body}");
    }
}

#[test]
fn what_was_read_is_derived_and_checked() {
    for (params, body, _) in SAME {
        let program = program(&function(params, body));
        for wrt in program.inputs.clone() {
            let mut derivation =
                derive::derive(&program, program.output, wrt).unwrap_or_else(|d| panic!("{body}: {d}"));
            let answers = reading::answers(&mut derivation).unwrap_or_else(|d| panic!("{body}: {d}"));
            let checked = witness::check(derivation, answers).unwrap_or_else(|d| panic!("{body}: {d}"));
            assert!(checked.report().is_some_and(|report| report.answer), "{body}");
        }
    }
}

fn told(params: &str, body: &str) -> (Diagnostic, String) {
    let text = function(params, body);
    let told = read(&text, &Request::default()).map(|p| p.output).unwrap_err().remove(0);
    (told, text)
}

#[test]
fn what_cannot_be_followed_is_told_at_its_place() {
    let table = [
        ("x: 'n'", "if x.sum() > 0:\n    x = -x\nreturn x", "if", "where(condition, a, b)"),
        ("x: 'n'", "if len(x) > 3:\n    x = -x\nreturn x", "if", "--shape"),
        ("x: 'n', y: 'n'", "if x.ndim > 1:\n    return y\nelif y[0] > 0:\n    return x\nreturn y", "elif", "where"),
        ("x: 'n', y: 'n'", "return x if y[0] > 0 else y", "if", "where"),
        ("x: 'n', y: 'n'", "return torch.where(x > 0 and y > 0, x, y)", "and", "'and'"),
        ("x: 'n', y: 'n'", "return torch.where(x & y, x, y)", "&", "between comparisons"),
        ("x: 'n'", "return ~(x + 1)", "~", "between comparisons"),
        ("x: 'n'", "return x[x > 0]", "x[x > 0]", "how many entries"),
        ("x: 'n'", "return x[x > 0].max()", "x[x > 0]", "how many entries"),
        ("x: 'n', y: 'n'", "return (x[x > 0] + y[y > 0]).sum()", "y[y > 0]", "different conditions"),
        ("x: 'n', y: 'n'", "return (x[x > 0] + y).sum()", "y", "how many entries"),
        ("X: 'm n', y: 'n'", "return X[y > 0].sum()", "[y > 0]", "the condition is"),
        (
            "x: 'N d'",
            "hs = []\nfor t in range(N):\n    hs.append(x[t])\nreturn torch.stack(hs)",
            "hs.append(x[t])",
            "must be known",
        ),
        ("x: 'N d'", "y = 0\nfor xt in x:\n    y = y + xt\nreturn y", "x", "range(len(w))"),
        ("x: 'N d'", "y = x[0]\nfor t in range(1, N):\n    y = y + x[t]\nreturn y", "range(1, N)", "from 0"),
        ("x: 'n'", "hs = []\ngs = hs\ngs.append(x)\nreturn hs", "gs.append(x)", "another name"),
        ("x: 'n'", "x.append(x)\nreturn x", "x.append(x)", "no list"),
        (
            "x: 'n', w: 'n n'",
            "for _ in range(N):\n    v = w @ x\n    x = torch.tanh(v)\nreturn x @ v",
            "N",
            "not defined",
        ),
        (
            "x: 'N n', w: 'n n', h: 'n'",
            "for t in range(N):\n    v = w @ h\n    h = torch.tanh(v) + x[t]\nreturn h @ v",
            "for t in range(N):\n        v = w @ h\n        h = torch.tanh(v) + x[t]",
            "leaves it",
        ),
        ("x: 'n'", "return torch.add(*x)", "*x", "a tuple of known length"),
        ("x: 'n'", "return torch.add(**x)", "**x", "write them out"),
        ("x: '3 n'", "a, b = x\nreturn a", "a, b = x", "3 values are unpacked into 2 names"),
        ("x: 'n'", "for k in range(2000):\n    x, y = x * 2, x\nreturn [x for _ in range(2000)]", "for", "up to 64"),
        ("x: 'n'", "return [a for a in range(3) if a > 1]", "for", "with conditions"),
        ("x: 'n'", "for k in range(3):\n    k = 2\n    x = x * k\nreturn x", "k", "set inside its loop"),
    ];
    for (params, body, place, says) in table {
        let (told, text) = told(params, body);
        assert_eq!(told.span.unwrap_or_default().of(&text), place, "{body}\n{told}");
        let all = format!("{told} {}", told.help.clone().unwrap_or_default());
        assert!(all.contains(says), "{body}\n{all}");
    }
}

/// A loop that hands on several values is one node, or read turn by turn where the
/// number of turns is known.
#[test]
fn several_values_go_on_through_a_loop_of_any_length() {
    let text =
        function("x: 'N d', h: 'd', c: 'd'", "for t in range(N):\n    h, c = torch.tanh(h + x[t]), c + h\nreturn c");
    let unknown = program(&text);
    let joint = derive::derive(&unknown, unknown.output, unknown.inputs[1]).unwrap();
    assert_eq!(joint.loops[0].states.len(), 2);
    let mut request = Request::default();
    request.declare("x", "3 d").unwrap();
    let known = read(&text.replace("range(N)", "range(len(x))"), &request).unwrap();
    assert!(derive::derive(&known, known.output, known.inputs[1]).is_ok());
}

/// What is listed is what a turn computes: places and weights, not the names that count.
#[test]
fn lines_of_a_turn_are_written_with_its_numbers() {
    let body =
        "for t, (w, b) in enumerate(zip([w1, w2], [b1, b2])):\n    x = F.softmax(x @ w + b, dim=0) * (t + 1)\nreturn x";
    let text = function("x: 'd', w1: 'd d', w2: 'd d', b1: 'd', b2: 'd'", body);
    let lines: Vec<String> = program(&text).definitions.iter().map(|line| line.text.clone()).collect();
    assert_eq!(lines, ["F.softmax(x @ w1 + b1, dim=0) * (0 + 1)", "F.softmax(x @ w2 + b2, dim=0) * (1 + 1)"]);
}

/// Conditions of one-line expressions.
#[test]
fn a_tilde_turns_a_condition_round() {
    let mut request = Request { strict: true, ..Request::default() };
    request.declare("x", "n").unwrap();
    assert!(read_expression("where(~(x > 0), x, 0)", &request).is_ok());
    let told = read_expression("~x + ~(2 * x)", &request).unwrap_err();
    assert_eq!(told[0].kind, Kind::UnsupportedOperator, "{}", told[0]);
}

/// Constant places and slices of an axis without a size: points are large enough.
#[test]
fn points_are_large_enough_for_constant_places() {
    for body in [
        "return x[5:9] * 2",
        "return x[20:].sum()",
        "return x[:-7]",
        "return x[3:30:4]",
        "return x[-12]",
        "return x[14] * x[2]",
    ] {
        let program = program(&function("x: 'n'", body));
        let mut derivation = derive::derive(&program, program.output, program.inputs[0]).unwrap();
        let answers = reading::answers(&mut derivation).unwrap();
        let checked = witness::check(derivation, answers).unwrap_or_else(|told| panic!("{body}: {told}"));
        assert!(checked.report().is_some_and(|report| report.answer), "{body}");
    }
    let two = program(&function("x: 'm n'", "return x[:, 8] + x[6].sum()"));
    assert!(derive::derive(&two, two.output, two.inputs[0]).and_then(|d| witness::check_steps(&d)).is_ok());
}
