//! Closed derivatives: collected, shortened, in matrix notation.

use super::domain::{Excluded, Widened, excluded};
use super::given::Given;
use super::index::Index;
use super::reader::Reader;
use super::told::{self, Told, Way};
use crate::form::{Atom, Cost, FormId, Forms, Named, Rebuilt, Refusal, Search, Shown};
use crate::graph::{Kind, NodeId, Program};
use crate::ops::{Axes, Lower};
use crate::shape::Name;
use std::collections::BTreeSet;

/// Deeper programs have no closed derivative here: segments of them have.
const DEEPEST: usize = 150;

/// Values of more nodes are simplified with their named parts as they are.
const INLINED: usize = 200;

/// How often an answer is read and shortened once more.
const AGAIN: usize = 3;

/// A derivative or another value in its shortest spelling found.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The value as a node; where [`Reading::index`] is given, the value is that
    /// instead and this is the node that was asked about.
    pub node: NodeId,
    /// Is there a matrix expression?
    pub matrix: bool,
    /// The value in index notation, where there is no matrix expression.
    pub index: Option<Index>,
    /// What shortened it, line by line: the name, the value before, the value after.
    pub steps: Vec<(Name, NodeId, NodeId)>,
    /// Points that a cancellation left out.
    pub domain: Vec<Excluded>,
    /// The properties of the program that were used, by position.
    pub used: Vec<usize>,
}

impl Reading {
    /// The node as it is.
    fn of(node: NodeId) -> Reading {
        Reading { node, matrix: true, index: None, steps: Vec::new(), domain: Vec::new(), used: Vec::new() }
    }
}

/// The derivative of `out` with respect to `wrt`, once or twice: a gradient of
/// the variable's shape for a scalar, else the Jacobian in numerator layout.
/// Properties and settings of the program are used after differentiating.
///
/// # Errors
/// What has no derivative, or does not fit.
pub fn derivative(program: &mut Program, out: NodeId, wrt: NodeId, order: usize) -> Result<Reading, Refusal> {
    derived(program, out, wrt, order, &|_, form| Ok(form))
}

/// What `then` makes of the derivative, in its shortest spelling found. Properties
/// and settings are used after that.
pub(super) fn derived(
    program: &mut Program,
    out: NodeId,
    wrt: NodeId,
    order: usize,
    then: &dyn Fn(&mut Forms, FormId) -> Result<FormId, Refusal>,
) -> Result<Reading, Refusal> {
    if depth(program, out, wrt) > DEEPEST {
        return Err(Refusal::TooLarge);
    }
    let mut forms = Forms::new();
    below(program, out).into_iter().filter_map(|id| program.op(id)).for_each(|(op, _)| forms.hear(op));
    forms.awake(&|_| false);
    number_dimensions(program, &mut forms);
    let form = match order {
        1 => forms.derivative(program, out, wrt)?,
        _ => forms.second(program, out, wrt)?,
    };
    let form = then(&mut forms, form)?;
    finished(program, &mut forms, form, out)
}

/// A node in its shortest spelling found; it may hold places of differentials.
pub fn simplified(program: &mut Program, node: NodeId) -> Reading {
    // What a large value is made of stays as it is named.
    let mut forms = if below(program, node).len() > INLINED { Forms::with_names_as_atoms() } else { Forms::new() };
    forms.awake(&|_| false);
    number_dimensions(program, &mut forms);
    let form = forms.form_of(program, node);
    let read = form.and_then(|form| finished(program, &mut forms, form, node));
    match read {
        Ok(reading) if reading.matrix => reading,
        _ => Reading::of(node),
    }
}

/// Numbers the dimensions in the order of the inputs that have them, whatever the order
/// they are met in: their numbers decide which is written first.
fn number_dimensions(program: &Program, forms: &mut Forms) {
    for input in &program.inputs {
        program.shape(*input).0.iter().for_each(|dim| _ = forms.dim_id(dim));
    }
}

/// Applies what is known, shortens, folds names back, and reads.
fn finished(program: &mut Program, forms: &mut Forms, raw: FormId, asked: NodeId) -> Result<Reading, Refusal> {
    let mut reader = Reader::new();
    let mut reading = Reading::of(asked);
    let given = Given::of(program, forms)?;
    given.note(forms, &given.all())?;
    forms.rebuild(raw, &mut given.rebuilt())?;
    forms.awake(&|_| true);
    forms.record(true);
    let mut known = given.rebuilt();
    let settled = forms.rebuild(raw, &mut known)?;
    forms.record(false);
    let fired = std::mem::take(&mut forms.fired);
    let cancelled = told::cancelled(forms, raw, &given, &fired)?;
    let names = names(program, forms, &mut known, asked)?;
    let (folded, shortest, moves) = shortest(forms, &mut reader, settled, &names)?;
    let own = names.is_empty() && folded != settled;
    let answer = if own { read_again(program, forms, &mut reader, folded)? } else { folded };
    let widened = Widened { nodes: &below(program, asked), raw, answer, fired: &fired };
    reading.domain = excluded(program, forms, &mut known, &mut reader, &widened)?;
    let way = Way { raw, cancelled, settled, shortest, moves, folded, answer };
    let Told { lines, used } = told::lines(program, forms, &given, &way)?;
    reading.used = used;
    let mut last = None;
    for (name, form) in lines {
        let tree = reader.form(forms, form, true).and_then(|tree| reader.trees.chained(tree));
        let node = tree.and_then(|tree| reader.trees.to_node(program, tree));
        if let (Some(before), Some(after)) = (last, node)
            && before != after
        {
            reading.steps.push((name, before, after));
        }
        last = node.or(last);
    }
    let tree = reader.form(forms, answer, true).and_then(|tree| reader.trees.chained(tree));
    let tree = tree.and_then(|tree| reader.as_number_where_condition(tree));
    match tree.and_then(|tree| reader.trees.to_node(program, tree)) {
        Some(node) => reading.node = node,
        None => {
            reading.matrix = false;
            reading.index = Some(Index::new(program, forms, &mut reader, answer)?);
        }
    }
    Ok(reading)
}

