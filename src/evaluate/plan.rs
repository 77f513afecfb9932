//! The order in which nodes are computed, and the values found.

use super::inputs::Inputs;
use super::run::{backwards, forwards};
use crate::array::{Array, contract, entries};
use crate::diagnostic::{Diagnostic, Kind as Mistake, Span};
use crate::graph::{Kind, Node, NodeId, Program, Repeat, Reverse};
use crate::ops::{Attrs, Contraction, Lower, OpRef, Value};
use crate::shape::{Dim, Shape, Sizes};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

/// Which nodes are computed, arguments before their users.
pub struct Plan<'p> {
    program: &'p Program,
    steps: Vec<(NodeId, Action<'p>)>,
}

/// How a node is computed, decided once for all runs.
pub(super) enum Action<'p> {
    Given,
    Number(f64),
    Size(&'p Dim),
    Sum(&'static [i8]),
    Contract(Contraction),
    Apply(OpRef, &'p Attrs),
    Repeat(&'p Repeat, Box<Plan<'p>>),
    Reverse(&'p Reverse),
    Carried(usize),
}

/// What was found for a node.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    One(Arc<Array>),
    /// The carried values after a loop, and all values of each turn.
    Loop(Vec<Arc<Array>>, Arc<Vec<Values>>),
}

/// The values of the nodes of a program at one point.
#[derive(Clone, Debug, Default)]
pub struct Values(Vec<Option<Slot>>);

/// The values of `wanted` and of all nodes they need.
///
/// # Errors
/// As [`Plan::run`].
pub fn evaluate(program: &Program, wanted: &[NodeId], inputs: &Inputs) -> Result<Values, Diagnostic> {
    Plan::new(program, wanted).run(inputs)
}

impl<'p> Plan<'p> {
    /// A plan for `wanted` and what they need.
    pub fn new(program: &'p Program, wanted: &[NodeId]) -> Plan<'p> {
        Plan::beyond(program, wanted, &Values::default())
    }

    /// A plan for what of `wanted` is not yet in `known`.
    fn beyond(program: &'p Program, wanted: &[NodeId], known: &Values) -> Plan<'p> {
        let (mut needed, mut waiting) = (BTreeSet::new(), wanted.to_vec());
        while let Some(node) = waiting.pop() {
            if known.slot(node).is_none() && needed.insert(node) {
                waiting.extend(&program.node(node).args);
            }
        }
        // A node is added after its arguments: its number is its place in the order.
        let order = needed.into_iter();
        Plan { program, steps: order.map(|node| (node, action(program, program.node(node)))).collect() }
    }

    /// Computes all nodes of the plan.
    ///
    /// # Errors
    /// An input, hole or cotangent without a value, a dimension without a size, a value too large.
    pub fn run(&self, inputs: &Inputs) -> Result<Values, Diagnostic> {
        let mut values = Values::default();
        self.run_on(&mut values, inputs)?;
        Ok(values)
    }

    fn run_on(&self, values: &mut Values, inputs: &Inputs) -> Result<(), Diagnostic> {
        let last = self.steps.last().map_or(0, |(node, _)| node.index() + 1);
        values.0.resize(last.max(values.0.len()), None);
        for (id, action) in &self.steps {
            let slot = match inputs.held(*id) {
                Some(value) => Slot::One(value.clone()),
                None => step(self.program, *id, action, &|arg| values.slot(arg), inputs)?,
            };
            values.0[id.index()] = Some(slot);
        }
        Ok(())
    }
}

impl Slot {
    fn array(&self) -> Option<&Array> {
        match self {
            Slot::One(array) => Some(array),
            Slot::Loop(..) => None,
        }
    }

    pub(super) fn shared(&self) -> Option<Arc<Array>> {
        match self {
            Slot::One(array) => Some(array.clone()),
            Slot::Loop(..) => None,
        }
    }
}

/// What stands for a value that was not computed.
fn nothing<'a>() -> &'a Array {
    static NOTHING: OnceLock<Array> = OnceLock::new();
    NOTHING.get_or_init(|| Array::scalar(f64::NAN))
}

impl Values {
    /// The value of a node; not-a-number if it was not computed.
    pub fn get(&self, node: NodeId) -> &Array {
        self.find(node).unwrap_or_else(nothing)
    }

    /// The value of a node, if it was computed.
    pub fn find(&self, node: NodeId) -> Option<&Array> {
        self.slot(node).and_then(Slot::array)
    }

    /// The value of a node, to be given to another run without a copy.
    pub fn shared(&self, node: NodeId) -> Option<Arc<Array>> {
        self.slot(node).and_then(Slot::shared)
    }

    /// The values inside a loop, turn by turn; empty for other nodes.
    pub fn turns(&self, node: NodeId) -> &[Values] {
        match self.slot(node) {
            Some(Slot::Loop(_, turns)) => turns,
            _ => &[],
        }
    }

    /// Computes what of `wanted` is missing, on top of what is known.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn extend(&mut self, program: &Program, wanted: &[NodeId], inputs: &Inputs) -> Result<(), Diagnostic> {
        let plan = Plan::beyond(program, wanted, self);
        plan.run_on(self, inputs)
    }

    /// The nodes that were computed, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.0.iter().enumerate().filter(|(_, slot)| slot.is_some()).map(|(i, _)| NodeId::new(i))
    }

    pub(super) fn slot(&self, node: NodeId) -> Option<&Slot> {
        self.0.get(node.index())?.as_ref()
    }
}

/// The known values of nodes.
pub(super) type Known<'a> = dyn Fn(NodeId) -> Option<&'a Slot> + 'a;

/// Computes one node from its arguments.
pub(super) fn step(
    program: &Program,
    id: NodeId,
    action: &Action,
    known: &Known,
    inputs: &Inputs,
) -> Result<Slot, Diagnostic> {
    let node = program.node(id);
    let array = |arg: &NodeId| known(*arg).and_then(Slot::array).unwrap_or_else(nothing);
    let args: Vec<&Array> = node.args.iter().map(array).collect();
    let array = match action {
        Action::Given => return inputs.of(program, id).map(Slot::One),
        Action::Number(number) => Array::scalar(*number),
        Action::Size(dim) => Array::scalar(dim.eval(&inputs.sizes).ok_or_else(|| no_size(dim, node.span))? as f64),
        Action::Sum(signs) => {
            let sizes = sizes(&node.shape, &inputs.sizes, node.span)?;
            signed_sum(&args, signs, &sizes).ok_or_else(|| misfit(node.span))?
        }
        Action::Contract(labels) => {
            let sizes = sizes(&node.shape, &inputs.sizes, node.span)?;
            contraction(&args, labels, &sizes).ok_or_else(|| misfit(node.span))?
        }
        Action::Apply(op, attrs) => {
            let sizes = sizes(&node.shape, &inputs.sizes, node.span)?;
            apply(op, &attrs.sized(&inputs.sizes), &args, &sizes).ok_or_else(|| misfit(node.span))?
        }
        Action::Repeat(repeat, body) => return forwards(repeat, body, node, known, inputs),
        Action::Reverse(reverse) => return backwards(reverse, node, known, inputs),
        Action::Carried(position) => match node.args.first().and_then(|arg| known(*arg)) {
            Some(Slot::Loop(carried, _)) => {
                return carried.get(*position).cloned().map(Slot::One).ok_or_else(|| misfit(node.span));
            }
            _ => return Err(misfit(node.span)),
        },
    };
    Ok(Slot::One(Arc::new(array)))
}

pub(super) fn action<'p>(program: &'p Program, node: &'p Node) -> Action<'p> {
    match &node.kind {
        Kind::Input(_) | Kind::Hole(_) | Kind::Cotangent(_) => Action::Given,
        Kind::Number(number) => Action::Number(number.value()),
        Kind::Size(dim) => Action::Size(dim),
        Kind::Carried(position) => Action::Carried(*position),
        Kind::Repeat(repeat) => {
            let ends: Vec<NodeId> = repeat.carried.iter().map(|(_, end)| *end).collect();
            Action::Repeat(repeat, Box::new(Plan::new(&repeat.body, &ends)))
        }
        Kind::Reverse(reverse) => Action::Reverse(reverse),
        Kind::Apply(op, attrs) => match (&op.value, &op.lower) {
            (Value::Lowered, Lower::Sum(signs)) => Action::Sum(signs),
            (Value::Lowered, Lower::Labels(labels)) => {
                let shapes: Vec<&Shape> = node.args.iter().map(|arg| program.shape(*arg)).collect();
                Action::Contract(labels(&shapes, attrs))
            }
            _ => Action::Apply(op, attrs),
        },
    }
}

fn apply(op: OpRef, attrs: &Attrs, args: &[&Array], sizes: &[usize]) -> Option<Array> {
    match (&op.value, args) {
        (Value::Unary(f), [x]) => Some(x.map(f)),
        (Value::Binary(f), [x, y]) => x.zip(y, f),
        (Value::Ternary(f), [x, y, z]) => x.zip3(y, z, f),
        (Value::Whole(f), args) => Some(f(args, attrs, sizes)),
        _ => None,
    }
}

fn signed_sum(args: &[&Array], signs: &[i8], sizes: &[usize]) -> Option<Array> {
    match (args, signs) {
        ([x, y], [1, 1]) => x.zip(y, |x, y| x + y),
        ([x, y], [1, -1]) => x.zip(y, |x, y| x - y),
        ([x], [-1]) => Some(x.map(|x| -x)),
        _ => args.iter().zip(signs).try_fold(Array::filled(sizes, 0.0), |sum, (x, sign)| {
            let sign = f64::from(*sign);
            sum.zip(x, |sum, x| sum + sign * x)
        }),
    }
}

fn contraction(args: &[&Array], labels: &Contraction, sizes: &[usize]) -> Option<Array> {
    let pairs: Vec<(&Array, &[u8])> = args.iter().copied().zip(labels.args.iter().map(Vec::as_slice)).collect();
    let result = contract(&pairs, &labels.out, sizes)?;
    if labels.divide.is_empty() {
        return Some(result);
    }
    let size = |label: &u8| pairs.iter().find_map(|(x, l)| l.iter().position(|own| own == label).map(|i| x.sizes()[i]));
    let count: usize = labels.divide.iter().filter_map(size).product();
    Some(result.map(|x| x / count as f64))
}

/// The sizes of a value, within bounds.
pub(super) fn sizes(shape: &Shape, known: &Sizes, span: Option<Span>) -> Result<Vec<usize>, Diagnostic> {
    let Some(sizes) = shape.eval(known) else {
        let unknown = shape.0.iter().find(|dim| dim.eval(known).is_none());
        return Err(unknown.map_or_else(|| misfit(span), |dim| no_size(dim, span)));
    };
    match entries(&sizes) {
        Some(_) => Ok(sizes),
        None => {
            let written: Vec<String> = sizes.iter().map(usize::to_string).collect();
            let message = format!("a value of {} entries is too large to compute", written.join(" × "));
            Err(placed(Mistake::TooLarge, span, message))
        }
    }
}

pub(super) fn no_size(dim: &Dim, span: Option<Span>) -> Diagnostic {
    placed(Mistake::MissingShape, span, format!("the dimension {dim} has no size here"))
}

pub(super) fn misfit(span: Option<Span>) -> Diagnostic {
    placed(Mistake::ValueShape, span, "the numbers do not fit the shapes".to_string())
}

fn placed(kind: Mistake, span: Option<Span>, message: String) -> Diagnostic {
    Diagnostic { span, ..Diagnostic::new(kind, message) }
}
