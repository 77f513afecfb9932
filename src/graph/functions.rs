//! Functions of the file: calls are read as if their bodies stood in their place.

use super::callee::Given;
use super::elaborate::{Elaborator, unsupported};
use super::value::Value;
use crate::diagnostic::{Diagnostic, Diagnostics, Kind, Span, did_you_mean};
use crate::shape::Name;
use crate::source::ast::{Argument, Function};
use std::collections::HashMap;

/// Stands for a function inside another among those being read.
const LOCAL: usize = usize::MAX - 1;

/// How many statements are read in all, through calls.
const MAX_STEPS: usize = 2_000_000;

/// What a call was made with: function and arguments.
type Call = (usize, Vec<Option<Value>>);

/// The functions of the file and what was learned by calling them.
#[derive(Default)]
pub(super) struct Functions<'a> {
    /// The functions, in order.
    pub list: &'a [Function],
    /// The last function of each name.
    pub by_name: HashMap<Name, usize>,
    /// Constants of the module, or why they could not be read.
    pub globals: HashMap<Name, Result<Value, Diagnostic>>,
    /// Functions inside functions, and how many functions were being read where they stand.
    pub locals: Vec<(&'a Function, usize)>,
    /// The functions being read, the chosen one first.
    pub active: Vec<usize>,
    /// Calls made before and what they gave: a call costs its size once.
    pub known: HashMap<Call, Value>,
    steps: usize,
}

impl<'a> Functions<'a> {
    pub fn of(list: &'a [Function]) -> Functions<'a> {
        let by_name = list.iter().enumerate().map(|(at, function)| (function.name.clone(), at)).collect();
        Functions { list, by_name, ..Functions::default() }
    }

    /// How many functions are being read, those inside others not counted.
    fn depth(&self) -> usize {
        self.active.iter().filter(|at| **at != LOCAL).count()
    }

    /// Counts a statement.
    ///
    /// # Errors
    /// That there are too many.
    pub fn step(&mut self, span: Span) -> Result<(), Diagnostic> {
        self.steps += 1;
        if self.steps <= MAX_STEPS {
            return Ok(());
        }
        let message = format!("the calls come to more than {MAX_STEPS} statements");
        Err(Diagnostic::at(Kind::TooLarge, span, message))
    }
}

impl<'a> Elaborator<'a> {
    /// A call of the function at `at` of the file.
    pub fn call_defined(&mut self, at: usize, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        let list: &'a [Function] = self.functions.list;
        let function = &list[at];
        let name = &function.name;
        if self.functions.active.contains(&at) {
            return Err(unsupported(whole, format!("{name} calls itself here: recursion is not supported")));
        }
        if function.body.is_empty() {
            let message = format!("{name} has no body yet");
            return Err(Diagnostic::at(Kind::UnsupportedStatement, whole, message).also(function.span, "defined here"));
        }
        let mut given = Given { positional: Vec::new(), keywords: Vec::new() };
        self.read_arguments(arguments, &mut given)?;
        let key = (at, matched(function, given, whole)?);
        if let Some(value) = self.functions.known.get(&key) {
            return Ok(value.clone());
        }
        let value = self.inlined(at, function, &key.1, whole)?;
        self.functions.known.insert(key, value.clone());
        Ok(value)
    }

    /// The body of `function` with its parameters bound, in a scope of its own.
    fn inlined(
        &mut self,
        at: usize,
        function: &'a Function,
        args: &[Option<Value>],
        whole: Span,
    ) -> Result<Value, Diagnostic> {
        let scope = std::mem::take(&mut self.scope);
        let broken = std::mem::take(&mut self.broken);
        let lists = std::mem::take(&mut self.lists);
        let uses = std::mem::take(&mut self.uses);
        let outside = std::mem::replace(&mut self.loops_outside, self.loops.len());
        self.functions.active.push(at);
        let mut told = Diagnostics::new();
        let bound = self.bind_parameters(function, args, whole);
        let returned = bound.map(|()| self.block(&function.body, &mut told));
        self.functions.active.pop();
        for value in std::mem::replace(&mut self.scope, scope).into_values() {
            self.release(&value);
        }
        (self.broken, self.lists, self.uses) = (broken, lists, uses);
        self.loops_outside = outside;
        let returned = returned?;
        match told.into_iter().next() {
            Some(first) => Err(first.also(whole, "called here")),
            None => Ok(returned.map_or(Value::Nothing, |(operand, _)| operand.value)),
        }
    }

