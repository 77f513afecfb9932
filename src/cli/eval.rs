//! `chainrule eval`.

use super::args::Eval;
use super::numbers::at;
use super::open::open;
use super::screen::columns;
use crate::array::Array;
use crate::derive::{Derivation, Map, derive, without_rows};
use crate::diagnostic::{Diagnostic, Kind};
use crate::evaluate::{
    At, Inputs, Values, evaluate, hits, ill_conditioned, infinite_slope, not_finite, pulled, pushed, singular_values,
    values_for,
};
use crate::graph::{NodeId, Program};
use crate::notation::{self, Block, Fact, Math, Page, Piece};
use crate::reading::answers;
use crate::render::{Text, flat, text};
use crate::task::{Opened, Refusal, variable};

/// A Jacobian matrix of more rows or columns than this is not computed.
const LARGEST: usize = 4096;
/// Rows of a batch whose Jacobian matrices are shown.
const ROWS: usize = 3;

/// The page of numbers.
pub fn eval(args: &Eval) -> Result<Text, Refusal> {
    let mut opened = open(&args.source)?;
    let wrt =
        variable(&mut opened.program, args.source.question.wrt.as_deref()).map_err(|told| Refusal::of(vec![told]))?;
    let inputs = at(&opened.program, args)?;
    let refuse = |told| Refusal::about(&opened.program, &opened.origin, told);
    let page = numbers(&opened, wrt, &inputs, args).map_err(refuse)?;
    Ok(text(&page, columns(&args.paper)))
}

fn numbers(opened: &Opened, wrt: NodeId, inputs: &Inputs, args: &Eval) -> Result<Page, Diagnostic> {
    let program = &opened.program;
    let out = program.output;
    let values = evaluate(program, &[out, wrt], inputs)?;
    let bad = not_finite(program, &values).or_else(|| infinite_slope(program, &values));
    if let Some(told) = bad {
        return Err(told);
    }
    let mut blocks = vec![Block::Facts(facts(program, inputs, &values, args))];
    blocks.push(Block::Numbers(name(program, out), values.get(out).clone()));
    if args.jacobian || args.terms || args.singular_values {
        blocks.extend(jacobians(program, wrt, inputs, args)?);
    } else {
        blocks.extend(gradient(program, wrt, inputs)?);
    }
    let title = if program.title.is_empty() { program.source.trim() } else { &program.title };
    Ok(Page { title: title.to_string(), origin: opened.origin.clone(), blocks, ..Page::default() })
}

fn name(program: &Program, id: NodeId) -> Math {
    program.name(id).map_or_else(|| Math::name("out"), |name| Math::Name(name.clone()))
}

/// Where the program is evaluated, and what happens exactly there.
fn facts(program: &Program, inputs: &Inputs, values: &Values, args: &Eval) -> Vec<(String, Fact)> {
    let prose = |says: String| Fact::Prose(vec![Piece::Text(says)]);
    let mut facts = Vec::new();
    if !inputs.sizes.is_empty() {
        let sizes: Vec<String> = inputs.sizes.iter().map(|(dim, size)| format!("{dim} = {size}")).collect();
        facts.push(("sizes".to_string(), prose(sizes.join(", "))));
    }
    let given = match &args.input {
        Some(path) => format!("from {}, others drawn with --seed {}", path.display(), args.seed),
        None => format!("drawn with --seed {}", args.seed),
    };
    facts.push(("numbers".to_string(), prose(given)));
    for (i, (node, number)) in program.settings.iter().enumerate() {
        let label = if i == 0 { "set" } else { "" };
        let set = program.name(*node).map_or(String::new(), |name| format!("{name} = {number}"));
        facts.push((label.to_string(), prose(set)));
    }
    for (i, says) in program.assumptions.iter().enumerate() {
        facts.push((if i == 0 { "taken as given" } else { "" }.to_string(), prose(says.clone())));
    }
    let kinks = hits(program, values);
    for (i, hit) in kinks.iter().take(4).enumerate() {
        let entry: Vec<String> = hit.entry.iter().map(usize::to_string).collect();
        // The node of a turn of a loop belongs to the loop's body.
        let whole = hit.turns.is_empty().then(|| flat(&notation::of(program, hit.node)));
        let of = whole.map_or(String::new(), |of| format!(" of {of}"));
        let place = match entry.is_empty() {
            true => of,
            false => format!(" at entry [{}]{of}", entry.join(", ")),
        };
        let label = if i == 0 { "on a kink" } else { "" };
        facts.push((label.to_string(), prose(format!("{}{place}", hit.says))));
    }
    if kinks.len() > 4 {
        facts.push((String::new(), prose(format!("and {} more entries", kinks.len() - 4))));
    }
    for (i, bad) in ill_conditioned(program, values).iter().take(4).enumerate() {
        let says = format!(
            "{} has condition number {:.1e}: of about 16 digits, {} are lost",
            bad.matrix,
            bad.number,
            bad.digits_lost()
        );
        facts.push((if i == 0 { "ill-conditioned" } else { "" }.to_string(), prose(says)));
    }
    facts
}

