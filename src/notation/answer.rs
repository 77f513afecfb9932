//! The answer in its readings, and what is said below it.

use super::Math;
use super::expansion::expanded;
use super::listing::name_of;
use super::map::Maps;
use super::of::{Scribe, Style};
use super::page::{Block, Fact, Row};
use super::sheet::{Detail, Layout, Sheet};
use super::shown::Shown;
use super::skips::skips;
use super::transpose::{flipped, ranks};
use crate::derive::{Derivation, View};
use crate::form::CANCELLATIONS;
use crate::graph::{NodeId, Program};
use crate::reading::Answers;
use crate::shape::Name;
use crate::witness::Report;

/// What the terms of an answer are put together by.
const COLLECT: &str = "collect";
/// More rewrites than this are not named on one line.
const SAID: usize = 2;

/// The derivative in its readings, and whether an I stands in it. A gradient ends
/// the lines that are there already.
pub(super) fn answer(derivation: &Derivation, answers: &Answers, maps: &Maps, sheet: &Sheet, blocks: &mut Vec<Block>) {
    let asked = |reading| sheet.readings.is_none_or(|asked| asked.contains(&reading));
    let gradient = answers.gradient.filter(|_| derivation.view == View::Differential);
    let gradient = gradient.filter(|_| asked(Shown::Gradient));
    if let Some(gradient) = gradient {
        gradient_lines(answers, gradient, sheet.detail, blocks);
    } else if derivation.view == View::Jacobian && asked(Shown::Jacobian) {
        let answer = jacobian(derivation, answers, maps, sheet);
        let answer = joined(blocks, answer);
        blocks.push(answer);
    } else if sheet.detail == Detail::Answer && answers.differential.is_none() {
        let math = maps.plain(&derivation.result, derivation.wrt, View::Differential);
        let left = maps.left(derivation.out, derivation.wrt, View::Differential);
        blocks.push(Block::Lines(left, vec![Row { math, why: String::new() }]));
    }
    if sheet.expand {
        blocks.extend(expanded(derivation, maps));
    }
    blocks.extend(skips(derivation, answers, maps, sheet).map(Block::Prose));
    // Beside a gradient, and of one, nothing else is usual.
    let usual = sheet.readings.is_some() || gradient.is_none() && !sheet.of_gradient;
    let readings = readings(answers, |reading| usual && asked(reading));
    if !readings.is_empty() {
        blocks.push(Block::Facts(readings));
    }
}

/// The answer; lines before it that say no more than it go into it.
fn joined(blocks: &mut Vec<Block>, answer: Block) -> Block {
    let (Some(Block::Lines(left, before)), Block::Lines(of, rows)) = (blocks.last(), &answer) else { return answer };
    match (&before[..], &rows[..]) {
        ([only], [row]) if left == of && plain(&only.math) == plain(&row.math) => {
            let row = Row { why: format!("{}; {}", only.why, row.why), ..row.clone() };
            let left = of.clone();
            blocks.pop();
            Block::Lines(left, vec![row])
        }
        _ => answer,
    }
}

/// The formula without marks.
fn plain(math: &Math) -> Math {
    let mut math = math.plain().clone();
    math.each(&mut |part| *part = plain(part));
    math
}

/// … = ⟨G, dx⟩, so ∇L = G.
fn gradient_lines(answers: &Answers, gradient: NodeId, detail: Detail, blocks: &mut Vec<Block>) {
    let scribe = Scribe::new(&answers.program, Style::Columns);
    let (out, wrt) = (scribe.math(answers.out), scribe.math(answers.wrt));
    let written = scribe.definition(gradient);
    let inner = |math: Math| Math::Inner(Box::new(math), Box::new(Math::differential(wrt.clone())));
    let lines = answers.collected.iter().map(|(why, node)| (why.clone(), inner(scribe.definition(*node)))).collect();
    let collected = match collected_rows(&answers.program, lines, detail) {
        rows if rows.is_empty() => vec![Row { math: inner(written.clone()), why: "collect".into() }],
        rows => rows,
    };
    let differential = Math::differential(out.clone());
    match blocks.iter_mut().rev().find_map(|block| match block {
        Block::Lines(left, rows) if *left == differential => Some(rows),
        _ => None,
    }) {
        Some(rows) => rows.extend(collected),
        None if detail == Detail::Answer => {}
        None => blocks.push(Block::Lines(differential.clone(), collected)),
    }
    let name = |math: &Math| if let Math::Name(name) = math { name.to_string() } else { "L".to_string() };
    let why = format!(
        "d{l} = ⟨G, d{x}⟩, so ∇{l} = G; {}",
        shape(&answers.program, answers.wrt),
        l = name(&out),
        x = name(&wrt)
    );
    blocks.push(Block::Lines(Math::Gradient(Box::new(out)), vec![Row { math: written, why }]));
}

