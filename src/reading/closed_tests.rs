//! Moves and cancellations, one by one: each keeps the value.

use super::given::Given;
use super::reader::Reader;
use crate::array::Array;
use crate::evaluate::{evaluate, points};
use crate::form::{Atom, AtomId, CANCELLATIONS, Cost, Fired, FormId, Forms, MOVES, MonoId, Search};
use crate::graph::{NodeId, Program, Request, read_expression};
use crate::ops::Number;
use crate::reading::simplified;

pub(super) fn program(text: &str, assume: &[&str]) -> Program {
    let mut request = Request { strict: true, ..Request::default() };
    request.assumptions = assume.iter().map(|a| (*a).to_string()).collect();
    let shapes =
        [("s", ""), ("x", "n"), ("y", "n"), ("u", "m"), ("A", "m n"), ("B", "n n"), ("S", "n n"), ("C", "m k")];
    shapes.iter().for_each(|(name, shape)| request.declare(name, shape).unwrap());
    read_expression(text, &request).unwrap_or_else(|told| panic!("{text}: {told:?}"))
}

/// The value of a form at a point of the program, where matrix notation has it.
pub(super) fn value(program: &mut Program, forms: &mut Forms, form: FormId, attempt: usize) -> Option<Array> {
    let mut reader = Reader::new();
    let tree = reader.form(forms, form, true)?;
    let node: NodeId = reader.trees.to_node(program, tree)?;
    let inputs = points::draw(program, "moves", attempt).unwrap();
    Some(evaluate(program, &[node], &inputs).unwrap().get(node).clone())
}

pub(super) fn apart(a: &Array, b: &Array) -> f64 {
    match a.zip(b, |a, b| a - b) {
        Some(difference) if a.sizes() == b.sizes() => difference.max_abs() / (1.0 + b.max_abs()),
        _ => f64::INFINITY,
    }
}

/// Programs that moves shorten: text, variable, order.
const SHORTENED: &[(&str, &str, usize)] = &[
    ("B @ x + B.T @ x", "x", 1),
    ("x @ B @ x", "x", 1),
    ("var(sigmoid(x))", "x", 2),
    ("var(y / (2 + x ** 2))", "x", 2),
    ("(x @ x) / (1 + x @ y) ** 2", "x", 2),
    ("x / (1 + norm(x))", "x", 1),
    ("tanh(x) * (x + tanh(x))", "x", 1),
    ("logdet(B @ B.T + eye(n))", "x", 1),
    ("softmax(x, 0) @ y * (x @ y)", "x", 2),
    ("inv(eye(n) + s * B @ B.T) @ x @ y", "s", 2),
    ("layer_norm(x + tanh(B @ x))", "x", 1),
    ("sum((A @ x) ** 3) * sum(x)", "x", 2),
    ("x @ (s * B + B.T) @ x + s * sum(x)", "x", 1),
    ("sum(x / (2 + x ** 2))", "x", 1),
    ("x / sqrt(1 + x @ x)", "x", 1),
    ("arctan(y / (2 + x ** 2))", "x", 1),
    ("sum(maximum(x, y) * y - 2 * minimum(x, y))", "x", 1),
    ("(trace(log_softmax(B, 0)) + trace(log_softmax(B, 1))) / 2", "B", 1),
];

#[test]
fn every_move_keeps_the_value() {
    for (text, wrt, order) in SHORTENED {
        let mut program = program(text, &[]);
        let (out, wrt) = (program.output, program.named(wrt).unwrap());
        let mut forms = Forms::new();
        let start = match order {
            1 => forms.derivative(&mut program, out, wrt),
            _ => forms.second(&mut program, out, wrt),
        };
        let start = start.unwrap();
        let wanted = value(&mut program, &mut forms, start, 0).unwrap();
        let (mut open, mut seen) = (vec![start], vec![start]);
        while let Some(form) = open.pop() {
            for by in MOVES {
                for after in (by.apply)(&mut forms, form).unwrap() {
                    if seen.contains(&after) || seen.len() > 60 {
                        continue;
                    }
                    seen.push(after);
                    open.push(after);
                    let Some(found) = value(&mut program, &mut forms, after, 0) else { continue };
                    let show = |program: &mut Program, forms: &mut Forms, form| {
                        let mut reader = Reader::new();
                        let tree = reader.form(forms, form, true).and_then(|t| reader.trees.to_node(program, t));
                        tree.map_or_else(String::new, |node| super::text(program, node))
                    };
                    let (before, after) = (show(&mut program, &mut forms, form), show(&mut program, &mut forms, after));
                    assert!(apart(&found, &wanted) < 1e-9, "{text}: {}:\n{before}\n{after}", by.name);
                }
            }
        }
    }
}

