//! The check: every step where it happens, the answer end to end.
//!
//! Runs of the program at x ± hv give the difference quotient of every node at
//! once (`quotient`). A pending d(node)/dx is that quotient, never its own
//! expansion, so no rule is compared with itself. A step is compared on the part
//! that it rewrote, relative to that part's size: all steps cost a few runs for
//! each direction, and depth piles up no errors. The finished answer is compared
//! once more end to end.

mod compare;
mod ends;
mod pass;
mod quotient;
mod report;
mod rows;
mod steps;

pub use compare::digits;
pub use report::{Report, Steps};

use crate::array::Array;
use crate::derive::Derivation;
use crate::diagnostic::Diagnostic;
use crate::evaluate::{Inputs, Plan, infinite_slope, points};
use crate::graph::{Kind, NodeId, Program};
use crate::reading::{Answers, BackwardPass};
use crate::shape::{Name, Sizes};
use compare::Tally;
use quotient::Quotients;

/// Points at which a derivation is checked.
const POINTS: usize = 3;
/// Programs of more nodes than this are checked at one point.
const LARGE: usize = 10_000;
/// Points drawn before one at which all is finite and no comparison changes sides is given up.
const DRAWS: usize = 8;

/// What passed the check. Only [`check`] makes one with a report.
#[derive(Clone, Debug)]
pub struct Checked<T> {
    value: T,
    report: Option<Report>,
}

impl<T> Checked<T> {
    /// The value without a check: pages say so.
    pub fn unchecked(value: T) -> Checked<T> {
        Checked { value, report: None }
    }

    /// What was checked.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// What the check found; `None` if there was none.
    pub fn report(&self) -> Option<&Report> {
        self.report.as_ref()
    }
}

/// Checks a derivation and its answers.
///
/// # Errors
/// A step or an answer that does not hold; a program that is finite at no point drawn.
pub fn check(derivation: Derivation, answers: Answers) -> Result<Checked<(Derivation, Answers)>, Diagnostic> {
    let mut report = Report::default();
    report.each = checked(&derivation, Some(&answers), &mut report)?;
    Ok(Checked { value: (derivation, answers), report: Some(report) })
}

/// Checks the lines of a derivation and what it ends in, without readings.
///
/// # Errors
/// As [`check`].
pub fn check_steps(derivation: &Derivation) -> Result<Report, Diagnostic> {
    let mut report = Report::default();
    report.each = checked(derivation, None, &mut report)?;
    Ok(report)
}

/// Checks a backward pass: the cotangent of each input against differences. The steps of
/// the report are the inputs.
///
/// # Errors
/// As [`check`].
pub fn check_pass(pass: BackwardPass) -> Result<Checked<BackwardPass>, Diagnostic> {
    let (mut tally, mut report) = (Tally::new(pass.program.inputs.len()), Report::default());
    let points = points_of(&pass.program);
    for point in 0..points {
        let sizes = fixed_sizes(&pass.program, point, &mut report);
        pass::at_point(&pass, &sizes, point, &mut tally)?;
    }
    tally.into_report(points, &mut report);
    Ok(Checked { value: pass, report: Some(report) })
}

/// At how many points a program is tried.
fn points_of(program: &Program) -> usize {
    if program.graph().node_count() > LARGE { 1 } else { POINTS }
}

/// Checks one derivation, and first those of the turns of its loops.
fn checked(derivation: &Derivation, answers: Option<&Answers>, report: &mut Report) -> Result<Steps, Diagnostic> {
    let mut turns = Vec::new();
    for passed in &derivation.loops {
        let blocks = passed.blocks().map(|block| checked(&block.turn, None, report));
        turns.push(blocks.collect::<Result<_, _>>()?);
    }
    let program = &derivation.program;
    let points = points_of(program);
    let mut tally = Tally::new(derivation.paragraphs.iter().map(|p| p.steps.len()).sum());
    let plan = Plan::new(program, &[derivation.out, derivation.wrt]);
    for point in 0..points {
        let sizes = fixed_sizes(program, point, report);
        let at = Point { program, plan: &plan, out: derivation.out, wrt: derivation.wrt, sizes: &sizes, number: point };
        let (inputs, quotients) = at.draw()?;
        steps::at_point(derivation, &inputs, &quotients, &mut tally)?;
        ends::at_point(derivation, &at, &mut tally)?;
        rows::apart(derivation, &sizes, point, &mut tally)?;
        if let Some(answers) = answers {
            ends::readings(answers, derivation, &sizes, point, &mut tally)?;
        }
    }
    let worst = tally.into_report(points, report);
    Ok(Steps { worst, turns })
}

