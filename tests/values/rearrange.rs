//! Operations that move entries about: shapes, derivations, and which rows stay apart.

use chainrule::derive::{self, Whole};
use chainrule::diagnostic::Kind;
use chainrule::graph::{Program, Request, read};
use chainrule::{reading, witness};

fn program(params: &str, expression: &str) -> Program {
    let text = format!("import torch\nimport torch.nn.functional as F\ndef f({params}):\n    return {expression}\n");
    read(&text, &Request::default()).unwrap_or_else(|told| panic!("{expression}: {told:?}"))
}

/// Derives by the first input and checks every step and every reading; was one row derived?
fn checked(program: &Program, what: &str) -> bool {
    let mut derivation =
        derive::derive(program, program.output, program.inputs[0]).unwrap_or_else(|told| panic!("{what}: {told}"));
    let rows = derivation.whole.is_some();
    let answers = reading::answers(&mut derivation).unwrap_or_else(|told| panic!("{what}: {told}"));
    let checked = witness::check(derivation, answers).unwrap_or_else(|told| panic!("{what}: {told}"));
    let report = checked.report().unwrap();
    assert!(report.answer && report.unchecked == 0, "{what}: {report:?}");
    rows
}

/// Parameters, an expression, the shape of its value.
const SHAPES: &[(&str, &str, &str)] = &[
    ("x: 'b t 6'", "x.view(*x.shape[:2], 2, 3)", "b × t × 2 × 3"),
    ("x: 'b t 6'", "x.view(x.shape[0], x.shape[1], 2, -1).transpose(1, 2)", "b × 2 × t × 3"),
    ("x: 'b h t e'", "x.transpose(1, 2).contiguous().flatten(2)", "b × t × e h"),
    ("x: 'b t c'", "x.permute(0, 2, 1)", "b × c × t"),
    ("x: 'b t c'", "torch.permute(x, (2, 0, 1))", "c × b × t"),
    ("x: 'b t c'", "x.flatten(1)", "b × c t"),
    ("x: 'b t c'", "x.reshape(-1)", "b c t"),
    ("x: 'b t c'", "x.movedim(0, -1)", "t × c × b"),
    ("x: 'n 6'", "torch.cat([x[:, 3:], x[:, :3]], dim=1)", "n × 6"),
    ("x: 'n d', y: 'm d'", "torch.cat([x, y], dim=0)", "(m + n) × d"),
    ("x: 'n d', y: 'n d'", "torch.stack([x, y])", "2 × n × d"),
    ("x: 'n d', y: 'n d'", "torch.stack([x, y], dim=-1)", "n × d × 2"),
    ("x: 'n 6'", "x.chunk(3, dim=-1)[1]", "n × 2"),
    ("x: 'n 6'", "x.split([1, 2, 3], dim=1)[2]", "n × 3"),
    ("x: 'n 6'", "x.split(4, dim=1)[1]", "n × 2"),
    ("x: '3 d'", "x.unbind(0)[2]", "d"),
    ("x: 'n 1 d'", "x.squeeze(1)", "n × d"),
    ("x: 'n d'", "x[:, None] - x[None]", "n × n × d"),
    ("x: 'n d'", "x.unsqueeze(-1).expand(-1, -1, 4)", "n × d × 4"),
    ("x: 'n 6'", "torch.flip(x, [0, 1])", "n × 6"),
    ("x: 'n 6'", "x[::2, 1::2]", "(n + 1) // 2 × 3"),
    ("x: 'n d'", "x.T[1:3]", "2 × n"),
    ("x: 'n d'", "x[-1]", "d"),
    ("x: 'n d'", "x[..., -2]", "n"),
    ("x: 'n d'", "x.repeat(2, 3)", "2 n × 3 d"),
    ("x: 'n d'", "x.repeat_interleave(2, dim=0)", "2 n × d"),
    ("x: 'n d'", "torch.roll(x, 1, 0)", "n × d"),
    ("x: 'n d'", "torch.hstack([x, x])", "n × 2 d"),
    ("x: 'n d'", "torch.vstack([x, x])", "2 n × d"),
    ("x: 'n d'", "x.narrow(1, 1, 2)", "n × 2"),
    ("x: 'n d'", "x.select(1, 2)", "n"),
    ("x: 'n d'", "torch.cumsum(x, 1)", "n × d"),
];

#[test]
fn shapes_and_derivations() {
    for (params, expression, shape) in SHAPES {
        if shape.contains("//") {
            // Every second of an unknown number: how many there are is not known.
            let text = format!("import torch\ndef f({params}):\n    return {expression}\n");
            let told = read(&text, &Request::default()).unwrap_err();
            assert!(told[0].message.contains("not known"), "{}", told[0]);
            continue;
        }
        let program = program(params, expression);
        assert_eq!(program.shape(program.output).to_string(), *shape, "{expression}");
        checked(&program, expression);
    }
}

