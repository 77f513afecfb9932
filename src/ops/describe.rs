//! What a record says, in words.

use super::{EVERYWHERE, Framework, Lower, Notation, Op, Rule, Spelling};

/// A spelling, with the frameworks that have it where that is not all of them.
pub fn spelling_text(spelling: &Spelling) -> String {
    if spelling.frameworks.len() == EVERYWHERE.len() {
        return spelling.name.to_string();
    }
    let called = spelling.frameworks.iter().map(|framework| match framework {
        Framework::Torch => "torch",
        Framework::NumPy => "np",
        Framework::Jax => "jnp",
        Framework::Math => "math",
    });
    format!("{} ({})", spelling.name, called.collect::<Vec<_>>().join(", "))
}

/// The differential in the input language: `dx` is the differential of the argument
/// `x`, `out` the result.
pub fn rule_text(op: &Op) -> String {
    match (&op.rule, &op.lower) {
        (Rule::Text(text), _) => (*text).to_string(),
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
