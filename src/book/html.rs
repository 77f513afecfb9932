//! HTML that stands on one line: nothing in it is read as Markdown, whatever list or
//! quote is around it.

use crate::render::{html_escaped, html_style};

/// Colours of the themes that a book has; the page's own follow the system.
const STYLE: &str = include_str!("style.css");

/// A part of the page, with the style that all of them share where it is the first.
pub(super) fn section(html: &str, with_style: bool) -> String {
    let style = if with_style { format!("<style>{}{STYLE}</style>", html_style()) } else { String::new() };
    format!("<section class=\"chainrule\">{style}{html}</section>")
}

/// Source code; highlighted where the book does that.
pub(super) fn code(text: &str, language: &str) -> String {
    format!("<pre><code class=\"language-{language}\">{}\n</code></pre>", escaped(text))
}

/// A mistake, as the terminal shows it.
pub(super) fn failure(text: &str) -> String {
    let text = escaped(text.trim_end());
    format!("<pre class=\"failure\" role=\"alert\"><code class=\"language-text nohighlight\">{text}\n</code></pre>")
}

/// A picture that scrolls by itself where it is wider than the page.
pub(super) fn graph(svg: &str) -> String {
    format!("<figure class=\"picture scroll\" tabindex=\"0\">{svg}</figure>")
}

/// Text as HTML reads it, line by line.
fn escaped(text: &str) -> String {
    text.lines().map(html_escaped).collect::<Vec<_>>().join("\n")
}

/// The same HTML without ends of lines: those that count are written as `&#10;`.
pub(super) fn one_line(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find("<pre") {
        let end = rest[at..].find("</pre>").map_or(rest.len(), |end| at + end);
        push_joined(&mut out, &rest[..at]);
        out += &rest[at..end].replace('\n', "&#10;");
        rest = &rest[end..];
    }
    push_joined(&mut out, rest);
    out
}

/// Blanks between words stay blanks; between tags nothing is needed.
fn push_joined(out: &mut String, html: &str) {
    for line in html.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let apart = !line.starts_with('<') && !out.is_empty() && !out.ends_with('>');
        if apart {
            out.push(' ');
        }
        out.push_str(line);
    }
}

#[cfg(test)]
mod tests {
    use super::{code, one_line};

    #[test]
    fn one_line_holds_all() {
        let table = [
            ("<p>a\nb</p>\n\n<p>c</p>\n", "<p>a b</p><p>c</p>"),
            ("<pre>a\n\n  b</pre>\n<p>", "<pre>a&#10;&#10;  b</pre><p>"),
            ("<style>\n.a { x: y; }\n.b { x: y; }\n</style>", "<style>.a { x: y; } .b { x: y; }</style>"),
            ("x\n<b>y</b>\nz", "x<b>y</b>z"),
        ];
        for (html, line) in table {
            assert_eq!(one_line(html), line);
        }
        assert_eq!(
            code("a < b\n\n& c", "python"),
            "<pre><code class=\"language-python\">a &lt; b\n\n&amp; c\n</code></pre>"
        );
    }
}
