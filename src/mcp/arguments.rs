//! The arguments of a call, checked once: what is wrong is answered with what would be right.

use serde_json::{Map, Value};

use super::reply::{Next, Refusal};
use super::tool::{Argument, Kind, Tool};
use crate::cite::{Citation, visible};
use crate::error::nearest;

/// The arguments of a call, each known to its tool and of its kind; those that are required are there.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    /// The tool that is called.
    pub tool: Tool,
    given: Map<String, Value>,
}

impl Arguments {
    /// Checks what a client sent. An argument that is null counts as not given.
    ///
    /// # Errors
    /// When an argument is unknown, missing or of another kind; the first such thing is said.
    pub fn read(tool: Tool, mut given: Map<String, Value>) -> Result<Self, Refusal> {
        given.retain(|_, value| !value.is_null());
        let unknown: Vec<String> = given.keys().filter(|name| tool.argument(name).is_none()).cloned().collect();
        if !unknown.is_empty() {
            return Err(unknown_names(tool, &given, &unknown));
        }
        for argument in tool.arguments() {
            match given.get(argument.name) {
                Some(value) => fits(argument, value)?,
                None if argument.is_required => return Err(missing(tool, argument)),
                None => {}
            }
        }
        Ok(Self { tool, given })
    }

    /// A text; empty where it is not given.
    pub fn text(&self, name: &str) -> &str {
        self.given.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// The texts of a list; none where it is not given.
    pub fn texts(&self, name: &str) -> Vec<&str> {
        self.given.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// A number; its default where it is not given, and `None` where it has none.
    pub fn number(&self, name: &str) -> Option<usize> {
        let given = self.given.get(name).and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok());
        given.or_else(|| match self.tool.argument(name)?.kind {
            Kind::Number { default, .. } => default,
            Kind::Text | Kind::Texts => None,
        })
    }

    /// Tokens that the result may take.
    pub fn budget(&self) -> usize {
        self.number("budget").unwrap_or_default()
    }

    /// The same call again.
    pub fn again(&self) -> Next {
        Next { tool: self.tool, arguments: self.given.clone() }
    }

    /// A call that reads a section, by the name that `read` takes as it is.
    pub fn reading(&self, citation: &Citation) -> Next {
        let fragment = if citation.anchor.is_empty() { String::new() } else { format!("#{}", citation.anchor) };
        self.next(Tool::Read, [("target", format!("{}{fragment}", citation.path).into())])
    }

    /// A call of another tool in the same project.
    pub fn next<const N: usize>(&self, tool: Tool, arguments: [(&str, Value); N]) -> Next {
        let next = Next::new(tool, arguments);
        match self.given.get("root") {
            Some(root) => next.with("root", root.clone()),
            None => next,
        }
    }
}

/// Says the right names, and the call with them where each wrong name has one.
fn unknown_names(tool: Tool, given: &Map<String, Value>, unknown: &[String]) -> Refusal {
    let meant: Vec<Option<&str>> = unknown.iter().map(|name| meant(tool, name, given)).collect();
    let line = |(name, meant): (&String, &Option<&str>)| {
        let name = visible(name);
        match meant {
            Some(meant) => format!("`{}` has no argument `{name}`: did you mean `{meant}`?", tool.name()),
            None => format!("`{}` has no argument `{name}`", tool.name()),
        }
    };
    let mut lines: Vec<String> = unknown.iter().zip(&meant).map(line).collect();
    let names: Vec<String> = tool.arguments().iter().map(|argument| format!("`{}`", argument.name)).collect();
    lines.push(format!("its arguments are {}", names.join(", ")));
    let right = |name: &String| match unknown.iter().position(|wrong| wrong == name) {
        Some(at) => meant[at].map(str::to_owned),
        None => Some(name.clone()),
    };
    let arguments: Map<String, Value> =
        given.iter().filter_map(|(name, value)| Some((right(name)?, fitting(tool, &right(name)?, value)))).collect();
    let is_whole =
        tool.arguments().iter().all(|argument| !argument.is_required || arguments.contains_key(argument.name));
    let next = is_whole.then_some(Next { tool, arguments });
    Refusal { message: lines.join("\n"), next: next.into_iter().collect() }
}

/// The argument that a wrong name stands for, if it is not given already.
fn meant(tool: Tool, name: &str, given: &Map<String, Value>) -> Option<&'static str> {
    let name = name.to_lowercase();
    let free = || tool.arguments().iter().filter(|argument| !given.contains_key(argument.name));
    let alias = free().find(|argument| argument.aliases.contains(&name.as_str())).map(|argument| argument.name);
    alias.or_else(|| nearest(&name, free().map(|argument| argument.name)))
}

