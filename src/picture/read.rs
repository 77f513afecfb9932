//! From a program to its picture.

use super::describe::{notes, title};
use super::fold::Fold;
use super::local::local;
use super::model::{Block, Edge, Node, Picture, Role};
use super::scope::{Bound, Scope, body};
use crate::derive::{Derivation, one_row, without_rows};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::graph::{Kind, NodeId, Program, Repeat};
use crate::notation::{Math, Scribe, Style};
use crate::shape::Name;
use std::collections::HashMap;

/// A picture of more nodes is none.
const MOST: usize = 60;
/// Loops are drawn within each other to this depth.
const NESTED: usize = 5;
/// So many equal segments in a row are drawn as one, …
const FOLDED: usize = 3;
/// … and so many where the picture would be too large otherwise.
const FOLDED_IF_LARGE: usize = 2;

/// The picture of what leads to `out`. With a variable, the local derivatives
/// stand at the edges; where the rows of a matrix pass apart, one row is drawn.
///
/// # Errors
/// A program that is too large for one picture.
pub fn picture(program: &Program, out: NodeId, wrt: Option<NodeId>) -> Result<Picture, Diagnostic> {
    let is_input = |id: &NodeId| matches!(program.node(*id).kind, Kind::Input(_));
    let read = program;
    let row = wrt.filter(is_input).and_then(|wrt| one_row(program, out, wrt));
    let asked = Asked {
        out: row.as_ref().map_or(out, |row| row.out),
        main: row.as_ref().map_or_else(|| main(program, out, wrt), |row| row.wrt),
        derives: wrt.is_some(),
        rows: row.as_ref().and(wrt).map(|wrt| program.shape(wrt).0[0].clone()),
        given: read.assumptions.clone(),
    };
    let program = row.as_ref().map_or(program, |row| &row.program);
    let derivation = without_rows(program, asked.out, asked.main).ok();
    let mut count = 0;
    for least in [FOLDED, FOLDED_IF_LARGE] {
        let drawn = drawn(program, derivation.as_ref(), &asked, least)?;
        count = drawn.nodes.len();
        if count <= MOST {
            return Ok(drawn);
        }
    }
    let message = format!("the picture would have {count} nodes, more than can be read ({MOST})");
    Err(Diagnostic::new(Mistake::TooLarge, message).help("draw what leads to a value on the way: --of NAME"))
}

/// What is asked about a program.
pub(super) struct Asked {
    pub out: NodeId,
    /// The variable, or the value that the main path starts from.
    pub main: NodeId,
    pub derives: bool,
    /// The dimension of the rows of which one is drawn.
    pub rows: Option<crate::shape::Dim>,
    /// What is taken as given.
    pub given: Vec<String>,
}

