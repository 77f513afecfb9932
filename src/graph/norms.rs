//! Normalisations whose axes depend on how they are called, and gates.

use super::build::{Env, build};
use super::elaborate::Elaborator;
use super::program::NodeId;
use super::rearrange::{Call, axis_of};
use super::value::{Operand, Value};
use crate::diagnostic::Diagnostic;
use crate::ops::{Attr, Number};
use crate::shape::Dim;

type Read = fn(&mut Elaborator, &Call) -> Result<Option<Value>, Diagnostic>;

/// Less the mean, by the deviation, over the axes.
const NORMED: &str = "(x - mean(x, axes, keepdims=True)) / sqrt(var(x, axes, keepdims=True) + eps)";

/// The calls read here.
pub(super) const READERS: &[(&[&str], Read)] = &[
    (&["glu"], |e, call| {
        let x = e.first(call)?;
        let axis = axis_of(call.whole_or(1, &["dim", "axis"], -1)?, e.dims(x).len(), call)?;
        let Value::Tuple(halves) = e.in_equal_parts(x, axis, 2, call)? else { return Ok(None) };
        let mut env = Env::new();
        for (name, half) in ["a", "b"].into_iter().zip(halves) {
            env = env.node(name, e.node(&Operand { value: half, span: call.whole })?);
        }
        e.of_text("a * sigmoid(b)", &env, call).map(Some)
    }),
    (&["gather", "take_along_axis", "take_along_dim"], |e, call| {
        let x = e.first(call)?;
        let dims = e.dims(x);
        let torch = call.name == "gather";
        let axis = call.whole_needed(if torch { 1 } else { 2 }, &["dim", "axis"])?;
        let axis = axis_of(axis, dims.len(), call)?;
        let places = call.named(if torch { 2 } else { 1 }, &["index", "indices"]);
        let places = places.ok_or_else(|| call.refuse("the places are missing"))?;
        let places = e.node(places)?;
        e.gathered(x, places, axis, call).map(Some)
    }),
    (&["batch_norm"], |e, call| {
        let x = e.first(call)?;
        let rank = e.dims(x).len();
        if rank < 2 {
            return Err(call.refuse("batch_norm takes an array whose axis 1 holds the channels"));
        }
        let axes: Vec<usize> = (0..rank).filter(|axis| *axis != 1).collect();
        let mut env = Env::new().node("x", x).attr("axes", Attr::Axes(axes.clone()));
        env = env.node("eps", e.eps(7, call)?);
        let training = call.named(5, &["training"]).is_some_and(|training| training.value == Value::Flag(true));
        let normed = match (training, given(1, "running_mean", call), given(2, "running_var", call)) {
            (true, ..) => e.of_text(NORMED, &env, call)?,
            (false, Some(mean), Some(var)) => {
                env = env.node("m", e.along_channels(&mean, &axes, call)?);
                env = env.node("v", e.along_channels(&var, &axes, call)?);
                e.of_text("(x - m) / sqrt(v + eps)", &env, call)?
            }
            _ => {
                let told = call.refuse("batch_norm needs running_mean and running_var here");
                return Err(told.help("say training=True for the statistics of the batch"));
            }
        };
        let weight = given(3, "weight", call).map(|weight| e.along_channels(&weight, &axes, call)).transpose()?;
        let bias = given(4, "bias", call).map(|bias| e.along_channels(&bias, &axes, call)).transpose()?;
        e.scaled(normed, weight, bias, call).map(Some)
    }),
    (&["layer_norm"], |e, call| {
        let Some(Operand { value: Value::Tuple(items), .. }) = call.named(1, &["normalized_shape"]) else {
            return Ok(None);
        };
        // Over the last axis alone it is an operation of its own.
        if items.len() < 2 {
            return Ok(None);
        }
        let x = e.first(call)?;
        let dims = e.dims(x);
        let normed: Option<Vec<Dim>> = items.iter().map(Value::dim).collect();
        let lead = dims.len().saturating_sub(items.len());
        if items.len() > dims.len() || normed.as_deref() != dims.get(lead..) {
            return Err(call.refuse("normalized_shape is that of the last axes of the array"));
        }
        let axes = Attr::Axes((lead..dims.len()).collect());
        let env = Env::new().node("x", x).node("eps", e.eps(4, call)?).attr("axes", axes);
        let normed = e.of_text(NORMED, &env, call)?;
        let weight = given(2, "weight", call).map(|weight| e.node(&weight)).transpose()?;
        let bias = given(3, "bias", call).map(|bias| e.node(&bias)).transpose()?;
        e.scaled(normed, weight, bias, call).map(Some)
    }),
];

