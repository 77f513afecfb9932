//! `chainrule check`: a problem set, solved and marked.

use super::args::Check;
use crate::course::{Numbers, Outcome, Problem, read_numbers, read_problems, solve};
use crate::diagnostic::{Diagnostic, Kind};
use crate::task::Refusal;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Each problem is solved on a stack of its own of this size.
const STACK: usize = 64 << 20;

/// A problem set as marked: the text to print, and whether all answers are right.
pub struct Marked {
    /// A line a problem, and a last line that counts.
    pub text: String,
    /// Are all answers right?
    pub all_right: bool,
}

/// Solves and marks the problems that the arguments name.
pub fn check(args: &Check) -> Result<Marked, Refusal> {
    let problems = read_problems(&contents(&args.cases)?).map_err(|told| Refusal::of(vec![told]))?;
    let numbers = match &args.values {
        Some(path) => read_numbers(&contents(path)?).map_err(|told| Refusal::of(vec![told]))?,
        None => BTreeMap::new(),
    };
    let chosen: Vec<Problem> =
        problems.into_iter().filter(|p| args.only.as_deref().is_none_or(|g| matches(g, &p.id))).collect();
    if chosen.is_empty() {
        let message = format!("no problem is called {}", args.only.as_deref().unwrap_or_default());
        return Err(Refusal::of(vec![
            Diagnostic::new(Kind::BadArgument, message).help("* stands for any text: --only \"cb-*\""),
        ]));
    }
    let outcomes = solve_all(&chosen, &numbers);
    let ids = chosen.iter().map(|problem| problem.id.chars().count()).max().unwrap_or(0);
    let (mut text, mut passed) = (String::new(), 0);
    for (problem, (outcome, seconds)) in chosen.iter().zip(&outcomes) {
        passed += usize::from(outcome.ok);
        text += &if args.json { as_json(outcome, *seconds) } else { as_line(problem, outcome, ids) };
        text.push('\n');
    }
    let failed = outcomes.len() - passed;
    if !args.json {
        text += &format!("{passed} passed, {failed} failed\n");
    }
    Ok(Marked { text, all_right: failed == 0 })
}

/// All problems, on as many threads as the machine has; the order is that of the set.
fn solve_all(problems: &[Problem], numbers: &BTreeMap<String, Numbers>) -> Vec<(Outcome, f64)> {
    let next = AtomicUsize::new(0);
    let found: Mutex<BTreeMap<usize, (Outcome, f64)>> = Mutex::new(BTreeMap::new());
    let work = || {
        while let Some((index, problem)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, problems.get(i)?)))
        {
            let start = Instant::now();
            let outcome = solve(problem, numbers.get(&problem.id));
            if let Ok(mut found) = found.lock() {
                found.insert(index, (outcome, start.elapsed().as_secs_f64()));
            }
        }
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(problems.len());
        for _ in 0..threads {
            // Where no thread can be had the problems are solved here, below.
            let _ = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        }
    });
    work();
    found.into_inner().map_or_else(|_| Vec::new(), |found| found.into_values().collect())
}

/// What became of a problem; `ids` is the width of the longest id.
fn as_line(problem: &Problem, outcome: &Outcome, ids: usize) -> String {
    let mark = if outcome.ok { "right" } else { "wrong" };
    let mut line = format!("{mark}  {:<ids$} d({})/d{}", outcome.id, problem.expr, problem.wrt);
    if problem.order == 2 {
        line += " twice";
    }
    let answer = outcome.index.as_ref().unwrap_or(&outcome.answer);
    if !answer.is_empty() {
        line += &format!("\n       = {answer}");
    }
    for part in &outcome.parts {
        line += &format!("\n       where {part}");
    }
    if let Some(trouble) = &outcome.trouble {
        line += &format!("\n       {trouble}");
    }
    if outcome.error.is_nan() {
        return line;
    }
    let mut facts = vec![format!("error {}", measured(outcome.error))];
    facts.extend(outcome.expected_error.map(|error| format!("from the closed form {}", measured(error))));
    facts.push(match outcome.expected_size {
        Some(expected) => format!("size {}, expected {expected}", outcome.size),
        None => format!("size {}", outcome.size),
    });
    facts.push(format!("{} of {} lines checked", outcome.lines_checked, outcome.steps));
    line + &format!("\n       {}", facts.join("; "))
}

fn measured(error: f64) -> String {
    if error == 0.0 { "0".into() } else { format!("{error:.0e}") }
}

fn as_json(outcome: &Outcome, seconds: f64) -> String {
    // What is no number has no JSON number.
    let number = |x: f64| if x.is_finite() { serde_json::json!(x) } else { serde_json::Value::Null };
    let derivative = outcome.derivative.as_ref().map(|array| {
        let data: Vec<serde_json::Value> = array.data().iter().map(|x| number(*x)).collect();
        serde_json::json!({ "shape": array.sizes(), "data": data })
    });
    serde_json::json!({
        "id": outcome.id,
        "ok": outcome.ok,
        "error": number(outcome.error),
        "derivative": derivative,
        "answer": outcome.answer,
        "where": outcome.parts,
        "closed": outcome.closed,
        "size": outcome.size,
        "expected_size": outcome.expected_size,
        "steps": outcome.steps,
        "lines_checked": outcome.lines_checked,
        "seconds": seconds,
        "trouble": outcome.trouble,
    })
    .to_string()
}

fn contents(path: &Path) -> Result<String, Refusal> {
    std::fs::read_to_string(path).map_err(|error| {
        let message = format!("{} cannot be read: {error}", path.display());
        Refusal::of(vec![Diagnostic::new(Kind::BadArgument, message)])
    })
}

/// Does `text` fit a pattern in which `*` stands for any text and `?` for a letter?
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    // fits[i]: the pattern so far fits the first i letters.
    let mut fits = vec![false; text.len() + 1];
    fits[0] = true;
    for c in pattern {
        let before = fits.clone();
        for i in 0..=text.len() {
            fits[i] = match c {
                '*' => before[i] || i > 0 && fits[i - 1],
                _ => i > 0 && before[i - 1] && (c == '?' || c == text[i - 1]),
            };
        }
    }
    fits[text.len()]
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_fit() {
        let table = [
            ("cb-*", "cb-69a", true),
            ("*", "", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*-sym", "cb-81-sym", true),
            ("cb", "cb-1", false),
        ];
        for (pattern, text, fits) in table {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }
}
