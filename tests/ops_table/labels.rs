//! Contractions are linear, and swapping the labels of an argument and of the
//! result is the adjoint.

use crate::cases::{Case, cases, gap, sizes_of};
use chainrule::array::{Array, contract};
use chainrule::evaluate::points;
use chainrule::ops::{self, Contraction, Lower, Rule};

/// A map linear in one argument: all arrays with labels, the place of the argument.
struct Linear {
    arrays: Vec<Array>,
    labels: Contraction,
    at: usize,
    sizes: Vec<usize>,
    out_sizes: Vec<usize>,
}

impl Linear {
    /// Σ over all labels but those of `out`, the argument replaced by `u`.
    fn of(&self, u: &Array) -> Array {
        self.contracted(u, &self.labels.args[self.at], &self.labels.out, &self.out_sizes)
    }

    /// The same sum with `v` at the labels of `out`, read at those of the argument.
    fn adjoint(&self, v: &Array) -> Array {
        self.contracted(v, &self.labels.out, &self.labels.args[self.at], &self.sizes)
    }

    fn contracted(&self, u: &Array, labels: &[u8], out: &[u8], sizes: &[usize]) -> Array {
        let mut pairs: Vec<(&Array, &[u8])> =
            self.arrays.iter().zip(self.labels.args.iter().map(Vec::as_slice)).collect();
        pairs[self.at] = (u, labels);
        contract(&pairs, out, sizes).unwrap()
    }
}

/// Each contraction of the table as a map of each of its arguments.
fn linear_maps(check: &dyn Fn(&Case, &Linear)) -> usize {
    let mut count = 0;
    for op in ops::all() {
        let Lower::Labels(labels) = op.lower else { continue };
        for case in cases(op) {
            let shapes: Vec<_> = case.args.iter().map(|arg| case.program.shape(*arg)).collect();
            let point = case.point(0);
            for (at, arg) in case.args.iter().enumerate() {
                let linear = Linear {
                    arrays: case.args.iter().filter_map(|arg| point.get(*arg)).cloned().collect(),
                    labels: labels(&shapes, &case.attrs),
                    at,
                    sizes: sizes_of(&case.program, *arg),
                    out_sizes: sizes_of(&case.program, case.program.output),
                };
                check(&case, &linear);
                count += 1;
            }
        }
    }
    count
}

#[test]
fn the_adjoint_identity_holds() {
    let count = linear_maps(&|case, map| {
        let (u, v) = (points::direction(&map.sizes, "u", 0), points::direction(&map.out_sizes, "v", 0));
        let (left, right) = (map.of(&u).inner(&v), u.inner(&map.adjoint(&v)));
        assert!((left - right).abs() < 1e-12 * left.abs().max(1.0), "{}: {left} is not {right}", case.says);
    });
    assert!(count > 300, "{count}");
}

#[test]
fn contractions_are_linear() {
    linear_maps(&|case, map| {
        let (u, w) = (points::direction(&map.sizes, "u", 0), points::direction(&map.sizes, "w", 1));
        let mixed = map.of(&u.zip(&w, |u, w| 2.0 * u - 3.0 * w).unwrap());
        let apart = map.of(&u).zip(&map.of(&w), |u, w| 2.0 * u - 3.0 * w).unwrap();
        assert!(gap(&mixed, &apart) < 1e-12, "{}", case.says);
    });
}

#[test]
fn what_is_called_linear_is_lowered_to_labels_or_sums() {
    for op in ops::all().filter(|op| matches!(op.rule, Rule::Linear(_))) {
        assert!(!matches!(op.lower, Lower::Atom | Lower::Power), "{}", op.name);
    }
}

#[test]
fn values_of_linear_operations() {
    let vector = |data: &[f64]| Array::vector(data.to_vec());
    let matrix = |data: [f64; 4]| Array::new(vec![2, 2], data.to_vec()).unwrap();
    let (x, y, a) = (vector(&[1.0, 2.0]), vector(&[5.0, 7.0]), matrix([1.0, 2.0, 3.0, 4.0]));
    let table: [(&str, &[&Array], &[f64]); 14] = [
        ("add", &[&x, &y], &[6.0, 9.0]),
        ("sub", &[&x, &y], &[-4.0, -5.0]),
        ("neg", &[&x], &[-1.0, -2.0]),
        ("mul", &[&x, &y], &[5.0, 14.0]),
        ("matmul", &[&a, &x], &[5.0, 11.0]),
        ("matmul", &[&x, &a], &[7.0, 10.0]),
        ("dot", &[&x, &y], &[19.0]),
        ("outer", &[&x, &y], &[5.0, 7.0, 10.0, 14.0]),
        ("transpose", &[&a], &[1.0, 3.0, 2.0, 4.0]),
        ("trace", &[&a], &[5.0]),
        ("diag", &[&a], &[1.0, 4.0]),
        ("diag", &[&x], &[1.0, 0.0, 0.0, 2.0]),
        ("sum", &[&a], &[10.0]),
        ("mean", &[&a], &[2.5]),
    ];
    for (name, args, expected) in table {
        let mut program = chainrule::graph::Program::new();
        let mut inputs = chainrule::evaluate::Inputs::default();
        let nodes: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(i, arg)| {
                let dims = arg.sizes().iter().map(|n| chainrule::shape::Dim::size(*n)).collect();
                let node = program.input(&format!("x{i}"), chainrule::shape::Shape(dims));
                inputs.set(node, (*arg).clone());
                node
            })
            .collect();
        let axes = chainrule::ops::Attr::Axes((0..args[0].rank()).collect());
        let node = program.call_with(name, &nodes, &[("axis", axes)]).unwrap();
        let values = chainrule::evaluate::evaluate(&program, &[node], &inputs).unwrap();
        assert_eq!(values.get(node).data(), expected, "{name}");
    }
}