/// For each cancellation programs in which it fires.
pub(super) const FIRING: &[(&str, &[&str], &str)] = &[
    ("sum(y) * x", &["y one-hot"], "probabilities sum to one"),
    ("sum(softmax(x, 0)) * y", &[], "softmax sums to one"),
    ("sum(one_hot(arange(n), n), 1) * x", &[], "a one-hot row sums to one"),
    ("x * y / (y @ softmax(x, 0))", &["y one-hot"], "one-hot picks"),
    ("y * (y @ exp(x) + y @ x * s) ** 0.5", &["y one-hot"], "one-hot picks"),
    ("S / sum(S * exp(B), 1)[:, None]", &["S one-hot"], "one-hot picks"),
    ("y ** 2 * x", &["y labels -1/+1"], "labels square to one"),
    ("sign(x) ** 2 * y", &["x nonzero"], "sign squared"),
    ("sign(x) * abs(x) ** 3", &["x nonzero"], "sign times size"),
    ("sign(x) / abs(x)", &["x nonzero"], "sign times size"),
    ("x * sign(x)", &[], "sign times size"),
    ("relu(x) ** 2 * where(x > 0, 1, 0)", &[], "relu absorbs its mask"),
    ("where(x > 0, x, 0) * where(x > 0, 0, y)", &[], "opposite masks"),
    ("maximum(x, 0) ** 2 * heaviside(x, 0.5)", &[], "extreme absorbs its step"),
    ("minimum(0, x - y) * heaviside(y - x, 0.5)", &[], "extreme absorbs its step"),
    ("exp(x) / sum(exp(x))", &[], "exp over its sum"),
    ("exp(A) / sum(exp(A), 1, keepdims=True)", &[], "exp over its sum"),
    ("exp(A) / sum(exp(A), 0)", &[], "exp over its sum"),
    ("outer(exp(x), exp(x)) / sum(exp(x)) ** 2", &[], "exp over its sum"),
    ("exp(A) ** 2 / sum(exp(A), 0) ** 3", &[], "exp over its sum"),
    ("x * x ** (y - 1)", &["x positive"], "powers of one base"),
    ("(1 + x ** 2) ** (2 + y) / (1 + x ** 2) ** 3", &[], "powers of one base"),
    ("exp(x) / (1 + exp(x))", &[], "exp over one plus exp"),
    ("y / (1 + exp(-x)) ** 2", &[], "exp over one plus exp"),
    ("y * exp(-x) / (1 + exp(-x))", &[], "exp over one plus exp"),
    ("exp(x) / (exp(x) + exp(y))", &[], "exp over one plus exp"),
    ("y * sin(x) ** 2 / cos(x)", &[], "sine over cosine"),
    ("sinh(x) / cosh(x) ** 3", &[], "sine over cosine"),
    ("adj(B) / det(B)", &[], "adjugate over determinant"),
    ("adj(B @ S) @ x / det(B @ S) ** 2", &[], "adjugate over determinant"),
    ("inv(S) @ x + S @ y", &["S orthogonal"], "inverse of an orthogonal matrix"),
    ("S @ concatenate([x[1:], zeros(1)])", &[], "zeros around"),
    ("concatenate([zeros(1), y[:-1]]) @ S", &[], "zeros around"),
    ("inv(B) @ B @ x", &["B invertible"], "inverse cancels"),
    ("trace(B @ inv(B) @ S)", &["B invertible"], "inverse cancels"),
    ("inv(A.T @ A) @ A.T @ A @ x", &["A full column rank"], "inverse cancels"),
    ("inv(eye(n) + outer(x, y)) @ x", &[], "rank-one inverse"),
    ("y @ inv(eye(n) + outer(x, y)) @ B", &[], "rank-one inverse"),
    ("B * eye(n) + S", &["B diagonal"], "diagonal matrix"),
    ("diag(B @ S)", &["B diagonal"], "sum of one term"),
    ("diag(diag(B)) * s", &["B diagonal"], "diagonal matrix"),
    ("B @ S + S @ B", &["B diagonal", "S diagonal"], "diagonal matrices"),
    ("x @ B @ S @ B @ y", &["B diagonal", "S diagonal"], "diagonal matrices"),
    ("S.T @ S @ x", &["S orthogonal"], "orthogonal"),
    ("S @ (S.T @ x)", &["S orthogonal"], "orthogonal"),
    ("sum(S ** 2, 0) / x", &["S orthogonal"], "orthogonal"),
    ("sum(S ** 2) * x", &["S orthogonal"], "orthogonal"),
    ("relu(x) + abs(x)", &["x positive"], "known sign"),
    ("inv(s * B @ S)", &["B invertible", "S invertible"], "inverse of a product"),
    ("inv(B.T)", &["B invertible"], "inverse of a product"),
    ("det(B @ S) / det(B) * x", &["B invertible"], "determinant of a product"),
    ("adj(B)", &["B invertible"], "adjugate"),
    ("det(eye(n) + s * outer(x, y)) * x", &[], "matrix determinant lemma"),
    ("softmax(x - max(x), 0) * y", &[], "softmax of a shift"),
    ("log_softmax(A - sum(A, 1, keepdims=True), 1)", &[], "softmax of a shift"),
    ("inv(S @ diag(x) @ S.T) @ y", &["S orthogonal", "x positive"], "inverse of a product"),
    ("inv(outer(x, y) * B)", &["B invertible", "x positive", "y nonzero"], "inverse of a product"),
    ("reshape(s * tanh(reshape(A, m * n)), m, n)", &[], "reshaped back"),
    ("reshape(reshape(A, m * n) / (1 + reshape(A, m * n) ** 2), m, n)", &[], "reshaped back"),
    ("log(exp(x)) * y", &[], "logarithm and exponential"),
    ("log(softmax(x, 0))", &[], "logarithm and exponential"),
    ("sigmoid(-x - y ** 2)", &[], "sigmoid of minus"),
];

