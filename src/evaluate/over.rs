//! A few nodes on top of values already found.

use super::inputs::Inputs;
use super::plan::{Slot, Values, action, step};
use crate::array::Array;
use crate::diagnostic::Diagnostic;
use crate::graph::{NodeId, Program};
use std::collections::{BTreeSet, HashMap};

impl Values {
    /// The value of `node`, computed from these values and `inputs` (holes and
    /// cotangents above all) without keeping what is found on the way. It costs
    /// what stands between `node` and the known values, however large the program.
    ///
    /// # Errors
    /// As [`super::Plan::run`].
    pub fn over(&self, program: &Program, node: NodeId, inputs: &Inputs) -> Result<Array, Diagnostic> {
        let (mut missing, mut waiting) = (BTreeSet::new(), vec![node]);
        while let Some(id) = waiting.pop() {
            if self.slot(id).is_none() && missing.insert(id) {
                waiting.extend(&program.node(id).args);
            }
        }
        let mut found: HashMap<NodeId, Slot> = HashMap::new();
        for id in missing {
            let known = |arg: NodeId| found.get(&arg).or_else(|| self.slot(arg));
            let slot = step(program, id, &action(program, program.node(id)), &known, inputs)?;
            found.insert(id, slot);
        }
        match found.get(&node).or_else(|| self.slot(node)) {
            Some(Slot::One(array)) => Ok((**array).clone()),
            _ => Ok(Array::scalar(f64::NAN)),
        }
    }
}