/// The value as the argument of this name has it: a list where a single text was given for one.
fn fitting(tool: Tool, name: &str, value: &Value) -> Value {
    match tool.argument(name).map(|argument| argument.kind) {
        Some(Kind::Texts) if value.is_string() => Value::Array(vec![value.clone()]),
        _ => value.clone(),
    }
}

fn missing(tool: Tool, argument: &Argument) -> Refusal {
    Refusal::new(format!("`{}` needs `{}`: {}", tool.name(), argument.name, argument.about))
}

/// Whether a value is what its argument can be.
fn fits(argument: &Argument, value: &Value) -> Result<(), Refusal> {
    let is_text = |value: &Value| value.as_str().is_some_and(|text| !text.trim().is_empty());
    let (is_fitting, expected) = match argument.kind {
        Kind::Text => (is_text(value), "a text".to_owned()),
        Kind::Texts => (value.as_array().is_some_and(|all| all.iter().all(is_text)), "a list of texts".to_owned()),
        Kind::Number { least, most, .. } => {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            let is_within = number.is_some_and(|number| (least..=most).contains(&number));
            (is_within, format!("a whole number from {least} to {most}"))
        }
    };
    if is_fitting {
        return Ok(());
    }
    let found: String = visible(&value.to_string()).chars().take(80).collect();
    Err(Refusal::new(format!("`{}` is {found}: expected {expected}", argument.name)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(tool: Tool, given: Value) -> Result<Arguments, Refusal> {
        Arguments::read(tool, given.as_object().expect("an object").clone())
    }

    fn refused(tool: Tool, given: Value) -> String {
        read(tool, given).expect_err("it is refused").text()
    }

    #[test]
    fn arguments_have_defaults() {
        let arguments = read(Tool::Query, json!({ "question": "why?", "root": null })).expect("they are right");
        let found = (arguments.text("question"), arguments.number("limit"), arguments.budget(), arguments.text("root"));
        assert_eq!(found, ("why?", Some(5), 4000, ""));
        assert_eq!(read(Tool::Read, json!({ "target": "a" })).expect("right").number("from_line"), None);
        assert_eq!(read(Tool::Check, json!({ "paths": ["a", "b"] })).expect("right").texts("paths"), ["a", "b"]);
    }

    #[test]
    fn wrong_names_are_answered_with_the_right_ones() {
        let names = "its arguments are `question`, `limit`, `budget`, `root`";
        let cases = [
            (
                json!({ "q": "why?" }),
                format!(
                    "`query` has no argument `q`: did you mean `question`?\n{names}\nNext: query {{\"question\":\"why?\"}}"
                ),
            ),
            (
                json!({ "question": "why?", "limits": 3 }),
                format!(
                    "`query` has no argument `limits`: did you mean `limit`?\n{names}\n\
                     Next: query {{\"limit\":3,\"question\":\"why?\"}}"
                ),
            ),
            (json!({ "colour": "red" }), format!("`query` has no argument `colour`\n{names}")),
            (
                json!({ "question": "why?", "query": "who?" }),
                format!("`query` has no argument `query`\n{names}\nNext: query {{\"question\":\"why?\"}}"),
            ),
        ];
        for (given, expected) in cases {
            assert_eq!(refused(Tool::Query, given), expected);
        }
        assert!(refused(Tool::Check, json!({ "file": "a.md" })).ends_with("Next: check {\"paths\":[\"a.md\"]}"));
    }

    #[test]
    fn wrong_values_are_answered_with_what_is_expected() {
        let cases = [
            (
                Tool::Query,
                json!({ "question": "a", "limit": "5" }),
                "`limit` is \"5\": expected a whole number from 1 to 20",
            ),
            (Tool::Query, json!({ "question": "a", "limit": 0 }), "`limit` is 0: expected a whole number from 1 to 20"),
            (Tool::Query, json!({ "question": " " }), "`question` is \" \": expected a text"),
            (Tool::Check, json!({ "paths": "docs" }), "`paths` is \"docs\": expected a list of texts"),
            (
                Tool::Read,
                json!({}),
                "`read` needs `target`: path#anchor as in any result, or a path alone for the whole page.",
            ),
        ];
        for (tool, given, expected) in cases {
            assert_eq!(refused(tool, given), expected);
        }
    }

    #[test]
    fn the_next_call_is_of_the_same_project() {
        let arguments = read(Tool::Query, json!({ "question": "a", "root": "/p" })).expect("they are right");
        assert_eq!(arguments.next(Tool::Read, [("target", "b".into())]).shown(), r#"read {"root":"/p","target":"b"}"#);
        assert_eq!(arguments.again().shown(), r#"query {"question":"a","root":"/p"}"#);
    }
}
