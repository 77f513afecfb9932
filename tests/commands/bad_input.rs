//! Every malformed input of the corpus is refused with its kind, its place and words that help.

use chainrule::diagnostic::Diagnostic;
use chainrule::graph::{Request, read_expression, resolve_order, resolve_wrt};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Deserialize)]
struct Corpus {
    bad: Vec<Bad>,
}

#[derive(Deserialize)]
struct Bad {
    id: String,
    kind: String,
    #[serde(default)]
    accept_also: Vec<String>,
    inputs: BTreeMap<String, String>,
    #[serde(default, rename = "let")]
    lets: Vec<String>,
    expr: Option<String>,
    generate: Option<String>,
    wrt: String,
    order: i64,
    place: String,
    column: Option<usize>,
    values: Option<toml::Value>,
}

/// What the message or its help must contain.
const SAYS: &[(&str, &str)] = &[
    ("empty", "the expression is empty"),
    ("dangling-plus", "an operand is missing after '+', at the end"),
    ("leading-star", "an operand is missing before '*'"),
    ("extra-paren", "unmatched ')'"),
    ("unclosed-call", "'(' of the call to relu is never closed"),
    ("double-operator", "an operand is missing between '**' and '*'"),
    ("implicit-product", "write the product as 2 * x"),
    ("bad-number", "malformed number 1.2.3"),
    ("double-at", "an operand is missing between the two '@'"),
    ("matlab-transpose", "transpose is written A.T"),
    ("floor-div", "floor division"),
    ("bool-and", "'and' is not supported"),
    ("string", "a string is not a number"),
    ("conditional", "use where(condition, a, b)"),
    ("comprehension", "comprehensions are not supported"),
    ("unknown-attribute", "only .T"),
    ("assignment-as-expr", "an expression was expected"),
    ("augmented", "in-place update"),
    ("while-loop", "loop"),
    ("def", "functions cannot be defined"),
    ("exec", "nothing is executed"),
    ("dunder-import", "nothing is executed"),
    ("semicolon", "one expression only"),
    ("greek-name", "π is not defined"),
    ("zero-width", "invisible character U+200B"),
    ("fullwidth-digit", "(U+FF12) is not an ASCII digit"),
    ("nul-byte", "control character U+0000"),
    ("emoji-name", "U+1F642"),
    ("case-differs", "did you mean W?"),
    ("misspelt-function", "did you mean softmax?"),
    ("value-as-function", "a product is written x * (3)"),
    ("let-forward", "v is used before it is defined"),
    ("let-redefines-input", "x is already an input"),
    ("relu-none", "relu takes one argument, none given"),
    ("where-two", "where takes three arguments, two given"),
    ("softmax-no-axis", "softmax needs an axis"),
    ("bad-keyword", "did you mean dim?"),
    ("axis-range", "axis 1 is out of range for a vector (rank 1)"),
    ("axis-array", "not an array"),
    ("matvec", "did you mean A.T @ x or x @ A?"),
    ("add-vec", "x is (n,) and y is (m,)"),
    ("add-mat", "did you mean B.T?"),
    ("matmul-scalar", "@ does not take a scalar (use *)"),
    ("deep-mismatch", "A @ B is (m, p) and D is (m, q)"),
    ("dims-same-size", "x is (n,) and y is (m,)"),
    ("mse-shapes", "(m, n)"),
    ("det-nonsquare", "det needs a square matrix, A is (m, n)"),
    ("det-vector", "det needs a matrix, x is a vector"),
    ("trace-vector", "trace needs a matrix, x is a vector"),
    ("decl-comma", "dimensions are separated by spaces: \"n m\""),
    ("decl-fraction", "a name or a positive whole number"),
    ("wrt-empty", "no variable to differentiate by"),
    ("wrt-function", "relu is a function, not an input"),
    ("wrt-expression", "is a name"),
    ("order-zero", "1 or 2"),
    ("deep-parens", "at most 200 levels"),
    ("deep-unary", "at most 200 levels"),
    ("deep-calls", "at most 200 levels"),
    ("deep-power", "at most 200 levels"),
    ("huge-literal", "too large for a double"),
    ("boolean-output", "no derivative"),
];

/// What is wrong with these is their numbers, or the size of their answer: they read.
const NUMBERS: &[&str] = &[
    "decl-conflict",
    "decl-ragged",
    "decl-missing-value",
    "huge-dim",
    "log-negative",
    "sqrt-negative",
    "div-zero",
    "zero-over-zero",
    "sqrt-zero",
    "norm-zero",
    "nan-input",
    "inf-input",
    "inv-near-singular",
    "logdet-negative",
    "var-constant",
];

fn text(bad: &Bad) -> String {
    let generated = match bad.id.as_str() {
        "deep-parens" => format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000)),
        "deep-unary" => format!("{}x", "-".repeat(100_000)),
        "deep-calls" => format!("{}x{}", "sin(".repeat(20_000), ")".repeat(20_000)),
        "deep-power" => ["x"; 20_000].join(" ** "),
        "long-product" => ["x"; 2_000].join(" * "),
        "long-matmul" => ["A"; 300].join(" @ "),
        "let-doubling" => "e60".to_string(),
        id => {
            assert!(bad.generate.is_none(), "{id} has to be built");
            String::new()
        }
    };
    bad.expr.clone().unwrap_or(generated)
}