/// The Jacobian matrix, its closed form where that is shorter.
fn jacobian(derivation: &Derivation, answers: &Answers, maps: &Maps, sheet: &Sheet) -> Block {
    let layout = sheet.layout;
    let (out, wrt) = (derivation.out, derivation.wrt);
    let program = &derivation.program;
    let (dims_out, dims_wrt) = (program.shape(out), program.shape(wrt));
    let (name, dims) = match layout {
        Layout::Numerator => ("numerator", [&dims_out.0[..], &dims_wrt.0].concat()),
        Layout::Denominator => ("denominator", [&dims_wrt.0[..], &dims_out.0].concat()),
    };
    let says = match dims.len() {
        0 => "derivative of a scalar by a scalar".to_string(),
        _ => format!("Jacobian, {name} layout, {}", crate::shape::Shape(dims)),
    };
    let ranks = ranks(program);
    let laid_out = |math: Math| if layout == Layout::Denominator { flipped(math, &ranks) } else { math };
    let mut rows = Vec::new();
    let result = maps.plain(&derivation.result, wrt, View::Jacobian);
    let scribe = Scribe::new(program, Style::Columns);
    let collected = answers.collected.iter().map(|(why, node)| (why.clone(), scribe.definition(*node)));
    let collected: Vec<_> = collected.collect();
    // What is not shorter by a quarter on the page is no gain to the reader.
    if collected.last().is_some_and(|(_, math)| 4 * math.weight() <= 3 * result.weight()) {
        // Without parts the lines above end in it.
        if sheet.detail != Detail::Answer && !derivation.parts.is_empty() {
            rows.push(Row { math: laid_out(result.clone()), why: "from above".into() });
        }
        let collected = collected_rows(program, collected, sheet.detail);
        rows.extend(collected.into_iter().map(|row| Row { math: laid_out(row.math), ..row }));
    }
    let says = if layout == Layout::Denominator { format!("transposed; {says}") } else { says };
    if let Some(row) = rows.last_mut() {
        row.why = format!("{}; {says}", row.why);
    } else {
        let above = !derivation.parts.is_empty() && sheet.detail != Detail::Answer;
        let from_above = if above { "from above; " } else { "" };
        rows.push(Row { math: laid_out(result), why: format!("{from_above}{says}") });
    }
    Block::Lines(maps.left(out, wrt, View::Jacobian), rows)
}

/// What was collected: line by line, or at once with the names of what was done.
fn collected_rows(program: &Program, lines: Vec<(Name, Math)>, detail: Detail) -> Vec<Row> {
    let properties: Vec<&str> = program.properties.iter().map(|(_, property)| property.as_str()).collect();
    if detail == Detail::Full {
        let mut rows: Vec<Row> = Vec::new();
        for (why, math) in lines {
            // What is written as before is no line.
            if rows.last().is_none_or(|row| row.math != math) {
                rows.push(Row { math, why: why.to_string() });
            }
        }
        return rows;
    }
    // Facts are said, moves are not.
    let fact =
        |why: &Name| CANCELLATIONS.iter().any(|rule| *rule.name == **why) || properties.iter().any(|p| **p == **why);
    let mut whys: Vec<Name> = Vec::new();
    for (why, _) in lines.iter().filter(|(why, _)| fact(why)) {
        if !whys.contains(why) {
            whys.push(why.clone());
        }
    }
    let why = if whys.is_empty() || whys.len() > SAID { COLLECT.to_string() } else { whys.join("; ") };
    lines.into_iter().next_back().map(|(_, math)| Row { math, why }).into_iter().collect()
}

