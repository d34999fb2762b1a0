//! What a call is answered with: the JSON of the command line with what an agent needs besides, and the same as text.

use serde_json::{Map, Value, json};

use super::tool::Tool;

/// A call to make next, exactly as it is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    /// The tool.
    pub tool: Tool,
    /// Its arguments.
    pub arguments: Map<String, Value>,
}

impl Next {
    /// A call with these arguments; those that are null are left out.
    pub fn new<const N: usize>(tool: Tool, arguments: [(&str, Value); N]) -> Self {
        let given = arguments.into_iter().filter(|(_, value)| !value.is_null());
        Self { tool, arguments: given.map(|(name, value)| (name.to_owned(), value)).collect() }
    }

    /// The same call with one argument set.
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.arguments.insert(name.to_owned(), value);
        self
    }

    /// The call as it is shown: `read {"target":"docs/a.md#use"}`.
    pub fn shown(&self) -> String {
        format!("{} {}", self.tool.name(), Value::Object(self.arguments.clone()))
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The structured content, an object.
    pub structured: Value,
    /// The same in words.
    pub text: String,
}

/// What is said besides a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aside {
    /// How many things were left out to keep within the budget.
    pub left_out: usize,
    /// What these things are called: one of them, several.
    pub unit: (&'static str, &'static str),
    /// What should be known about the result, a sentence each.
    pub notes: Vec<String>,
    /// The calls to make next, the best first.
    pub next: Vec<Next>,
}

impl Reply {
    /// A result, as `json` in the shape of the command line and as text, with what is said besides.
    pub fn new(json: &str, text: &str, aside: &Aside) -> Self {
        let mut structured: Map<String, Value> = serde_json::from_str(json).expect("renderers give JSON objects");
        structured.insert("left_out".into(), aside.left_out.into());
        structured.insert("notes".into(), aside.notes.clone().into());
        structured.insert("next".into(), aside.next.iter().map(wire).collect());
        Self { structured: Value::Object(structured), text: format!("{}\n{}", text.trim_end(), footer(aside)) }
    }
}

fn wire(next: &Next) -> Value {
    json!({ "tool": next.tool.name(), "arguments": next.arguments })
}

fn footer(aside: &Aside) -> String {
    let mut lines: Vec<String> = aside.notes.iter().map(|note| format!("Note: {note}")).collect();
    let (one, several) = aside.unit;
    match aside.left_out {
        0 => {}
        1 => lines.push(format!("Left out to keep within the budget: 1 {one}.")),
        count => lines.push(format!("Left out to keep within the budget: {count} {several}.")),
    }
    lines.extend(shown(&aside.next));
    lines.into_iter().map(|line| format!("\n{line}")).collect()
}

/// The next calls, a line each.
fn shown(next: &[Next]) -> impl Iterator<Item = String> {
    next.iter().map(|next| format!("Next: {}", next.shown()))
}

/// Why a call can't be answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refusal {
    /// What was found and what was expected.
    pub message: String,
    /// The calls that could have been meant.
    pub next: Vec<Next>,
}

impl Refusal {
    /// A refusal without another call to make.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), next: Vec::new() }
    }

    /// The refusal as it is shown.
    pub fn text(&self) -> String {
        std::iter::once(self.message.clone()).chain(shown(&self.next)).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_besides_stands_in_both_forms() {
        let aside = Aside {
            left_out: 2,
            unit: ("line", "lines"),
            notes: vec!["one file is left out".into()],
            next: vec![Next::new(Tool::Read, [("target", "docs/a.md".into()), ("root", Value::Null)])],
        };
        let reply = Reply::new(r#"{"schema_version":1}"#, "text\n", &aside);
        let expected = json!({
            "schema_version": 1,
            "left_out": 2,
            "notes": ["one file is left out"],
            "next": [{ "tool": "read", "arguments": { "target": "docs/a.md" } }],
        });
        assert_eq!(reply.structured, expected);
        let text = "text\n\nNote: one file is left out\nLeft out to keep within the budget: 2 lines.\n\
                    Next: read {\"target\":\"docs/a.md\"}";
        assert_eq!(reply.text, text);
    }

    #[test]
    fn a_refusal_says_what_to_call_instead() {
        let next = vec![Next::new(Tool::Search, [("text", "a".into())])];
        let refusal = Refusal { message: "there is no `a`".into(), next };
        assert_eq!(refusal.text(), "there is no `a`\nNext: search {\"text\":\"a\"}");
    }
}
