//! Rules, parsed once, and the local differential of a node.

use super::fault;
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Bound, Env, Kind, NodeId, Program, build_expr};
use crate::ops::{self, Attr, Lower, Op, OpRef, ParamKind, Rule};
use crate::shape::Dim;
use crate::source::ast::{Argument, Expr, ExprKind};
use crate::source::expression;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The differential of `node` in those of its arguments for which `moving`
/// holds: a node of the graph, linear in the holes of these arguments.
///
/// # Errors
/// That the node's operation has no rule that fits these arguments.
pub fn local(program: &mut Program, node: NodeId, moving: &dyn Fn(NodeId) -> bool) -> Result<NodeId, Diagnostic> {
    let Kind::Apply(op, attrs) = program.node(node).kind.clone() else {
        return Err(refusal(program, node, "this value has no rule of its own"));
    };
    let args = program.node(node).args.clone();
    match (&op.rule, &op.lower) {
        (Rule::Zero | Rule::Held, _) => Ok(program.number(ops::Number::ZERO)),
        (Rule::Linear(_), Lower::Sum(signs)) => {
            let terms = args.iter().zip(signs.iter()).filter(|(arg, _)| moving(**arg));
            let terms: Vec<_> = terms.map(|(arg, sign)| (program.hole(*arg), *sign)).collect();
            signed_sum(program, node, &terms)
        }
        // Linear in all arguments together: those at rest are 0.
        (Rule::Linear(_), Lower::Linear { .. }) => {
            let part = |program: &mut Program, arg: NodeId| match moving(arg) {
                true => Ok(program.hole(arg)),
                false => {
                    let dims = Attr::Dims(program.shape(arg).0.clone());
                    program.call_with("zeros", &[], &[("dims", dims)])
                }
            };
            let parts: Result<Vec<NodeId>, _> = args.iter().map(|arg| part(program, *arg)).collect();
            parts.and_then(|parts| program.apply(op, &parts, attrs)).map_err(|m| refusal(program, node, &m.message))
        }
        (Rule::Linear(_), _) => {
            let mut terms = Vec::new();
            for position in (0..args.len()).filter(|i| moving(args[*i])) {
                let mut with_hole = args.clone();
                with_hole[position] = program.hole(args[position]);
                terms.push((
                    program.apply(op, &with_hole, attrs.clone()).map_err(|m| refusal(program, node, &m.message))?,
                    1,
                ));
            }
            signed_sum(program, node, &terms)
        }
        (Rule::Text(text) | Rule::Partly { text, .. }, _) => instantiate(program, node, op, text, moving),
        (Rule::Refused(why), _) => Err(refusal(program, node, why)),
    }
}

/// The differential of a sum in the term at `position` alone.
///
/// # Errors
/// That the node is no sum or has no such term.
pub fn local_term(program: &mut Program, node: NodeId, position: usize) -> Result<NodeId, Diagnostic> {
    let sign = match program.op(node).map(|(op, _)| &op.lower) {
        Some(Lower::Sum(signs)) => signs.get(position).copied(),
        _ => None,
    };
    match (sign, program.node(node).args.get(position).copied()) {
        (Some(sign), Some(arg)) => {
            let hole = program.hole(arg);
            signed_sum(program, node, &[(hole, sign)])
        }
        _ => Err(refusal(program, node, "it is no sum with such a term")),
    }
}

/// The sum of `terms` with their signs, broadcast to the shape of `node`.
fn signed_sum(program: &mut Program, node: NodeId, terms: &[(NodeId, i8)]) -> Result<NodeId, Diagnostic> {
    let mut sum: Option<NodeId> = None;
    for (term, sign) in terms {
        let next = match (sum, sign) {
            (None, 1) => Ok(*term),
            (None, _) => program.call("neg", &[*term]),
            (Some(sum), 1) => program.call("add", &[sum, *term]),
            (Some(sum), _) => program.call("sub", &[sum, *term]),
        };
        sum = Some(next.map_err(|m| refusal(program, node, &m.message))?);
    }
    let sum = sum.ok_or_else(|| refusal(program, node, "no argument of it moves"))?;
    spread(program, sum, node)
}

