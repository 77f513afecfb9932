//! Functions of forms: turned, shrunk to the axes that matter, folded where they
//! are constant.

use super::Refusal;
use super::arena::{Atom, DimId, Factor, FormId, Forms, Label};
use super::cancel::cancel_function;
use super::monomial::Raw;
use super::words;
use crate::ops::{Attr, Attrs, Axes, Lower, Number, OpRef, Value};
use crate::shape::{Shape, Unknowns};
use std::cmp::Ordering;

impl Forms {
    /// The operation applied to forms.
    ///
    /// # Errors
    /// If a number does not fit or the shapes do not.
    pub fn apply(&mut self, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<FormId, Refusal> {
        if op.axes != Axes::Elementwise {
            if attrs.flag("keepdims") {
                return self.with_kept_axes(op, attrs, args);
            }
            if let Some(simpler) = cancel_function(self, op, attrs, args)? {
                return Ok(simpler);
            }
            let shape = self.result_shape(op, attrs, args)?;
            if matches!(op.lower, Lower::Linear { .. }) && args.iter().all(|arg| self.form(*arg).terms.is_empty()) {
                // Zeros moved about are zeros.
                return self.intern_form(shape, Vec::new());
            }
            let atom = self.intern_atom(Atom::Apply(op, attrs.clone(), args.to_vec()), shape);
            return self.of_atom(atom);
        }
        let shape = self.common_shape(args);
        if let Some(number) = self.folded(op, args) {
            return self.constant(number, shape);
        }
        let mut spread = Vec::with_capacity(args.len());
        for arg in args {
            spread.push(self.spread(*arg, &shape)?);
        }
        if let Some(same) = self.compared(op, attrs, &spread)? {
            return Ok(same);
        }
        if let Some(simpler) = cancel_function(self, op, attrs, &spread)? {
            return self.spread(simpler, &shape);
        }
        self.elementwise(op, attrs, spread, shape)
    }

    /// A reduction that keeps its axes is the one that does not, its axes put back.
    fn with_kept_axes(&mut self, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<FormId, Refusal> {
        let shape = self.result_shape(op, attrs, args)?;
        let mut plain = attrs.clone();
        for (name, attr) in &mut plain.0 {
            if *name == "keepdims" {
                *attr = Attr::Flag(false);
            }
        }
        let reduced = self.apply(op, &plain, args)?;
        let out: Vec<Label> = (0..shape.len() as Label).collect();
        let kept = out.iter().filter(|l| !attrs.axes().contains(&usize::from(**l))).copied().collect();
        self.product(&[(reduced, kept)], &out, shape, &[])
    }

    /// An elementwise function of forms of one shape. It is a function of the
    /// axes that some argument uses, and of the arguments or of their
    /// transposes, whichever is simpler.
    fn elementwise(
        &mut self,
        op: OpRef,
        attrs: &Attrs,
        mut args: Vec<FormId>,
        shape: Vec<DimId>,
    ) -> Result<FormId, Refusal> {
        let mut axes: Vec<usize> = (0..shape.len()).collect();
        axes.retain(|a| args.iter().any(|arg| self.uses_axis(*arg, *a)));
        if axes.len() < shape.len() {
            for arg in &mut args {
                *arg = self.on_axes(*arg, &axes)?;
            }
        }
        if axes.len() == 2 {
            let mut turned = Vec::with_capacity(args.len());
            for arg in &args {
                turned.push(self.on_axes(*arg, &[1, 0])?);
            }
            let order = turned.iter().zip(&args).map(|(a, b)| self.compare_turned(*a, *b));
            if order.fold(Ordering::Equal, Ordering::then).is_lt() {
                (args, axes) = (turned, vec![axes[1], axes[0]]);
            }
        }
        let inner = axes.iter().map(|a| shape[*a]).collect();
        let atom = self.intern_atom(Atom::Apply(op, attrs.clone(), args), inner);
        let labels: Vec<Label> = (0..shape.len() as Label).collect();
        let mut raw = Raw::new(&labels, shape.clone());
        raw.factors.push(Factor { atom, labels: axes.iter().map(|a| *a as Label).collect(), power: Number::ONE });
        let terms = self.finish(raw, false)?;
        self.intern_form(shape, terms)
    }

    fn uses_axis(&self, form: FormId, axis: usize) -> bool {
        self.form(form).terms.iter().any(|(m, _)| {
            let mono = self.mono(*m);
            let label = mono.out[axis];
            mono.out.iter().filter(|l| **l == label).count() > 1
                || mono.factors.iter().any(|f| f.labels.contains(&label))
        })
    }

    /// The form broadcast to a shape, last axes aligned.
    ///
    /// # Errors
    /// If a number does not fit.
    pub fn spread(&mut self, id: FormId, shape: &[DimId]) -> Result<FormId, Refusal> {
        let form = self.form(id);
        if form.shape == shape {
            return Ok(id);
        }
        let missing = shape.len().saturating_sub(form.shape.len());
        let out: Vec<Label> = (0..shape.len() as Label).collect();
        let mut terms = Vec::new();
        for (mono, c) in &form.terms {
            let mut raw = Raw::new(&out, shape.to_vec());
            let mut labels = Vec::new();
            for (axis, dim) in form.shape.iter().enumerate() {
                // An axis of size 1 that is repeated is summed over its one entry.
                let same = shape.get(missing + axis) == Some(dim);
                labels.push(if same { (missing + axis) as Label } else { raw.label(*dim) });
            }
            raw.place(self, &self.mono(*mono), *c, &labels)?;
            terms.extend(self.finish(raw, true)?);
        }
        self.intern_form(shape.to_vec(), terms)
    }

    fn common_shape(&mut self, args: &[FormId]) -> Vec<DimId> {
        let one = self.dim_id(&crate::shape::Dim::size(1));
        let rank = args.iter().map(|a| self.form(*a).shape.len()).max().unwrap_or(0);
        let mut common = vec![one; rank];
        for arg in args {
            let form = self.form(*arg);
            for (axis, dim) in form.shape.iter().rev().enumerate() {
                if *dim != one {
                    common[rank - 1 - axis] = *dim;
                }
            }
        }
        common
    }

    pub(super) fn result_shape(&mut self, op: OpRef, attrs: &Attrs, args: &[FormId]) -> Result<Vec<DimId>, Refusal> {
        let shape_of =
            |forms: &Forms, id: FormId| Shape(forms.form(id).shape.iter().map(|d| forms.dim(*d).clone()).collect());
        let shapes: Vec<Shape> = args.iter().map(|a| shape_of(self, *a)).collect();
        let shape = (op.shape)(&mut Unknowns::default(), &shapes.iter().collect::<Vec<_>>(), attrs);
        let shape = shape.map_err(|misfit| {
            Refusal::Rule(Box::new(crate::diagnostic::Diagnostic::new(misfit.kind, misfit.message)))
        })?;
        Ok(shape.0.iter().map(|dim| self.dim_id(dim)).collect())
    }

    /// The exact value of a function of numbers, where it is plain: at 0 and 1,
    /// and of comparisons and the like, which have no rounding.
    fn folded(&self, op: OpRef, args: &[FormId]) -> Option<Number> {
        let numbers: Vec<Number> = args.iter().map(|a| self.as_constant(*a)).collect::<Option<_>>()?;
        let plain = |n: &Number| *n == Number::ZERO || *n == Number::ONE;
        if !(numbers.iter().all(plain) || op.kink.is_some() || words::is_mask(op)) {
            return None;
        }
        let v: Vec<f64> = numbers.iter().map(|n| n.value()).collect();
        let value = match (&op.value, v.as_slice()) {
            (Value::Unary(f), [x]) => f(*x),
            (Value::Binary(f), [x, y]) => f(*x, *y),
            (Value::Ternary(f), [x, y, z]) => f(*x, *y, *z),
            _ => return None,
        };
        let twice = value * 2.0;
        (twice.fract() == 0.0 && twice.abs() < 1e9).then(|| Number::ratio(twice as i128, 2)).flatten()
    }
}
