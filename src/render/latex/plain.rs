//! Formulas that come through Markdown unchanged.
//!
//! Markdown takes a backslash before punctuation away, reads brackets as links, `_`
//! and `*` as emphasis, `<` as HTML. What reads the formula afterwards, or before,
//! must find the same: there is another way of writing each of these.

/// What stands for a sign, in formulas.
fn other(sign: char) -> Option<&'static str> {
    Some(match sign {
        '[' => r"\lbrack ",
        ']' => r"\rbrack ",
        '<' => r"\lt ",
        '>' => r"\gt ",
        '*' => r"\ast ",
        '|' => r"\vert ",
        '`' | '~' => " ",
        // With a blank after it, it opens no emphasis.
        '_' => "_ ",
        _ => return None,
    })
}

/// What stands for a backslash and the sign after it, in formulas.
fn escaped(sign: char) -> &'static str {
    match sign {
        // The end of a row; how far the next one is from it is left to the reader.
        '\\' => r"\cr",
        ',' => r"\thinspace ",
        '_' => r"\rule{0.35em}{0.05em}",
        '{' => r"\lbrace ",
        '}' => r"\rbrace ",
        '|' => r"\Vert ",
        _ => " ",
    }
}

/// The formula without any sign that Markdown would read; blanks at the end of a
/// line are such signs.
pub(in crate::render) fn plain(tex: &str) -> String {
    let written = rewritten(tex).replace("  ", " ");
    let lines: Vec<&str> = written.split('\n').map(str::trim_end).collect();
    lines.join("\n")
}

fn rewritten(tex: &str) -> String {
    let (mut out, mut rest) = (String::new(), tex);
    while let Some(c) = rest.chars().next() {
        if let Some(inner) = rest.strip_prefix(r"\text{") {
            let end = closing(inner);
            words(&inner[..end], &mut out);
            rest = inner.get(end + 1..).unwrap_or_default();
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match (c, rest.chars().next()) {
            ('\\', Some(sign)) if sign.is_ascii_punctuation() => {
                rest = &rest[1..];
                out += escaped(sign);
                if sign == '\\' {
                    rest = after_distance(rest);
                }
            }
            (c, _) => match other(c) {
                Some(other) => out += other,
                None => out.push(c),
            },
        }
    }
    out
}

/// What comes after `[3pt]`, where that is there.
fn after_distance(rest: &str) -> &str {
    rest.strip_prefix('[').and_then(|inner| inner.split_once(']')).map_or(rest, |(_, after)| after)
}

/// Where the brace that is open ends.
fn closing(inner: &str) -> usize {
    let (mut depth, mut escaped) = (0_usize, false);
    for (i, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth == 0 => return i,
            '}' => depth -= 1,
            _ => {}
        }
    }
    inner.len()
}

/// Words of a formula. Signs among them are formulas of their own, since not every
/// reader knows commands within words.
fn words(text: &str, out: &mut String) {
    let small = text.strip_prefix(r"\footnotesize ");
    if small.is_some() {
        *out += r"\small ";
    }
    let mut word = String::new();
    let said = |word: &mut String, out: &mut String| {
        if !word.is_empty() {
            *out += &format!(r"\text{{{word}}}");
            word.clear();
        }
    };
    let mut rest = small.unwrap_or(text);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '$' => {
                let (formula, after) = rest.split_once('$').unwrap_or((rest, ""));
                said(&mut word, out);
                *out += &rewritten(formula);
                rest = after;
            }
            '\\' => {
                let sign = rest.chars().next().filter(char::is_ascii_punctuation);
                rest = &rest[sign.map_or(0, char::len_utf8)..];
                said(&mut word, out);
                *out += sign.map_or("", escaped);
            }
            '{' | '}' => {}
            c => match other(c) {
                Some(other) => {
                    said(&mut word, out);
                    *out += other;
                }
                None => word.push(c),
            },
        }
    }
    said(&mut word, out);
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn nothing_that_markdown_reads_is_left() {
        let table = [
            (r"\mathbf{w}_{1}^{\top}\,\mathbf{x}", r"\mathbf{w}_ {1}^{\top}\thinspace \mathbf{x}"),
            (r"\mathbf{1}[z > 0] \\[3pt] a < b", r"\mathbf{1}\lbrack z \gt 0\rbrack \cr a \lt b"),
            (r"\mathrm{log\_softmax}(z)", r"\mathrm{log\rule{0.35em}{0.05em}softmax}(z)"),
            (
                r"\text{\footnotesize d\_ff $\times$ d; b1 is}",
                r"\small \text{d}\rule{0.35em}{0.05em}\text{ff }\times\text{ d; b1 is}",
            ),
            (r"\underbrace{\mathbf{I}}_{\text{skip path}}", r"\underbrace{\mathbf{I}}_ {\text{skip path}}"),
            (
                r"\begin{aligned}&\text{a} \\[-6pt] &\text{b}\end{aligned}",
                r"\begin{aligned}&\text{a} \cr &\text{b}\end{aligned}",
            ),
        ];
        for (tex, written) in table {
            assert_eq!(plain(tex), written);
        }
    }
}
