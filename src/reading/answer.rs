//! The answer of a derivation in its readings.

use super::{Excluded, Stacked, Stacking, Structured, stacked};
use crate::derive::{Derivation, Factor, Map};
use crate::graph::{NodeId, Program};
use crate::shape::Name;

/// The derivative in several readings. All nodes but `jacobian` and, where
/// it is given, `collected` belong to [`Answers::program`].
#[derive(Clone, Debug)]
pub struct Answers {
    /// The program as read (of the whole batch, where one row was derived), with
    /// the nodes of the answers.
    pub program: Program,
    /// What is differentiated.
    pub out: NodeId,
    /// The variable.
    pub wrt: NodeId,
    /// The Jacobian matrix in numerator layout, where there is one; it is that of
    /// one row, and belongs to the program of the derivation.
    pub jacobian: Option<NodeId>,
    /// The gradient of a scalar: an array of the variable's shape.
    pub gradient: Option<NodeId>,
    /// The properties of the program that the gradient uses, by position.
    pub gradient_uses: Vec<usize>,
    /// What else is a derivative by a symmetric or diagonal matrix.
    pub structured: Option<Structured>,
    /// The derivative of a matrix by a matrix as one matrix on stacked entries, where
    /// that was asked for and there is one.
    pub stacked: Option<Stacked>,
    /// dout as an expression in d(wrt), the [`crate::graph::Kind::Hole`] of `wrt`.
    pub differential: Option<NodeId>,
    /// The cotangent of `wrt` as an expression in the [`crate::graph::Kind::Cotangent`] of `out`.
    pub pullback: Option<NodeId>,
    /// The backward pass in order, where the pullback is too long for one line:
    /// cotangents that later ones use, each once.
    pub backward: Vec<Cotangent>,
    /// Lines after the rules, of the Jacobian matrix or else of the gradient: the name
    /// of what was done, and the expression after it.
    pub collected: Vec<(Name, NodeId)>,
    /// Where the readings leave out points that they do not show.
    pub domain: Vec<Excluded>,
    /// Where the lines of `collected` do; nodes of the program of the derivation.
    pub jacobian_domain: Vec<Excluded>,
    /// The properties of the program that some reading uses, by position.
    pub used: Vec<usize>,
    /// Whether a bare identity stands in the derivative.
    pub identity: IdentityPath,
    /// The conventions at kinks that the derivation used.
    pub conventions: Vec<&'static str>,
}

impl Answers {
    /// Adds the reading on stacked entries of the derivative of a matrix by a matrix.
    pub fn stack(&mut self, by: Stacking) {
        let differential = self.differential;
        let node = differential.and_then(|map| stacked(&mut self.program, map, self.wrt, by));
        let matrices = [self.out, self.wrt].iter().all(|end| self.program.shape(*end).rank() == 2);
        self.stacked = matrices.then_some(Stacked { node, by });
    }

    /// No readings: the derivation alone.
    pub fn none(derivation: &Derivation) -> Answers {
        Answers {
            program: derivation.program.clone(),
            out: derivation.out,
            wrt: derivation.wrt,
            jacobian: None,
            gradient: None,
            gradient_uses: Vec::new(),
            structured: None,
            stacked: None,
            differential: None,
            pullback: None,
            backward: Vec::new(),
            collected: Vec::new(),
            domain: Vec::new(),
            jacobian_domain: Vec::new(),
            used: Vec::new(),
            identity: IdentityPath::None(false),
            conventions: Vec::new(),
        }
    }
}

/// One cotangent of the backward pass: z̄ = …
#[derive(Clone, Debug)]
pub struct Cotangent {
    /// Whose cotangent.
    pub of: NodeId,
    /// Its value; it mentions earlier cotangents as [`crate::graph::Kind::Cotangent`].
    pub value: NodeId,
}

/// What became of the skip connections.
#[derive(Clone, Debug, PartialEq)]
pub enum IdentityPath {
    /// A bare I is a term of the derivative: the skip from the variable to this node.
    Bare(NodeId),
    /// Each of this many factors of the product has a bare I: one of its terms,
    /// multiplied out, is I.
    EachFactor(usize),
    /// Each turn of a loop has a bare I.
    EachTurn,
    /// There is a skip from the variable to this node, but what follows multiplies
    /// it: no bare I. The operation after the skip, and the map that multiplies.
    Multiplied(NodeId, NodeId, Map),
    /// There is a skip, times the number that this factor multiplies by.
    Scaled(Factor),
    /// There is a shortcut past the other terms through this factor, no I.
    Projected(Factor),
    /// So in each of this many factors alike; `None` for the turns of a loop. The
    /// nodes are those of the part that is shown, or of the turn.
    Each(Option<usize>, Box<IdentityPath>),
    /// A loop hands several values on together: these of them, by position, have a
    /// bare I of their own in each turn.
    States(Vec<usize>),
    /// The derivative is I.
    Whole,
    /// No bare I, and none of the above; is there a skip somewhere?
    None(bool),
}
