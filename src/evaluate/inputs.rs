//! Numbers for the inputs, as given by people.

use crate::array::Array;
use crate::diagnostic::{Diagnostic, Diagnostics, Kind as Mistake, did_you_mean};
use crate::graph::{Kind, NodeId, Program};
use crate::shape::{Dim, Name, Sizes};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Where a program is evaluated: sizes, values of inputs, of holes and of cotangents,
/// and of nodes that are held.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The size of each named dimension.
    pub sizes: Sizes,
    values: HashMap<NodeId, Arc<Array>>,
    holes: HashMap<NodeId, Arc<Array>>,
    cotangents: HashMap<NodeId, Arc<Array>>,
    held: HashMap<NodeId, Arc<Array>>,
}

impl Inputs {
    /// These sizes, no values yet.
    pub fn new(sizes: Sizes) -> Inputs {
        Inputs { sizes, ..Inputs::default() }
    }

    /// Gives an input its value.
    pub fn set(&mut self, input: NodeId, value: Array) {
        self.share(input, Arc::new(value));
    }

    /// Gives an input a value that others hold too.
    pub fn share(&mut self, input: NodeId, value: Arc<Array>) {
        self.values.insert(input, value);
    }

    /// Gives the differential of the node `of` its value.
    pub fn set_hole(&mut self, of: NodeId, value: Array) {
        self.holes.insert(of, Arc::new(value));
    }

    /// Gives the differential of the node `of` a value that others hold too.
    pub fn share_hole(&mut self, of: NodeId, value: Arc<Array>) {
        self.holes.insert(of, value);
    }

    /// Gives the cotangent of the node `of` its value.
    pub fn set_cotangent(&mut self, of: NodeId, value: Array) {
        self.cotangents.insert(of, Arc::new(value));
    }

    /// Holds the value of a node that is no input: it is not computed.
    pub fn hold(&mut self, node: NodeId, value: Arc<Array>) {
        self.held.insert(node, value);
    }

    /// The value at which a node is held, if it is.
    pub(super) fn held(&self, node: NodeId) -> Option<&Arc<Array>> {
        if self.held.is_empty() { None } else { self.held.get(&node) }
    }

    /// The value of an input.
    pub fn get(&self, input: NodeId) -> Option<&Array> {
        self.values.get(&input).map(Arc::as_ref)
    }

    /// The value of an input, a hole or a cotangent.
    pub(super) fn of(&self, program: &Program, node: NodeId) -> Result<Arc<Array>, Diagnostic> {
        let (value, what) = match &program.node(node).kind {
            Kind::Input(name) => (self.values.get(&node), name.to_string()),
            Kind::Hole(of) => (self.holes.get(of), "a differential".to_string()),
            Kind::Cotangent(of) => (self.cotangents.get(of), "a cotangent".to_string()),
            _ => (None, "a value".to_string()),
        };
        value.cloned().ok_or_else(|| Diagnostic::new(Mistake::MissingValue, format!("no value given for {what}")))
    }
}

/// Numbers as a file gives them: a number, or a list of such.
#[derive(Clone, Debug, PartialEq)]
pub enum Nested {
    /// A number.
    Number(f64),
    /// A list.
    List(Vec<Nested>),
}

impl Nested {
    /// The numbers as an array; `name` is told in errors.
    ///
    /// # Errors
    /// Lists of different lengths, numbers beside lists.
    pub fn to_array(&self, name: &str) -> Result<Array, Diagnostic> {
        let (mut sizes, mut at) = (Vec::new(), self);
        while let Nested::List(items) = at {
            sizes.push(items.len());
            match items.first() {
                Some(first) => at = first,
                None => break,
            }
        }
        let mut data = Vec::new();
        self.flatten(name, &sizes, &mut data)?;
        Array::new(sizes, data)
            .ok_or_else(|| Diagnostic::new(Mistake::TooLarge, format!("{name} has too many entries")))
    }

    /// Appends the numbers; the depth of the recursion is the rank of the first entry.
    fn flatten(&self, name: &str, sizes: &[usize], data: &mut Vec<f64>) -> Result<(), Diagnostic> {
        let refuse = |message: String| Err(Diagnostic::new(Mistake::ValueShape, message));
        match (self, sizes.split_first()) {
            (Nested::Number(number), None) => data.push(*number),
            (Nested::List(items), Some((size, rest))) => {
                if items.len() != *size {
                    let message = format!("the rows of {name} have different lengths ({size} and {})", items.len());
                    return refuse(message);
                }
                for item in items {
                    item.flatten(name, rest, data)?;
                }
            }
            _ => return refuse(format!("{name} mixes numbers and lists")),
        }
        Ok(())
    }
}

/// The inputs of a program from the numbers given by name. `sizes` are those
/// that are fixed already; the others follow from the numbers.
///
/// # Errors
/// An input without numbers, ragged lists, numbers of another shape than
/// declared, one dimension with two sizes, numbers that are not finite.
pub fn check_inputs(program: &Program, given: &BTreeMap<Name, Nested>, sizes: &Sizes) -> Result<Inputs, Diagnostics> {
    let missing = |name: &Name| Diagnostic::new(Mistake::MissingValue, format!("no value given for {name}"));
    let array = |name: &Name| given.get(name).ok_or_else(|| missing(name)).and_then(|nested| nested.to_array(name));
    let mut told = unknown_names(program, given);
    match inputs_of(program, sizes, &array) {
        Ok(inputs) if told.is_empty() => return Ok(inputs),
        Ok(_) => {}
        Err(more) => told.extend(more),
    }
    Err(told)
}

