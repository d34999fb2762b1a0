//! JSON values → what a format expects of them, or where they differ.

use std::fmt::{Arguments, Display};

use serde_json::{Map, Value};

use super::quoted;

/// Reads a text as JSON; a byte order mark before it is no mistake.
///
/// # Errors
/// 1-based line and column, and what was found there.
pub fn json(text: &str) -> Result<Value, String> {
    json_from(text, 0)
}

/// The same for JSON that stands in a file after `lines` lines of something else.
///
/// # Errors
/// As those of [`json`].
pub fn json_from(text: &str, lines: usize) -> Result<Value, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        let cause = message.rsplit_once(" at line ").map_or(message.as_str(), |(cause, _)| cause);
        format!("not JSON: line {} column {}: {cause}", error.line() + lines, error.column())
    })
}

/// What differs from the expected shape, each with its place.
#[derive(Default)]
pub struct Shape {
    /// `PLACE is FOUND: expected EXPECTED`.
    pub problems: Vec<String>,
}

impl Shape {
    /// Notes that something else was expected at a place.
    pub fn differs(&mut self, place: impl Display, value: Option<&Value>, expected: &str) {
        let found = value.map_or("missing".to_owned(), |value| kind(value).to_owned());
        self.problems.push(format!("{place} is {found}: expected {expected}"));
    }

    /// The same, where it is not the kind but the value that is wrong.
    pub fn differs_in_value(&mut self, place: impl Display, value: Option<&Value>, expected: &str) {
        let found = match value {
            Some(Value::String(text)) => quoted(text),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => value.to_string(),
            _ => return self.differs(place, value, expected),
        };
        self.problems.push(format!("{place} is {found}: expected {expected}"));
    }

    /// An object.
    pub fn object<'v>(&mut self, value: Option<&'v Value>, place: Arguments<'_>) -> Option<&'v Map<String, Value>> {
        let object = value.and_then(Value::as_object);
        if object.is_none() {
            self.differs(place, value, "an object");
        }
        object
    }

    /// The items of an array; none where it is none.
    pub fn items<'v>(&mut self, value: Option<&'v Value>, place: Arguments<'_>) -> &'v [Value] {
        let Some(items) = value.and_then(Value::as_array) else {
            self.differs(place, value, "an array");
            return &[];
        };
        items
    }

    /// A string.
    pub fn text<'v>(&mut self, value: Option<&'v Value>, place: Arguments<'_>) -> Option<&'v str> {
        let text = value.and_then(Value::as_str);
        if text.is_none() {
            self.differs(place, value, "a string");
        }
        text
    }

    /// A string, or null for what is unknown.
    pub fn known<'v>(&mut self, value: Option<&'v Value>, place: Arguments<'_>) -> Option<&'v str> {
        match value {
            Some(Value::String(text)) => Some(text),
            Some(Value::Null) => None,
            _ => {
                self.differs(place, value, "a string or null");
                None
            }
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_json_is_placed() {
        assert_eq!(json("{"), Err("not JSON: line 1 column 1: EOF while parsing an object".into()));
        assert_eq!(json_from("\n{]", 4), Err("not JSON: line 6 column 2: key must be a string".into()));
        assert_eq!(json("\u{feff}1"), Ok(1.into()));
        let deep = "[".repeat(100_000);
        assert_eq!(json(&deep), Err("not JSON: line 1 column 128: recursion limit exceeded".into()));
    }

    #[test]
    fn a_difference_names_place_found_and_expected() {
        let mut shape = Shape::default();
        shape.text(Some(&1.into()), format_args!("a[{}].b", 0));
        shape.known(None, format_args!("c"));
        shape.differs_in_value("d", Some(&"x\ny".into()), "`z`");
        let expected = [
            "a[0].b is a number: expected a string",
            "c is missing: expected a string or null",
            "d is `x y`: expected `z`",
        ];
        assert_eq!(shape.problems, expected);
    }
}