/// `value` broadcast to the shape of `node`.
fn spread(program: &mut Program, value: NodeId, node: NodeId) -> Result<NodeId, Diagnostic> {
    let shape = program.shape(node).clone();
    if *program.shape(value) == shape {
        return Ok(value);
    }
    let dims = Attr::Dims(shape.0);
    program.call_with("broadcast_to", &[value], &[("dims", dims)]).map_err(|m| refusal(program, node, &m.message))
}

fn instantiate(
    program: &mut Program,
    node: NodeId,
    op: OpRef,
    text: &'static str,
    moving: &dyn Fn(NodeId) -> bool,
) -> Result<NodeId, Diagnostic> {
    let Kind::Apply(_, attrs) = program.node(node).kind.clone() else {
        return Err(refusal(program, node, "this value has no rule of its own"));
    };
    let args = program.node(node).args.clone();
    let rule = parsed(op, text)?;
    let mut env = Env::default();
    let (mut at_rest, mut in_motion) = (Vec::new(), Vec::new());
    for (param, arg) in op.params.iter().filter(|p| p.is_array()).zip(&args) {
        env.bind(param.name, Bound::Node(*arg));
        let differential = format!("d{}", param.name);
        if moving(*arg) {
            let hole = program.hole(*arg);
            env.bind(&differential, Bound::Node(hole));
            in_motion.push(differential);
        } else {
            at_rest.push(differential);
        }
    }
    for (name, attr) in &attrs.0 {
        env.bind(name, Bound::Attr(attr.clone()));
    }
    env.bind("out", Bound::Node(node));
    let value = match without(&rule, &at_rest, &in_motion) {
        None => program.number(ops::Number::ZERO),
        Some(expr) => build_expr(program, &expr, text, &env)?,
    };
    // The value 0 keeps its own shape: it is dropped, not spread.
    if vanishes(program, value) { Ok(program.number(ops::Number::ZERO)) } else { spread(program, value, node) }
}

/// Is the value the number 0, or a product whose first factor is: y x^(y − 1) dx
/// with y = 0, which is 0 also where x is?
fn vanishes(program: &Program, value: NodeId) -> bool {
    let mut value = value;
    // A rule's text nests no deeper than this; beyond it stand the program's own values.
    for _ in 0..8 {
        if program.number_of(value) == Some(ops::Number::ZERO) {
            return true;
        }
        match (program.op(value), program.node(value).args.first()) {
            (Some((op, _)), Some(first)) if matches!((&op.rule, &op.lower), (Rule::Linear(_), Lower::Labels(_))) => {
                value = *first;
            }
            _ => return false,
        }
    }
    false
}

/// What the argument at `place` receives of the cotangent `g` of `node`, where the
/// operation says its own transpose ([`Lower::Linear`]).
///
/// # Errors
/// That the operation does not say it.
pub fn transposed(program: &mut Program, node: NodeId, place: usize, g: NodeId) -> Result<NodeId, Diagnostic> {
    let refuse = |program: &Program| refusal(program, node, "it does not say its transpose");
    let Some((op, attrs)) = program.op(node) else { return Err(refuse(program)) };
    let (Lower::Linear { transpose }, attrs) = (op.lower, attrs.clone()) else { return Err(refuse(program)) };
    let args = program.node(node).args.clone();
    let (axis, size) = (attrs.axes().first().copied(), |arg: &NodeId| program.shape(*arg).0.clone());
    let taken = |arg: &NodeId| axis.and_then(|axis| size(arg).get(axis).cloned());
    let before = args.iter().take(place).filter_map(taken).fold(Dim::size(0), |sum, dim| sum + dim);
    let mut env = Env::new().node("g", g).attr("before", Attr::Dims(vec![before]));
    env = env.attr("at", Attr::Dims(vec![Dim::size(place)]));
    for (name, attr) in &attrs.0 {
        env.bind(name, Bound::Attr(attr.clone()));
    }
    let listed = op.params.first().is_some_and(|param| matches!(param.kind, ParamKind::Arrays));
    for (i, param) in op.params.iter().filter(|param| param.is_array()).enumerate() {
        let at = if listed { place } else { i };
        let arg = args.get(at).ok_or_else(|| refuse(program))?;
        env.bind(param.name, Bound::Node(*arg));
    }
    build_expr(program, &*parsed(op, transpose)?, transpose, &env)
}

