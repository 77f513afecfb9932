//! The backward pass: each cotangent once, from the result to the inputs.

use super::{Cotangent, pullback_of};
use crate::derive::{self, adjoint, fault, moving_any, rules};
use crate::diagnostic::Diagnostic;
use crate::graph::{Kind, NodeId, Program, Repeat, Reverse};
use crate::ops::Attr;
use crate::shape::Name;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// The way back from the result of a program to all its inputs.
#[derive(Clone, Debug)]
pub struct BackwardPass {
    /// The program, with the cotangents and with names for what they repeat.
    pub program: Program,
    /// The cotangents of the inputs, and of every named value on the way that later
    /// ones use, in order. Inputs on which the result does not depend have none.
    pub cotangents: Vec<Cotangent>,
    /// The conventions at kinks that the pass used.
    pub conventions: Vec<&'static str>,
}

/// The backward pass of a program, whose result is given its cotangent.
///
/// # Errors
/// An operation whose adjoint has no expression, with its place.
pub fn backward_pass(mut program: Program) -> Result<BackwardPass, Diagnostic> {
    let (out, inputs) = (program.output, program.inputs.clone());
    let (cotangents, mut conventions) = named_pass(&mut program, out, &inputs)?;
    conventions.reverse();
    Ok(BackwardPass { program, cotangents, conventions })
}

/// The cotangents of `inputs`, and of every named value on the way that later
/// ones use, in the order of the backward pass. The cotangent of `out` is given.
/// What differentials repeat gets a name in `program`.
/// Inputs on which `out` does not depend have none.
///
/// # Errors
/// An operation whose adjoint has no expression, with its place.
pub fn backward(program: &mut Program, out: NodeId, inputs: &[NodeId]) -> Result<Vec<Cotangent>, Diagnostic> {
    Ok(named_pass(program, out, inputs)?.0)
}

