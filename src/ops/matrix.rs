//! Operations on a square matrix, and diagonals.

use super::common::{FUNCTION, LINEAR, square};
use super::lanes::filled_or;
use super::{Axes, Contraction, Gap, Lower, Misfit, Notation, Op, Param, Rule, Spelling, Value};
use crate::array::Array;
use crate::diagnostic::Kind;
use crate::shape::Shape;
use nalgebra::DMatrix;

const X: Param = Param::array("x").also(&["input", "a", "A"]);
const WHOLE: Op = Op { params: &[X], axes: Axes::Mixed, conditioned: true, ..FUNCTION };

pub const OPS: &[Op] = &[
    Op {
        name: "trace",
        spellings: &[Spelling::everywhere("trace")],
        params: &[X],
        shape: |unknowns, args, _| square(unknowns, args, "trace").map(|_| Shape::scalar()),
        rule: Rule::Linear("trace"),
        lower: Lower::Labels(|_, _| Contraction { args: vec![vec![0, 0]], out: Vec::new(), divide: Vec::new() }),
        notation: Notation::Call("tr"),
        title: "trace",
        sentence: "The differential of a trace is the trace of the differential.",
        ..LINEAR
    },
    Op {
        name: "diag",
        spellings: &[
            Spelling::everywhere("diag"),
            Spelling::everywhere("diagonal"),
            Spelling::everywhere("diag_embed"),
        ],
        params: &[X],
        shape: |unknowns, args, _| match args[0].rank() {
            1 => Ok(unknowns.resolve_shape(&Shape(vec![args[0].0[0].clone(); 2]))),
            2 => square(unknowns, args, "diag").map(|shape| shape.without(0)),
            _ => {
                let shape = unknowns.resolve_shape(args[0]).as_tuple();
                Err(Misfit::new(Kind::WrongRank, format!("diag needs a vector or a matrix, {{0}} is {shape}")))
            }
        },
        rule: Rule::Linear("diagonal"),
        lower: Lower::Labels(|args, _| match args[0].rank() {
            1 => Contraction { args: vec![vec![0]], out: vec![0, 0], divide: Vec::new() },
            _ => Contraction { args: vec![vec![0, 0]], out: vec![0], divide: Vec::new() },
        }),
        notation: Notation::Call("diag"),
        title: "diagonal",
        sentence: "The differential of a diagonal is the diagonal of the differential.",
        ..LINEAR
    },
    Op {
        name: "inv",
        spellings: &[Spelling::everywhere("inv"), Spelling::everywhere("linalg.inv"), Spelling::everywhere("inverse")],
        shape: |unknowns, args, _| square(unknowns, args, "inv"),
        value: Value::Whole(|args, _, sizes| {
            filled_or(matrix(args[0]).and_then(DMatrix::try_inverse).and_then(array), sizes)
        }),
        rule: Rule::Text("-(out @ dx @ out)"),
        notation: Notation::Inverse,
        undefined: &[Gap::new(|v| determinant(v) == 0.0, "the matrix is singular: it has no inverse")],
        title: "inverse",
        sentence: "From X X⁻¹ = I: dX X⁻¹ + X d(X⁻¹) = 0.",
        ..WHOLE
    },
    Op {
        name: "solve",
        spellings: &[Spelling::everywhere("linalg.solve"), Spelling::everywhere("solve")],
        params: &[X, Param::array("y").also(&["b", "B", "other"])],
        shape: |unknowns, args, attrs| {
            square(unknowns, args, "solve")?;
            match args[1].rank() {
                1 | 2 => super::product::matmul(unknowns, args, attrs),
                _ => Err(Misfit::new(Kind::WrongRank, "the right side of solve is a vector or a matrix")),
            }
        },
        value: Value::Whole(|args, _, sizes| filled_or(solved(args[0], args[1]), sizes)),
        rule: Rule::Text("solve(x, dy - dx @ out)"),
        lower: Lower::As("inv(x) @ y"),
        definition: Some("inv(x) @ y"),
        notation: Notation::Call("solve"),
        undefined: &[Gap::new(|v| determinant(v) == 0.0, "the matrix is singular: the system has no one solution")],
        title: "linear system",
        sentence: "From X z = y: dX z + X dz = dy.",
        ..WHOLE
    },
    Op {
        name: "det",
        spellings: &[Spelling::everywhere("det"), Spelling::everywhere("linalg.det")],
        shape: |unknowns, args, _| square(unknowns, args, "det").map(|_| Shape::scalar()),
        value: Value::Whole(|args, _, _| Array::scalar(determinant(args[0].data()))),
        rule: Rule::Text("trace(adj(x) @ dx)"),
        notation: Notation::Call("det"),
        title: "determinant (Jacobi)",
        sentence: "Jacobi's formula: d det X = tr(adj(X) dX), and adj(X) = det(X) X⁻¹ where X has an inverse.",
        ..WHOLE
    },
    Op {
        name: "adj",
        spellings: &[Spelling::everywhere("adj"), Spelling::everywhere("adjugate")],
        shape: |unknowns, args, _| square(unknowns, args, "adj"),
        value: Value::Whole(|args, _, sizes| filled_or(matrix(args[0]).and_then(|m| array(adjugate(&m))), sizes)),
        rule: Rule::Text("trace(inv(x) @ dx) * out - out @ dx @ inv(x)"),
        notation: Notation::Call("adj"),
        title: "adjugate",
        sentence: "The product rule on adj(X) = det(X) X⁻¹, where X has an inverse.",
        ..WHOLE
    },
    Op {
        name: "logdet",
        spellings: &[Spelling::everywhere("logdet"), Spelling::everywhere("linalg.logdet")],
        shape: |unknowns, args, _| square(unknowns, args, "logdet").map(|_| Shape::scalar()),
        value: Value::Whole(|args, _, _| Array::scalar(log_determinant(args[0].data()))),
        rule: Rule::Text("trace(inv(x) @ dx)"),
        definition: Some("log(det(x))"),
        notation: Notation::Call("logdet"),
        undefined: &[
            Gap::new(|v| determinant(v) < 0.0, "the determinant is negative: its log is undefined"),
            Gap::new(|v| determinant(v) == 0.0, "the determinant is 0: its log is undefined"),
        ],
        title: "log determinant",
        sentence: "Jacobi's formula divided by the determinant: d log det X = tr(X⁻¹ dX).",
        ..WHOLE
    },
];

