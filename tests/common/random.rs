//! Random well-shaped programs, driven by a tape of bytes so that they shrink.

/// The inputs of every random program, with shapes.
pub const INPUTS: &[(&str, &str)] = &[("x", "n"), ("y", "n"), ("v", "m"), ("A", "n n"), ("B", "m n"), ("a", "")];

/// What a step may make from earlier values: the text with `{}` for them, their
/// shapes, the shape of the result.
const STEPS: &[(&str, &[&str], &str)] = &[
    ("{} + {}", &["n", "n"], "n"),
    ("{} - {}", &["n", "n"], "n"),
    ("{} * {}", &["n", "n"], "n"),
    ("{} @ {}", &["n n", "n"], "n"),
    ("{} @ {}", &["n", "n n"], "n"),
    ("{} @ {}", &["m n", "n"], "m"),
    ("{} @ {}", &["m", "m n"], "n"),
    ("{} @ {}", &["n", "n"], ""),
    ("{} @ {}", &["n n", "n n"], "n n"),
    ("{} + {}", &["n n", "n"], "n n"),
    ("{} * {}", &["n n", "n n"], "n n"),
    ("{} * {}", &["n n", "n"], "n n"),
    ("{}.T @ {}", &["n n", "n"], "n"),
    ("{}.T", &["n n"], "n n"),
    ("outer({}, {})", &["n", "n"], "n n"),
    ("outer({}, {})", &["m", "n"], "m n"),
    ("sum({})", &["n n"], ""),
    ("sum({}, axis=0)", &["m n"], "n"),
    ("sum({}, axis=1)", &["m n"], "m"),
    ("mean({})", &["m"], ""),
    ("{} * {}", &["", "n"], "n"),
    ("{} * {}", &["", ""], ""),
    ("{} + {}", &["", "m"], "m"),
    ("tanh({})", &["n"], "n"),
    ("tanh({})", &["m"], "m"),
    ("sigmoid({})", &["m n"], "m n"),
    ("sin({})", &["n n"], "n n"),
    ("relu({})", &["n"], "n"),
    ("softplus({})", &["n"], "n"),
    ("exp(-{} ** 2)", &["n"], "n"),
    ("1 / (1 + {} ** 2)", &[""], ""),
    ("sqrt(1 + {} ** 2)", &["m"], "m"),
    ("{} / (2 + sin({}))", &["n", "n"], "n"),
    ("where({} > {}, {}, {})", &["n", "n", "n", "n"], "n"),
    ("maximum({}, {})", &["m", "m"], "m"),
    ("softmax({}, axis=0)", &["n"], "n"),
    ("-{}", &["n"], "n"),
    ("{} - mean({}, axis=1, keepdims=True)", &["m n", "m n"], "m n"),
    ("0.5 * {}", &["m"], "m"),
    ("layer_norm({})", &["n"], "n"),
];

/// The lines of a program, `name = text` with the shape of each.
pub fn lines(tape: &[u8]) -> Vec<(String, String, &'static str)> {
    let mut values: Vec<(String, &str)> = INPUTS.iter().map(|(name, shape)| ((*name).to_string(), *shape)).collect();
    let mut lines = Vec::new();
    let mut bytes = tape.iter().copied();
    while let Some(byte) = bytes.next() {
        let (form, args, shape) = STEPS[usize::from(byte) % STEPS.len()];
        let mut text = form.to_string();
        for wanted in args {
            let fitting: Vec<&(String, &str)> = values.iter().filter(|(_, shape)| shape == wanted).collect();
            // Late values are taken sooner, so that programs are deep.
            let back = usize::from(bytes.next().unwrap_or(0)) % fitting.len();
            text = text.replacen("{}", &fitting[fitting.len() - 1 - back].0, 1);
        }
        let name = format!("t{}", lines.len());
        values.push((name.clone(), shape));
        lines.push((name, text, shape));
    }
    lines
}

/// A Python function with these lines, its inputs called as `names` says.
pub fn function(lines: &[(String, String, &'static str)], names: &[&str]) -> String {
    let params: Vec<String> = INPUTS
        .iter()
        .zip(names)
        .map(
            |((_, shape), name)| {
                if shape.is_empty() { format!("{name}: float") } else { format!("{name}: \"{shape}\"") }
            },
        )
        .collect();
    let mut text = format!("def f({}):\n", params.join(", "));
    for (name, line, _) in lines {
        text += &format!("    {name} = {}\n", renamed(line, names));
    }
    text + &format!("    return {}\n", lines.last().map_or(names[0], |(name, ..)| name))
}

/// A line with the inputs' names replaced, word by word.
fn renamed(line: &str, names: &[&str]) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for c in line.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let new = INPUTS.iter().position(|(name, _)| *name == word).map(|i| names[i]);
        text += new.unwrap_or(&word);
        word.clear();
        text.push(c);
    }
    text.trim_end().to_string()
}