#[test]
fn every_cancellation_fires_and_keeps_the_value() {
    for (text, assume, name) in FIRING {
        let mut program = program(text, assume);
        let node = program.output;
        let reading = simplified(&mut program, node);
        let fired = reading.steps.iter().any(|(step, _, _)| step.starts_with(name));
        assert!(fired, "{text}: {:?}: {}", reading.steps, super::text(&program, reading.node));
        for attempt in 0..3 {
            let inputs = points::draw(&program, "cancellations", attempt).unwrap();
            let values = evaluate(&program, &[node, reading.node], &inputs).unwrap();
            let apart = apart(values.get(reading.node), values.get(node));
            assert!(apart < 1e-9, "{text}: {} is off by {apart}", super::text(&program, reading.node));
        }
    }
    for rule in CANCELLATIONS.iter().filter(|rule| !rule.respells) {
        assert!(FIRING.iter().any(|(_, _, name)| *name == rule.name), "{} is not tried", rule.name);
    }
}

#[test]
fn a_normal_form_is_its_own() {
    for text in
        ["x @ B @ (x + y)", "softmax(x, 0) * (x - sum(x * y))", "inv(B @ B.T + eye(n)) @ x", "sqrt(1 + x ** 2) / s"]
    {
        let mut program = program(text, &[]);
        let node = program.output;
        let once = simplified(&mut program, node).node;
        let twice = simplified(&mut program, once).node;
        assert_eq!(super::text(&program, once), super::text(&program, twice));
    }
}

/// What every cancellation lowers: how much stands among zeros; then the weight of what is written, in which a function
/// weighs the square of what it is of; then how much lies across in functions; then
/// the labels that are summed or stand twice; then the exponents.
pub(super) fn measure(forms: &Forms, id: FormId) -> (usize, f64, usize, usize, f64) {
    let form = forms.form(id);
    let monos: Vec<_> = form.terms.iter().map(|(mono, _)| forms.mono(*mono)).collect();
    let twice = |out: &[u16]| out.iter().enumerate().filter(|(i, label)| out[..*i].contains(label)).count();
    let joined = monos.iter().map(|mono| mono.summed().len() + twice(&mono.out)).sum();
    let across = forms.atoms_in(id).into_iter().flat_map(|atom| match &*forms.atom(atom) {
        Atom::Apply(_, _, args) => args.clone(),
        _ => Vec::new(),
    });
    let lies = |labels: &[u16]| labels.len() == 2 && labels[0] > labels[1];
    let crossing = |arg: FormId| -> usize {
        let form = forms.form(arg);
        form.terms.iter().flat_map(|(m, _)| forms.mono(*m).factors.clone()).filter(|f| lies(&f.labels)).count()
    };
    let placed = |atom: &AtomId| matches!(&*forms.atom(*atom), Atom::Apply(op, _, _) if op.name == "place");
    let places = forms.atoms_in(id).iter().filter(|atom| placed(atom)).count();
    let sizes = monos.iter().flat_map(|mono| &mono.factors).map(|f| f.power.abs().value());
    (places, weight(forms, id), across.map(crossing).sum(), joined, sizes.sum())
}

