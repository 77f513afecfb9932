//! Lines of an interactive session: `>>> x = torch.randn(2, 4)`.

use super::parse_module;
use super::statements::Converter;
use crate::diagnostic::Span;
use crate::shape::Name;
use crate::source::ast::Doctest;
use std::ops::Range;

/// The prompts of `text` within `range`, each with the output that follows it.
/// Lines that cannot be parsed are passed over: they are prose to the program.
pub fn lines(text: &str, range: Range<usize>) -> Vec<Doctest> {
    let (mut found, mut at) = (Vec::new(), range.start);
    let mut block: Option<Block> = None;
    for line in text[range.clone()].split_inclusive('\n') {
        let code = line.trim_start();
        let start = at + line.len() - code.len();
        at += line.len();
        let continued = code.starts_with("...") && block.as_ref().is_some_and(|block| block.output.is_none());
        if let Some(rest) = code.strip_prefix(">>>") {
            found.extend(block.take().and_then(|block| block.finish(text)));
            let lead = 3 + rest.len() - rest.trim_start_matches(' ').len();
            block = Some(Block { start: start + lead, code: code[lead.min(code.len())..].to_string(), output: None });
        } else if let Some(open) = &mut block {
            if continued {
                // Blanks in place of the prompt keep every later byte where it is.
                open.code.push_str(&" ".repeat(start - (at - line.len()) + 3));
                open.code.push_str(&code[3..]);
            } else if is_output(code) {
                let end = start + code.trim_end().len();
                open.output = Some(open.output.take().map_or(start..end, |output| output.start..end));
            } else {
                found.extend(block.take().and_then(|block| block.finish(text)));
            }
        }
    }
    found.extend(block.and_then(|block| block.finish(text)));
    found
}

/// A line of output: neither blank nor the end of the docstring.
fn is_output(code: &str) -> bool {
    let code = code.trim();
    !code.is_empty() && code != "\"\"\"" && code != "'''"
}

struct Block {
    start: usize,
    code: String,
    output: Option<Range<usize>>,
}

impl Block {
    fn finish(self, text: &str) -> Option<Doctest> {
        let code = self.code.trim_end().trim_end_matches("\"\"\"").trim_end();
        super::bounds::check(code).ok()?;
        let parsed = parse_module(code);
        let valid = parsed.errors().is_empty();
        let stmt = parsed.into_syntax().body.into_iter().next().filter(|_| valid)?;
        let stmt = Converter::new(code, self.start as u32).line(stmt);
        let range = self.output.unwrap_or(self.start..self.start);
        let output = text[range.clone()].trim().trim_end_matches("\"\"\"").trim_end();
        let output_span = Span { start: range.start as u32, end: (range.start + output.len()) as u32 };
        Some(Doctest { stmt, output: Name::from(output), output_span })
    }
}
