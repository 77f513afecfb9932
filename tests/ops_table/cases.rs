//! All ways in which an operation can be used on small arrays.

use chainrule::array::Array;
use chainrule::evaluate::{Inputs, Values, evaluate, points, sides};
use chainrule::graph::{NodeId, Program};
use chainrule::ops::{self, Attr, Attrs, OpRef, Param, ParamKind, Preset, Rule};
use chainrule::shape::{Name, Shape, Sizes};

/// One use of an operation: a program that is nothing but it.
#[derive(Clone)]
pub struct Case {
    pub program: Program,
    pub op: OpRef,
    pub attrs: Attrs,
    pub args: Vec<NodeId>,
    pub says: String,
}

pub fn sizes() -> Sizes {
    [("m", 2), ("n", 3), ("k", 4)].map(|(name, size)| (Name::from(name), size)).into()
}

/// Every use with shapes of rank 0 to 3, broadcast or not, that the shape rule accepts.
pub fn cases(op: OpRef) -> Vec<Case> {
    if op.params.first().is_some_and(|param| matches!(param.kind, ParamKind::Arrays)) {
        return listed(op);
    }
    let arrays = op.params.iter().filter(|param| param.is_array()).count();
    let pool: &[&str] = match arrays {
        0..=2 => &["", "n", "1", "m n", "m 1", "1 n", "n n", "k m n", "k m 1", "k n n"],
        _ => &["", "n", "m n", "m 1", "k m n"],
    };
    let mut shapes: Vec<Vec<&str>> = vec![Vec::new()];
    for _ in 0..arrays {
        let longer = |some: &Vec<&'static str>| pool.iter().map(|s| [&some[..], &[*s]].concat()).collect::<Vec<_>>();
        shapes = shapes.iter().flat_map(longer).collect();
    }
    shapes.iter().flat_map(|shapes| all_attrs(op, shapes).into_iter().filter_map(|a| case(op, shapes, a))).collect()
}

/// Every use of an operation on a list of one to three arrays.
fn listed(op: OpRef) -> Vec<Case> {
    let lists: &[&[&str]] = &[
        &["n"],
        &["m n"],
        &["n", "k"],
        &["n", "n"],
        &["m n", "m k"],
        &["m n", "m n"],
        &["m n", "n k"],
        &["k m n", "k m n"],
        &["k m n", "k n m"],
        &["n", "m", "n"],
        &["m n", "m n", "m n"],
        &["m n", "n n", "n k"],
    ];
    lists.iter().flat_map(|shapes| all_attrs(op, shapes).into_iter().filter_map(|a| case(op, shapes, a))).collect()
}

fn case(op: OpRef, shapes: &[&str], attrs: Attrs) -> Option<Case> {
    let mut program = Program::new();
    let args: Vec<NodeId> = shapes
        .iter()
        .enumerate()
        .map(|(i, shape)| program.input(&format!("x{i}"), Shape::parse(shape).unwrap()))
        .collect();
    program.output = program.apply(op, &args, attrs).ok()?;
    // What is only stated of the arguments is not kept.
    let attrs = program.op(program.output)?.1.clone();
    let says = format!("{} of {shapes:?} with {:?}", op.name, attrs.0);
    within(op, &program, &attrs)?;
    Some(Case { program, op, attrs, args, says })
}

/// Are all places that the attributes name inside the arrays at the sizes used?
fn within(op: OpRef, program: &Program, attrs: &Attrs) -> Option<()> {
    let sizes = sizes();
    let size = |name: &str| attrs.get(name).and(attrs.dim(name).eval(&sizes)).map(|n| n as i64);
    let axis = attrs.axes().first().copied().unwrap_or(0);
    let out = program.shape(program.output);
    out.eval(&sizes)?;
    let Some(x) = program.inputs.first().map(|x| program.shape(*x)) else { return Some(()) };
    match (size("start"), size("at")) {
        (Some(start), _) => {
            let (x, out) = (x.0.get(axis)?.eval(&sizes)? as i64, out.0.get(axis)?.eval(&sizes)? as i64);
            let (long, short) = if op.name == "place" { (out, x) } else { (x, out) };
            let last = start + attrs.whole("step") * (short - 1);
            (start < long && (0..long).contains(&last) && attrs.whole("step") != 0).then_some(())
        }
        (_, Some(at)) => (at < x.0.get(axis)?.eval(&sizes)? as i64).then_some(()),
        _ => Some(()),
    }
}

