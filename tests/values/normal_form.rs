//! The normal form: its own normal form, whatever things are called and in whatever
//! order equal terms are written.

use crate::closed::{Random, SHAPES, expression};

use chainrule::graph::{Program, Request, read_expression};
use chainrule::reading::{derivative, simplified, text};

fn read(source: &str, name: &dyn Fn(&str) -> String) -> Program {
    let mut request = Request { strict: true, ..Request::default() };
    SHAPES.iter().for_each(|(plain, shape)| request.declare(&name(plain), shape).unwrap());
    read_expression(source, &request).unwrap_or_else(|told| panic!("{source}: {told:?}"))
}

fn plain(name: &str) -> String {
    name.to_string()
}

/// Names that the tool or the generator does not use, in another alphabetical order.
fn other(name: &str) -> String {
    let at = SHAPES.iter().position(|(plain, _)| *plain == name).unwrap();
    format!("{}q", char::from(b'z' - at as u8))
}

/// A random program: its text and what it is differentiated by.
fn drawn(seed: u64) -> (String, &'static str) {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(11));
    (0..4).for_each(|_| _ = random.below(9));
    let shape = random.pick(&["", "", "n", "m n"]);
    let depth = 1 + random.below(3);
    let source = expression(&mut random, shape, depth);
    (source, random.pick(&["s", "x", "A", "S"]))
}

/// The words of a text with names exchanged.
fn renamed(source: &str, name: &dyn Fn(&str) -> String) -> String {
    let (mut out, mut word) = (String::new(), String::new());
    for c in source.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let known = !out.ends_with('.') && SHAPES.iter().any(|(plain, _)| *plain == word);
        out += &if known { name(&word) } else { word.clone() };
        word.clear();
        out.push(c);
    }
    out.trim_end().to_string()
}

/// The operands of + and * at the outermost level of every bracket, exchanged.
fn exchanged(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::new();
    let mut i = 0;
    while i < chars.len() {
        if chars[i] != '(' {
            out.push(chars[i]);
            i += 1;
            continue;
        }
        let (mut depth, mut end) = (0, i);
        loop {
            depth += i32::from(chars[end] == '(') - i32::from(chars[end] == ')');
            if depth == 0 {
                break;
            }
            end += 1;
        }
        let inner = exchanged(&chars[i + 1..end].iter().collect::<String>());
        out += &format!("({})", turned(&inner));
        i = end + 1;
    }
    out
}

/// a + b as b + a, a * b as b * a, where that is all there is.
fn turned(inner: &str) -> String {
    let chars: Vec<char> = inner.chars().collect();
    let mut depth = 0;
    let mut signs = Vec::new();
    for (i, c) in chars.iter().enumerate() {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        let alone = depth == 0 && i > 0 && chars[i - 1] == ' ' && chars.get(i + 1) == Some(&' ');
        if alone && "+-*/@>".contains(*c) || depth == 0 && (*c == ',' || *c == '*' && chars.get(i + 1) == Some(&'*')) {
            signs.push((i, *c));
        }
    }
    match signs[..] {
        [(at, sign @ ('+' | '*'))] if chars.get(at + 1) == Some(&' ') => {
            let (left, right): (String, String) = (chars[..at - 1].iter().collect(), chars[at + 2..].iter().collect());
            format!("{right} {sign} {left}")
        }
        _ => inner.to_string(),
    }
}

/// The closed derivative, if it has matrix notation.
fn answer(source: &str, wrt: &str, name: &dyn Fn(&str) -> String) -> Option<String> {
    let mut program = read(source, name);
    let (out, wrt) = (program.output, program.named(&name(wrt)).unwrap());
    let reading = derivative(&mut program, out, wrt, 1).unwrap_or_else(|why| panic!("{source}: {why}"));
    reading.matrix.then(|| text(&program, reading.node))
}

fn trials() -> u64 {
    std::env::var("TRIALS").ok().and_then(|n| n.parse().ok()).unwrap_or(250)
}

/// Nothing, or what went wrong with how many.
fn assert_none(wrong: &[String]) {
    let told: Vec<String> = wrong.iter().take(12).cloned().collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), trials(), told.join("\n"));
}

/// The text read, normalised and written again.
fn again(printed: &str) -> String {
    let mut back = read(printed, &plain);
    let node = back.output;
    let node = simplified(&mut back, node).node;
    text(&back, node)
}

#[test]
fn an_answer_read_back_is_its_own_normal_form() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for (source, wrt) in (0..trials()).map(drawn) {
        let Some(printed) = answer(&source, wrt, &plain) else { continue };
        let once = again(&printed);
        read += 1;
        if once != printed {
            wrong.push(format!("{source} by {wrt}:\n  {printed}\n  {once}"));
        }
    }
    assert!(2 * read > trials(), "{read} answers are in matrix notation");
    assert_none(&wrong);
}

#[test]
fn names_change_names_alone() {
    let mut wrong = Vec::new();
    for (source, wrt) in (0..trials()).map(drawn) {
        let Some(printed) = answer(&source, wrt, &plain) else { continue };
        let there = answer(&renamed(&source, &other), wrt, &other).unwrap_or_default();
        if there != renamed(&printed, &other) {
            wrong.push(format!("{source} by {wrt}:\n  {printed}\n  {there}"));
        }
    }
    assert_none(&wrong);
}

#[test]
fn the_order_of_equal_terms_does_not_matter() {
    let mut wrong = Vec::new();
    let mut changed = 0;
    for (source, wrt) in (0..trials()).map(drawn) {
        let other = exchanged(&source);
        changed += usize::from(other != source);
        let (here, there) = (answer(&source, wrt, &plain), answer(&other, wrt, &plain));
        if here != there {
            wrong.push(format!("{source}\n{other} by {wrt}:\n  {here:?}\n  {there:?}"));
        }
    }
    assert!(changed > trials() as usize / 5, "{changed} were changed at all");
    assert_none(&wrong);
}

#[test]
fn the_same_program_gives_the_same_text() {
    for (source, wrt) in (0..trials()).map(drawn) {
        assert_eq!(answer(&source, wrt, &plain), answer(&source, wrt, &plain), "{source} by {wrt}");
    }
}