/// The cotangents, and the conventions of the operations with a kink that were passed.
type Cotangents = (Vec<Cotangent>, Vec<&'static str>);

fn named_pass(program: &mut Program, out: NodeId, inputs: &[NodeId]) -> Result<Cotangents, Diagnostic> {
    *program = derive::with_names(std::mem::take(program), &[out], inputs)?;
    let given = program.cotangent(out);
    pass(program, &[(out, given)], inputs)
}

/// What the nodes of a pass have received.
struct Pass {
    moves: Vec<bool>,
    received: HashMap<NodeId, Vec<NodeId>>,
    /// For each loop the cotangents of what it leaves, by position.
    loops: HashMap<NodeId, BTreeMap<usize, NodeId>>,
    /// The conventions met, each once.
    conventions: Vec<&'static str>,
}

impl Pass {
    fn moves(&self, id: NodeId) -> bool {
        self.moves.get(id.index()).copied().unwrap_or(false)
    }

    fn receive(&mut self, id: NodeId, share: NodeId) {
        self.received.entry(id).or_default().push(share);
    }

    fn note(&mut self, says: &'static str) {
        if !self.conventions.contains(&says) {
            self.conventions.push(says);
        }
    }
}

/// The pass back from several results, each given with its cotangent.
fn pass(program: &mut Program, given: &[(NodeId, NodeId)], inputs: &[NodeId]) -> Result<Cotangents, Diagnostic> {
    let outs: Vec<NodeId> = given.iter().map(|(out, _)| *out).collect();
    let moves = moving_any(program, &outs, inputs);
    let mut at = Pass { moves, received: HashMap::new(), loops: HashMap::new(), conventions: Vec::new() };
    given.iter().for_each(|(out, cotangent)| at.receive(*out, *cotangent));
    let inputs: HashSet<NodeId> = inputs.iter().copied().collect();
    let last = outs.iter().map(|out| out.index() + 1).max().unwrap_or(0);
    let mut found = Vec::new();
    for id in (0..last).rev().map(NodeId::new) {
        if let Some(left) = at.loops.remove(&id) {
            through_loop(program, id, &left, &mut at)?;
            continue;
        }
        let Some(parts) = at.received.remove(&id).filter(|_| at.moves(id)) else { continue };
        let total = sum(program, &parts)?;
        let known = matches!(program.node(total).kind, Kind::Cotangent(_));
        let args: Vec<NodeId> = distinct(&program.node(id).args).into_iter().filter(|arg| at.moves(*arg)).collect();
        let named = program.name(id).is_some() || args.len() > 1 && parts.len() > 1;
        let cotangent = if inputs.contains(&id) || (named && !known) {
            found.push(Cotangent { of: id, value: total });
            program.cotangent(id)
        } else {
            total
        };
        if let (Kind::Carried(position), Some(of)) = (&program.node(id).kind, program.node(id).args.first()) {
            at.loops.entry(*of).or_default().insert(*position, cotangent);
            continue;
        }
        if let Some(kink) = program.op(id).and_then(|(op, _)| op.kink.as_ref()).filter(|_| !args.is_empty()) {
            at.note(kink.says);
        }
        for arg in args {
            let share = share(program, id, arg, cotangent)?;
            at.receive(arg, share);
        }
    }
    Ok((found, at.conventions))
}

/// What an argument of an operation receives of its cotangent.
fn share(program: &mut Program, id: NodeId, arg: NodeId, cotangent: NodeId) -> Result<NodeId, Diagnostic> {
    let local = rules::local(program, id, &|a| a == arg)?;
    if program.node(local).kind == Kind::Hole(arg) {
        return Ok(cotangent);
    }
    // Where no matrix notation says the adjoint: operation by operation, in any rank.
    match pullback_of(program, local, arg, cotangent) {
        Some(share) => Ok(share),
        None => adjoint(program, local, arg, cotangent).map_err(|told| placed(program, id, told)),
    }
}

/// The way back through a loop whose carried values after the last turn have the
/// cotangents `left`.
fn through_loop(
    program: &mut Program,
    id: NodeId,
    left: &BTreeMap<usize, NodeId>,
    at: &mut Pass,
) -> Result<(), Diagnostic> {
    let Kind::Repeat(repeat) = program.node(id).kind.clone() else {
        return Err(placed(program, id, fault("the way back through a loop is not gone back through again")));
    };
    let args = program.node(id).args.clone();
    let moving: Vec<usize> = (0..args.len()).filter(|position| at.moves(args[*position])).collect();
    let outs: Vec<usize> = left.keys().copied().collect();
    let (reverse, conventions) = reversed(&repeat, &outs, &moving)?;
    conventions.into_iter().for_each(|says| at.note(says));
    let mut starts = vec![id];
    for (state, inside) in &reverse.states {
        starts.push(match left.get(state) {
            Some(cotangent) => *cotangent,
            None => {
                let dims = Attr::Dims(reverse.body.shape(*inside).0.clone());
                program.call_with("zeros", &[], &[("dims", dims)]).map_err(|m| fault(m.message))?
            }
        });
    }
    let receives = reverse.receives.clone();
    let node = program.reverse(reverse, starts);
    if let Some(span) = program.node(id).span {
        program.place(node, span);
    }
    for (place, position) in receives.into_iter().enumerate() {
        let share = program.carried(node, place).ok_or_else(|| fault("a loop without this argument"))?;
        at.receive(args[position], share);
    }
    Ok(())
}

/// The way back through one turn, for the carried values `outs` and the moving
/// arguments `moving`, all by position.
fn reversed(
    repeat: &Arc<Repeat>,
    outs: &[usize],
    moving: &[usize],
) -> Result<(Reverse, Vec<&'static str>), Diagnostic> {
    let turn = derive::turn(repeat, outs, moving)?;
    let (inner, mut body) = (repeat.inner(), turn.body);
    let mut given = Vec::new();
    let mut states = Vec::new();
    for state in &turn.states {
        // A value that the turn uses itself has more than the cotangent handed back to
        // it: that has a node of its own.
        let (start, end) = repeat.carried[*state];
        let after = after(&mut body, repeat, start);
        given.push((end, body.cotangent(after)));
        states.push((*state, after));
    }
    let mut wanted: Vec<NodeId> = turn.states.iter().map(|state| repeat.carried[*state].0).collect();
    wanted.extend(moving.iter().filter(|position| **position >= repeat.carried.len()).map(|position| inner[*position]));
    let (found, conventions) = pass(&mut body, &given, &wanted)?;
    let receives = moving.iter().copied().filter(|position| {
        *position >= repeat.carried.len() && found.iter().any(|cotangent| cotangent.of == inner[*position])
            || turn.states.contains(position)
    });
    let receives = receives.collect();
    let pass = found.into_iter().map(|Cotangent { of, value }| (of, value)).collect();
    Ok((Reverse { repeat: repeat.clone(), body, states, pass, receives }, conventions))
}

/// A node that stands for a carried value after the turn: h[k+1].
fn after(body: &mut Program, repeat: &Repeat, start: NodeId) -> NodeId {
    let name = body.name(start).cloned().unwrap_or_default();
    let mut wish = format!("{name}[{}+1]", repeat.index);
    while body.input_named(&wish).is_some() {
        wish.push('\'');
    }
    let shape = body.shape(start).clone();
    let node = body.input(&wish, shape);
    body.set_name(node, Name::from(wish));
    node
}

fn distinct(args: &[NodeId]) -> Vec<NodeId> {
    let mut seen = Vec::new();
    for arg in args {
        if !seen.contains(arg) {
            seen.push(*arg);
        }
    }
    seen
}

/// The sum of the shares of a cotangent, in the order in which the program reads:
/// the latest share is that of the earliest use.
fn sum(program: &mut Program, parts: &[NodeId]) -> Result<NodeId, Diagnostic> {
    let mut total = parts[0];
    for part in &parts[1..] {
        total = derive::plus(program, total, *part)?;
    }
    Ok(total)
}

/// The mistake at the place of the operation.
fn placed(program: &Program, id: NodeId, told: Diagnostic) -> Diagnostic {
    Diagnostic { span: program.node(id).span, ..told }
}
