//! What the imports of a file say about names.

use crate::ops::Framework;
use crate::shape::Name;
use std::collections::HashMap;

/// What names stand for without an import.
const CUSTOMS: &[(&str, &str)] = &[
    ("torch", "torch"),
    ("F", "torch.nn.functional"),
    ("nn", "torch.nn"),
    ("np", "numpy"),
    ("numpy", "numpy"),
    ("jnp", "jax.numpy"),
    ("jax", "jax"),
    ("lax", "jax.lax"),
    ("math", "math"),
];

/// Modules and the framework they belong to, longest first.
const MODULES: &[(&str, Framework)] = &[
    ("torch.nn.functional", Framework::Torch),
    ("torch.special", Framework::Torch),
    ("torch", Framework::Torch),
    ("jax.numpy", Framework::Jax),
    ("jax.nn", Framework::Jax),
    ("jax.lax", Framework::Jax),
    ("jax.scipy.special", Framework::Jax),
    ("jax.scipy", Framework::Jax),
    ("jax", Framework::Jax),
    ("numpy", Framework::NumPy),
    ("scipy.special", Framework::NumPy),
    ("scipy", Framework::NumPy),
    ("math", Framework::Math),
];

/// What the imports of a file say.
#[derive(Clone, Debug, Default)]
pub(super) struct Dialect {
    imports: HashMap<Name, Name>,
    home: Option<Framework>,
}

impl Dialect {
    /// From pairs of a name and what it was imported from.
    pub fn new(imports: &[(Name, Name)]) -> Dialect {
        let home = imports.iter().filter_map(|(_, path)| split(path)).map(|(framework, _)| framework);
        Dialect { imports: imports.iter().cloned().collect(), home: home.into_iter().find(|f| *f != Framework::Math) }
    }

    /// The framework of the file: that of its first import.
    pub fn home(&self) -> Option<Framework> {
        self.home
    }

    /// The module or function a name stands for.
    pub fn path(&self, name: &str) -> Option<&str> {
        let custom = || CUSTOMS.iter().find(|(known, _)| *known == name).map(|(_, path)| *path);
        self.imports.get(name).map(|path| &**path).or_else(custom)
    }
}

/// The framework of a dotted path, and what is left of it: `torch.linalg.norm`
/// is `linalg.norm` of PyTorch.
pub(super) fn split(path: &str) -> Option<(Framework, &str)> {
    MODULES.iter().find_map(|(module, framework)| {
        let rest = path.strip_prefix(module)?;
        let rest = if rest.is_empty() { rest } else { rest.strip_prefix('.')? };
        Some((*framework, rest))
    })
}

/// The framework as people write it.
pub(super) fn called(framework: Framework) -> &'static str {
    match framework {
        Framework::Torch => "torch",
        Framework::NumPy => "numpy",
        Framework::Jax => "jax",
        Framework::Math => "math",
    }
}