    /// A function inside the one that is read: it sees the names around it.
    pub fn define_local(&mut self, function: &'a Function) {
        let at = self.functions.locals.len();
        self.functions.locals.push((function, self.functions.depth()));
        self.bind(&function.name, Value::Local(at));
    }

    /// A call of a function inside the one that is read.
    pub fn call_local(&mut self, at: usize, arguments: &[Argument], whole: Span) -> Result<Value, Diagnostic> {
        let (function, depth) = self.functions.locals[at];
        let name = &function.name;
        if depth != self.functions.depth() {
            let message = format!("{name} is called outside of the function that it stands in");
            return Err(unsupported(whole, message).help("define it at the top of the file"));
        }
        let inside = self.functions.active.iter().filter(|active| **active == LOCAL).count();
        if inside >= self.functions.locals.len() {
            return Err(unsupported(whole, format!("{name} calls itself here: recursion is not supported")));
        }
        let mut given = Given { positional: Vec::new(), keywords: Vec::new() };
        self.read_arguments(arguments, &mut given)?;
        let args = matched(function, given, whole)?;
        let around = (self.scope.clone(), self.holders.clone(), self.broken.clone(), self.lists.clone());
        self.functions.active.push(LOCAL);
        let mut told = Diagnostics::new();
        let bound = self.bind_parameters(function, &args, whole);
        let returned = bound.map(|()| self.block(&function.body, &mut told));
        self.functions.active.pop();
        (self.scope, self.holders, self.broken, self.lists) = around;
        let returned = returned?;
        match told.into_iter().next() {
            Some(first) => Err(first.also(whole, "called here")),
            None => Ok(returned.map_or(Value::Nothing, |(operand, _)| operand.value)),
        }
    }

    fn bind_parameters(
        &mut self,
        function: &'a Function,
        args: &[Option<Value>],
        whole: Span,
    ) -> Result<(), Diagnostic> {
        for (param, arg) in function.params.iter().zip(args) {
            let value = match (arg, &param.default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => self.expr(default)?,
                (None, None) => {
                    let message = format!("{} needs the argument {}", function.name, param.name);
                    return Err(Diagnostic::at(Kind::WrongArity, whole, message));
                }
            };
            self.bind(&param.name, value);
        }
        Ok(())
    }
}

/// The value given to each parameter.
fn matched(function: &Function, given: Given, whole: Span) -> Result<Vec<Option<Value>>, Diagnostic> {
    let name = &function.name;
    if given.positional.len() > function.params.len() {
        let message = format!("{name} takes {} arguments, {} given", function.params.len(), given.positional.len());
        return Err(Diagnostic::at(Kind::WrongArity, whole, message).also(function.span, "defined here"));
    }
    let mut args: Vec<Option<Value>> = given.positional.into_iter().map(|operand| Some(operand.value)).collect();
    args.resize(function.params.len(), None);
    for (keyword, span, operand) in given.keywords {
        let names = || function.params.iter().map(|param| &*param.name);
        let Some(at) = names().position(|param| param == &*keyword) else {
            let near = did_you_mean(&keyword, names()).map(|near| format!("did you mean {near}?"));
            let told = Diagnostic::at(Kind::UnknownKeyword, span, format!("{name} takes no keyword {keyword}"));
            return Err(Diagnostic { help: near, ..told });
        };
        if args[at].replace(operand.value).is_some() {
            let message = format!("{name} is given {keyword} twice");
            return Err(Diagnostic::at(Kind::UnknownKeyword, span, message));
        }
    }
    Ok(args)
}