/// A square matrix of these row-major entries.
fn square_of(entries: &[f64]) -> Option<DMatrix<f64>> {
    let n = entries.len().isqrt();
    (n * n == entries.len()).then(|| DMatrix::from_row_slice(n, n, entries))
}

fn matrix(x: &Array) -> Option<DMatrix<f64>> {
    square_of(x.data()).filter(|m| x.sizes() == [m.nrows(), m.ncols()])
}

fn array(m: DMatrix<f64>) -> Option<Array> {
    Array::new(vec![m.nrows(), m.ncols()], m.transpose().data.into())
}

fn determinant(entries: &[f64]) -> f64 {
    square_of(entries).map_or(f64::NAN, |m| m.lu().determinant())
}

/// Σ log |pivots|, so that large matrices do not overflow; not-a-number unless the determinant is positive.
fn log_determinant(entries: &[f64]) -> f64 {
    let Some(lu) = square_of(entries).map(DMatrix::lu) else { return f64::NAN };
    let pivots = lu.u().diagonal();
    let negative = pivots.iter().filter(|p| **p < 0.0).count() % 2 == 1;
    let flipped = lu.p().determinant::<f64>() < 0.0;
    if negative != flipped { f64::NAN } else { pivots.iter().map(|p| p.abs().ln()).sum() }
}

/// The solution of a linear system.
fn solved(x: &Array, y: &Array) -> Option<Array> {
    let columns = if y.rank() == 1 { 1 } else { *y.sizes().last()? };
    let right = DMatrix::from_row_slice(y.data().len() / columns.max(1), columns, y.data());
    let solution = matrix(x)?.lu().solve(&right)?;
    Array::new(y.sizes().to_vec(), solution.transpose().data.into())
}

/// The transposed matrix of cofactors, also of a singular matrix.
fn adjugate(m: &DMatrix<f64>) -> DMatrix<f64> {
    let n = m.nrows();
    // Cofactors cost n² determinants; a large matrix is taken to have an inverse.
    if n > 8 {
        let nan = || DMatrix::from_element(n, n, f64::NAN);
        return m.clone().try_inverse().map_or_else(nan, |inverse| inverse * m.clone().lu().determinant());
    }
    DMatrix::from_fn(n, n, |i, j| {
        let minor = m.clone().remove_row(j).remove_column(i).lu().determinant();
        if (i + j) % 2 == 0 { minor } else { -minor }
    })
}

#[cfg(test)]
mod tests {
    use super::{adjugate, determinant, log_determinant};
    use nalgebra::DMatrix;

    #[test]
    fn determinants_have_their_sign() {
        let table: [(&[f64], f64); 5] = [
            (&[3.0], 3.0),
            (&[1.0, 2.0, 3.0, 4.0], -2.0),
            (&[0.0, 1.0, 1.0, 0.0], -1.0),
            (&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], 1.0),
            (&[2.0, 1.0, 1.0, 2.0], 3.0),
        ];
        for (entries, det) in table {
            assert!((determinant(entries) - det).abs() < 1e-14);
            let log = log_determinant(entries);
            assert!(if det > 0.0 { (log - det.ln()).abs() < 1e-14 } else { log.is_nan() }, "{entries:?}: {log}");
        }
    }

    #[test]
    fn the_adjugate_of_a_singular_matrix() {
        let m = DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 4.0]);
        assert_eq!(adjugate(&m), DMatrix::from_row_slice(2, 2, &[4.0, -2.0, -2.0, 1.0]));
        assert_eq!(adjugate(&DMatrix::from_element(1, 1, 5.0)), DMatrix::from_element(1, 1, 1.0));
    }
}
