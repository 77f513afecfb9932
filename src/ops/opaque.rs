//! Functions without a body: in checks a random smooth map, fixed by its name.
//! And the function that hides a value from the derivative.

use super::common::FUNCTION;
use super::{Attrs, Axes, JAX, Misfit, Notation, Op, Param, ParamKind, Rule, Spelling, TORCH, Value};
use crate::array::Array;
use crate::shape::{Shape, Unknowns};

const X: Param = Param::array("x");
const NAME: Param = Param { name: "name", aliases: &[], kind: ParamKind::Text("f") };
const UNKNOWN: Op = Op { params: &[X, NAME, Param::dims()], axes: Axes::Mixed, ..FUNCTION };

pub const OPS: &[Op] = &[
    Op {
        name: "function",
        spellings: &[],
        shape: |unknowns, _, attrs| Ok(unknowns.resolve_shape(&Shape(attrs.dims("dims").to_vec()))),
        value: Value::Whole(|args, attrs, sizes| {
            let map = Map::new(attrs.text("name"), args[0]);
            Array::from_fn(sizes, |out| map.terms(out).map(|(a, u, _)| a * u.sin()).sum())
        }),
        rule: Rule::Text("tensordot(jacobian(x, name, dims), dx, x.ndim)"),
        notation: Notation::Function,
        title: "function without a body",
        sentence: "Nothing is known of the function: its derivative stays its Jacobian at x, applied to dx.",
        ..UNKNOWN
    },
    Op {
        name: "jacobian",
        spellings: &[],
        shape: jacobian_shape,
        value: Value::Whole(|args, attrs, sizes| {
            let map = Map::new(attrs.text("name"), args[0]);
            let inputs = args[0].data().len().max(1);
            let entry =
                |out: usize, input: usize| map.terms(out).map(|(a, u, t)| a * u.cos() * map.weight(t, input)).sum();
            Array::from_fn(sizes, |at| entry(at / inputs, at % inputs))
        }),
        rule: Rule::Refused("the second derivative of a function without a body is not known"),
        notation: Notation::Jacobian,
        title: "Jacobian of a function without a body",
        sentence: "Its second derivative is not known.",
        ..UNKNOWN
    },
];

/// The value itself, out of reach of the derivative.
pub const HELD: &[Op] = &[Op {
    name: "detach",
    spellings: &[
        Spelling::of(TORCH, "detach"),
        Spelling::of(JAX, "stop_gradient"),
        Spelling::of(JAX, "lax.stop_gradient"),
    ],
    params: &[X],
    value: Value::Unary(|x| x),
    rule: Rule::Held,
    notation: Notation::Call("detach"),
    title: "detach",
    sentence: "The value counts as a constant: nothing of the derivative passes.",
    ..FUNCTION
}];

/// The axes of the result, then those of the argument.
fn jacobian_shape(unknowns: &mut Unknowns, args: &[&Shape], attrs: &Attrs) -> Result<Shape, Misfit> {
    Ok(unknowns.resolve_shape(&Shape([attrs.dims("dims"), &args[0].0].concat())))
}

/// f(x)_o = Σ_j a_oj sin(b_oj + Σ_i w_oji x_i), its numbers drawn from the name.
struct Map<'a> {
    seed: u64,
    x: &'a [f64],
}

/// How many waves one entry of the result is made of.
const WAVES: usize = 3;

impl Map<'_> {
    fn new<'a>(name: &str, x: &'a Array) -> Map<'a> {
        // FNV-1a over the name.
        let seed =
            name.bytes().fold(0xcbf2_9ce4_8422_2325, |h: u64, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        Map { seed, x: x.data() }
    }

    /// For each wave of entry `out`: its amplitude, its phase at x, its number.
    fn terms(&self, out: usize) -> impl Iterator<Item = (f64, f64, usize)> {
        (out * WAVES..(out + 1) * WAVES).map(|wave| {
            let shift = 3.0 * self.draw(wave, 1);
            let phase: f64 = self.x.iter().enumerate().map(|(i, x)| self.weight(wave, i) * x).sum();
            (0.3 + 0.5 * self.draw(wave, 0), shift + phase, wave)
        })
    }

    /// The weight of input `i` in a wave, so that phases stay of order one.
    fn weight(&self, wave: usize, i: usize) -> f64 {
        1.5 * self.draw(wave, i + 2) / (self.x.len() as f64).sqrt()
    }

    /// A number in −1 … 1 (splitmix64 of the seed and the place).
    fn draw(&self, wave: usize, place: usize) -> f64 {
        let key = (wave as u64).wrapping_mul(0xd1b5_4a32_d192_ed03).wrapping_add(place as u64 + 1);
        let mut z = self.seed.wrapping_add(key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}