/// What the call gives, unless that is `None`.
fn given(at: usize, name: &str, call: &Call) -> Option<Operand> {
    call.named(at, &[name]).filter(|operand| operand.value != Value::Nothing).cloned()
}

impl Elaborator<'_> {
    /// An expression of the input language in place of the call.
    pub fn of_text(&mut self, text: &str, env: &Env, call: &Call) -> Result<Value, Diagnostic> {
        let told = |told: Diagnostic| Diagnostic { span: Some(call.whole), labels: Vec::new(), ..told };
        let node = build(self.program, text, env).map_err(told)?;
        self.program.place(node, call.whole);
        Ok(Value::Node(node))
    }

    /// Along an axis the entries at the places that an array of class numbers names.
    fn gathered(&mut self, x: NodeId, places: NodeId, axis: usize, call: &Call) -> Result<Value, Diagnostic> {
        let (dims, own) = (self.dims(x), self.dims(places));
        let others = |dims: &[Dim]| {
            dims.iter().enumerate().filter(|(at, _)| *at != axis).map(|(_, d)| d.clone()).collect::<Vec<_>>()
        };
        if own.len() != dims.len() || others(&own) != others(&dims) {
            return Err(call.refuse("the places have the axes of the array, as many along the one that is named"));
        }
        // One letter an axis; the last one for the classes.
        let letters: Vec<char> = ('a'..='z').take(dims.len()).collect();
        let (places_of, mut array_of) = (letters.iter().collect::<String>(), letters.clone());
        array_of[axis] = 'z';
        let array_of: String = array_of.into_iter().collect();
        let made = self.made("one_hot", &[places], vec![("classes", Attr::Dims(vec![dims[axis].clone()]))], call)?;
        let hot = self.node(&Operand { value: made, span: call.whole })?;
        let equation = format!("{places_of}z,{array_of}->{places_of}");
        self.made("einsum", &[hot, x], vec![("equation", Attr::Text(equation.as_str().into()))], call)
    }

    /// The small number under the root: 1e-5 unless the call says another.
    fn eps(&mut self, at: usize, call: &Call) -> Result<NodeId, Diagnostic> {
        match given(at, "eps", call) {
            Some(eps) => self.node(&eps),
            None => Ok(self.program.number(Number::parse("1e-5").unwrap_or(Number::ZERO))),
        }
    }

    /// `value * weight + bias`.
    fn scaled(
        &mut self,
        mut value: Value,
        weight: Option<NodeId>,
        bias: Option<NodeId>,
        call: &Call,
    ) -> Result<Value, Diagnostic> {
        if let Some(weight) = weight {
            value = self.both("mul", value, Value::Node(weight), call)?;
        }
        match bias {
            Some(bias) => self.both("add", value, Value::Node(bias), call),
            None => Ok(value),
        }
    }

    /// A vector of channels as an array whose axis 1 it is.
    fn along_channels(&mut self, channels: &Operand, axes: &[usize], call: &Call) -> Result<NodeId, Diagnostic> {
        let mut node = self.node(channels)?;
        if self.dims(node).len() != 1 {
            return Err(call.refuse("what belongs to channels is a vector"));
        }
        for axis in axes.iter().filter(|axis| **axis > 1) {
            let value = self.made("unsqueeze", &[node], vec![("axis", Attr::Axes(vec![axis - 1]))], call)?;
            node = self.node(&Operand { value, span: call.whole })?;
        }
        Ok(node)
    }
}
