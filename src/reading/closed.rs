//! Closed derivatives: collected, shortened, in matrix notation.

use super::index::Index;
use super::reader::Reader;
use crate::form::{Atom, FormId, Forms, Named, Rebuilt, Refusal, Search};
use crate::graph::{Kind, NodeId, Program};

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
    /// What shortened it: the name, the part before, the part after.
    pub steps: Vec<(&'static str, NodeId, NodeId)>,
    /// Points that a cancellation left out, one sentence each.
    pub domain: Vec<String>,
}

/// The derivative of `out` with respect to `wrt`, once or twice: a gradient of
/// the variable's shape for a scalar, else the Jacobian in numerator layout.
/// Properties and settings of the program are used after differentiating.
///
/// # Errors
/// What has no derivative, or does not fit.
pub fn derivative(program: &mut Program, out: NodeId, wrt: NodeId, order: usize) -> Result<Reading, Refusal> {
    let mut forms = Forms::new();
    let form = match order {
        1 => forms.derivative(program, out, wrt)?,
        _ => forms.second(program, out, wrt)?,
    };
    finished(program, &mut forms, form, out, true)
}

/// A node in its shortest spelling found; it may hold places of differentials.
pub fn simplified(program: &mut Program, node: NodeId) -> Reading {
    let mut forms = Forms::new();
    let read = forms.form_of(program, node).and_then(|form| finished(program, &mut forms, form, node, true));
    let unchanged = Reading { node, matrix: true, index: None, steps: Vec::new(), domain: Vec::new() };
    match read {
        Ok(reading) if reading.matrix => reading,
        _ => unchanged,
    }
}

/// Applies what is known, shortens, folds names back, and reads.
pub(super) fn finished(
    program: &mut Program,
    forms: &mut Forms,
    form: FormId,
    asked: NodeId,
    shorten: bool,
) -> Result<Reading, Refusal> {
    let mut known = at_the_point(program, forms)?;
    forms.record(true);
    let form = forms.rebuild(form, &mut known)?;
    forms.record(false);
    let fired = std::mem::take(&mut forms.fired);
    let names = names(program, forms, &mut known)?;
    let mut reader = Reader::new();
    let (best, shown) = if shorten { shortest(forms, &mut reader, form, &names)? } else { (form, Vec::new()) };
    let mut reading = Reading { node: asked, matrix: true, index: None, steps: Vec::new(), domain: Vec::new() };
    for shot in fired {
        step(program, forms, &mut reader, &mut reading, shot.rule.name, shot.before, shot.after);
        if !shot.rule.excluded.is_empty()
            && let Some(node) = reading.steps.last().map(|(_, before, _)| *before)
        {
            let text = format!("{}: {}", shot.rule.excluded, super::text(program, node));
            if !reading.domain.contains(&text) {
                reading.domain.push(text);
            }
        }
    }
    for made in shown {
        step(program, forms, &mut reader, &mut reading, made.by.name, made.before, made.after);
    }
    let tree = reader.form(forms, best, true);
    match tree.and_then(|tree| reader.trees.to_node(program, tree)) {
        Some(node) => reading.node = node,
        None => {
            reading.matrix = false;
            reading.index = Some(Index::new(program, forms, &mut reader, best)?);
        }
    }
    Ok(reading)
}

fn step(
    program: &mut Program,
    forms: &mut Forms,
    reader: &mut Reader,
    reading: &mut Reading,
    name: &'static str,
    before: FormId,
    after: FormId,
) {
    let (Some(before), Some(after)) = (reader.form(forms, before, true), reader.form(forms, after, true)) else {
        return;
    };
    let nodes = reader.trees.to_node(program, before).zip(reader.trees.to_node(program, after));
    if let Some((before, after)) = nodes
        && before != after
        && !reading.steps.contains(&(name, before, after))
    {
        reading.steps.push((name, before, after));
    }
}

/// The shorter of: shortened, then names folded back; names folded back, then shortened.
fn shortest(
    forms: &mut Forms,
    reader: &mut Reader,
    form: FormId,
    names: &[Named],
) -> Result<(FormId, Vec<crate::form::Shown>), Refusal> {
    let (plain, shown, spelled) = {
        let mut search = Search::new(reader);
        let plain = search.shortest(forms, form)?;
        let shown = std::mem::take(&mut search.shown);
        let mut spelled = names.to_vec();
        for name in names {
            let form = search.shortest(forms, name.form)?;
            if form != name.form {
                spelled.push(Named { form, ..*name });
            }
        }
        (plain, shown, spelled)
    };
    if names.is_empty() {
        return Ok((plain, shown));
    }
    let folded = forms.with_names(plain, &spelled)?;
    let early = forms.with_names(form, names)?;
    let mut search = Search::new(reader);
    let late = search.shortest(forms, early)?;
    let again = search.shortest(forms, folded)?;
    let price = |forms: &mut Forms, reader: &mut Reader, form| crate::form::Cost::cost(reader, forms, form);
    let mut best = (price(forms, reader, folded), folded);
    for other in [again, late] {
        let cost = price(forms, reader, other);
        if cost < best.0 {
            best = (cost, other);
        }
    }
    Ok((best.1, shown))
}

/// Settings and properties of the program, as replacements and facts.
fn at_the_point(program: &mut Program, forms: &mut Forms) -> Result<Rebuilt, Refusal> {
    let mut known = Rebuilt::default();
    for (node, number) in program.settings.clone() {
        let leaf = forms.form_of(program, node)?;
        if let Some(atom) = forms.as_atom(leaf) {
            let shape = forms.form(leaf).shape.clone();
            let constant = forms.constant(number, shape)?;
            known.replace(atom, constant);
        }
    }
    let mut properties = program.properties.clone();
    // What is known of inputs first: it may simplify the rest.
    properties.sort_by_key(|(node, _)| !matches!(program.node(*node).kind, Kind::Input(_)));
    for (node, property) in properties {
        if let Ok(form) = forms.form_of(program, node) {
            forms.note(form, &property)?;
            let rebuilt = forms.rebuild(form, &mut Rebuilt::default())?;
            if rebuilt != form {
                forms.note(rebuilt, &property)?;
            }
        }
    }
    Ok(known)
}

/// The named values of the program that names can be folded back to, biggest first.
fn names(program: &mut Program, forms: &mut Forms, known: &mut Rebuilt) -> Result<Vec<Named>, Refusal> {
    let mut found: Vec<(usize, Named)> = Vec::new();
    let mut seen = Vec::new();
    for definition in program.definitions.clone() {
        let node = definition.node;
        let plain = matches!(program.node(node).kind, Kind::Input(_) | Kind::Number(_) | Kind::Size(_));
        if plain || seen.contains(&node) || program.shape(node).rank() > 2 {
            continue;
        }
        seen.push(node);
        let Ok(form) = forms.form_of(program, node) else { continue };
        let form = forms.rebuild(form, known)?;
        if matches!(forms.as_atom(form).map(|a| forms.atom(a)).as_deref(), Some(Atom::Leaf(_))) {
            continue;
        }
        found.push((super::size(program, node), Named { node, form }));
    }
    found.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    Ok(found.into_iter().map(|(_, named)| named).collect())
}
