//! Arguments and attributes of a call, by position and by keyword.

use super::callee::{Callee, Given};
use super::elaborate::Elaborator;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span, did_you_mean};
use crate::ops::{Attr, Attrs, Number, Param, ParamKind, Preset};
use crate::shape::{Dim, Name};

impl Elaborator<'_> {
    /// Applies the operation to what is given; `called` is its name as written.
    pub fn apply_call(&mut self, callee: Callee, given: Given, called: &str, whole: Span) -> Result<Value, Diagnostic> {
        let order = callee.spelling.map_or(&[][..], |spelling| spelling.order);
        let slots = slots(callee.op.params, order, given, called, whole)?;
        let mut args = Vec::new();
        let arrays = callee.op.params.iter().filter(|param| param.is_array()).count();
        for (param, slot) in callee.op.params.iter().zip(&slots).take(arrays) {
            match (slot, param.kind) {
                (Some(Operand { value: Value::Tuple(items), span }), ParamKind::Arrays) => {
                    for item in items {
                        args.push((self.node(&Operand { value: item.clone(), span: *span })?, *span));
                    }
                }
                (Some(operand), _) => args.push((self.node(operand)?, operand.span)),
                (None, ParamKind::ArrayOr(default)) => {
                    let number = Number::parse(default).unwrap_or(Number::ZERO);
                    args.push((self.program.number(number), whole));
                }
                (None, _) => return Err(wrong_arity(callee.op.params, &slots, called, whole)),
            }
        }
        let rank = args.first().map_or(0, |(node, _)| self.program.shape(*node).rank());
        let mut attrs = Vec::new();
        for (param, slot) in callee.op.params.iter().zip(slots).skip(arrays) {
            let preset = callee.spelling.and_then(|s| s.preset.iter().find(|(name, _)| *name == param.name));
            let attr = match slot {
                Some(operand) => self.attribute_value(param, operand, rank)?,
                None => default(param, preset.map(|(_, preset)| *preset), rank)
                    .ok_or_else(|| missing_attribute(param, called, rank, whole))?,
            };
            attrs.push((param.name, attr));
        }
        self.apply(callee.op, &args, Attrs(attrs), whole, whole).map(Value::Node)
    }

    /// The attribute that `operand` gives.
    pub fn attribute_value(&self, param: &Param, operand: Operand, rank: usize) -> Result<Attr, Diagnostic> {
        if let Value::Attr(attr) = operand.value {
            return Ok(attr);
        }
        let refuse = |wanted: &str| {
            let message = format!("{} is {wanted}, not {}", param.name, operand.value.sort());
            Err(Diagnostic::at(Kind::BadArgument, operand.span, message))
        };
        match (param.kind, &operand.value) {
            (ParamKind::Axis(_), Value::Nothing) => Ok(Attr::Axes((0..rank).collect())),
            (ParamKind::Axis(_), Value::Tuple(items)) => axes(items, rank, operand.span),
            (ParamKind::Axis(_), one) if one.whole().is_some() => axes(std::slice::from_ref(one), rank, operand.span),
            (ParamKind::Axis(_), _) => refuse("an axis"),
            (ParamKind::Flag(_), Value::Flag(flag)) => Ok(Attr::Flag(*flag)),
            (ParamKind::Flag(_), _) => refuse("True or False"),
            (ParamKind::Whole(_), one) => one.whole().map_or_else(|| refuse("a whole number"), |n| Ok(Attr::Whole(n))),
            (ParamKind::Text(_), Value::Text(text)) => Ok(Attr::Text(text.clone())),
            (ParamKind::Text(_), Value::Number(number)) => Ok(Attr::Text(Name::from(decimal(*number)))),
            (ParamKind::Text(_), _) => refuse("a word or a number"),
            (ParamKind::Dims | ParamKind::Stated, Value::Tuple(items)) => {
                match items.iter().map(Value::dim).collect() {
                    Some(dims) => Ok(Attr::Dims(dims)),
                    None => refuse("a list of sizes"),
                }
            }
            (ParamKind::Dims | ParamKind::Stated | ParamKind::Dim(_), one) => {
                one.dim().map_or_else(|| refuse("a size"), |dim| Ok(Attr::Dims(vec![dim])))
            }
            (ParamKind::Order, Value::Tuple(items)) => order(items, rank, operand.span),
            (ParamKind::Order, _) => refuse("a list of axes"),
            (ParamKind::NewAxis(_), one) => match one.whole() {
                Some(axis) => from_front(axis, rank + 1)
                    .map(|axis| Attr::Axes(vec![axis]))
                    .ok_or_else(|| out_of_range(axis, rank + 1, operand.span)),
                None => refuse("an axis"),
            },
            (ParamKind::Array | ParamKind::ArrayOr(_) | ParamKind::Arrays | ParamKind::Index, _) => refuse("an array"),
        }
    }
}

