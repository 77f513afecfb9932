//! What each format says, read back from it.

use super::kept;

/// Plain text: a bar stands after its letter.
pub fn text_leaves(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match (c, out.pop()) {
            ('\u{304}', Some(letter)) => out.extend(['¯', letter]),
            (c, last) => out.extend(last.into_iter().chain([c])),
        }
    }
    kept(&out)
}

/// What stands between tags, but for the style, the head of what folds, the label and
/// what stands behind the lines.
pub fn html_leaves(html: &str) -> String {
    let mut out = String::new();
    let mut hidden = false;
    let html = html
        .replace("<details class=\"derivation\" open=\"\">\n<summary>", "<head>")
        .replace("</summary>\n<div", "</head><div");
    for part in html.split('<').skip(1) {
        let (tag, said) = part.split_once('>').unwrap();
        match tag {
            "style" | "head" | "ol class=\"found\"" | "mtext class=\"label\"" => hidden = true,
            "/style" | "/head" | "/ol" | "/mtext" => hidden = false,
            "msqrt" if !hidden => out.push('√'),
            "mover accent=\"true\"" | "mrow class=\"bar\"" if !hidden => out.push('¯'),
            _ => {}
        }
        // The bar has been said before its letter.
        if !hidden && said != "¯" {
            out += &said.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
        }
    }
    kept(&out)
}

/// The strings, and the signs between them.
pub fn typst_leaves(typst: &str) -> String {
    let page: String = typst.lines().filter(|line| !line.starts_with("#let ")).flat_map(|line| [line, "\n"]).collect();
    let typst = page
        .replace(", \"skip path\"", "")
        .replace("macron(", "\"¯\"")
        .replace("overline(", "\"¯\"")
        .replace("sqrt(", "\"√\"");
    let settings =
        ["top-edge: \"bounds\"", "bottom-edge: \"bounds\"", "\"unary\"", "\"binary\"", "\"opening\"", "\"closing\""];
    let typst = settings.iter().fold(typst, |typst, setting| typst.replace(setting, ""));
    let (mut out, mut quoted, mut escaped) = (String::new(), false, false);
    for c in typst.chars() {
        match c {
            _ if escaped => {
                escaped = false;
                out.extend(Some(c).filter(|_| quoted));
            }
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            // A word of code is none of the page; neither is a size.
            c if !quoted && (c.is_ascii_alphanumeric() || c == '-') => {}
            c => out.push(c),
        }
    }
    kept(&out)
}

/// The page's formulas as text, its words, in order.
pub fn json_leaves(json: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(json).unwrap();
    let mut out = String::new();
    let mut say = |value: &serde_json::Value| out += value.as_str().unwrap_or_default();
    say(&value["title"]);
    say(&value["origin"]);
    let pieces = |value: &serde_json::Value, say: &mut dyn FnMut(&serde_json::Value)| {
        for piece in value.as_array().into_iter().flatten() {
            say(&piece["text"]);
            say(&piece["math"]["text"]);
        }
    };
    for block in value["page"].as_array().unwrap() {
        pieces(&block["pieces"], &mut say);
        say(&block["left"]["text"]);
        for list in ["entries", "equations", "steps", "lines", "facts"] {
            for item in block[list].as_array().into_iter().flatten() {
                for field in ["name", "written", "aside", "label"] {
                    say(&item[field]);
                }
                say(&item["left"]["text"]);
                say(&item["right"]["text"]);
                say(&item["why"]);
                pieces(&item["pieces"], &mut say);
            }
        }
    }
    text_leaves(&out)
}

/// Markdown: formulas between two dollar signs are LaTeX, the rest is text.
pub fn markdown_leaves(markdown: &str) -> String {
    let mut out = String::new();
    for (i, part) in markdown.split("$$").enumerate() {
        out += &match i % 2 {
            1 => kept(&aligned(part.trim_start())),
            _ => text_leaves(
                &part.replace("| name | definition | shape |", "").replace("|---|---|---|", "").replace("\n- ", "\n"),
            ),
        };
    }
    out
}

/// LaTeX: a formula broken over rows is read first, then what is said beside it.
pub fn latex_leaves(tex: &str) -> String {
    let mut out = String::new();
    let mut rest = tex;
    while let Some(start) = rest.find("\\begin{align*}") {
        out += &commands(&rest[..start]);
        let end = start + rest[start..].find("\\end{align*}").unwrap();
        out += &aligned(&rest[start..end]);
        rest = &rest[end..];
    }
    out += &commands(rest);
    kept(&out)
}

/// Rows of a formula. The lines of a reason stand in one row.
fn aligned(body: &str) -> String {
    let layout = ["{\\text{skip path}}", "\\\\[3pt]", "\\\\[-6pt]", "\\rule{0.35em}{0.05em}"];
    let body = layout.iter().fold(body.to_string(), |body, sign| body.replace(sign, ""));
    let (mut out, mut beside) = (String::new(), String::new());
    let (_, rows) = body.split_once('\n').unwrap();
    for row in rows.split('\n') {
        let at = row.find("\\text{\\footnotesize").or_else(|| row.find("\\small")).unwrap_or(row.len());
        if row.contains("&=") || row.contains("&\\quad=") {
            out += &std::mem::take(&mut beside);
        }
        out += &commands(&row[..at]);
        beside += &commands(&row[at..]);
    }
    out + &beside
}

fn commands(tex: &str) -> String {
    let (mut out, mut rest) = (String::new(), tex);
    while let Some((before, after)) = rest.split_once('\\') {
        out += before;
        let name: String = after.chars().take_while(char::is_ascii_alphabetic).collect();
        rest = &after[name.len()..];
        match name.as_str() {
            // A sign that is escaped, or a short blank.
            "" => rest = &after[after.chars().next().map_or(0, char::len_utf8)..],
            "begin" | "end" => {
                let (_, after) = rest.split_once('}').unwrap();
                rest = after.strip_prefix("{@{}l@{ }l@{\\quad}l@{}}").unwrap_or(after);
            }
            name => out += sign(name),
        }
    }
    out + rest
}

fn sign(command: &str) -> &'static str {
    match command {
        "times" => "×",
        "cdot" => "·",
        "odot" => "⊙",
        "neq" => "≠",
        "leq" => "≤",
        "geq" => "≥",
        "to" => "→",
        "prod" => "∏",
        "sum" => "Σ",
        "nabla" => "∇",
        "sqrt" => "√",
        "lt" => "<",
        "gt" => ">",
        "Vert" => "‖",
        "top" => "ᵀ",
        "bullet" => "•",
        "cdots" => "⋯",
        "ldots" => "…",
        "lVert" | "rVert" => "‖",
        "bar" | "overline" => "¯",
        _ => "",
    }
}
