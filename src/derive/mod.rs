//! From a program to its derivation: the tree of linear maps, the steps, their order.
//!
//! The derivative of `out` with respect to `x` is a linear map dx ↦ dout
//! ([`Map`]). Differentiating is expanding its pending leaves with the rules; each
//! expansion is a [`Step`]. The derivation is the data; answers are read off it.
//!
//! Long programs are cut where every path from `x` to `out` passes (the
//! dominators of `out`): one [`Paragraph`] for each segment between two cuts, so
//! that the whole stays linear in the size of the program.

mod adjoint;
mod apply;
mod chain;
mod copy;
mod expand;
mod leaves;
mod lines;
mod map;
mod paragraph;
mod passed;
mod plain;
mod relabel;
mod rewrite;
mod rows;
pub mod rules;
mod settings;
mod spelled;
mod turns;
mod work;

pub use adjoint::adjoint;
pub use apply::{applied, filled, replaced};
pub use chain::with_names;
pub use expand::{Expansion, expansion, expansion_of};
pub use lines::{Line, every_step, merged};
pub use map::{Factor, Map};
pub use passed::{Block, Enters, Loop};
pub use plain::{plus, turned};
pub use rows::one_row;
pub use settings::{vanishes, zero_input};
pub use spelled::spelled_out;
pub use turns::{Turn, turn};

use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind as GraphKind, NodeId, Program};
use crate::ops::{OpRef, Rule};
use crate::shape::{Dim, Name};

/// How the lines of a derivation are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// As products of Jacobian matrices: d(out)/dx = I + Wᵀ …
    Jacobian,
    /// In differentials: dout = dx + …
    Differential,
}

/// The derivation of d(out)/d(wrt), line by line.
#[derive(Clone, Debug)]
pub struct Derivation {
    /// The program, with the nodes that the rules made. Where one row is
    /// derived, the program of that row.
    pub program: Program,
    /// What is differentiated.
    pub out: NodeId,
    /// The variable.
    pub wrt: NodeId,
    /// How the lines are written.
    pub view: View,
    /// The program of the whole batch, where one row is derived.
    pub whole: Option<Whole>,
    /// The lines, in the order in which they are read.
    pub paragraphs: Vec<Paragraph>,
    /// The maps with names of their own.
    pub parts: Vec<Part>,
    /// The loops passed through.
    pub loops: Vec<Loop>,
    /// The derivative.
    pub result: Map,
}

impl Derivation {
    /// The program as it was read: that of the whole batch, where one row is derived.
    pub fn read(&self) -> &Program {
        self.whole.as_ref().map_or(&self.program, |whole| &whole.program)
    }
}

/// The program of a whole batch whose rows do not mix.
#[derive(Clone, Debug)]
pub struct Whole {
    /// The program.
    pub program: Program,
    /// What is differentiated, in it.
    pub out: NodeId,
    /// The variable, in it.
    pub wrt: NodeId,
    /// The dimension that counts the rows.
    pub rows: Dim,
}

/// Lines that derive one map.
#[derive(Clone, Debug)]
pub struct Paragraph {
    /// What is differentiated.
    pub node: NodeId,
    /// By what.
    pub base: NodeId,
    /// The part that this paragraph defines, by position; `None` for the answer itself.
    pub part: Option<usize>,
    /// The map before the first step.
    pub start: Map,
    /// The lines.
    pub steps: Vec<Step>,
    /// Do the lines use a setting (`w = 0`), and so hold at that point alone?
    pub at_settings: bool,
}

impl Paragraph {
    /// The map after the last step.
    pub fn end(&self) -> &Map {
        self.steps.last().map_or(&self.start, |step| &step.after)
    }
}

/// A map with a name of its own: `J_1`, `D_h`.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: Name,
    /// What is differentiated.
    pub node: NodeId,
    /// By what.
    pub base: NodeId,
    /// The map, without the identity that stands beside it.
    pub map: Map,
    /// Does an identity stand beside it: d(node)/d(base) = I + J?
    pub beside_identity: bool,
    /// The part of equal form that is shown in its place, by position.
    pub like: Option<usize>,
}

/// One line: the part that changed and why.
#[derive(Clone, Debug)]
pub struct Step {
    /// Why, in order.
    pub reasons: Vec<Reason>,
    /// The whole map before.
    pub before: Map,
    /// The whole map after.
    pub after: Map,
    /// Where `before` changed.
    pub path: Vec<usize>,
    /// What the changed part became.
    pub became: Map,
}

/// Why a line follows from the one before.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The name is replaced by what it stands for.
    Definition(NodeId),
    /// The rule of an operation: its title, the operation.
    Rule(&'static str, OpRef),
    /// These arguments do not depend on the variable.
    Constant(Vec<NodeId>),
    /// d(x)/dx = I.
    Variable,
    /// The result depends on the variable by steps only: it is constant wherever
    /// it is differentiable.
    Independent,
    /// The result does not depend on the variable.
    Apart(NodeId, NodeId),
    /// Every path passes these nodes, in order from the variable.
    ChainRule(Vec<NodeId>),
    /// These maps have paragraphs and names of their own.
    Named(Vec<usize>),
    /// Several linear rules at once.
    Linear,
    /// Identities are added up: I + I = 2 I.
    LikeTerms,
    /// The maps derived above are put in place.
    Substitute,
    /// The chain rule over the turns of a loop.
    Turns,
    /// An input is set to a number.
    Setting(NodeId),
    /// A product with a factor 0 is 0.
    ZeroProduct,
}

/// A part of what is said: words, or the name of a value or map.
#[derive(Clone, Debug, PartialEq)]
pub enum Word {
    /// Words.
    Plain(String),
    /// A name.
    Name(Name),
}