/// The gradient of a scalar, or of the sum of all entries.
fn gradient(program: &Program, wrt: NodeId, inputs: &Inputs) -> Result<Vec<Block>, Diagnostic> {
    let out = program.output;
    let mut derivation = without_rows(program, out, wrt)?;
    let found = answers(&mut derivation)?;
    // Both programs of a derivation by the whole batch are one.
    let values = values_for(&derivation, inputs)?;
    let ones = values.get(derivation.out).map(|_| 1.0);
    let gradient = match pulled(&found, At { values: &values, inputs }, &ones)? {
        Some(gradient) => gradient,
        None => by_columns(&derivation, inputs, &ones)?,
    };
    let (of, by) = (name(&derivation.program, derivation.out), name(&derivation.program, derivation.wrt));
    let scalar = ones.rank() == 0;
    let mut says: Vec<Piece> = vec!["The gradient of ".into()];
    let left = if scalar { of } else { Math::call("sum", vec![of]) };
    says.push(left.clone().into());
    says.extend([" by ".into(), by.clone().into()]);
    says.push(if scalar { ":".into() } else { " (the cotangent of the result is all ones):".into() });
    Ok(vec![Block::Prose(says), Block::Numbers(Math::derivative(left, by), gradient)])
}

/// ⟨cotangent, map(e)⟩ for every entry e of the variable: for maps without a closed pullback.
fn by_columns(derivation: &Derivation, inputs: &Inputs, cotangent: &Array) -> Result<Array, Diagnostic> {
    let (columns, by) = columns_of(derivation, &derivation.result, inputs)?;
    let entries = columns.iter().map(|column| column.as_ref().map_or(0.0, |column| column.inner(cotangent)));
    Array::new(by, entries.collect()).ok_or_else(too_large)
}

/// The map applied to every entry of the variable in turn, and the variable's sizes.
fn columns_of(
    derivation: &Derivation,
    map: &Map,
    inputs: &Inputs,
) -> Result<(Vec<Option<Array>>, Vec<usize>), Diagnostic> {
    let values = values_for(derivation, inputs)?;
    let at = values.get(derivation.wrt);
    let entries = at.data().len();
    if entries > LARGEST || values.get(derivation.out).data().len() > LARGEST {
        return Err(too_large());
    }
    let column = |entry: usize| {
        let tangent = Array::from_fn(at.sizes(), |i| f64::from(u8::from(i == entry)));
        pushed(derivation, At { values: &values, inputs }, map, &tangent, &|_| Ok(None))
    };
    let columns = (0..entries).map(column).collect::<Result<_, _>>()?;
    Ok((columns, at.sizes().to_vec()))
}

fn too_large() -> Diagnostic {
    let message = format!("the Jacobian matrix has more than {LARGEST} rows or columns");
    Diagnostic::new(Kind::TooLarge, message).help("give smaller sizes with --dim")
}