fn lets(bad: &Bad) -> Vec<String> {
    match bad.id.as_str() {
        "let-doubling" => {
            let squares = (1..=60).map(|i| format!("e{i} = e{j} * e{j}", j = i - 1));
            std::iter::once("e0 = x".to_string()).chain(squares).collect()
        }
        _ => bad.lets.clone(),
    }
}

/// The first mistake told, and the source its place refers to.
fn told(bad: &Bad) -> (Result<(), Diagnostic>, String) {
    let mut request = Request { strict: true, lets: lets(bad), ..Request::default() };
    for (name, shape) in &bad.inputs {
        if let Err(told) = request.declare(name, shape) {
            return (Err(told), String::new());
        }
    }
    let text = text(bad);
    let source = request.source(&text);
    let read = read_expression(&text, &request).map_err(|mut told| told.remove(0));
    let done = read.and_then(|program| {
        resolve_wrt(&program, &bad.wrt)?;
        resolve_order(bad.order).map(drop)
    });
    (done, source)
}

fn bad_inputs() -> Vec<Bad> {
    toml::from_str::<Corpus>(include_str!("../corpus/bad.toml")).unwrap().bad
}

#[test]
fn each_is_refused_with_its_kind_and_place() {
    let bad_inputs = bad_inputs();
    assert_eq!(bad_inputs.len(), 81);
    for bad in &bad_inputs {
        let (done, source) = told(bad);
        let id = bad.id.as_str();
        if NUMBERS.contains(&id) {
            assert!(bad.values.is_some() || id == "huge-dim", "{id}");
            assert_eq!(done, Ok(()), "{id}");
            continue;
        }
        let Err(told) = done else {
            // Indexing is part of the language here.
            assert!(bad.accept_also.iter().any(|kind| kind == "accepted") || id == "indexing", "{id} is accepted");
            continue;
        };
        let kind = told.kind.as_str();
        assert!(kind == bad.kind || bad.accept_also.iter().any(|other| other == kind), "{id}: {kind}: {told}");
        match told.span {
            Some(span) if !bad.place.is_empty() => {
                assert_eq!(span.of(&source), bad.place, "{id}: {told}");
                let before = &source[..span.start as usize];
                let column = before.rsplit('\n').next().unwrap_or("").chars().count();
                assert!(bad.column.is_none_or(|wanted| wanted == column), "{id} at column {column}");
            }
            Some(_) => assert_eq!(id, "empty"),
            None => assert!(told.to_string().contains(&bad.place), "{id}: {told}"),
        }
    }
}

#[test]
fn each_is_told_in_words_that_help() {
    for bad in bad_inputs() {
        let (Err(told), _) = told(&bad) else { continue };
        let says = SAYS.iter().find(|(id, _)| *id == bad.id);
        let (_, says) = says.unwrap_or_else(|| panic!("{} says nothing: {told}", bad.id));
        assert!(told.to_string().contains(says), "{}: {told}", bad.id);
    }
}

#[test]
fn hostile_inputs_end_soon_on_a_small_stack() {
    let work = || {
        let mut texts: Vec<String> = bad_inputs().iter().filter(|bad| bad.generate.is_some()).map(text).collect();
        texts.push("x + ".repeat(2_500_000));
        texts.push(format!("x{}", "[0]".repeat(50_000)));
        texts.push(format!("({}", "x, ".repeat(500_000)));
        texts.push("'".repeat(100_000));
        let mut request = Request::default();
        request.declare("x", "n").unwrap();
        for text in texts {
            let start = Instant::now();
            let whole = read_expression(&text, &request).is_err();
            let file = chainrule::graph::read(&text, &request).is_err();
            assert!(start.elapsed() < Duration::from_secs(2), "{:.20}: {:?}", text, start.elapsed());
            assert!(whole || file || text.len() < 20_000, "{text:.20}");
        }
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_file_with_the_same_mistake_tells_the_same() {
    let mut count = 0;
    for bad in bad_inputs() {
        let Some(text) = bad.expr.as_ref().filter(|text| !text.is_empty() && bad.lets.is_empty()) else { continue };
        if NUMBERS.contains(&bad.id.as_str()) || bad.kind.starts_with("bad-wrt") || bad.kind == "bad-order" {
            continue;
        }
        let params: Vec<String> = bad.inputs.iter().map(|(name, shape)| format!("{name}: \"{shape}\"")).collect();
        let file = format!("def f({}):\n    # ζ before\n    return {text}\n", params.join(", "));
        match chainrule::graph::read(&file, &Request::default()) {
            // Python takes `x; x @ x` for two statements and lists `* x`.
            Ok(_) => assert!(["indexing", "semicolon", "huge-exponent"].contains(&bad.id.as_str()), "{}", bad.id),
            Err(told) => {
                let (kind, place) = (told[0].kind.as_str(), told[0].span.unwrap().of(&file));
                let known = kind == bad.kind || bad.accept_also.iter().any(|other| other == kind);
                assert!(known || bad.id == "leading-star", "{}: {kind}: {}", bad.id, told[0]);
                assert_eq!(place, bad.place, "{}: {}", bad.id, told[0]);
                count += 1;
            }
        }
    }
    assert!(count > 45, "{count}");
}
