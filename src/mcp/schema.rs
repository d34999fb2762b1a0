//! The tools as JSON Schemas. Results have the shapes of the command line, with three fields more.

use serde_json::{Map, Value, json};

use super::tool::{Argument, Kind, Tool};

/// The closed schema of a tool's arguments.
pub fn input(tool: Tool) -> Map<String, Value> {
    let properties: Map<String, Value> =
        tool.arguments().iter().map(|argument| (argument.name.to_owned(), property(argument))).collect();
    let required: Vec<&str> =
        tool.arguments().iter().filter(|argument| argument.is_required).map(|argument| argument.name).collect();
    object(json!({
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
        "required": required,
    }))
}

fn property(argument: &Argument) -> Value {
    let mut property = match argument.kind {
        Kind::Text => json!({ "type": "string", "minLength": 1 }),
        Kind::Texts => json!({ "type": "array", "items": { "type": "string", "minLength": 1 } }),
        Kind::Number { least, most, default } => {
            let mut number = json!({ "type": "integer", "minimum": least, "maximum": most });
            if let Some(default) = default {
                number["default"] = default.into();
            }
            number
        }
    };
    property["description"] = argument.about.into();
    property
}

/// The closed schema of a tool's structured content: the published one with `left_out`, `notes` and `next`.
pub fn output(tool: Tool) -> Map<String, Value> {
    let mut schema = object(serde_json::from_str(published(tool)).expect("published schemas are JSON"));
    // Clients that keep compiled schemas by their id, or know no dialect by its name, refuse what has these.
    schema.remove("$id");
    schema.remove("$schema");
    schema.insert("description".into(), tool.about().into());
    for (name, property) in besides(unit(tool)) {
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.push(name.into());
        }
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert(name.into(), property);
        }
    }
    schema
}

fn published(tool: Tool) -> &'static str {
    match tool {
        Tool::Query => include_str!("../../schemas/query.v1.schema.json"),
        Tool::Search => include_str!("../../schemas/search.v1.schema.json"),
        Tool::Read => include_str!("../../schemas/read.v1.schema.json"),
        Tool::Check => include_str!("../../schemas/check.v1.schema.json"),
    }
}

/// What a tool leaves out where the budget is small: one of it, several.
pub fn unit(tool: Tool) -> (&'static str, &'static str) {
    match tool {
        Tool::Query => ("source", "sources"),
        Tool::Search | Tool::Read => ("line", "lines"),
        Tool::Check => ("finding", "findings"),
    }
}

fn besides((_, several): (&str, &str)) -> [(&'static str, Value); 3] {
    let names: Vec<&str> = Tool::ALL.iter().map(|tool| tool.name()).collect();
    let next = json!({
        "type": "array",
        "description": "The calls to make next, the best first, exactly as they are to be made.",
        "items": {
            "type": "object",
            "description": "A call.",
            "additionalProperties": false,
            "required": ["tool", "arguments"],
            "properties": {
                "tool": { "type": "string", "description": "The tool.", "enum": names },
                "arguments": { "type": "object", "description": "Its arguments." },
            },
        },
    });
    let left_out = format!("How many {several} were left out to keep within the budget.");
    let notes = json!({
        "type": "array",
        "description": "What should be known about the result.",
        "items": { "type": "string", "description": "A sentence.", "minLength": 1 },
    });
    [
        ("left_out", json!({ "type": "integer", "description": left_out, "minimum": 0 })),
        ("notes", notes),
        ("next", next),
    ]
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_are_closed() {
        for tool in Tool::ALL {
            for schema in [input(tool), output(tool)] {
                assert_eq!(schema["type"], "object", "{}", tool.name());
                assert_eq!(schema["additionalProperties"], false, "{}", tool.name());
                assert!(jsonschema::validator_for(&Value::Object(schema)).is_ok(), "{}", tool.name());
            }
        }
    }

    #[test]
    fn an_input_schema_is_this() {
        let expected = json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["target"],
            "properties": {
                "target": {
                    "type": "string",
                    "minLength": 1,
                    "description": "path#anchor as in any result, or a path alone for the whole page.",
                },
                "from_line": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 10_000_000,
                    "description":
                        "The line of the file to begin at, counted from 1, to go on where the last call ended.",
                },
                "budget": {
                    "type": "integer",
                    "minimum": 200,
                    "maximum": 20_000,
                    "default": 4000,
                    "description": "Tokens that the result may take, about.",
                },
                "root": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The project's folder; needed only where the client has several roots.",
                },
            },
        });
        assert_eq!(Value::Object(input(Tool::Read)), expected);
    }
}