/// What is given to each parameter; `order` is that of the positions, that of the
/// parameters where it is empty.
pub(super) fn slots(
    params: &[Param],
    order: &[&str],
    given: Given,
    called: &str,
    whole: Span,
) -> Result<Vec<Option<Operand>>, Diagnostic> {
    let mut slots: Vec<Option<Operand>> = params.iter().map(|_| None).collect();
    let positions: Vec<usize> = match order {
        [] => (0..params.len()).collect(),
        names => names.iter().filter_map(|name| params.iter().position(|p| p.name == *name)).collect(),
    };
    let count = given.positional.len();
    let mut positional = given.positional.into_iter().peekable();
    for position in &positions {
        let word = matches!(params[*position].kind, ParamKind::Text(_));
        // An array is no word: answers name the equation last.
        if word && positional.peek().is_some_and(|operand| matches!(operand.value, Value::Node(_))) {
            continue;
        }
        let Some(operand) = positional.next() else { break };
        let rest = match params[*position].kind {
            ParamKind::Dims | ParamKind::Stated => operand.value.dim().is_some(),
            ParamKind::Arrays => !matches!(operand.value, Value::Tuple(_)),
            _ => false,
        };
        slots[*position] = Some(if rest { gathered(operand, &mut positional) } else { operand });
    }
    if positional.next().is_some() {
        let message = format!("{called} takes at most {}, {} given", arguments(positions.len()), counted(count));
        return Err(Diagnostic::at(Kind::WrongArity, whole, message));
    }
    for (keyword, span, operand) in given.keywords {
        let fits = |p: &Param| p.name == &*keyword || p.aliases.contains(&&*keyword);
        let Some(position) = params.iter().position(fits) else {
            return Err(unknown_keyword(params, &keyword, called, span));
        };
        if slots[position].replace(operand).is_some() {
            let message = format!("{called} is given {keyword} twice");
            return Err(Diagnostic::at(Kind::UnknownKeyword, span, message));
        }
    }
    Ok(slots)
}

/// Sizes written one after another, as one tuple: `ones(m, n)`.
fn gathered(first: Operand, rest: &mut impl Iterator<Item = Operand>) -> Operand {
    let mut span = first.span;
    let mut items = vec![first.value];
    for operand in rest {
        span = span.to(operand.span);
        items.push(operand.value);
    }
    Operand { value: Value::Tuple(items), span }
}

pub(super) fn default(param: &Param, preset: Option<Preset>, rank: usize) -> Option<Attr> {
    if let Some(preset) = preset {
        return preset_attr(preset, rank);
    }
    match param.kind {
        ParamKind::Axis(preset) => preset.and_then(|preset| preset_attr(preset, rank)),
        ParamKind::Flag(flag) => Some(Attr::Flag(flag)),
        ParamKind::Whole(n) => n.map(Attr::Whole),
        ParamKind::Text(text) => Some(Attr::Text(Name::from(text))),
        ParamKind::Dims | ParamKind::Stated => Some(Attr::Dims(Vec::new())),
        ParamKind::Dim(n) => n.and_then(|n| usize::try_from(n).ok()).map(|n| Attr::Dims(vec![Dim::size(n)])),
        ParamKind::NewAxis(axis) => axis.map(|axis| Attr::Axes(vec![axis])),
        ParamKind::Order | ParamKind::Array | ParamKind::ArrayOr(_) | ParamKind::Arrays | ParamKind::Index => None,
    }
}

fn preset_attr(preset: Preset, rank: usize) -> Option<Attr> {
    match preset {
        Preset::AllAxes => Some(Attr::Axes((0..rank).collect())),
        Preset::Axis(axis) => from_front(axis, rank).map(|axis| Attr::Axes(vec![axis])),
        Preset::Flag(flag) => Some(Attr::Flag(flag)),
        Preset::Whole(n) => Some(Attr::Whole(n)),
        Preset::Text(text) => Some(Attr::Text(Name::from(text))),
        Preset::Present | Preset::Absent => None,
    }
}

