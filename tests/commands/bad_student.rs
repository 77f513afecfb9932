//! Mistakes as students make them: the place, what is said, what would help.

use chainrule::graph::{Request, read};

/// Parameters, a body, the text at the place, part of the message, part of the help.
type Line = (&'static str, &'static str, &'static str, &'static str, &'static str);

const TABLE: &[Line] = &[
    // Names.
    ("x: 'n'", "return F.rleu(x)", "F.rleu", "unknown function rleu", "did you mean relu?"),
    ("x: 'n'", "return x.summ()", "summ", "unknown function summ", "did you mean sum?"),
    ("x: 'n m'", "return x.sum(dmi=1)", "dmi", "no keyword dmi", "did you mean dim?"),
    ("x: 'n m'", "return x.sum(dim=0, dim=1)", "dim=1", "", ""),
    ("x: 'n', weight: 'n m'", "return x @ wieght", "wieght", "is not defined", "did you mean weight?"),
    ("x: 'n'", "return tf.nn.relu(x)", "tf", "tf is not defined", "import it"),
    ("x: 'n'", "return FF.relu(x)", "FF", "FF is not defined", "import it"),
    ("x: 'n'", "return x * SCALE", "SCALE", "SCALE is not defined", "known here: x"),
    ("x, w", "return x @ w", "x", "nothing tells the shape of x", "--shape"),
    ("self, x: 'n'", "return self.w * x", "self", "a method of a class", "weights as arguments"),
    // Axes and shapes.
    ("x: 'n d', w: 'd k'", "return x @ w.T", "@", "inner dimensions differ", "did you mean x @ w?"),
    ("x: 'n m'", "return x.sum(2)", "2", "out of range for a matrix", "axes are 0 to 1"),
    ("x: 'n m'", "return F.softmax(x, dim=-3)", "-3", "out of range", "axes are 0 to 1"),
    ("x: 'b d', w: 'h d'", "return x @ w", "@", "inner dimensions differ", "x @ w.T"),
    ("x: 'n', y: 'm'", "return x @ y", "@", "inner dimensions differ", ""),
    ("x: 'n m', w: 'm k', b: 'm'", "return x @ w + b", "+", "they do not broadcast", "k and m are different"),
    (
        "x: 'n d', y: 'm e'",
        "return torch.cat([x, y], dim=0)",
        "torch.cat([x, y], dim=0)",
        "x is (n, d) and y is (m, e)",
        "",
    ),
    ("x: 'n d'", "return torch.stack([x, x.T])", "torch.stack([x, x.T])", "the second of them is (d, n)", ""),
    ("x: 'b 6'", "return x.view(-1, 4, 2)", "x.view(-1, 4, 2)", "not known to be a multiple of 8", ""),
    ("x: 'n d'", "return x.squeeze(1)", "x.squeeze(1)", "axis 1 of x is d, not 1", ""),
    ("x: 'n m'", "return torch.det(x)", "torch.det(x)", "det needs a square matrix", ""),
    ("x: 'n m'", "return torch.einsum('ijk->ij', x)", "torch.einsum('ijk->ij', x)", "names 3 axes", ""),
    (
        "x: 'n m', y: 'n m'",
        "return torch.einsum('ij,jk->ik', x, y)",
        "torch.einsum('ij,jk->ik', x, y)",
        "the letter j stands for m and for n",
        "",
    ),
    ("x: 'n m'", "a, b, c = x.shape\nreturn x / c", "a, b, c = x.shape", "2 values are unpacked into 3 names", ""),
    ("x: 'n,m'", "return x", "n,m", "separated by spaces", "--shape"),
    ("x: 'm n'", "return torch.linalg.norm(x, 2)", "torch.linalg.norm(x, 2)", "order 2 is not supported", "Frobenius"),
    // Statements.
    ("x: 'n'", "y = x * 2", "f", "f returns nothing", "add a return"),
    ("x: 'n'", "i = 0\nwhile i < 3:\n    x = x * 2\n    i += 1\nreturn x", "while", "range(N)", ""),
    ("x: 'n'", "try:\n    y = x\nexcept ValueError:\n    y = 2 * x\nreturn y", "try", "try blocks", ""),
    ("x: 'n'", "x[0] = 1\nreturn x", "x[0]", "only names are assigned to", "where, stack and cat"),
    ("x: 'n'", "x.add_(1)\nreturn x", "x.add_(1)", "in-place update", ""),
    ("x: 'n'", "d = {'a': x}\nreturn d['a']", "{'a': x}", "dictionaries", "a name"),
    ("x: 'n'", "return (y := x * 2) + y", ":=", "their own line", ""),
    ("x: 'n'", "return f(x)", "f(x)", "recursion", ""),
    ("x: 'n', *ws", "return x", "*ws", "name each", ""),
    // Operators.
    ("x: 'n'", "return x % 2", "%", "the remainder jumps", ""),
    ("x: 'n'", "return x // 2", "//", "floor division", ""),
    ("x: 'n'", "return x ^ 2", "^", "a power is written **", ""),
    ("x: 'n'", "return x == 1", "==", "true or false", "where(condition, a, b)"),
    ("x: 'n'", "return x[x > 0]", "x[x > 0]", "how many entries", "where(c, x, 0)"),
    ("x: 'n'", "return x in [1, 2]", "in", "'in' is not supported", ""),
    // What other libraries do and this language does not.
    ("x: 'n'", "return x.argmax()", "argmax", "which jump", "max and min"),
    ("x: 'n'", "return torch.sort(x)[0]", "torch.sort", "order of the entries", "max and min"),
    ("x: 'n'", "return x + torch.randn(3)", "torch.randn", "random numbers", "an argument"),
    ("x: 'n'", "return F.dropout(x, 0.5)", "F.dropout(x, 0.5)", "random numbers", "training=False"),
    ("x: 'b c h w', w: 'o c 3 3'", "return F.conv2d(x, w)", "F.conv2d", "no rule", "slices"),
    ("x: 'n n'", "return torch.linalg.eigvalsh(x).sum()", "torch.linalg.eigvalsh", "decomposition", "logdet"),
    ("x: 'n'", "m = torch.nn.Linear(3, 4)\nreturn m(x)", "torch.nn.Linear", "weights of its own", "x @ w.T + b"),
    ("x: 'n'", "return map(torch.exp, x)", "map", "takes a function", "[f(v) for v in values]"),
    ("x: 'n'", "return torch.autograd.grad(x, x)", "torch.autograd.grad", "outside the function", "--wrt"),
];

#[test]
fn mistakes_are_told_at_their_place_with_what_helps() {
    let mut wrong = Vec::new();
    for (params, body, place, says, helps) in TABLE {
        let lines: String = body.split('\n').map(|line| format!("    {line}\n")).collect();
        let text = format!("import torch\nimport torch.nn.functional as F\n\n\ndef f({params}):\n{lines}");
        let Err(told) = read(&text, &Request::default()) else {
            wrong.push(format!("{body}: read"));
            continue;
        };
        let first = &told[0];
        let help = first.help.clone().unwrap_or_default();
        let at = first.span.unwrap_or_default().of(&text);
        if !says.is_empty() && (at != *place || !first.message.contains(says) || !help.contains(helps)) {
            wrong.push(format!("{body}: at {at:?}: {} [{help}]", first.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_class_is_answered_with_what_to_write() {
    let text = "import torch\n\nclass MLP(torch.nn.Module):\n    def forward(self, x):\n        return x\n";
    let told = read(text, &Request::default()).unwrap_err();
    assert_eq!(told[0].span.unwrap().of(text), "MLP");
    assert!(told[0].help.clone().unwrap().contains("a function of its weights"), "{}", told[0]);
}