/// The differential and the pullback.
fn readings(answers: &Answers, asked: impl Fn(Shown) -> bool) -> Vec<(String, Fact)> {
    let program = &answers.program;
    let mut scribe = Scribe::new(program, Style::Columns);
    let short = short_name(program, answers.out);
    if let Some(short) = &short {
        scribe = scribe.result(answers.out, short.clone());
    }
    let bar = |id: NodeId| Math::Bar(Box::new(scribe.math(id)));
    let mut facts = Vec::new();
    if let Some(node) = answers.differential.filter(|_| asked(Shown::Differential)) {
        let left = Math::differential(scribe.math(answers.out));
        facts.push(("as a differential".to_string(), Fact::Equation(left, scribe.definition(node))));
    }
    if !asked(Shown::Pullback) {
        return facts;
    }
    let mut label = "backwards".to_string();
    if let Some(node) = answers.pullback {
        facts.push((std::mem::take(&mut label), Fact::Equation(bar(answers.wrt), scribe.definition(node))));
    }
    for cotangent in answers.backward.iter().take(24) {
        let equation = Fact::Equation(bar(cotangent.of), scribe.definition(cotangent.value));
        facts.push((std::mem::take(&mut label), equation));
    }
    if answers.backward.len() > 24 {
        let says = format!("and {} more", answers.backward.len() - 24);
        facts.push((String::new(), Fact::Prose(vec![says.into()])));
    }
    if label.is_empty()
        && let Some(short) = short
    {
        let says = vec![
            Math::Bar(Box::new(Math::Name(short))).into(),
            format!(" is the cotangent of {}", name_of(program, answers.out)).into(),
        ];
        facts.push((String::new(), Fact::Prose(says)));
    }
    facts
}

/// ō for the cotangent of `out`: the first letter, where nothing else has that name.
pub(super) fn short_name(program: &Program, out: NodeId) -> Option<Name> {
    let name = program.name(out)?;
    let first = name.chars().next()?.to_string();
    let clash = program.graph().node_indices().filter_map(|id| program.name(id)).any(|other| **other == *first);
    (name.chars().count() > 1 && !clash).then(|| Name::from(first))
}

fn shape(program: &Program, id: NodeId) -> String {
    program.shape(id).to_string()
}

/// Conventions, assumptions, the check.
pub(super) fn notes(derivation: &Derivation, answers: &Answers, report: Option<&Report>, sheet: &Sheet) -> Vec<Block> {
    let mut facts: Vec<(String, Fact)> = Vec::new();
    let mut note = |label: &str, says: String| facts.push((label.to_string(), Fact::Prose(vec![says.into()])));
    if !answers.conventions.is_empty() {
        note("conventions", answers.conventions.join("; "));
    }
    let read = derivation.whole.as_ref().map_or(&derivation.program, |whole| &whole.program);
    for (i, says) in read.assumptions.iter().enumerate() {
        note(if i == 0 { "taken as given" } else { "" }, says.clone());
    }
    let stated = read.properties.iter().filter_map(|(node, p)| Some(format!("{} {}", read.name(*node)?, p.as_str())));
    for (i, says) in stated.enumerate() {
        note(if i == 0 && read.assumptions.is_empty() { "taken as given" } else { "" }, says);
    }
    match report {
        Some(report) => {
            let count = derivation.loops.first().map_or_else(|| "N".to_string(), |passed| passed.count.to_string());
            note("checked", checked_says(report, &count, sheet.verbose));
        }
        None => note("not checked", "the steps were not compared with difference quotients (--no-check)".into()),
    }
    vec![Block::Facts(facts)]
}

/// What was compared, where, and to how many digits; `count` is how often loops run.
pub(super) fn checked_says(report: &Report, count: &str, verbose: bool) -> String {
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let what = match (report.steps, report.answer) {
        (0, true) => "the answer".to_string(),
        (steps, true) => format!("{} and the answer", plural(steps, "step")),
        (steps, false) => plural(steps, "step"),
    };
    let mut says = format!("{what} against central differences at {}", plural(report.points, "point"));
    if !report.turns.is_empty() {
        let turns: Vec<String> = report.turns.iter().map(usize::to_string).collect();
        says += &format!(" with {count} = {}", turns.join(", "));
    }
    says += &format!(", to {} digits", report.digits);
    if report.unchecked > 0 {
        says += &format!("; {} not checkable at these points", plural(report.unchecked, "step"));
    }
    if report.left_out > 0 {
        says += &format!("; {} beside a kink left out", plural(report.left_out, "entry").replace("entrys", "entries"));
    }
    if verbose {
        says += &format!("; largest relative difference {:.1e}", report.worst);
    }
    says
}