/// Dimensions that count the turns of a loop and are free take 1, 2, 3 at the
/// first, second, third point.
fn fixed_sizes(program: &Program, point: usize, report: &mut Report) -> Sizes {
    let mut sizes = program.sizes.clone();
    let counts = program.graph().node_weights().filter_map(|node| match &node.kind {
        Kind::Repeat(repeat) => repeat.count.as_name().cloned(),
        _ => None,
    });
    for count in counts.collect::<Vec<Name>>() {
        if !program.sizes.contains_key(&count) {
            sizes.insert(count, point + 1);
            if !report.turns.contains(&(point + 1)) {
                report.turns.push(point + 1);
            }
        }
    }
    sizes
}

/// Where a program is tried.
struct Point<'a> {
    program: &'a Program,
    plan: &'a Plan<'a>,
    out: NodeId,
    wrt: NodeId,
    sizes: &'a Sizes,
    number: usize,
}

impl Point<'_> {
    /// A text that fixes the numbers drawn: that of the problem.
    fn seed(&self) -> String {
        let wrt = self.program.name(self.wrt).map_or("", |name| &**name);
        format!("{} by {wrt}, point {}", self.program.source, self.number)
    }

    /// Inputs at which the program is finite, and the quotients there.
    fn draw(&self) -> Result<(Inputs, Quotients), Diagnostic> {
        drawn(self.program, self.sizes, &self.seed(), &|inputs, attempt| {
            self.quotients(inputs, &self.direction(inputs, attempt))
        })
    }

    /// A change of the variable.
    fn direction(&self, inputs: &Inputs, attempt: usize) -> Array {
        let sizes = inputs.get(self.wrt).map(|x| x.sizes().to_vec()).unwrap_or_default();
        points::direction(&sizes, &self.seed(), attempt)
    }

    /// The quotients of all nodes that move, at `inputs` along `direction`.
    fn quotients(&self, inputs: &Inputs, direction: &Array) -> Result<Quotients, Diagnostic> {
        let moves = crate::derive::moving(self.program, self.out, self.wrt);
        let mut nodes: Vec<NodeId> = (0..moves.len()).filter(|i| moves[*i]).map(NodeId::new).collect();
        nodes.retain(|id| !matches!(self.program.node(*id).kind, Kind::Repeat(_)));
        for end in [self.out, self.wrt] {
            if !moves[end.index()] && !nodes.contains(&end) {
                nodes.push(end);
            }
        }
        Quotients::new(self.program, self.plan, inputs, &[(self.wrt, direction.clone())], &nodes)
    }
}

/// Inputs at which the quotients, those of an attempt, are finite: the first at which no
/// comparison changes sides or else the one with the fewest.
fn drawn(
    program: &Program,
    sizes: &Sizes,
    seed: &str,
    quotients: &dyn Fn(&Inputs, usize) -> Result<Quotients, Diagnostic>,
) -> Result<(Inputs, Quotients), Diagnostic> {
    let (mut best, mut trouble): (Option<(Inputs, Quotients)>, Option<Diagnostic>) = (None, None);
    let mut sloping = None;
    for attempt in 0..DRAWS {
        let inputs = points::draw_at(program, sizes, seed, attempt)?;
        let found = quotients(&inputs, attempt);
        // A point without a derivative is taken only where there is no other.
        let steep = found.as_ref().is_ok_and(|found| infinite_slope(program, &found.values).is_some());
        match found {
            Ok(found) if found.switched == 0 && !steep => return Ok((inputs, found)),
            Ok(found) if steep => sloping = sloping.or(Some((inputs, found))),
            Ok(found) if best.as_ref().is_none_or(|(_, before)| found.switched < before.switched) => {
                best = Some((inputs, found));
            }
            Ok(_) => {}
            Err(found) => trouble = trouble.or(Some(found)),
        }
    }
    best.or(sloping).ok_or_else(|| {
        let found = trouble.unwrap_or_else(|| crate::derive::fault("no point could be drawn"));
        found.help(
            "no point was found at which the program is finite: say more of the inputs with --assume \"x positive\"",
        )
    })
}
