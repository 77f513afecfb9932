//! Whole files of Python. The parser behind it is an implementation detail of
//! this folder: nothing of it shows outside.

mod annotation;
mod bounds;
mod doctest;
mod errors;
mod expressions;
mod kinds;
mod statements;

use super::ast::Module;
use crate::diagnostic::Diagnostics;
use ruff_python_ast::ModModule;
use ruff_python_parser::{Mode, ParseOptions, Parsed, parse_unchecked};
use statements::Converter;
use std::borrow::Cow;

/// Parses a file of Python.
///
/// What the language leaves out is kept with its place and told when it is reached.
///
/// # Errors
/// What is not Python, too large or nested too deeply, all mistakes at once
/// where the parser can go on.
///
/// ```
/// let module = chainrule::source::parse("def f(x: \"n\"):\n    return x @ x\n").unwrap();
/// assert_eq!(&*module.functions[0].name, "f");
/// ```
pub fn parse(text: &str) -> Result<Module, Diagnostics> {
    let sessions = bounds::check(text).map_err(|told| vec![told])?;
    let code = without(text, &sessions);
    let parsed = parse_module(&code);
    let told = errors::told(&code, parsed.errors());
    // The tree is taken apart from the left, never dropped as a whole: a long
    // sum is as deep in it as it has terms.
    let mut converter = Converter::new(&code, 0);
    let mut module = converter.module(parsed.into_syntax());
    if !told.is_empty() {
        return Err(told);
    }
    for session in sessions {
        module.doctests.extend(doctest::lines(text, session));
    }
    Ok(module)
}

fn parse_module(code: &str) -> Parsed<ModModule> {
    match parse_unchecked(code, ParseOptions::from(Mode::Module)).try_into_module() {
        Some(parsed) => parsed,
        // Mode::Module always gives a module; an empty one stands for it here.
        None => parse_module(""),
    }
}