impl Reason {
    /// The reason as said at the end of the line.
    pub fn says(&self, program: &Program, parts: &[Part]) -> String {
        let word = |word: Word| match word {
            Word::Plain(words) => words,
            Word::Name(name) => name.to_string(),
        };
        self.words(program, parts).into_iter().map(word).collect()
    }

    /// The same in parts, the names apart from the words.
    pub fn words(&self, program: &Program, parts: &[Part]) -> Vec<Word> {
        let plain = |words: &str| Word::Plain(words.to_string());
        let named = |id: NodeId, otherwise: &str| program.name(id).map_or(plain(otherwise), |n| Word::Name(n.clone()));
        let name = |id: &NodeId| named(*id, "a value");
        match self {
            Reason::Definition(node) => vec![plain("definition of "), name(node)],
            Reason::Rule(title, _) => vec![plain(title)],
            Reason::Constant(nodes) => {
                let verb = if nodes.len() == 1 { " is constant" } else { " are constant" };
                listed(nodes.iter().map(name), verb)
            }
            Reason::Variable => vec![plain("a variable by itself")],
            Reason::Independent => vec![plain("constant wherever it is differentiable")],
            Reason::Apart(out, wrt) => vec![named(*out, "the result"), plain(" does not depend on "), name(wrt)],
            Reason::ChainRule(nodes) if nodes.len() == 1 => vec![plain("chain rule at "), name(&nodes[0])],
            Reason::ChainRule(_) => vec![plain("chain rule, later factors on the left")],
            Reason::Named(named) => {
                let names = named.iter().filter_map(|part| Some(Word::Name(parts.get(*part)?.name.clone())));
                listed(names, if named.len() == 1 { " is derived below" } else { " are derived below" })
            }
            Reason::Linear => vec![plain("linearity")],
            Reason::LikeTerms => vec![plain("like terms")],
            Reason::Substitute => vec![plain("from above")],
            Reason::Turns => vec![plain("chain rule, later turns on the left")],
            Reason::Setting(node) => {
                let value = program.settings.iter().find(|(n, _)| n == node).map(|(_, v)| v.to_string());
                vec![name(node), plain(&format!(" = {}", value.unwrap_or_default()))]
            }
            Reason::ZeroProduct => vec![plain("zero product")],
        }
    }
}

/// Names with commas between them, each once, and what is said of them.
fn listed(names: impl Iterator<Item = Word>, says: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for name in names {
        match words.last() {
            Some(last) if *last == name => continue,
            Some(_) => words.push(Word::Plain(", ".into())),
            None => {}
        }
        words.push(name);
    }
    words.push(Word::Plain(says.to_string()));
    words
}

/// Derives d(out)/d(wrt).
///
/// Where the table proves that the rows of a matrix `wrt` pass through every
/// operation apart, one row is derived and stands for all. At an intermediate
/// `wrt` the program is cut: it counts as a variable of its own.
///
/// # Errors
/// The first operation that has no rule for what it is given, with its place.
pub fn derive(program: &Program, out: NodeId, wrt: NodeId) -> Result<Derivation, Diagnostic> {
    if !matches!(program.node(wrt).kind, GraphKind::Input(_)) {
        let cut = rows::cut(program, out, wrt).ok_or_else(|| fault("the program cannot be cut there"))?;
        return derive(&cut.program, cut.out, cut.wrt);
    }
    match one_row(program, out, wrt) {
        Some(_) => {
            // The row and the batch go by the same names.
            let named = with_names(program.clone(), &[out], &[wrt])?;
            let row = one_row(&named, out, wrt).ok_or_else(|| fault("names changed what rows mix"))?;
            let rows = program.shape(wrt).0[0].clone();
            let whole = Whole { program: named, out, wrt, rows };
            let mut derivation = chain::derive(row.program, row.out, row.wrt)?;
            derivation.whole = Some(whole);
            Ok(derivation)
        }
        None => chain::derive(program.clone(), out, wrt),
    }
}

/// [`derive()`] without looking for rows that stand apart: the whole batch.
///
/// # Errors
/// As [`derive()`].
pub fn without_rows(program: &Program, out: NodeId, wrt: NodeId) -> Result<Derivation, Diagnostic> {
    chain::derive(program.clone(), out, wrt)
}

/// The nodes whose value depends on `wrt` and on which `out` depends, as flags by
/// node index.
pub fn moving(program: &Program, out: NodeId, wrt: NodeId) -> Vec<bool> {
    moving_any(program, &[out], &[wrt])
}

/// The nodes whose value depends on one of `wrt` and on which one of `outs` depends, as
/// flags by node index. Nodes are appended after their arguments, so one pass each way
/// does.
pub fn moving_any(program: &Program, outs: &[NodeId], wrt: &[NodeId]) -> Vec<bool> {
    let count = program.graph().node_count();
    let (mut depends, mut needed) = (vec![false; count], vec![false; count]);
    wrt.iter().for_each(|id| depends[id.index()] = true);
    for id in program.graph().node_indices() {
        // What is constant on either side of its jumps passes no differential on.
        let flat = matches!(program.op(id), Some((op, _)) if matches!(op.rule, Rule::Zero | Rule::Held));
        depends[id.index()] |= !flat && program.node(id).args.iter().any(|arg| depends[arg.index()]);
    }
    outs.iter().for_each(|id| needed[id.index()] = true);
    for index in (0..count).rev().filter(|i| depends[*i]) {
        if needed[index] {
            for arg in &program.node(NodeId::new(index)).args {
                needed[arg.index()] = true;
            }
        }
    }
    (0..count).map(|i| depends[i] && needed[i]).collect()
}

/// A mistake that only a fault of this program can cause.
pub(crate) fn fault(message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Mistake::CheckFailed, message)
}