fn weight(forms: &Forms, id: FormId) -> f64 {
    let minus = |c: &Number| f64::from(u8::from(c.is_negative()));
    forms.form(id).terms.iter().map(|(mono, c)| 1.0 + minus(c) + product_weight(forms, *mono)).sum()
}

fn product_weight(forms: &Forms, mono: MonoId) -> f64 {
    // A product in the making keeps what was cancelled until it is merged.
    let power = |power: Number| match (power == Number::ZERO, power == Number::ONE) {
        (true, _) => 0.0,
        (_, true) => 1.0,
        _ => 1.5,
    };
    forms.mono(mono).factors.iter().map(|f| power(f.power) * atom_weight(forms, f.atom)).sum()
}

fn atom_weight(forms: &Forms, atom: AtomId) -> f64 {
    match &*forms.atom(atom) {
        Atom::Leaf(_) | Atom::Hole(_) | Atom::Size(_) | Atom::Root(_) => 2.0,
        Atom::Group(inner) => weight(forms, *inner),
        Atom::Closed(inner) => 1.0 + product_weight(forms, *inner),
        // An adjugate stands for a determinant and an inverse.
        Atom::Apply(op, _, args) => {
            let of: f64 = args.iter().map(|arg| weight(forms, *arg)).sum();
            let heavy = match op.name {
                "adj" => 3.0,
                // 1 / (1 + exp(u)) becomes 1 − sigmoid(u).
                "exp" => 1.5,
                _ => 1.0,
            };
            (1.0 + of).powi(2) * heavy
        }
    }
}

/// The cancellations that fire where a program that was read without any is rebuilt.
pub fn fired(program: &mut Program) -> (Forms, Vec<Fired>) {
    let node = program.output;
    let mut forms = Forms::new();
    forms.awake(&|_| false);
    let raw = forms.form_of(program, node).unwrap();
    let given = Given::of(program, &mut forms).unwrap();
    given.note(&mut forms, &given.all()).unwrap();
    forms.awake(&|_| true);
    forms.record(true);
    forms.rebuild(raw, &mut given.rebuilt()).unwrap();
    forms.record(false);
    let fired = std::mem::take(&mut forms.fired);
    (forms, fired)
}

#[test]
fn every_cancellation_lowers_the_measure() {
    for (text, assume, name) in FIRING {
        let mut program = program(text, assume);
        let (forms, fired) = fired(&mut program);
        assert!(fired.iter().any(|shot| shot.rule.name == *name), "{text}: {name}");
        for shot in fired.iter().filter(|shot| !shot.rule.respells) {
            let (before, after) = (measure(&forms, shot.before), measure(&forms, shot.after));
            assert!(after < before, "{text}: {} leads from {before:?} to {after:?}", shot.rule.name);
        }
    }
}

#[test]
fn a_search_lowers_the_size_within_its_budget() {
    for (text, wrt, order) in SHORTENED {
        let mut program = program(text, &[]);
        let (out, wrt) = (program.output, program.named(wrt).unwrap());
        let mut forms = Forms::new();
        let start = match order {
            1 => forms.derivative(&mut program, out, wrt),
            _ => forms.second(&mut program, out, wrt),
        };
        let mut reader = Reader::new();
        let mut search = Search::new(&mut reader);
        let found = search.shortest(&mut forms, start.unwrap()).unwrap();
        let (shown, tried) = (search.shown.clone(), search.tried());
        assert!(tried <= 200, "{text}: {tried}");
        // Moves between may lengthen; where any is made the whole is shorter.
        if let (Some(first), Some(last)) = (shown.first(), shown.last()) {
            let (before, after) = (reader.cost(&mut forms, first.before), reader.cost(&mut forms, last.after));
            assert!(after < before && last.after == found, "{text}: from {before:?} to {after:?}");
        }
    }
    for by in MOVES {
        assert!(by.sentence.ends_with('.') && !by.name.is_empty());
    }
}
