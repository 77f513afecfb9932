//! Solving a problem and marking the answer.

use super::problem::{Numbers, Problem};
use crate::array::Array;
use crate::derive::{Derivation, derive, fault, without_rows};
use crate::diagnostic::{Diagnostic, Kind as Mistake};
use crate::evaluate::{At, Inputs, evaluate, inputs_of, jacobian, points, values_for};
use crate::graph::{NodeId, Program, Property, read_expression, resolve_order, resolve_wrt};
use crate::reading::{Reading, derivative, gradient_program, parts, size, text};
use crate::shape::Name;
use crate::witness;

/// An answer is right if it meets the numbers within this part of the largest entry.
const TOLERANCE: f64 = 1e-9;
/// Differences up to this are rounding where the derivative is 0.
const ROUNDING: f64 = 1e-15;
/// Points that are tried where none is given.
const DRAWS: usize = 32;
/// What became of a problem.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its id.
    pub id: String,
    /// Is the answer right: does it meet the numbers and the closed form?
    pub ok: bool,
    /// What was refused or found wrong.
    pub trouble: Option<String>,
    /// The largest difference from the given numbers, relative to the largest entry.
    pub error: f64,
    /// The same for the given closed form.
    pub expected_error: Option<f64>,
    /// The derivative at the given inputs.
    pub derivative: Option<Array>,
    /// The answer, in the input language.
    pub answer: String,
    /// The answer in index notation, where there is no matrix expression.
    pub index: Option<String>,
    /// The named parts that the answer uses: `name = expression`.
    pub parts: Vec<String>,
    /// Is it one closed matrix expression?
    pub closed: bool,
    /// Its size.
    pub size: usize,
    /// The size of the given closed form.
    pub expected_size: Option<usize>,
    /// Lines of the derivation.
    pub steps: usize,
    /// Lines that were compared with difference quotients.
    pub lines_checked: usize,
}

/// Solves `problem` and compares with `numbers`, or with differences where none
/// are given, and with the closed form where one is.
pub fn solve(problem: &Problem, numbers: Option<&Numbers>) -> Outcome {
    let mut outcome = Outcome {
        id: problem.id.clone(),
        ok: false,
        trouble: None,
        error: f64::NAN,
        expected_error: None,
        derivative: None,
        answer: String::new(),
        index: None,
        parts: Vec::new(),
        closed: false,
        size: 0,
        expected_size: None,
        steps: 0,
        lines_checked: 0,
    };
    match attempt(problem, numbers, &mut outcome) {
        Ok(()) => {
            let right = |error: f64| error <= TOLERANCE;
            outcome.ok = right(outcome.error) && outcome.expected_error.is_none_or(right);
            if !right(outcome.error) {
                outcome.trouble = Some("the answer does not meet the numbers".into());
            } else if !outcome.ok {
                outcome.trouble = Some("the answer meets the numbers, but the closed form given does not".into());
            }
        }
        Err(refused) => outcome.trouble = Some(refused.to_string()),
    }
    outcome
}

fn attempt(problem: &Problem, numbers: Option<&Numbers>, outcome: &mut Outcome) -> Result<(), Diagnostic> {
    let mut program = read(problem, &problem.expr, false)?;
    let (out, wrt) = (program.output, resolve_wrt(&program, &problem.wrt)?);
    let order = resolve_order(problem.order)?;
    let derivation = derive(&program, out, wrt)?;
    let report = witness::check_steps(&derivation)?;
    outcome.steps = report.steps + report.unchecked;
    outcome.lines_checked = report.steps;
    let mut last = Some(derivation).filter(|_| order == 1);
    if order == 2 && program.shape(out).rank() == 0 {
        let gradient = gradient_program(&program, out, wrt)?;
        let again = derive(&gradient, gradient.output, wrt)?;
        let report = witness::check_steps(&again)?;
        outcome.steps += report.steps + report.unchecked;
        outcome.lines_checked += report.steps;
        last = Some(again);
    }

    let inputs = inputs(problem, &program, numbers)?;
    let reading = derivative(&mut program, out, wrt, order)
        .map_err(|refusal| Diagnostic::new(Mistake::TooLarge, refusal.to_string()))?;
    let found = numbers_of(&program, &reading, &inputs)?;
    let target = match (numbers.and_then(|n| n.derivative.as_ref()), &last) {
        (Some(given), _) => given.to_array("the derivative")?,
        (None, Some(derivation)) => pushed(&program, derivation, &inputs)?,
        (None, None) => return Err(Diagnostic::new(Mistake::MissingValue, "a problem of order 2 needs given numbers")),
    };
    outcome.error = difference(&found, &target);
    outcome.closed = reading.matrix;
    let nodes = reading.index.as_ref().map_or_else(|| vec![reading.node], |index| index.nodes());
    let named = parts(&program, &nodes);
    outcome.size = named.size;
    outcome.index = reading.index.as_ref().map(|index| index.text(&named.program));
    outcome.answer = match &reading.index {
        None => text(&named.program, reading.node),
        Some(index) => index.einsum(&named.program).unwrap_or_else(|| index.text(&named.program)),
    };
    outcome.parts = given_parts(problem, &program, nodes);
    outcome.parts.extend(named.lines());
    if let Some(expected) = &problem.expected {
        let expected = read(problem, expected, true)?;
        let values = evaluate(&expected, &[expected.output], &moved(&program, &expected, &inputs))?;
        outcome.expected_error = Some(difference(&found, values.get(expected.output)));
        outcome.expected_size = Some(expected_size(problem, &expected));
    }
    outcome.derivative = Some(found);
    Ok(())
}

