//! What is given at the point: settings and properties, and which of them a value
//! owes its form to.

use super::text;
use crate::form::{AtomId, FormId, Forms, Rebuilt, Refusal};
use crate::graph::{Kind, NodeId, Program, Property};
use crate::shape::Name;

/// The settings and properties of a program, as forms.
pub struct Given {
    settings: Vec<(AtomId, FormId)>,
    /// Position in the program, the form it speaks of, what it says; of inputs first:
    /// what is known of them may simplify the rest.
    properties: Vec<(usize, FormId, Property)>,
}

impl Given {
    /// What the program is given.
    pub fn of(program: &mut Program, forms: &mut Forms) -> Result<Given, Refusal> {
        let mut settings = Vec::new();
        for (node, number) in program.settings.clone() {
            let leaf = forms.form_of(program, node)?;
            if let Some(atom) = forms.as_atom(leaf) {
                let shape = forms.form(leaf).shape.clone();
                settings.push((atom, forms.constant(number, shape)?));
            }
        }
        let mut ordered: Vec<(usize, (NodeId, Property))> = program.properties.iter().cloned().enumerate().collect();
        ordered.sort_by_key(|(_, (node, _))| !matches!(program.node(*node).kind, Kind::Input(_)));
        let mut properties = Vec::new();
        for (place, (node, property)) in ordered {
            if let Ok(form) = forms.form_of(program, node) {
                properties.push((place, form, property));
            }
        }
        Ok(Given { settings, properties })
    }

    /// The positions of all properties.
    pub fn all(&self) -> Vec<usize> {
        self.properties.iter().map(|(place, ..)| *place).collect()
    }

    /// Nothing made again yet, inputs that are set replaced.
    pub fn rebuilt(&self) -> Rebuilt {
        Rebuilt::of(&self.settings)
    }

    /// Are inputs set to numbers?
    pub fn sets(&self) -> bool {
        !self.settings.is_empty()
    }

    /// Makes these properties, and no others, known.
    pub fn note(&self, forms: &mut Forms, which: &[usize]) -> Result<(), Refusal> {
        forms.forget_facts();
        for (_, form, property) in self.properties.iter().filter(|(place, ..)| which.contains(place)) {
            forms.note(*form, property)?;
            let rebuilt = forms.rebuild(*form, &mut Rebuilt::default())?;
            if rebuilt != *form {
                forms.note(rebuilt, property)?;
            }
        }
        Ok(())
    }

    /// The fewest of the properties `among` with which, besides those that stay, `found`
    /// still holds: the later ones are tried first. All properties are known before and after.
    pub fn needed(
        &self,
        forms: &mut Forms,
        (staying, among): (&[usize], &[usize]),
        found: &dyn Fn(&mut Forms) -> Result<bool, Refusal>,
    ) -> Result<Vec<usize>, Refusal> {
        let mut kept = among.to_vec();
        for place in among.iter().rev() {
            let fewer: Vec<usize> = kept.iter().copied().filter(|other| other != place).collect();
            self.note(forms, &[staying, &fewer].concat())?;
            // Without it there may be no value at all.
            if found(forms).unwrap_or(false) {
                kept = fewer;
            }
        }
        if !among.is_empty() {
            self.note(forms, &self.all())?;
        }
        Ok(kept)
    }
}

/// The property as it was written: "A symmetric".
pub fn says(program: &Program, place: usize) -> String {
    let Some((node, property)) = program.properties.get(place) else { return String::new() };
    format!("{} {}", text(program, *node), property.as_str())
}

/// The name of a step with the properties that it uses.
pub fn with_properties(program: &Program, name: &str, used: &[usize]) -> Name {
    let words: Vec<String> = used.iter().map(|place| says(program, *place)).collect();
    Name::from(if words.is_empty() { name.to_string() } else { format!("{name} ({})", words.join(", ")) })
}

/// The settings in words: "w = 0".
pub fn settings(program: &Program) -> Name {
    let words = program.settings.iter().map(|(node, number)| format!("{} = {number}", text(program, *node)));
    Name::from(words.collect::<Vec<_>>().join(", "))
}
