//! What a record says, in words.

use super::{EVERYWHERE, Framework, Lower, Notation, Op, OpRef, Preset, Rule, Spelling, all, by_name, spelled};
use crate::diagnostic::{Diagnostic, Kind, did_you_mean};

/// A spelling, with the keywords it asks for, and the frameworks that have it where
/// that is not all of them: `gelu(approximate='tanh') (torch)`.
pub fn spelling_text(spelling: &Spelling) -> String {
    let keywords: Vec<String> = spelling.given.iter().filter_map(|(name, value)| keyword(name, *value)).collect();
    let written = match keywords.as_slice() {
        [] => spelling.name.to_string(),
        keywords => format!("{}({})", spelling.name, keywords.join(", ")),
    };
    if spelling.frameworks.len() == EVERYWHERE.len() {
        return written;
    }
    let called = spelling.frameworks.iter().map(|framework| match framework {
        Framework::Torch => "torch",
        Framework::NumPy => "np",
        Framework::Jax => "jnp",
        Framework::Math => "math",
    });
    format!("{written} ({})", called.collect::<Vec<_>>().join(", "))
}

/// A keyword as it is given; `None` where it must not be.
fn keyword(name: &str, value: Preset) -> Option<String> {
    Some(match value {
        Preset::AllAxes => format!("{name}=None"),
        Preset::Axis(n) | Preset::Whole(n) => format!("{name}={n}"),
        Preset::Flag(true) => format!("{name}=True"),
        Preset::Flag(false) => format!("{name}=False"),
        Preset::Text(text) => format!("{name}='{text}'"),
        Preset::Present => format!("{name}=…"),
        Preset::Absent => return None,
    })
}

/// The operations that a name or spelling can mean, at least one.
///
/// # Errors
/// That there is none, with the nearest name.
pub fn meant(name: &str) -> Result<Vec<OpRef>, Diagnostic> {
    let bare = name.rsplit_once('.').map_or(name, |(_, last)| last);
    let mut found: Vec<OpRef> = by_name(name).into_iter().collect();
    for (op, _) in spelled(name, None).into_iter().chain(spelled(bare, None)) {
        if !found.contains(&op) {
            found.push(op);
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let names = all().flat_map(|op| op.spellings.iter().map(|s| s.name).chain([op.name]));
    let told = Diagnostic::new(Kind::UnknownFunction, format!("there is no operation {name}"));
    Err(match did_you_mean(name, names) {
        Some(near) => told.help(format!("did you mean {near}?")),
        None => told.help("`chainrule ops` lists all"),
    })
}

/// The differential in the input language: `dx` is the differential of the argument
/// `x`, `out` the result.
pub fn rule_text(op: &Op) -> String {
    match (&op.rule, &op.lower) {
        (Rule::Text(text) | Rule::Partly { text, .. }, _) => (*text).to_string(),
        (Rule::Zero | Rule::Held, _) => "0".to_string(),
        (Rule::Refused(why), _) => format!("none: {why}"),
        (Rule::Linear(_), Lower::Sum(signs)) => {
            let names = op.params.iter().filter(|p| p.is_array()).zip(signs.iter());
            let mut written = String::new();
            for (i, (param, sign)) in names.enumerate() {
                written += match (i, *sign < 0) {
                    (0, false) => "d",
                    (0, true) => "-d",
                    (_, false) => " + d",
                    (_, true) => " - d",
                };
                written += param.name;
            }
            written
        }
        (Rule::Linear(_), _) => {
            let arrays: Vec<&str> = op.params.iter().filter(|p| p.is_array()).map(|p| p.name).collect();
            let sign = match op.notation {
                Notation::Product if arrays.len() == 2 => Some("@"),
                Notation::Hadamard => Some("*"),
                _ => None,
            };
            let moved = |i: usize| {
                let args = arrays
                    .iter()
                    .enumerate()
                    .map(|(j, name)| if i == j { format!("d{name}") } else { (*name).to_string() });
                let args: Vec<String> = args.collect();
                match sign {
                    Some(sign) => args.join(&format!(" {sign} ")),
                    None => format!("{}({})", op.name, args.join(", ")),
                }
            };
            (0..arrays.len()).map(moved).collect::<Vec<_>>().join(" + ")
        }
    }
}