/// The inputs of a program from the array that each name has. `sizes` are those
/// that are fixed already; the others follow from the arrays.
///
/// # Errors
/// As [`check_inputs`]; what `array` refuses.
pub fn inputs_of(
    program: &Program,
    sizes: &Sizes,
    array: &dyn Fn(&Name) -> Result<Array, Diagnostic>,
) -> Result<Inputs, Diagnostics> {
    let mut inputs = Inputs::new(sizes.clone());
    let mut told = Diagnostics::new();
    let mut settled: BTreeMap<Name, Name> = BTreeMap::new();
    for input in &program.inputs {
        let Some(name) = program.name(*input) else { continue };
        let checked = array(name).and_then(|array| {
            fit(program, *input, name, &array, &mut inputs.sizes, &mut settled)?;
            finite(program, *input, name, &array)?;
            Ok(array)
        });
        match checked {
            Ok(array) => inputs.set(*input, array),
            Err(mistake) => told.push(mistake),
        }
    }
    solve(program, &mut inputs);
    if told.is_empty() {
        told.extend(derived(program, &inputs));
    }
    if told.is_empty() { Ok(inputs) } else { Err(told) }
}

fn unknown_names(program: &Program, given: &BTreeMap<Name, Nested>) -> Diagnostics {
    let known = || program.inputs.iter().filter_map(|id| program.name(*id)).map(|name| &**name);
    let strange = given.keys().filter(|name| program.input_named(name).is_none());
    strange
        .map(|name| {
            let told = Diagnostic::new(Mistake::UnknownName, format!("there is no input {name}"));
            match did_you_mean(name, known()) {
                Some(near) => told.help(format!("did you mean {near}?")),
                None => told.help(format!("the inputs are {}", known().collect::<Vec<_>>().join(", "))),
            }
        })
        .collect()
}

/// Compares an array with the declared shape; names without a size get one.
fn fit(
    program: &Program,
    input: NodeId,
    name: &Name,
    array: &Array,
    sizes: &mut Sizes,
    settled: &mut BTreeMap<Name, Name>,
) -> Result<(), Diagnostic> {
    let shape = program.shape(input);
    if shape.rank() != array.rank() {
        let rank = |n: usize| if n == 1 { "1 axis".to_string() } else { format!("{n} axes") };
        let message =
            format!("{name} is {shape}, which has {}; its numbers have {}", rank(shape.rank()), rank(array.rank()));
        return Err(Diagnostic::new(Mistake::ValueShape, message));
    }
    for (dim, size) in shape.0.iter().zip(array.sizes()) {
        let message = match (dim.as_name(), dim.as_size()) {
            (Some(n), _) => match sizes.get(n) {
                Some(known) if known == size => continue,
                Some(known) => {
                    let before = settled.get(n).map_or("as given".to_string(), |other| format!("in {other}"));
                    let message = format!("{n} is {known} {before} and {size} in {name}");
                    return Err(Diagnostic::new(Mistake::DimensionConflict, message));
                }
                None => {
                    sizes.insert(n.clone(), *size);
                    settled.insert(n.clone(), name.clone());
                    continue;
                }
            },
            (None, Some(fixed)) if fixed == *size => continue,
            (None, Some(fixed)) => format!("{name} is {shape}: an axis of {size} stands where {fixed} is declared"),
            // A composed dimension is compared once all names have sizes.
            (None, None) => continue,
        };
        return Err(Diagnostic::new(Mistake::ValueShape, message));
    }
    Ok(())
}

/// Names that stand in composed dimensions alone, 3 k, follow from the numbers.
fn solve(program: &Program, inputs: &mut Inputs) {
    for input in &program.inputs {
        let Some(sizes) = inputs.get(*input).map(|array| array.sizes().to_vec()) else { continue };
        for (dim, size) in program.shape(*input).0.iter().zip(sizes) {
            let mut unknown: Vec<&Name> = dim.names().filter(|name| !inputs.sizes.contains_key(*name)).collect();
            unknown.dedup();
            let [name] = unknown[..] else { continue };
            let fits = |value: &usize| {
                let mut sizes = inputs.sizes.clone();
                sizes.insert(name.clone(), *value);
                dim.eval(&sizes) == Some(size)
            };
            if let Some(value) = (1..=size).find(fits) {
                inputs.sizes.insert(name.clone(), value);
            }
        }
    }
}

/// The first composed dimension that the numbers do not meet.
fn derived(program: &Program, inputs: &Inputs) -> Option<Diagnostic> {
    program.inputs.iter().find_map(|input| {
        let array = inputs.get(*input)?;
        let differs = |(dim, size): &(&Dim, &usize)| dim.eval(&inputs.sizes).is_some_and(|wanted| wanted != **size);
        let (dim, size) = program.shape(*input).0.iter().zip(array.sizes()).find(differs)?;
        let message = format!("{dim} is {} and {size} in {}", dim.eval(&inputs.sizes)?, program.name(*input)?);
        Some(Diagnostic::new(Mistake::DimensionConflict, message))
    })
}

fn finite(program: &Program, input: NodeId, name: &Name, array: &Array) -> Result<(), Diagnostic> {
    let Some(at) = array.data().iter().position(|x| !x.is_finite()) else { return Ok(()) };
    let what = if array.data()[at].is_nan() { "a NaN" } else { "an infinity" };
    let message = match array.rank() {
        0 => format!("the input {name} is {what}"),
        _ => format!("the input {name} has {what} at entry {}", super::finite::entry(array, at)),
    };
    Err(Diagnostic { span: program.node(input).span, ..Diagnostic::new(Mistake::NotFinite, message) })
}