/// The numbers of a reading, a matrix expression or in index notation.
fn numbers_of(program: &Program, reading: &Reading, inputs: &Inputs) -> Result<Array, Diagnostic> {
    match &reading.index {
        None => Ok(evaluate(program, &[reading.node], inputs)?.get(reading.node).clone()),
        Some(index) => {
            let values = evaluate(program, &index.nodes(), inputs)?;
            let found = index.evaluate(&inputs.sizes, &|node| values.find(node).cloned());
            found.ok_or_else(|| fault("a factor of the index notation was not computed"))
        }
    }
}

/// The definitions of the problem that the answer mentions, directly or through
/// each other.
fn given_parts(problem: &Problem, program: &Program, nodes: Vec<NodeId>) -> Vec<String> {
    let (mut stack, mut used) = (nodes, std::collections::BTreeSet::new());
    while let Some(id) = stack.pop() {
        if used.insert(id) {
            stack.extend(&program.node(id).args);
        }
    }
    let mentioned = program.definitions.iter().filter(|d| used.contains(&d.node));
    let given =
        mentioned.filter(|d| problem.lets.iter().any(|l| l.split('=').next().is_some_and(|n| n.trim() == &*d.name)));
    given.map(|d| format!("{} = {}", d.name, d.text)).collect()
}

/// The size of a given closed form: its own definitions once, then one for each use.
fn expected_size(problem: &Problem, expected: &Program) -> usize {
    let defines = |lines: &[String], name: &str| {
        lines.iter().any(|line| line.split('=').next().is_some_and(|known| known.trim() == name))
    };
    let own = |name: &str| defines(&problem.expected_let, name) && !defines(&problem.lets, name);
    let definitions = expected.definitions.iter().filter(|d| own(&d.name));
    size(expected, expected.output) + definitions.map(|d| size(expected, d.node)).sum::<usize>()
}

fn read(problem: &Problem, text: &str, expected: bool) -> Result<Program, Diagnostic> {
    let mut program = read_expression(text, &problem.request(expected)?)
        .map_err(|mut all| if all.is_empty() { fault("nothing was read") } else { all.remove(0) })?;
    program.sizes = problem.named_sizes();
    Ok(program)
}

/// The given inputs, or a point of the project's own.
fn inputs(problem: &Problem, program: &Program, numbers: Option<&Numbers>) -> Result<Inputs, Diagnostic> {
    let Some(numbers) = numbers else { return drawn(problem, program) };
    let missing = |name: &Name| Diagnostic::new(Mistake::MissingValue, format!("no value given for {name}"));
    let array = |name: &Name| numbers.inputs.get(&**name).ok_or_else(|| missing(name))?.to_array(name);
    inputs_of(program, &problem.named_sizes(), &array)
        .map_err(|mut told| if told.is_empty() { fault("no inputs were read") } else { told.remove(0) })
}

/// A point of the project's own: the first of several at which the program has a
/// value and what is assumed of values holds, or else the first.
fn drawn(problem: &Problem, program: &Program) -> Result<Inputs, Diagnostic> {
    let mut nodes: Vec<NodeId> = program.properties.iter().map(|(node, _)| *node).collect();
    nodes.push(program.output);
    for attempt in 0..DRAWS {
        let inputs = points::draw(program, &problem.id, attempt)?;
        let Ok(values) = evaluate(program, &nodes, &inputs) else { continue };
        let finite = values.get(program.output).data().iter().all(|x| x.is_finite());
        let holds = |(node, property): &(NodeId, Property)| {
            values.get(*node).data().iter().all(|x| match property {
                Property::Positive => *x > 0.0,
                Property::Nonzero => *x != 0.0,
                _ => true,
            })
        };
        if finite && program.properties.iter().all(holds) {
            return Ok(inputs);
        }
    }
    points::draw(program, &problem.id, 0)
}

/// The inputs of one program as those of another with the same names.
fn moved(from: &Program, to: &Program, inputs: &Inputs) -> Inputs {
    let mut same = Inputs::new(inputs.sizes.clone());
    for input in &to.inputs {
        let name = to.name(*input).cloned().unwrap_or_default();
        if let Some(value) = from.input_named(&name).and_then(|id| inputs.get(id)) {
            same.set(*input, value.clone());
        }
    }
    same
}

/// The Jacobian as the rules give it for the whole batch, pushed forward along
/// each entry. The rules themselves were compared with differences before.
fn pushed(program: &Program, derivation: &Derivation, inputs: &Inputs) -> Result<Array, Diagnostic> {
    let batch = match &derivation.whole {
        Some(whole) => Some(without_rows(&whole.program, whole.out, whole.wrt)?),
        None => None,
    };
    let derivation = batch.as_ref().unwrap_or(derivation);
    let same = moved(program, &derivation.program, inputs);
    let values = values_for(derivation, &same)?;
    jacobian(derivation, At { values: &values, inputs: &same })
}

/// The largest difference relative to the largest entry; 0 where all differences are
/// no more than what is left of numbers of order one that cancel.
fn difference(found: &Array, target: &Array) -> f64 {
    if found.sizes() != target.sizes() {
        return f64::INFINITY;
    }
    let apart = found.data().iter().zip(target.data()).map(|(a, b)| (a - b).abs());
    let worst = apart.fold(0.0, |worst: f64, d| if d.is_nan() { f64::INFINITY } else { worst.max(d) });
    if worst <= ROUNDING { 0.0 } else { worst / target.max_abs().max(f64::MIN_POSITIVE) }
}