fn axes(items: &[Value], rank: usize, span: Span) -> Result<Attr, Diagnostic> {
    let mut axes = Vec::new();
    for item in items {
        let Some(axis) = item.whole() else {
            let message = format!("an axis is a whole number, not {}", item.sort());
            return Err(Diagnostic::at(Kind::BadArgument, span, message));
        };
        match from_front(axis, rank) {
            Some(axis) if axes.contains(&axis) => {
                return Err(Diagnostic::at(Kind::BadArgument, span, format!("axis {axis} is named twice")));
            }
            Some(axis) => axes.push(axis),
            None => return Err(out_of_range(axis, rank, span)),
        }
    }
    axes.sort_unstable();
    Ok(Attr::Axes(axes))
}

/// Axes from the front, in the order given.
fn order(items: &[Value], rank: usize, span: Span) -> Result<Attr, Diagnostic> {
    let axis = |item: &Value| match item.whole() {
        Some(axis) => from_front(axis, rank).ok_or_else(|| out_of_range(axis, rank, span)),
        None => Err(Diagnostic::at(Kind::BadArgument, span, "an axis is a whole number")),
    };
    items.iter().map(axis).collect::<Result<_, _>>().map(Attr::Axes)
}

pub(super) fn from_front(axis: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let axis = if axis < 0 { axis + rank } else { axis };
    (0..rank).contains(&axis).then(|| usize::try_from(axis).ok()).flatten()
}

pub(super) fn out_of_range(axis: i64, rank: usize, span: Span) -> Diagnostic {
    let sort = match rank {
        0 => "a scalar, which has no axes".to_string(),
        1 => "a vector (rank 1)".to_string(),
        2 => "a matrix (rank 2)".to_string(),
        _ => format!("an array of rank {rank}"),
    };
    let told = Diagnostic::at(Kind::AxisOutOfRange, span, format!("axis {axis} is out of range for {sort}"));
    if rank > 0 { told.help(format!("axes are 0 to {}, or -{rank} to -1", rank - 1)) } else { told }
}

pub(super) fn missing_attribute(param: &Param, called: &str, rank: usize, whole: Span) -> Diagnostic {
    if let ParamKind::Axis(Some(Preset::Axis(axis))) = param.kind {
        return out_of_range(axis, rank, whole);
    }
    let article = if param.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    let told = Diagnostic::at(Kind::WrongArity, whole, format!("{called} needs {article} {}", param.name));
    match param.kind {
        ParamKind::Axis(_) => told.help(format!("name it, as in {}=-1 for the last one", param.name)),
        _ => told,
    }
}

pub(super) fn wrong_arity(params: &[Param], slots: &[Option<Operand>], called: &str, whole: Span) -> Diagnostic {
    let needed =
        params.iter().filter(|p| matches!(p.kind, ParamKind::Array | ParamKind::Arrays | ParamKind::Index)).count();
    let optional = params.iter().any(|p| matches!(p.kind, ParamKind::ArrayOr(_)));
    let given = params.iter().zip(slots).filter(|(p, slot)| p.is_array() && slot.is_some()).count();
    let least = if optional { "at least " } else { "" };
    let message = format!("{called} takes {least}{}, {} given", arguments(needed), counted(given));
    Diagnostic::at(Kind::WrongArity, whole, message)
}

fn unknown_keyword(params: &[Param], keyword: &str, called: &str, span: Span) -> Diagnostic {
    let known = params.iter().flat_map(|p| p.aliases.iter().copied().chain([p.name]));
    let told = Diagnostic::at(Kind::UnknownKeyword, span, format!("{called} takes no keyword {keyword}"));
    match did_you_mean(keyword, known.clone()) {
        Some(near) => told.help(format!("did you mean {near}?")),
        None => told.help(format!("it takes {}", known.collect::<Vec<_>>().join(", "))),
    }
}

fn arguments(count: usize) -> String {
    format!("{} argument{}", if count == 0 { "no" } else { counted(count) }, if count == 1 { "" } else { "s" })
}

fn counted(count: usize) -> &'static str {
    ["none", "one", "two", "three", "four", "five"].get(count).copied().unwrap_or("more")
}

/// A number as Python reads it, exact where its decimals end.
pub(super) fn decimal(number: Number) -> String {
    let (mut digits, mut rest, mut places) = (number.numerator(), number.denominator(), 0);
    while rest != 1 && places < 60 {
        let Some(more) = digits.checked_mul(10) else { break };
        let common = gcd(more.unsigned_abs(), rest.unsigned_abs());
        let Ok(common) = i128::try_from(common) else { break };
        (digits, rest, places) = (more / common, rest / common, places + 1);
    }
    match (rest, places) {
        (1, 0) => digits.to_string(),
        (1, places) => format!("{digits}e-{places}"),
        _ => number.value().to_string(),
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}
