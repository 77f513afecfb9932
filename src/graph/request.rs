//! What is said beside a program: shapes, functions, settings, assumptions.

use crate::diagnostic::{Diagnostic, Kind};
use crate::ops::Number;
use crate::shape::{Name, Shape};
use crate::source::is_name;

/// What is said beside a program, as by the flags of the command.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The function; the last one with a body if `None`.
    pub function: Option<String>,
    /// The value that counts as the result; what is returned if `None`.
    pub of: Option<String>,
    /// Shapes of inputs; they go before annotations.
    pub shapes: Vec<(Name, Shape)>,
    /// Functions without a body: name, shape taken, shape given.
    pub functions: Vec<(Name, Shape, Shape)>,
    /// Inputs that are this number in every entry.
    pub settings: Vec<(Name, Number)>,
    /// What holds: "A symmetric", "det(X) positive".
    pub assumptions: Vec<String>,
    /// Definitions before an expression: "u = sin(x)".
    pub lets: Vec<String>,
    /// Loops over a number are read turn by turn, also where one node would do.
    pub unroll: bool,
    /// Names must be declared: none is taken for an input by its letter.
    pub strict: bool,
}

impl Request {
    /// Declares an input: `declare("x", "batch d")`.
    ///
    /// # Errors
    /// A shape that cannot be read.
    pub fn declare(&mut self, name: &str, shape: &str) -> Result<(), Diagnostic> {
        let shape = parse_shape(name, shape)?;
        self.shapes.push((Name::from(name), shape));
        Ok(())
    }

    /// Declares an input as the flag does: `x=batch d`.
    ///
    /// # Errors
    /// A flag that is not of this form, a shape that cannot be read.
    pub fn shape_flag(&mut self, flag: &str) -> Result<(), Diagnostic> {
        match flag.split_once('=') {
            Some((name, shape)) if is_name(name.trim()) => self.declare(name.trim(), unquoted(shape)),
            _ => Err(bad(format!("{flag} declares no shape")).help("write it as x=\"batch d\"")),
        }
    }

    /// Declares a function without a body: `f:d -> d`.
    ///
    /// # Errors
    /// A flag that is not of this form, a shape that cannot be read.
    pub fn function_flag(&mut self, flag: &str) -> Result<(), Diagnostic> {
        let parts = flag.split_once(':').and_then(|(name, kind)| {
            let (takes, gives) = unquoted(kind).split_once("->")?;
            is_name(name.trim()).then_some((name.trim(), takes, gives))
        });
        let Some((name, takes, gives)) = parts else {
            return Err(bad(format!("{flag} declares no function")).help("write it as f:\"d -> d\""));
        };
        let function = (Name::from(name), parse_shape(name, takes)?, parse_shape(name, gives)?);
        self.functions.push(function);
        Ok(())
    }

    /// Sets an input to a number: `w2=0`.
    ///
    /// # Errors
    /// A flag that is not of this form.
    pub fn setting_flag(&mut self, flag: &str) -> Result<(), Diagnostic> {
        let parts = flag.split_once('=').and_then(|(name, number)| {
            let number = number.trim();
            let value = match number.strip_prefix('-') {
                Some(rest) => Number::parse(rest.trim()).map(Number::negated),
                None => Number::parse(number),
            };
            Some((name.trim(), value?))
        });
        match parts {
            Some((name, number)) if is_name(name) => {
                self.settings.push((Name::from(name), number));
                Ok(())
            }
            _ => Err(bad(format!("{flag} sets nothing")).help("write it as w2=0")),
        }
    }

    /// The text that the places of an expression and its definitions refer to:
    /// the definitions, a line each, then the expression.
    pub fn source(&self, expression: &str) -> String {
        let mut source = String::new();
        for line in &self.lets {
            source.push_str(line);
            source.push('\n');
        }
        source + expression
    }
}

fn parse_shape(name: &str, text: &str) -> Result<Shape, Diagnostic> {
    Shape::parse(text).map_err(|why| bad(format!("the shape \"{}\" of {name}: {why}", text.trim())))
}

fn bad(message: String) -> Diagnostic {
    Diagnostic::new(Kind::BadDeclaration, message)
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(|c| c == '"' || c == '\'')
}

#[cfg(test)]
mod tests {
    use super::Request;

    #[test]
    fn flags_are_read() {
        let mut request = Request::default();
        request.shape_flag("x=\"batch d\"").unwrap();
        request.shape_flag("s=").unwrap();
        request.function_flag("f:d -> d 2").unwrap();
        request.setting_flag("w2 = -0.5").unwrap();
        let shapes: Vec<String> = request.shapes.iter().map(|(name, shape)| format!("{name}: {shape}")).collect();
        assert_eq!(shapes, ["x: batch × d", "s: scalar"]);
        assert_eq!(request.functions[0].2.to_string(), "d × 2");
        assert_eq!(request.settings[0].1.to_string(), "-1/2");
        for flag in ["x", "x=n,m", "2=n", "x=2.5"] {
            assert!(request.shape_flag(flag).is_err(), "{flag}");
        }
        assert!(request.function_flag("f:d").is_err());
        assert!(request.setting_flag("w=zero").is_err());
    }
}
