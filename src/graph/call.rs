//! Calls: which operation a name means.

use super::callee::{Callee, Given, meant_by_keyword, preferred, without};
use super::dialect::{called, split};
use super::elaborate::{Elaborator, Mode, unsupported};
use super::rearrange::Call;
use super::value::{Operand, Value};
use crate::diagnostic::{Diagnostic, Kind, Span, did_you_mean};
use crate::ops::{self, Framework, OpRef, Spelling};
use crate::shape::Name;
use crate::source::ast::{Argument, Expr, ExprKind};

/// Keywords that say where and how numbers are held, not which.
const PLACEMENT: &[&str] = &["dtype", "device", "requires_grad"];

impl Elaborator<'_> {
    pub fn call(&mut self, function: &Expr, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        match &function.kind {
            ExprKind::Name(name) => self.call_name(name, function.span, arguments, whole),
            ExprKind::Attribute(base, name, place) => match self.path(function) {
                Some(path) => self.call_path(&path, arguments, function.span, whole),
                None => self.call_method(base, name, *place, arguments, whole),
            },
            _ => {
                let value = self.expr(function)?;
                Err(not_a_function(function.span.of(self.text), value.sort(), function.span, arguments, self.text))
            }
        }
    }

    fn call_name(&mut self, name: &Name, span: Span, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        match self.lookup(name)? {
            Some(Value::Opaque(function)) => return self.call_opaque(function, arguments, whole),
            Some(Value::Defined(function)) => return self.call_defined(function, arguments, whole),
            Some(Value::Local(function)) => return self.call_local(function, arguments, whole),
            Some(Value::Path(path)) => return self.call_path(&path, arguments, span, whole),
            Some(value) => return Err(not_a_function(name, value.sort(), span, arguments, self.text)),
            None => {}
        }
        let imported = self.dialect.path(name).filter(|path| path.contains('.')).map(str::to_string);
        if let Some(path) = imported {
            return self.call_path(&path, arguments, span, whole);
        }
        let home = self.dialect.home();
        let given = match self.read_beforehand(name, home, None, arguments)? {
            None => None,
            Some(given) => match self.meaning(name, home, &given, span, whole)? {
                Some(value) => return Ok(value),
                None => Some(given),
            },
        };
        match self.callee(name) {
            Some(callee) if given.is_some() => {
                let given = given.unwrap_or_default();
                self.call_given(callee, given, span, whole)
            }
            Some(callee) => self.call_op(callee, None, arguments, span, whole),
            None => match self.builtin(name, arguments, whole)? {
                Some(value) => Ok(value),
                None => Err(self.unknown_function(name, None, span)),
            },
        }
    }

    /// The operation a bare name means: the one of that name, else the first
    /// of the table that is written so.
    fn callee<'n>(&mut self, name: &'n str) -> Option<Callee<'n>> {
        if self.mode == Mode::Rule
            && let Some(op) = ops::by_name(name)
        {
            return Some(Callee { op, spelling: None, written: (name, None) });
        }
        let home = self.dialect.home();
        let candidates = match ops::spelled(name, home) {
            found if found.is_empty() => ops::spelled(name, None),
            found => found,
        };
        let Some((op, spelling)) = preferred(&candidates, name) else {
            return ops::by_name(name).map(|op| Callee { op, spelling: None, written: (name, None) });
        };
        let differs = |(other, s): &&(OpRef, &'static Spelling)| {
            *other != op || s.preset != spelling.preset || s.order != spelling.order
        };
        if let (None, Some((_, other))) = (home, candidates.iter().find(differs)) {
            let list = |s: &Spelling| s.frameworks.iter().map(|f| called(*f)).collect::<Vec<_>>().join(" and ");
            let note = format!("{name} is read as {} has it, not as {} has it", list(spelling), list(other));
            if !self.program.assumptions.contains(&note) {
                self.program.assumptions.push(note);
            }
        }
        Some(Callee { op, spelling: Some(spelling), written: (name, home) })
    }

    /// A call of something of a module: `torch.nn.functional.relu`.
    fn call_path(&mut self, path: &str, arguments: &[Argument], span: Span, whole: Span) -> Result<Value, Diagnostic> {
        let callee = self.callee_of_path(path, span);
        let (framework, name) = match split(path) {
            Some((framework, name)) => (Some(framework), name),
            None => return callee.and_then(|callee| self.call_op(callee, None, arguments, span, whole)),
        };
        match self.read_beforehand(name, framework, None, arguments)? {
            None => self.call_op(callee?, None, arguments, span, whole),
            Some(given) => match self.meaning(name, framework, &given, span, whole)? {
                Some(value) => Ok(value),
                None => self.call_given(callee?, given, span, whole),
            },
        }
    }

    /// The arguments of a call that may be no plain operation of the table.
    fn read_beforehand(
        &mut self,
        name: &str,
        framework: Option<Framework>,
        receiver: Option<&Operand>,
        arguments: &[Argument],
    ) -> Result<Option<Given>, Diagnostic> {
        let special = Elaborator::rearranges(name) || ops::abbreviations(name, framework).next().is_some();
        if !special || (self.mode == Mode::Rule && receiver.is_none()) {
            return Ok(None);
        }
        let mut given = Given { positional: receiver.cloned().into_iter().collect(), keywords: Vec::new() };
        self.read_arguments(arguments, &mut given)?;
        Ok(Some(given))
    }

    /// What the call means, where that is no plain operation of the table.
    fn meaning(
        &mut self,
        name: &str,
        framework: Option<Framework>,
        given: &Given,
        place: Span,
        whole: Span,
    ) -> Result<Option<Value>, Diagnostic> {
        let call = Call { name, framework, given, place, whole };
        match self.rearranged(&call)? {
            Some(value) => Ok(Some(value)),
            None => self.abbreviated(&call),
        }
    }

    fn callee_of_path<'n>(&self, path: &'n str, span: Span) -> Result<Callee<'n>, Diagnostic> {
        let Some((framework, name)) = split(path) else {
            let last = path.rsplit('.').next().unwrap_or(path);
            return Err(self.unknown_function(last, None, span));
        };
        let found = preferred(&ops::spelled(name, Some(framework)), name);
        found
            .map(|(op, spelling)| Callee { op, spelling: Some(spelling), written: (name, Some(framework)) })
            .ok_or_else(|| self.unknown_function(name, Some(framework), span))
    }

    fn call_method(
        &mut self,
        base: &Expr,
        name: &Name,
        place: Span,
        arguments: &[Argument],
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        if let Some((root, span)) = root_of(base)
            && !self.knows(root)
            && !self.dims.contains(root)
            && ops::by_name(root).is_none()
            && self.dialect.path(root).is_none()
        {
            let told = Diagnostic::at(Kind::UnknownName, span, format!("{root} is not defined"));
            let near = did_you_mean(root, self.scope.keys().map(|name| &**name));
            return Err(match near {
                Some(near) => told.help(format!("did you mean {near}?")),
                None => told.help("import it at the top: PyTorch, NumPy, JAX and math are read"),
            });
        }
        let receiver = self.operand(base)?;
        if let Some(value) = self.structural_method(&receiver, name, arguments, whole)? {
            return Ok(value);
        }
        let home = self.dialect.home().unwrap_or(Framework::Torch);
        let given = match self.read_beforehand(name, Some(home), Some(&receiver), arguments)? {
            None => None,
            Some(given) => match self.meaning(name, Some(home), &given, place, whole)? {
                Some(value) => return Ok(value),
                None => Some(given),
            },
        };
        let candidates = match ops::spelled(name, Some(home)) {
            found if found.is_empty() => ops::spelled(name, None),
            found => found,
        };
        match preferred(&candidates, name) {
            Some((op, spelling)) => {
                let callee = Callee { op, spelling: Some(spelling), written: (name, Some(home)) };
                match given {
                    Some(given) => self.call_given(callee, given, place, whole),
                    None => self.call_op(callee, Some(receiver), arguments, place, whole),
                }
            }
            None => Err(self.unknown_function(name, None, place)),
        }
    }

    /// Reads the arguments and applies the operation; a method's receiver is
    /// the first argument.
    fn call_op(
        &mut self,
        callee: Callee,
        receiver: Option<Operand>,
        arguments: &[Argument],
        name: Span,
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let mut given = Given { positional: receiver.into_iter().collect(), keywords: Vec::new() };
        self.read_arguments(arguments, &mut given)?;
        self.call_given(callee, given, name, whole)
    }

    /// Applies the operation to arguments that are read.
    fn call_given(
        &mut self,
        mut callee: Callee,
        mut given: Given,
        name: Span,
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        if let Some((op, spelling)) = meant_by_keyword(callee, &given) {
            given = without(given, callee, spelling);
            callee = Callee { op, spelling: Some(spelling), ..callee };
        }
        let called = name.of(self.text).to_string();
        if let Some(value) = self.call_of_picked(callee, &given, &called, whole)? {
            return Ok(value);
        }
        self.apply_call(callee, given, &called, whole)
    }

    pub fn read_arguments(&mut self, arguments: &[Argument], given: &mut Given) -> Result<(), Diagnostic> {
        for argument in arguments {
            if argument.keyword.as_ref().is_some_and(|(name, _)| PLACEMENT.contains(&&**name)) {
                continue;
            }
            match &argument.keyword {
                Some((keyword, span)) => {
                    let operand = self.operand(&argument.value)?;
                    given.keywords.push((keyword.clone(), *span, operand));
                }
                None => self.items_of(&argument.value, &mut given.positional)?,
            }
        }
        Ok(())
    }

    /// What an item of a list of values adds to it: one value, or those of a tuple with a star.
    pub fn items_of(&mut self, item: &Expr, values: &mut Vec<Operand>) -> Result<(), Diagnostic> {
        let ExprKind::Starred(inner) = &item.kind else {
            values.push(self.operand(item)?);
            return Ok(());
        };
        match self.expr(inner)? {
            Value::Tuple(items) => {
                values.extend(items.into_iter().map(|value| Operand { value, span: item.span }));
                Ok(())
            }
            other => {
                let message = format!("only a tuple of known length is unpacked with a star, not {}", other.sort());
                Err(unsupported(item.span, message))
            }
        }
    }

    /// A function without a body: the operation that stands for any function.
    fn call_opaque(&mut self, function: usize, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        let (name, takes, gives) = self.opaque[function].clone();
        let [Argument { keyword: None, value }] = arguments else {
            let message = format!("{name} takes one argument, {} given", arguments.len());
            return Err(Diagnostic::at(Kind::WrongArity, whole, message));
        };
        let operand = self.operand(value)?;
        let arg = self.node(&operand)?;
        let shape = self.program.shape(arg).clone();
        let same = shape.rank() == takes.rank()
            && shape.0.iter().zip(&takes.0).all(|(a, b)| self.program.unknowns.equal(a, b));
        if !same {
            let shape = self.program.unknowns.resolve_shape(&shape);
            let message = format!("{name} takes {}, its argument is {}", takes.as_tuple(), shape.as_tuple());
            return Err(Diagnostic::at(Kind::ShapeMismatch, operand.span, message));
        }
        let Some(op) = ops::by_name("function") else {
            return Err(unsupported(whole, "functions without a body are not supported"));
        };
        let attrs = vec![("name", ops::Attr::Text(name)), ("dims", ops::Attr::Dims(gives.0))];
        self.apply(op, &[(arg, operand.span)], ops::Attrs(attrs), whole, whole).map(Value::Node)
    }

    /// The refusal of a function nobody knows.
    pub fn unknown_function(&self, name: &str, framework: Option<Framework>, span: Span) -> Diagnostic {
        let message = match framework {
            Some(framework) => format!("unknown function {name} of {}", called(framework)),
            None => format!("unknown function {name}"),
        };
        let fits = |s: &&Spelling| framework.is_none_or(|f| s.frameworks.contains(&f));
        let spellings = ops::all().flat_map(|op| op.spellings.iter().filter(fits).map(|s| s.name));
        let names = ops::all().map(|op| op.name).filter(|_| framework.is_none());
        let known: Vec<&str> = names.chain(spellings).collect();
        if let Some((says, help)) = super::absent::reason(name) {
            let told = Diagnostic::at(Kind::UnknownFunction, span, format!("{name} is not supported: {says}"));
            return told.help(help);
        }
        let told = Diagnostic::at(Kind::UnknownFunction, span, message);
        match did_you_mean(name, known) {
            Some(near) => told.help(format!("did you mean {near}?")),
            None => told.help("nothing is executed: only the functions of the table are read"),
        }
    }
}

/// The name that a dotted path begins with.
fn root_of(path: &Expr) -> Option<(&Name, Span)> {
    match &path.kind {
        ExprKind::Name(name) => Some((name, path.span)),
        ExprKind::Attribute(base, ..) => root_of(base),
        _ => None,
    }
}

fn not_a_function(name: &str, sort: &str, span: Span, arguments: &[Argument], text: &str) -> Diagnostic {
    let told = Diagnostic::at(Kind::NotAFunction, span, format!("{name} is {sort}, not a function"));
    match arguments {
        [one] if one.keyword.is_none() => {
            told.help(format!("a product is written {name} * ({})", one.value.span.of(text)))
        }
        _ => told,
    }
}
