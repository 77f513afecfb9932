//! How a value was simplified, line by line: each property, cancellation and move by name.

use super::given::{Given, says, settings, with_properties};
use super::reader::Reader;
use crate::form::{CANCELLATIONS, Fired, FormId, Forms, Refusal, Search, Shown};
use crate::graph::Program;
use crate::shape::Name;

/// The forms that a value went through.
pub struct Way {
    /// Before anything was cancelled or known.
    pub raw: FormId,
    /// After each cancellation that fired, with those before it.
    pub cancelled: Vec<(&'static str, FormId)>,
    /// Everything known, everything cancelled.
    pub settled: FormId,
    /// The end of the search for the shortest.
    pub shortest: FormId,
    /// The moves that led there.
    pub moves: Vec<Shown>,
    /// Names folded back.
    pub folded: FormId,
    /// As it is when it is read again.
    pub answer: FormId,
}

/// What was done, step by step.
pub struct Told {
    /// The name of each step and the form after it.
    pub lines: Vec<(Name, FormId)>,
    /// The positions of the properties that were used.
    pub used: Vec<usize>,
}

/// The form after each cancellation that fired, with those before it.
pub fn cancelled(
    forms: &mut Forms,
    raw: FormId,
    given: &Given,
    fired: &[Fired],
) -> Result<Vec<(&'static str, FormId)>, Refusal> {
    let rules = CANCELLATIONS.iter().filter(|rule| !rule.respells).map(|rule| rule.name);
    let rules: Vec<_> = rules.filter(|name| fired.iter().any(|f| f.rule.name == *name)).collect();
    let mut found = Vec::new();
    for (i, name) in rules.iter().enumerate() {
        forms.awake(&|rule| rules[..=i].contains(&rule.name));
        found.push((*name, forms.rebuild(raw, &mut given.rebuilt())?));
    }
    forms.awake(&|_| true);
    Ok(found)
}

/// The lines with their names, and the positions of the properties that were used.
pub fn lines(program: &Program, forms: &mut Forms, given: &Given, way: &Way) -> Result<Told, Refusal> {
    let used = used(forms, given, way)?;
    let mut lines = vec![(Name::from(""), way.raw)];
    let mut open = by_properties(program, forms, given, way, &used, &mut lines)?;
    for (i, (name, form)) in way.cancelled.iter().enumerate() {
        let mut here = Vec::new();
        if !open.is_empty() {
            forms.awake(&|rule| way.cancelled[..=i].iter().any(|(name, _)| *name == rule.name));
            let needed = given
                .needed(forms, (&[], &used), &|forms| Ok(forms.rebuild(way.raw, &mut given.rebuilt())? == *form))?;
            (here, open) = open.into_iter().partition(|place| needed.contains(place));
        }
        lines.push((with_properties(program, name, &here), *form));
    }
    forms.awake(&|_| true);
    lines.push((with_properties(program, "collect", &open), way.settled));
    lines.extend(way.moves.iter().map(|made| (Name::from(made.by.name), made.after)));
    lines.push((Name::from("names put back"), way.folded));
    lines.push((Name::from("collect"), way.answer));
    Ok(Told { lines, used })
}

/// The properties without which the form, or the shortest form, would be another.
fn used(forms: &mut Forms, given: &Given, way: &Way) -> Result<Vec<usize>, Refusal> {
    let all = given.all();
    let mut used =
        given.needed(forms, (&[], &all), &|forms| Ok(forms.rebuild(way.raw, &mut given.rebuilt())? == way.settled))?;
    let rest: Vec<usize> = all.into_iter().filter(|place| !used.contains(place)).collect();
    let in_search = given.needed(forms, (&used, &rest), &|forms| {
        Ok(Search::new(&mut Reader::new()).shortest(forms, way.settled)? == way.shortest)
    })?;
    used.extend(in_search);
    used.sort_unstable();
    Ok(used)
}

/// A line for the settings and for each property that by itself changes the form;
/// the properties that do not.
fn by_properties(
    program: &Program,
    forms: &mut Forms,
    given: &Given,
    way: &Way,
    used: &[usize],
    lines: &mut Vec<(Name, FormId)>,
) -> Result<Vec<usize>, Refusal> {
    if !given.sets() && used.is_empty() {
        return Ok(Vec::new());
    }
    forms.awake(&|_| false);
    given.note(forms, &[])?;
    let mut last = forms.rebuild(way.raw, &mut given.rebuilt())?;
    if given.sets() {
        lines.push((settings(program), last));
    }
    let mut open = Vec::new();
    for (i, place) in used.iter().enumerate() {
        given.note(forms, &used[..=i])?;
        let next = forms.rebuild(way.raw, &mut given.rebuilt())?;
        if next == last {
            open.push(*place);
        } else {
            lines.push((Name::from(says(program, *place)), next));
        }
        last = next;
    }
    given.note(forms, &given.all())?;
    forms.awake(&|_| true);
    Ok(open)
}