/// What the search makes of an answer that is read as it is written, until it stays so:
/// terms that a move kept together are apart then, and the search may start elsewhere.
fn read_again(
    program: &mut Program,
    forms: &mut Forms,
    reader: &mut Reader,
    mut answer: FormId,
) -> Result<FormId, Refusal> {
    for _ in 0..AGAIN {
        let tree = reader.form(forms, answer, true).and_then(|tree| reader.trees.chained(tree));
        let Some(node) = tree.and_then(|tree| reader.trees.to_node(program, tree)) else { break };
        let read = forms.form_of(program, node)?;
        let next = Search::new(reader).shortest(forms, read)?;
        // As short written out: names for repeated parts must not hang on how a sum is nested.
        if next == answer || reader.cost(forms, next).1 > reader.cost(forms, answer).1 {
            break;
        }
        answer = next;
    }
    Ok(answer)
}

/// The shorter of: shortened, then names folded back; names folded back, then shortened.
/// With it the form shortened alone, and how it was.
fn shortest(
    forms: &mut Forms,
    reader: &mut Reader,
    form: FormId,
    names: &[(usize, Named)],
) -> Result<(FormId, FormId, Vec<Shown>), Refusal> {
    let mut search = Search::new(reader);
    let plain = search.shortest(forms, form)?;
    let shown = std::mem::take(&mut search.shown);
    if names.is_empty() {
        return Ok((plain, plain, shown));
    }
    let mut spelled: Vec<(usize, Named)> = Vec::new();
    for (size, name) in names {
        let short = search.shortest(forms, name.form)?;
        let earlier = largest_first(&spelled);
        for form in [name.form, short] {
            for form in [form, forms.with_names(form, &earlier)?] {
                if spelled.iter().all(|(_, known)| known.form != form) {
                    spelled.push((*size, Named { form, ..*name }));
                }
            }
        }
    }
    let spelled = largest_first(&spelled);
    let folded = forms.with_names(plain, &spelled)?;
    let early = forms.with_names(form, &spelled)?;
    let mut candidates = vec![folded, search.shortest(forms, folded)?, search.shortest(forms, early)?];
    for name in &spelled {
        if let Some(other) = forms.with_name_for_factor(plain, name)? {
            let other = forms.with_names(other, &spelled)?;
            candidates.push(search.shortest(forms, other)?);
        }
    }
    let mut best: Option<((u32, u32), FormId)> = None;
    for candidate in candidates {
        let cost = reader.cost(forms, candidate);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, candidate));
        }
    }
    Ok((best.map_or(plain, |(_, form)| form), plain, shown))
}

fn largest_first(names: &[(usize, Named)]) -> Vec<Named> {
    let mut sorted = names.to_vec();
    sorted.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    sorted.into_iter().map(|(_, named)| named).collect()
}

/// The named values that `asked` is made of, in order, with their sizes.
fn names(
    program: &mut Program,
    forms: &mut Forms,
    known: &mut Rebuilt,
    asked: NodeId,
) -> Result<Vec<(usize, Named)>, Refusal> {
    let named: Vec<NodeId> = below(program, asked).into_iter().filter(|id| program.name(*id).is_some()).collect();
    let mut found: Vec<(usize, Named)> = Vec::new();
    for node in named {
        let plain = matches!(program.node(node).kind, Kind::Input(_) | Kind::Number(_) | Kind::Size(_));
        if plain || program.shape(node).rank() > 2 {
            continue;
        }
        let Ok(form) = forms.form_of(program, node) else { continue };
        let form = forms.rebuild(form, known)?;
        if matches!(forms.as_atom(form).map(|a| forms.atom(a)).as_deref(), Some(Atom::Leaf(_))) {
            continue;
        }
        found.push((super::size(program, node), Named { node, form }));
    }
    Ok(found)
}

/// The nodes that a node is made of, itself included.
fn below(program: &Program, node: NodeId) -> BTreeSet<NodeId> {
    let mut found = BTreeSet::new();
    let mut open = vec![node];
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(&program.node(id).args);
        }
    }
    found
}

/// The most functions and matrix products that are nested between two nodes.
fn depth(program: &Program, out: NodeId, wrt: NodeId) -> usize {
    let mut depths: Vec<Option<usize>> = vec![None; out.index() + 1];
    for index in wrt.index()..=out.index() {
        let id = NodeId::new(index);
        let inner = program.node(id).args.iter().filter_map(|a| depths[a.index()]).max();
        let own = match program.op(id) {
            Some((op, _)) => match op.lower {
                Lower::Atom => 1,
                Lower::Labels(_) | Lower::Linear { .. } | Lower::As(_) => usize::from(op.axes != Axes::Elementwise),
                Lower::Sum(_) | Lower::Power => 0,
            },
            None => 0,
        };
        depths[index] = if id == wrt { Some(0) } else { inner.map(|depth| depth + own) };
    }
    depths[out.index()].unwrap_or(0)
}