/// `text` with the lines of sessions blank, every other byte in its place.
fn without<'a>(text: &'a str, sessions: &bounds::Sessions) -> Cow<'a, str> {
    if sessions.is_empty() {
        return Cow::Borrowed(text);
    }
    let (mut code, mut at) = (String::with_capacity(text.len()), 0);
    for session in sessions {
        code.push_str(&text[at..session.start]);
        code.extend(text[session.clone()].bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
        at = session.end;
    }
    code.push_str(&text[at..]);
    Cow::Owned(code)
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::diagnostic::Kind;
    use crate::source::ast::{Annotation, StmtKind};

    const BLOCK: &str = r#"
import torch.nn.functional as F
from torch import relu as r

def block(x: Float[Tensor, "batch d"], w: "d d", b: torch.Tensor = None, s: float = 0.5):  # why
    """One block.

    >>> x = torch.randn(2, 4)
    >>> w, b = torch.randn(
    ...     4, 4), torch.randn(4)
    >>> block(x, w, b).shape
    torch.Size([2, 4])
    """
    h = F.relu(x @ w + b)   # after code
    return (x
            + h)

def empty(x):
    ...

if __name__ == "__main__":
    main()
"#;

    #[test]
    fn a_file_is_read_with_its_surroundings() {
        let module = parse(BLOCK).unwrap();
        let imports: Vec<String> = module.imports.iter().map(|(name, path)| format!("{name}={path}")).collect();
        assert_eq!(imports, ["F=torch.nn.functional", "r=torch.relu"]);
        let [block, empty] = module.functions.as_slice() else { panic!() };
        assert!(empty.body.is_empty());
        let annotations: Vec<String> = block
            .params
            .iter()
            .map(|p| match &p.annotation {
                Annotation::Shape(text, span) => {
                    assert_eq!(span.of(BLOCK), &**text);
                    text.to_string()
                }
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(annotations, ["batch d", "d d", "None", "Number"]);
        assert_eq!(block.body.len(), 2);
        let StmtKind::Return(value) = &block.body[1].kind else { panic!() };
        assert!(value.span.of(BLOCK).starts_with("x\n"));
        let [x, w, shape] = block.doctests.as_slice() else { panic!("{:?}", block.doctests) };
        assert!(matches!(x.stmt.kind, StmtKind::Assign(..)) && x.output.is_empty());
        assert_eq!(w.stmt.span.of(BLOCK), "w, b = torch.randn(\n    ...     4, 4), torch.randn(4)");
        assert_eq!((&*shape.output, shape.output_span.of(BLOCK)), ("torch.Size([2, 4])", "torch.Size([2, 4])"));
    }

    #[test]
    fn what_is_no_python_is_told_at_its_place() {
        let table = [
            ("h = relu(x\nreturn h\n", Kind::Syntax, "(", "'(' of the call to relu is never closed"),
            ("h = x + y)\n", Kind::Syntax, ")", "unmatched ')'"),
            ("def f(x):\n    h = x +\n    return h\n", Kind::Syntax, "+", "an operand is missing after '+'"),
            ("def f(x):\n    return 2x\n", Kind::Syntax, "x", "write the product as 2 * x"),
            ("y = A' @ x\n", Kind::Syntax, "'", "transpose is written A.T"),
            ("y = x\u{200B} + 1\n", Kind::UnsupportedCharacter, "\u{200B}", "U+200B"),
            ("y = \u{FF12} * x\n", Kind::UnsupportedCharacter, "\u{FF12}", "not an ASCII digit"),
            ("y = x + \0\n", Kind::UnsupportedCharacter, "\0", "U+0000"),
            ("y = x + 🙂\n", Kind::UnsupportedCharacter, "🙂", "U+1F642"),
        ];
        for (text, kind, place, says) in table {
            let told = parse(text).unwrap_err();
            assert_eq!((told[0].kind, told[0].span.unwrap().of(text)), (kind, place), "{text}: {}", told[0]);
            assert!(told[0].to_string().contains(says), "{text}: {}", told[0]);
        }
        let several = parse("def f(x):\n    h = x +\n    g = x @@ x\n    return h\n").unwrap_err();
        assert_eq!(several.len(), 2, "{several:?}");
        assert!(parse("def ζ(θ, é):\n    return θ\n").is_ok());
    }

    #[test]
    fn deep_and_long_texts_are_refused_or_read_on_a_small_stack() {
        let deep = [
            format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
            format!("{}x", "-".repeat(100_000)),
            format!("{}x", "not ".repeat(100_000)),
            format!("{}x", "lambda: ".repeat(100_000)),
            format!("{}x{}", "sin(".repeat(20_000), ")".repeat(20_000)),
            format!("x{}", ".T".repeat(20_000)),
            format!("x{}", "[0]".repeat(20_000)),
            format!("x{}", " if x else x".repeat(20_000)),
            vec!["x"; 20_000].join(" ** "),
            vec!["x"; 20_000].join(" + "),
            format!("f\"{{{}x{}}}\"", "(".repeat(5_000), ")".repeat(5_000)),
            format!("f(x, {})", "*".repeat(50_000)),
            (0..2_000).map(|i| format!("{}if x:\n", " ".repeat(i))).collect(),
            "x = 1\n".repeat(2_000_000),
        ];
        let within = [
            format!("y = {}x{}", "(1 + 2 * ".repeat(190), ")".repeat(190)),
            format!("y = x{}", " * x".repeat(5_000)),
            format!("y = x{} and x", " * x".repeat(4_900)),
            format!("y = x{} +", " * x".repeat(4_900)),
            "x = x + relu(x @ w1 + b1) @ w2 + b2\n".repeat(20_000),
        ];
        let work = move || {
            for text in deep {
                assert_eq!(parse(&text).unwrap_err()[0].kind, Kind::TooLarge, "{}", &text[..20]);
            }
            for text in within {
                let kind = parse(&text).err().map(|told| told[0].kind);
                assert!(kind.is_none_or(|kind| kind == Kind::Syntax), "{}: {kind:?}", &text[..20]);
            }
        };
        std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
    }
}