/// Of x (and w, b): does each row of x move its own row of the result alone, and does the page say so?
const ROWS: &[(&str, bool)] = &[
    ("F.relu(x @ w) @ w.T", true),
    ("x.flip(1)", true),
    ("torch.flip(x, [0])", false),
    ("x[:, 1:3]", true),
    ("x[1:]", false),
    ("x[:2]", false),
    ("torch.cat([x, x], dim=1)", true),
    ("torch.cat([x, x], dim=0)", false),
    ("torch.cat([x, 2 * x], dim=-1) @ v", true),
    ("x.split(2, dim=1)[0]", true),
    ("x.chunk(2, dim=1)[1]", true),
    ("torch.roll(x, 1, 1)", true),
    ("torch.roll(x, 1, 0)", false),
    ("torch.cumsum(x, 1)", true),
    ("torch.cumsum(x, 0)", false),
    ("x.T", false),
    ("x.T @ x", false),
    ("x @ x.T", false),
    ("x - x.mean(0)", false),
    ("x - x.mean(1, keepdim=True)", true),
    ("x - x.mean()", false),
    ("F.softmax(x, dim=1)", true),
    ("F.softmax(x, dim=0)", false),
    ("F.layer_norm(x, (4,))", true),
    ("x * x[0]", false),
    ("x * x[:1]", false),
    ("x + x.sum(1, keepdim=True)", true),
    ("x + x.sum(0, keepdim=True)", false),
    ("torch.hstack([x, x])", true),
    ("torch.vstack([x, x])", false),
    ("x.unsqueeze(1).squeeze(1) * b", true),
    ("torch.maximum(x, b)", true),
    ("x.repeat(2, 1)", false),
];

#[test]
fn rows_are_said_to_stand_apart_where_they_do() {
    for (expression, apart) in ROWS {
        let program = program("x: '5 4', w: '4 h', v: '8 k', b: '4'", expression);
        assert_eq!(checked(&program, expression), *apart, "{expression}");
    }
}

/// One row that is broadcast over many has a part in each of them.
#[test]
fn a_row_that_is_broadcast_stands_for_no_row() {
    for (b, expression) in
        [("1 4", "x + b"), ("1 4", "x * b"), ("1 4", "b @ w + x @ w"), ("1 4", "torch.maximum(x, b)")]
    {
        let program = program(&format!("b: '{b}', x: '5 4', w: '4 3'"), expression);
        assert!(!checked(&program, expression), "{expression}");
    }
}

/// The claim is compared with numbers: of a program whose rows do mix it does not pass.
#[test]
fn a_wrong_claim_does_not_pass() {
    let apart = program("x: '5 4'", "2 * x");
    for mixes in ["2 * torch.flip(x, [0])", "x + x[:1]", "x + x.mean(0)", "2 * x.T @ x @ x.T"] {
        let params = if mixes.contains(".T") { "x: '4 4'" } else { "x: '5 4'" };
        let mixed = program(params, mixes);
        let mut forged = derive::derive(&apart, apart.output, apart.inputs[0]).unwrap();
        let whole = forged.whole.clone().unwrap();
        let (out, wrt) = (mixed.output, mixed.inputs[0]);
        forged.whole = Some(Whole { program: mixed, out, wrt, ..whole });
        let told = witness::check_steps(&forged).unwrap_err();
        assert_eq!(told.kind, Kind::CheckFailed, "{mixes}: {told}");
        assert!(told.message.contains("rows"), "{mixes}: {told}");
    }
}

/// Parameters, an expression, the pullback by its first input in the input language.
const PULLBACKS: &[(&str, &str, &str)] = &[
    ("x: 'b t d', y: 'd k'", "x @ y", "bar(out) @ y.T"),
    ("y: 'd k', x: 'b t d'", "x @ y", "einsum(bar(out), x, equation='ijk,ijl->lk')"),
    ("x: 'b t d', y: 'b s d'", "torch.einsum('btd,bsd->bts', x, y)", "bar(out) @ y"),
    ("y: 'b s d', x: 'b t d'", "torch.einsum('btd,bsd->bts', x, y)", "bar(out).mT @ x"),
    ("x: 'b t d', y: 'b s d'", "x @ y.transpose(1, 2)", "bar(out) @ y"),
    ("y: 'b s d', x: 'b t d'", "x @ y.transpose(1, 2)", "bar(out).mT @ x"),
    ("x: 'b t d', y: 'd'", "x @ y", "unsqueeze(bar(out), axis=2) * y"),
    ("y: 'd', x: 'b t d'", "x @ y", "sum(unsqueeze(bar(out), axis=2) * x, axis=(0, 1))"),
    ("x: 'b t d', y: 'b d'", "torch.einsum('btd,bd->bt', x, y)", "unsqueeze(bar(out), axis=2) * unsqueeze(y, axis=1)"),
    ("x: 'b t d', y: 't d'", "x * y", "bar(out) * y"),
    ("y: 't d', x: 'b t d'", "x * y", "sum(bar(out) * x, axis=0)"),
    ("y: 't 1', x: 'b t d'", "x / y", "-unsqueeze(sum(bar(out) / y ** 2 * x, axis=(0, 2)), axis=1)"),
    ("x: 'b t d'", "x - x.mean(1, keepdims=True)", "bar(out) - sum(bar(out), axis=1, keepdims=True) / t"),
    ("x: 'b t d'", "-x.mT", "-bar(out).mT"),
];

#[test]
fn pullbacks_of_higher_rank_are_in_plain_words() {
    for (params, expression, expected) in PULLBACKS {
        let program = program(params, expression);
        checked(&program, expression);
        let mut derivation = derive::derive(&program, program.output, program.inputs[0]).unwrap();
        let answers = reading::answers(&mut derivation).unwrap();
        let last = answers.backward.last().unwrap_or_else(|| panic!("{expression} has no backward pass"));
        assert_eq!(reading::text(&answers.program, last.value), *expected, "{expression} by {params}");
    }
}
