//! The answer in its readings, and what is said below it.

use super::Math;
use super::back;
use super::expansion::expanded;
use super::listing::name_of;
use super::map::Maps;
use super::of::{Scribe, Style};
use super::page::{Block, Fact, Piece, Row, Says, filled};
use super::readings::readings;
use super::says::{given, shape};
use super::sheet::{Detail, Layout, Sheet};
use super::shown::Shown;
use super::skips::skips;
use super::transpose::{flipped, ranks};
use crate::derive::{Derivation, View};
use crate::form::CANCELLATIONS;
use crate::graph::{NodeId, Program};
use crate::reading::{Answers, Condition, Excluded, Structured, says, with_properties};
use crate::shape::{Name, Shape};
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
        blocks.extend(answers.structured.iter().flat_map(|found| structured(answers, gradient, *found)));
    } else if derivation.view == View::Jacobian && asked(Shown::Jacobian) {
        let answer = jacobian(derivation, answers, maps, sheet);
        let answer = joined(blocks, answer);
        blocks.push(answer);
    } else if sheet.detail == Detail::Answer && answers.differential.is_none() {
        let math = maps.plain(&derivation.result, derivation.wrt, View::Differential);
        let left = maps.left(derivation.out, derivation.wrt, View::Differential);
        blocks.push(Block::Lines(left, vec![Row::new(math, "")]));
    }
    if sheet.of_gradient && derivation.view == View::Differential && gradient.is_none() {
        blocks.push(operator(derivation, answers, maps));
    }
    if sheet.expand {
        blocks.extend(expanded(derivation, maps));
    }
    blocks.extend(skips(derivation, answers, maps, sheet).map(Block::Prose));
    // Beside a gradient, and of one, nothing else is usual.
    let usual = sheet.readings.is_some() || gradient.is_none() && !sheet.of_gradient;
    let readings = readings(derivation, answers, |reading| usual && asked(reading));
    if !readings.is_empty() {
        blocks.push(Block::Facts(readings));
    }
    let program = &answers.program;
    if usual && asked(Shown::Pullback) && back::passes_loops(program, &answers.backward) {
        blocks.extend(back::blocks(program, answers.out, &answers.backward));
    }
}

/// The second derivative as the operator it is: H[dX].
fn operator(derivation: &Derivation, answers: &Answers, maps: &Maps) -> Block {
    let program = &answers.program;
    let taken =
        |letter: &str| program.graph().node_indices().any(|id| program.name(id).is_some_and(|n| **n == *letter));
    let letter = ["H", "K", "Q"].into_iter().find(|letter| !taken(letter)).unwrap_or("Hess");
    let moved = Math::differential(maps.node(derivation.wrt));
    let math = match answers.differential {
        Some(node) => Scribe::new(program, Style::Columns).definition(node),
        None => maps.plain(&derivation.result, derivation.wrt, View::Differential),
    };
    let names = [derivation.out, derivation.wrt].map(|id| name_of(program, id));
    let why = filled("the change of {} along that of {}", names);
    Block::Lines(Math::Applied(Box::new(Math::name(letter)), Box::new(moved)), vec![Row::new(math, why)])
}