/// The rule of an operation, parsed; those of the table are parsed once.
fn parsed(op: &Op, text: &'static str) -> Result<Arc<Expr>, Diagnostic> {
    type Parsed = HashMap<&'static str, Result<Arc<Expr>, Diagnostic>>;
    static TABLE: OnceLock<Parsed> = OnceLock::new();
    let parse = |text: &'static str| match expression(text) {
        Ok(expr) => Ok(Arc::new(expr)),
        Err(found) => Err(fault(format!("the rule {text} cannot be read: {found}"))),
    };
    let table = TABLE.get_or_init(|| {
        let rules = ops::all().filter_map(|op| op.rule.text());
        let texts = rules.chain(ops::all().filter_map(|op| match op.lower {
            Lower::Linear { transpose } => Some(transpose),
            _ => None,
        }));
        texts.map(|text| (text, parse(text))).collect()
    });
    table.get(text).cloned().unwrap_or_else(|| parse(text)).map_err(|mut d| {
        d.message = format!("{}: {}", op.name, d.message);
        d
    })
}

/// The rule with the differentials `at_rest` set to 0; `None` if nothing is left.
/// The depth is that of a rule's text.
fn without(expr: &Expr, at_rest: &[String], in_motion: &[String]) -> Option<Expr> {
    let again = |kind: ExprKind| Some(Expr { kind, span: expr.span });
    match &expr.kind {
        ExprKind::Name(name) if at_rest.iter().any(|d| **d == **name) => None,
        ExprKind::Unary(op, operand) => again(ExprKind::Unary(op, Box::new(without(operand, at_rest, in_motion)?))),
        ExprKind::Chain(first, rest) if rest.iter().all(|(op, ..)| matches!(*op, "add" | "sub")) => {
            // a − b with a = 0 is −b.
            let mut kept: Option<Expr> = without(first, at_rest, in_motion);
            let mut more = Vec::new();
            for (op, span, operand) in rest {
                let Some(operand) = without(operand, at_rest, in_motion) else { continue };
                match (&kept, *op) {
                    (None, "sub") => kept = again(ExprKind::Unary("neg", Box::new(operand))),
                    (None, _) => kept = Some(operand),
                    (Some(_), op) => more.push((op, *span, operand)),
                }
            }
            let kept = kept?;
            if more.is_empty() { Some(kept) } else { again(ExprKind::Chain(Box::new(kept), more)) }
        }
        ExprKind::Chain(first, rest) => {
            let first = without(first, at_rest, in_motion)?;
            let rest = rest.iter().map(|(op, span, operand)| Some((*op, *span, without(operand, at_rest, in_motion)?)));
            again(ExprKind::Chain(Box::new(first), rest.collect::<Option<_>>()?))
        }
        ExprKind::Call(function, arguments) => {
            let pruned: Vec<Option<Expr>> = arguments.iter().map(|a| without(&a.value, at_rest, in_motion)).collect();
            let still_moves = pruned.iter().flatten().any(|e| mentions(e, in_motion));
            let stopped = pruned.iter().any(Option::is_none);
            if stopped && !still_moves {
                return None;
            }
            let zero = || Expr { kind: ExprKind::Number(ops::Number::ZERO), span: expr.span };
            let arguments = arguments.iter().zip(pruned).map(|(argument, value)| Argument {
                keyword: argument.keyword.clone(),
                value: value.unwrap_or_else(zero),
            });
            again(ExprKind::Call(function.clone(), arguments.collect()))
        }
        _ => Some(expr.clone()),
    }
}

/// Does one of the differentials `names` occur?
fn mentions(expr: &Expr, names: &[String]) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => names.iter().any(|d| **d == **name),
        ExprKind::Unary(_, operand) => mentions(operand, names),
        ExprKind::Chain(first, rest) => mentions(first, names) || rest.iter().any(|(.., e)| mentions(e, names)),
        ExprKind::Call(_, arguments) => arguments.iter().any(|a| mentions(&a.value, names)),
        _ => false,
    }
}

fn refusal(program: &Program, node: NodeId, why: &str) -> Diagnostic {
    let what = program.op(node).map_or("this", |(op, _)| op.name);
    let message = format!("{what} cannot be differentiated here: {why}");
    match program.node(node).span {
        Some(span) => Diagnostic::at(Mistake::BadArgument, span, message),
        None => Diagnostic::new(Mistake::BadArgument, message),
    }
}