/// What an input is set to, and what is assumed of it.
fn given(program: &Program, id: NodeId) -> Option<String> {
    let set = program.settings.iter().find(|(node, _)| *node == id).map(|(_, number)| format!("= {number}"));
    let assumed = program.properties.iter().filter(|(node, _)| *node == id);
    let all: Vec<String> = set.into_iter().chain(assumed.map(|(_, is)| is.as_str().to_string())).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn main(program: &Program, out: NodeId, wrt: Option<NodeId>) -> NodeId {
    let leads = |id: &NodeId| crate::derive::moving(program, out, *id)[id.index()];
    let suggested = program.suggested_wrt.as_ref().map(|(id, _)| *id);
    let inputs = suggested.into_iter().chain(program.inputs.iter().copied());
    wrt.or_else(|| inputs.filter(|id| *id <= out).find(leads)).unwrap_or(out)
}

fn drawn(
    program: &Program,
    derivation: Option<&Derivation>,
    asked: &Asked,
    least: usize,
) -> Result<Picture, Diagnostic> {
    let named = derivation.filter(|_| asked.derives).map_or(program, |derivation| &derivation.program);
    let loops = derivation.map_or(&[][..], |derivation| &derivation.loops);
    let mut scope = Scope::new(named.clone(), vec![asked.out], loops, None);
    scope.main = Some(asked.main);
    scope.depends_on(&[asked.main]);
    scope.fold = derivation.map(|derivation| Fold::of(derivation, least)).unwrap_or_default();
    scope.ranges = scope.fold.ranges(program);
    let runs: Vec<usize> = scope.fold.runs.iter().map(|run| run.times).collect();
    let mut draft = Draft { derives: asked.derives, ..Draft::default() };
    let found = draft.scope(scope, 0)?;
    let at = |id: NodeId| found.get(&id).copied();
    let out = at(asked.out).unwrap_or(0);
    let main = draft.main.unwrap_or(out);
    let mut picture = Picture {
        title: title(program, asked),
        notes: notes(program, asked),
        main,
        out,
        wrt: asked.derives.then_some(main),
        nodes: draft.nodes,
        edges: draft.edges,
        blocks: draft.blocks,
    };
    picture.mark_identity();
    let next: Vec<String> = picture.blocks.iter().filter_map(|block| picture.next_turn(block)).collect();
    picture.notes.extend(next.into_iter().map(|next| format!("From turn to turn, {next}.")));
    for run in runs {
        picture.notes.push(format!("Of {run} equal blocks in a row the first is drawn."));
    }
    Ok(picture)
}

/// A picture in the making.
#[derive(Default)]
struct Draft {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    blocks: Vec<Block>,
    main: Option<usize>,
    derives: bool,
    /// So many names were given.
    named: usize,
}

impl Draft {
    /// Draws a scope; gives the node of the picture for each of its nodes.
    fn scope(&mut self, mut scope: Scope, depth: usize) -> Result<HashMap<NodeId, usize>, Diagnostic> {
        scope.settle(&mut self.named);
        let blocks = self.runs(&scope);
        let mut found: HashMap<NodeId, usize> = HashMap::new();
        let mut ends: HashMap<NodeId, Vec<Option<usize>>> = HashMap::new();
        for id in scope.ids() {
            if !scope.is_drawn(id) {
                continue;
            }
            let block = blocks.get(&id).copied().or(scope.block);
            match scope.program.node(id).kind.clone() {
                Kind::Repeat(repeat) => {
                    ends.insert(id, self.turn(&scope, id, &repeat, &found, depth)?);
                    continue;
                }
                Kind::Input(_) => self.input(&scope, id, block, &mut found),
                Kind::Carried(i) => self.after(&scope, id, i, &ends, &mut found),
                _ => self.operation(&mut scope, id, block, &mut found),
            }
            if scope.main == Some(id) {
                self.main = found.get(&id).copied();
            }
        }
        for (node, drawn) in scope.fold.into.iter() {
            if let Some(at) = found.get(drawn).copied() {
                found.insert(*node, at);
            }
        }
        Ok(found)
    }

    /// A block for each repetition that is folded, by the nodes in it.
    fn runs(&mut self, scope: &Scope) -> HashMap<NodeId, usize> {
        let mut blocks = HashMap::new();
        for run in &scope.fold.runs {
            let title = "equal blocks".to_string();
            self.blocks.push(Block { title, times: run.times.to_string(), inside: scope.block, back: Vec::new() });
            let members = run.last.iter().filter(|(drawn, last)| drawn != last);
            blocks.extend(members.map(|(drawn, _)| (*drawn, self.blocks.len() - 1)));
        }
        blocks
    }

    fn input(&mut self, scope: &Scope, id: NodeId, block: Option<usize>, found: &mut HashMap<NodeId, usize>) {
        let (role, aside, from) = match scope.bound.get(&id) {
            Some(Bound::Start(from)) => (Role::Start, Some("in each turn".to_string()), from.clone()),
            Some(Bound::Taken(from)) => (Role::Input, None, from.iter().copied().collect()),
            None => (Role::Input, given(&scope.program, id), Vec::new()),
        };
        let at = self.node(scope, id, role, block);
        self.nodes[at].aside = aside;
        found.insert(id, at);
        for from in from {
            let local = (role == Role::Start && scope.moves(id)).then_some(Math::Identity);
            self.edge(from, at, local);
        }
    }

    fn operation(&mut self, scope: &mut Scope, id: NodeId, block: Option<usize>, found: &mut HashMap<NodeId, usize>) {
        let at = self.node(scope, id, Role::Operation, block);
        self.nodes[at].expression = Some(Scribe::new(&scope.program, Style::Written).definition(id));
        found.insert(id, at);
        let mut seen: Vec<NodeId> = Vec::new();
        for arg in scope.program.node(id).args.clone() {
            for source in scope.sources(arg) {
                if seen.contains(&source) {
                    continue;
                }
                seen.push(source);
                let shown = self.derives && scope.moves(id) && scope.moves(source);
                // A folded argument goes by its own name in the operation.
                let local = if shown { local(&mut scope.program, id, arg) } else { None };
                if let Some(from) = found.get(&source) {
                    self.edge(*from, at, local);
                }
            }
        }
    }

    fn after(
        &mut self,
        scope: &Scope,
        id: NodeId,
        position: usize,
        ends: &HashMap<NodeId, Vec<Option<usize>>>,
        found: &mut HashMap<NodeId, usize>,
    ) {
        let at = self.node(scope, id, Role::After, scope.block);
        found.insert(id, at);
        let args = &scope.program.node(id).args;
        let repeat = args.first().copied().unwrap_or_default();
        if let Kind::Repeat(repeat) = &scope.program.node(repeat).kind {
            self.nodes[at].aside = Some(format!("after {} turns", repeat.count));
        }
        if let Some(from) = ends.get(&repeat).and_then(|ends| *ends.get(position)?) {
            self.edge(from, at, scope.moves(id).then_some(Math::Identity));
        }
    }

    /// The body of a loop in a block; gives the nodes of what the turn hands on.
    fn turn(
        &mut self,
        scope: &Scope,
        id: NodeId,
        repeat: &Repeat,
        found: &HashMap<NodeId, usize>,
        depth: usize,
    ) -> Result<Vec<Option<usize>>, Diagnostic> {
        if depth >= NESTED {
            let message = format!("loops are drawn within each other up to {NESTED} deep");
            return Err(Diagnostic::new(Mistake::TooLarge, message));
        }
        let title = format!("for {} in range({})", repeat.index, repeat.count);
        let block = self.blocks.len();
        self.blocks.push(Block { title, times: repeat.count.to_string(), inside: scope.block, back: Vec::new() });
        let args = scope.program.node(id).args.clone();
        let moves: Vec<bool> = args.iter().map(|arg| scope.moves(*arg)).collect();
        let mut inner = body(repeat, scope.passed(id), &moves, self.blocks.len() - 1, self.derives);
        let starts = repeat.carried.iter().map(|(start, _)| *start);
        let taken = repeat.stacked.iter().chain(&repeat.shared).copied();
        for ((position, inside), arg) in starts.chain(taken).enumerate().zip(&args) {
            let from: Vec<usize> = scope.sources(*arg).iter().filter_map(|id| found.get(id).copied()).collect();
            let bound = match position < repeat.carried.len() {
                true => Bound::Start(from),
                false => Bound::Taken(from.first().copied()),
            };
            inner.bound.insert(inside, bound);
            if scope.main == Some(*arg) && scope.is_merged_input(*arg) {
                inner.main = Some(inside);
            }
        }
        let inside = self.scope(inner, depth + 1)?;
        let hands_on = |(start, end): &(NodeId, NodeId)| Some((*inside.get(end)?, *inside.get(start)?));
        self.blocks[block].back =
            repeat.carried.iter().filter_map(hands_on).filter(|(end, start)| end != start).collect();
        Ok(repeat.carried.iter().map(|(_, end)| inside.get(end).copied()).collect())
    }

    fn node(&mut self, scope: &Scope, id: NodeId, role: Role, block: Option<usize>) -> usize {
        let name = scope.ranges.get(&id).cloned().or_else(|| scope.program.name(id).map(Name::to_string));
        let moves = !self.derives || scope.moves(id);
        let shape = scope.program.shape(id).clone();
        self.nodes.push(Node { role, name, expression: None, aside: None, shape, block, moves, identity: false });
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize, local: Option<Math>) {
        let moves = self.nodes[from].moves && self.nodes[to].moves;
        let local = local.filter(|_| self.derives && moves);
        self.edges.push(Edge { from, to, local, moves, identity: false });
    }
}