/// The Jacobian matrix, or each of its terms, by rows of a batch where these stand apart.
fn jacobians(program: &Program, wrt: NodeId, inputs: &Inputs, args: &Eval) -> Result<Vec<Block>, Diagnostic> {
    let terms = args.terms;
    let out = program.output;
    let by_row = derive(program, out, wrt)?.whole.is_some();
    let derivation = without_rows(program, out, wrt)?;
    let mut maps: Vec<(Piece, Map)> = Vec::new();
    if let (true, Map::Sum(parts)) = (terms, &derivation.result) {
        let rest = Map::sum(parts.iter().filter(|part| **part != Map::Identity).cloned());
        if parts.contains(&Map::Identity) {
            maps.push(("I".into(), Map::Identity));
            maps.push(("the branch".into(), rest));
        } else {
            let numbered = |(i, part): (usize, &Map)| (Piece::from(format!("term {}", i + 1)), part.clone());
            maps.extend(parts.iter().enumerate().map(numbered));
        }
    }
    let whole = if maps.is_empty() { "" } else { "their sum" };
    maps.push((whole.into(), derivation.result.clone()));
    let mut blocks = Vec::new();
    let (of, by) = (name(&derivation.program, derivation.out), name(&derivation.program, derivation.wrt));
    let sizes = program.shape(out).eval(&inputs.sizes).ok_or_else(too_large)?;
    let rows = if by_row { sizes.first().copied().unwrap_or(0) } else { 1 };
    let shown = rows.min(if terms { 1 } else { ROWS });
    for row in 0..shown {
        let entry = |of: &Math| match by_row {
            true => Math::Entry(Box::new(of.clone()), vec![Math::whole(i64::try_from(row).unwrap_or(i64::MAX))]),
            false => of.clone(),
        };
        for (label, map) in &maps {
            let matrix = matrix(&derivation, map, inputs, by_row.then_some(row))?;
            let mut says: Vec<Piece> = vec![label.clone()];
            if *label == Piece::from("") || *label == Piece::from("their sum") {
                if *label != Piece::from("") {
                    says.push(", ".into());
                }
                says.push(Math::derivative(entry(&of), entry(&by)).into());
            } else if by_row {
                says.extend([" at ".into(), entry(&by).into()]);
            }
            let singular = if args.singular_values { spectrum(&says, &matrix) } else { Vec::new() };
            if args.jacobian || args.terms {
                says.push(":".into());
                blocks.push(Block::Prose(says));
                blocks.push(Block::Numbers(Math::Ellipsis, matrix));
            }
            blocks.extend(singular);
        }
    }
    if by_row {
        let more = match rows - shown {
            0 => String::new(),
            1 => "The other row likewise. ".to_string(),
            more => format!("The other {more} rows likewise. "),
        };
        blocks.push(Block::Prose(vec![format!("{more}Rows do not mix: the blocks of different rows are 0.").into()]));
    }
    Ok(blocks)
}

/// The singular values of a matrix that is called `what`.
fn spectrum(what: &[Piece], matrix: &Array) -> Vec<Block> {
    let Some(found) = singular_values(matrix) else { return Vec::new() };
    let mut says = vec![Piece::from("Singular values of ")];
    says.extend_from_slice(what);
    says.push(":".into());
    let mut blocks = vec![Block::Prose(says)];
    if !found.known.is_empty() {
        let known = Array::from_fn(&[found.known.len()], |i| found.known[i]);
        blocks.push(Block::Numbers(Math::Ellipsis, known));
    }
    let lost = match found.lost {
        0 => return blocks,
        _ if found.known.is_empty() => "All are 0.".to_string(),
        1 => format!("One more is lost in rounding: it is 0, or below about {:.0e}.", found.rounding),
        n => format!("{n} more are lost in rounding: they are 0, or below about {:.0e}.", found.rounding),
    };
    blocks.push(Block::Prose(vec![lost.into()]));
    blocks
}

/// The matrix of a map: entries of the result by entries of the variable, all
/// of them or those of one row.
fn matrix(derivation: &Derivation, map: &Map, inputs: &Inputs, row: Option<usize>) -> Result<Array, Diagnostic> {
    let (columns, by) = columns_of(derivation, map, inputs)?;
    let out = derivation.program.shape(derivation.out).eval(&inputs.sizes).ok_or_else(too_large)?;
    let part = |sizes: &[usize]| match row {
        None => 0..sizes.iter().product(),
        Some(row) => {
            let len: usize = sizes[1..].iter().product();
            row * len..(row + 1) * len
        }
    };
    let (rows, picked) = (part(&out), part(&by));
    let (height, wide) = (rows.len(), picked.len());
    let entry = |at: usize| {
        let column = &columns[picked.start + at % wide];
        column.as_ref().map_or(0.0, |column| column.data()[rows.start + at / wide])
    };
    Ok(Array::from_fn(&[height, wide], entry))
}