fn all_attrs(op: OpRef, shapes: &[&str]) -> Vec<Attrs> {
    let mut all = vec![Attrs::default()];
    for param in op.params.iter().filter(|param| !param.is_array()) {
        let values = values_of(param, shapes);
        let longer = |attrs: &Attrs| {
            let with = |value: &Attr| Attrs([&attrs.0[..], &[(param.name, value.clone())]].concat());
            values.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn values_of(param: &Param, shapes: &[&str]) -> Vec<Attr> {
    let first = Shape::parse(shapes.first().unwrap_or(&"")).unwrap();
    match param.kind {
        ParamKind::Axis(default) => {
            let subsets =
                (0..1usize << first.rank()).map(|set| (0..first.rank()).filter(|axis| set >> axis & 1 == 1).collect());
            let whole = default == Some(Preset::AllAxes) && first.rank() == 0;
            subsets.filter(|axes: &Vec<usize>| whole || !axes.is_empty()).map(Attr::Axes).collect()
        }
        ParamKind::Flag(_) => vec![Attr::Flag(false), Attr::Flag(true)],
        ParamKind::Whole(_) => [-1, 0, 1, 2].map(Attr::Whole).into(),
        ParamKind::Text(_) if param.name == "equation" => {
            EQUATIONS.iter().map(|e| Attr::Text(Name::from(*e))).collect()
        }
        ParamKind::Text(default) => vec![Attr::Text(Name::from(default))],
        ParamKind::Dims | ParamKind::Stated => {
            ["", "n", "m n", "n n", "k m n"].map(|s| Attr::Dims(Shape::parse(s).unwrap().0)).into()
        }
        ParamKind::Dim(_) => ["1", "2", "n", "k"].map(|s| Attr::Dims(Shape::parse(s).unwrap().0)).into(),
        ParamKind::Order => {
            let orders: &[&[usize]] = &[&[0], &[0, 1], &[1, 0], &[0, 2, 1], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]];
            orders.iter().map(|order| Attr::Axes(order.to_vec())).collect()
        }
        ParamKind::NewAxis(_) => (0..=first.rank()).map(|axis| Attr::Axes(vec![axis])).collect(),
        ParamKind::Array | ParamKind::ArrayOr(_) | ParamKind::Arrays | ParamKind::Index => Vec::new(),
    }
}

const EQUATIONS: &[&str] = &[
    "i->i",
    "ij->ji",
    "ij->",
    "ii->i",
    "i,j->ij",
    "i,i->",
    "ij,jk->ik",
    "ij,ij->j",
    "ij,kj",
    "...ij,...jk->...ik",
    "bij,bij->b",
    "i,j,i->j",
    "ij,jk,kl->il",
];

impl Case {
    /// The parameter of an argument; those of a list share one.
    pub fn param(&self, i: usize) -> &'static Param {
        &self.op.params[if matches!(self.op.params[0].kind, ParamKind::Arrays) { 0 } else { i }]
    }

    /// A point in the operation's own domain at which value and sides are settled.
    pub fn point(&self, attempt: usize) -> Inputs {
        let mut inputs = Inputs::new(sizes());
        for (i, arg) in self.args.iter().enumerate() {
            let (low, high) = *self.op.domain.get(i).or(self.op.domain.last()).unwrap_or(&(-2.0, 2.0));
            let shape = self.program.shape(*arg).eval(&sizes()).unwrap();
            // A direction has entries of size 0.25 to 1.25: brought to the domain.
            let drawn = points::direction(&shape, &format!("{i}{}", self.says), attempt);
            let drawn = drawn.map(|x| low + (high - low) * (x + 1.25) / 2.5);
            inputs.set(*arg, if self.moves(i) { drawn } else { drawn.map(f64::round) });
        }
        inputs
    }

    /// Has the rule a differential of this argument? One without is a condition: it
    /// takes whole numbers and stays where it is.
    pub fn moves(&self, i: usize) -> bool {
        if matches!(self.param(i).kind, ParamKind::Index) {
            return false;
        }
        // The table's own rule, also where a fault is planted.
        match ops::by_name(self.op.name).unwrap_or(self.op).rule {
            Rule::Text(rule) | Rule::Partly { text: rule, .. } => rule.contains(&format!("d{}", self.param(i).name)),
            _ => true,
        }
    }

    pub fn values(&self, inputs: &Inputs) -> Values {
        evaluate(&self.program, &[self.program.output], inputs).unwrap_or_else(|told| panic!("{}: {told}", self.says))
    }

    pub fn value(&self, inputs: &Inputs) -> Array {
        self.values(inputs).get(self.program.output).clone()
    }

    pub fn signs(&self, inputs: &Inputs) -> Vec<Array> {
        sides(&self.program, &self.values(inputs)).into_iter().map(|side| side.signs).collect()
    }
}

/// The sizes of a node's shape.
pub fn sizes_of(program: &Program, node: NodeId) -> Vec<usize> {
    program.shape(node).eval(&sizes()).unwrap()
}

/// The largest difference of two arrays of one shape.
pub fn gap(a: &Array, b: &Array) -> f64 {
    assert_eq!(a.sizes(), b.sizes());
    a.zip(b, |a, b| a - b).map_or(f64::NAN, |difference| difference.max_abs())
}