/// The answer; lines before it that say no more than it go into it.
fn joined(blocks: &mut Vec<Block>, answer: Block) -> Block {
    let (Some(Block::Lines(left, before)), Block::Lines(of, rows)) = (blocks.last(), &answer) else { return answer };
    match (&before[..], &rows[..]) {
        ([only], [row]) if left == of && plain(&only.math) == plain(&row.math) => {
            let why = Says::joined([only.why.clone(), row.why.clone()]);
            let row = Row { math: row.math.clone(), why, found: only.found.clone() };
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
        rows if rows.is_empty() => {
            let why = given(&answers.program, &with_properties(&answers.program, COLLECT, &answers.gradient_uses));
            vec![Row::new(inner(written.clone()), why)]
        }
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
    let name = |math: &Math| if let Math::Name(_) = math { math.clone() } else { Math::name("L") };
    let (l, x, g) = (name(&out), name(&wrt), Math::name("G"));
    let equal = |left: Math, right: Math| Math::Comparison("=", Box::new(left), Box::new(right)).into();
    let applied = Math::Inner(Box::new(g.clone()), Box::new(Math::differential(x)));
    let both = [equal(Math::differential(l.clone()), applied), equal(Math::Gradient(Box::new(l)), g)];
    let why = Says::joined([filled("{}, so {}", both).into(), shape(answers.program.shape(answers.wrt))]);
    blocks.push(Block::Lines(Math::Gradient(Box::new(out)), vec![Row::new(written, why)]));
}

/// What is called a derivative by a symmetric or diagonal matrix, each by its name.
fn structured(answers: &Answers, gradient: NodeId, found: Structured) -> Vec<Block> {
    let scribe = Scribe::new(&answers.program, Style::Columns);
    let wrt = scribe.math(answers.wrt);
    let g = Math::Gradient(Box::new(scribe.math(answers.out)));
    let both = || Math::sum([(false, g.clone()), (false, g.clone().transposed())]);
    let diagonal = || Math::hadamard([g.clone(), Math::Identity]);
    let fact =
        |label: &str, left: Math, node: NodeId| (label.to_string(), Fact::Equation(left, scribe.definition(node)));
    let (says, facts) = match found {
        Structured::Symmetric { gradient: half, tied } => (
            " is symmetric at the point. Three values are called the derivative by it:",
            vec![
                fact("independent entries", g.clone(), gradient),
                fact("symmetric gradient", Math::fraction(both(), Math::whole(2)), half),
                fact("tied entries", Math::sum([(false, both()), (true, diagonal())]), tied),
            ],
        ),
        Structured::Diagonal(node) => (
            " is diagonal at the point. Two values are called the derivative by it:",
            vec![fact("independent entries", g.clone(), gradient), fact("diagonal entries alone", diagonal(), node)],
        ),
    };
    vec![Block::Prose(vec![wrt.into(), says.into()]), Block::Facts(facts)]
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
    let mut says = match dims.len() {
        0 => Says::from("derivative of a scalar by a scalar"),
        _ => Says([vec![format!("Jacobian, {name} layout, ").into()], shape(&Shape(dims)).0].concat()),
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
            rows.push(Row::new(laid_out(result.clone()), "from above"));
        }
        let collected = collected_rows(program, collected, sheet.detail);
        rows.extend(collected.into_iter().map(|row| Row { math: laid_out(row.math), ..row }));
    }
    if layout == Layout::Denominator {
        says = Says::joined(["transposed".into(), says]);
    }
    if let Some(row) = rows.last_mut() {
        row.why = Says::joined([std::mem::take(&mut row.why), says]);
    } else {
        let above = !derivation.parts.is_empty() && sheet.detail != Detail::Answer;
        let from_above = Says::from(if above { "from above" } else { "" });
        rows.push(Row::new(laid_out(result), Says::joined([from_above, says])));
    }
    Block::Lines(maps.left(out, wrt, View::Jacobian), rows)
}

/// What was collected: line by line, or at once with the names of what was done.
fn collected_rows(program: &Program, lines: Vec<(Name, Math)>, detail: Detail) -> Vec<Row> {
    if detail == Detail::Full {
        let mut rows: Vec<Row> = Vec::new();
        for (why, math) in lines {
            // What is written as before is no line.
            if rows.last().is_none_or(|row| row.math != math) {
                rows.push(Row::new(math, given(program, &why)));
            }
        }
        return rows;
    }
    // Facts are said, moves are not.
    let fact = |why: &Name| {
        let bare = why.split_once(" (").map_or(&**why, |(bare, _)| bare);
        let property = |place| says(program, place) == **why;
        bare != &**why
            || CANCELLATIONS.iter().any(|rule| *rule.name == *bare)
            || (0..program.properties.len()).any(property)
    };
    let mut whys: Vec<Name> = Vec::new();
    for (why, _) in lines.iter().filter(|(why, _)| fact(why)) {
        if !whys.contains(why) {
            whys.push(why.clone());
        }
    }
    let why = if whys.is_empty() || whys.len() > SAID { COLLECT.to_string() } else { whys.join("; ") };
    lines.into_iter().next_back().map(|(_, math)| Row::new(math, given(program, &why))).into_iter().collect()
}

/// Conventions, assumptions, the check.
pub(super) fn notes(derivation: &Derivation, answers: &Answers, report: Option<&Report>, sheet: &Sheet) -> Vec<Block> {
    let mut facts: Vec<(String, Fact)> = Vec::new();
    let mut note = |label: &str, says: Says| facts.push((label.to_string(), Fact::Prose(says.0)));
    if !answers.conventions.is_empty() {
        note("conventions", answers.conventions.join("; ").into());
    }
    let read = derivation.read();
    for (i, says) in read.assumptions.iter().enumerate() {
        note(if i == 0 { "taken as given" } else { "" }, says.clone().into());
    }
    for (i, says) in assumed(answers).into_iter().enumerate() {
        note(if i == 0 { "assumed" } else { "" }, given(&answers.program, &says));
    }
    match report {
        Some(report) => {
            let count = derivation.loops.first().map_or_else(|| "N".to_string(), |passed| passed.count.to_string());
            note("checked", checked_says(report, "step", &count, sheet.verbose).into());
        }
        None => note("not checked", "the steps were not compared with difference quotients (--no-check)".into()),
    }
    let domain = domain(derivation, answers);
    if !domain.is_empty() {
        facts.insert(0, ("for".to_string(), Fact::Prose(domain)));
    }
    vec![Block::Facts(facts)]
}

/// The properties given, and whether the answer uses them.
fn assumed(answers: &Answers) -> Vec<String> {
    let program = &answers.program;
    let mut lines = Vec::new();
    for (place, (node, _)) in program.properties.iter().enumerate() {
        let used = answers.used.contains(&place) || answers.structured.is_some() && *node == answers.wrt;
        let besides = match (used, program.inputs.contains(node)) {
            (true, _) => "",
            (false, true) => " (used for the points of the check alone)",
            (false, false) => " (not used)",
        };
        lines.push(format!("{}{besides}", says(program, place)));
    }
    lines
}

/// Where the answer holds, if it does not show that itself: x ≠ 0.
fn domain(derivation: &Derivation, answers: &Answers) -> Vec<Piece> {
    let mut all: Vec<Vec<Piece>> = Vec::new();
    for (program, found) in [(&answers.program, &answers.domain), (&derivation.program, &answers.jacobian_domain)] {
        let scribe = Scribe::new(program, Style::Columns);
        for Excluded { node, unless } in found {
            // A power is 0 where its base is.
            let math = match (scribe.math(*node), unless) {
                (Math::Power(base, _), Condition::Nonzero) => *base,
                (math, _) => math,
            };
            let compared = |sign| Math::Comparison(sign, Box::new(math.clone()), Box::new(Math::whole(0)));
            let pieces = match unless {
                Condition::Nonzero => vec![compared("≠").into()],
                Condition::Positive => vec![compared(">").into()],
                Condition::Invertible => vec![math.into(), " invertible".into()],
            };
            if !all.contains(&pieces) {
                all.push(pieces);
            }
        }
    }
    all.join(&Piece::from(", "))
}

/// What was compared, where, and to how many digits: steps, or what else is compared one by
/// one; `count` is how often loops run.
pub(super) fn checked_says(report: &Report, step: &str, count: &str, verbose: bool) -> String {
    let plural = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    let what = match (report.steps, report.answer) {
        (0, true) => "the answer".to_string(),
        (steps, true) => format!("{} and the answer", plural(steps, step)),
        (steps, false) => plural(steps, step),
    };
    let mut says = format!("{what} against central differences at {}", plural(report.points, "point"));
    if !report.turns.is_empty() {
        let turns: Vec<String> = report.turns.iter().map(usize::to_string).collect();
        says += &format!(" with {count} = {}", turns.join(", "));
    }
    says += &format!(", to {} digits", report.digits);
    if report.unchecked > 0 {
        says += &format!("; {} not checkable at these points", plural(report.unchecked, step));
    }
    if report.left_out > 0 {
        says += &format!("; {} beside a kink left out", plural(report.left_out, "entry").replace("entrys", "entries"));
    }
    if verbose {
        says += &format!("; largest relative difference {:.1e}", report.worst);
    }
    says
}
