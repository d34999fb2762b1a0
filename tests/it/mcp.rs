//! `inkwell mcp` as a client sees it: JSON-RPC lines over the program's streams.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::laws::check_valid;
use crate::sandbox::{Sandbox, repository, text};

/// A running server and its client.
struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Session {
    /// Starts a server and shakes hands in a protocol version.
    fn start(sandbox: &Sandbox, version: &str) -> Self {
        let mut command = sandbox.command(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the server starts");
        let input = child.stdin.take().expect("a stdin");
        let output = BufReader::new(child.stdout.take().expect("a stdout"));
        let mut session = Self { child, input, output, id: 0 };
        let client = json!({"name": "test", "version": "1"});
        let hello = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = session.ask("initialize", hello);
        assert_eq!((text(&answer["protocolVersion"]), text(&answer["serverInfo"]["name"])), (version, "inkwell"));
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        session
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").and_then(|()| self.input.flush()).expect("the server reads");
    }

    /// The result of a request; every line up to it must be protocol.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.id += 1;
        let id = self.id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!(message["jsonrpc"], "2.0");
            if message["id"] == json!(id) {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    /// What a tool says, and whether it is an error.
    fn said(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let result = self.call(tool, arguments);
        (text(&result["content"][0]["text"]).to_owned(), result["isError"] == json!(true))
    }

    /// Closes the streams and returns the exit code.
    fn end(self) -> Option<i32> {
        let Self { mut child, input, output, .. } = self;
        drop((input, output));
        child.wait().expect("the server ends").code()
    }
}

fn fixtures() -> Sandbox {
    Sandbox::at(&repository().join("fixtures"))
}

#[test]
fn old_and_new_clients_are_served() {
    for version in ["2024-11-05", "2025-06-18"] {
        let mut session = Session::start(&fixtures(), version);
        let tools = session.ask("tools/list", json!({}));
        let tools = tools["tools"].as_array().expect("tools");
        let names: Vec<&str> = tools.iter().map(|tool| text(&tool["name"])).collect();
        assert_eq!(names, ["query", "search", "read", "check"]);
        for tool in tools {
            assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{}", tool["name"]);
        }
        assert_eq!(session.end(), Some(0));
    }
}

#[test]
fn a_question_is_answered_as_on_the_command_line() {
    let sandbox = fixtures();
    let mut session = Session::start(&sandbox, "2025-06-18");
    let tools = session.ask("tools/list", json!({}));
    let output = |tool: usize| jsonschema::validator_for(&tools["tools"][tool]["outputSchema"]).expect("a JSON Schema");
    let result = session.call("query", json!({"question": "How do I rotate an SDK key?", "limit": 3}));
    let printed = sandbox.ok(&["query", "-n", "3", "How do I rotate an SDK key?"]).stdout;
    assert!(text(&result["content"][0]["text"]).starts_with(printed.trim_end()), "{result}");
    check_valid(&output(0), &result["structuredContent"].to_string());
    let target = format!(
        "{}#{}",
        text(&result["structuredContent"]["sources"][0]["path"]),
        text(&result["structuredContent"]["sources"][0]["anchor"])
    );
    let read = session.call("read", json!({"target": target}));
    check_valid(&output(2), &read["structuredContent"].to_string());
    assert_eq!(read["structuredContent"]["heading"], "SDK keys and API tokens");
}

#[test]
fn mistakes_are_answered_with_what_is_right() {
    let mut session = Session::start(&fixtures(), "2025-06-18");
    let expected = "`query` has no argument `q`: did you mean `question`?\nits arguments are `question`, `limit`, \
                    `budget`, `root`\nNext: query {\"question\":\"x\"}";
    assert_eq!(session.said("query", json!({"q": "x"})), (expected.to_owned(), true));
    let (said, is_error) = session.said("read", json!({"target": "docs/guides/rotate-keys.md#the-secret-keys"}));
    let offer = "Next: read {\"target\":\"docs/guides/rotate-keys.md#the-secret-key\"}";
    assert!(is_error && said.contains(offer), "{said}");
}

#[test]
fn nothing_outside_the_root_is_read() {
    let mut session = Session::start(&fixtures(), "2025-06-18");
    for target in ["../README.md", "/etc/hostname", "docs/../../README.md"] {
        let (said, is_error) = session.said("read", json!({"target": target}));
        assert!(is_error && !said.contains("Licence"), "{said}");
    }
}

#[test]
fn answers_stay_fresh_between_edits() {
    let sandbox = Sandbox::new().file("docs/a.md", "# Cache\n\nEntries live for 0 minutes.\n");
    let mut session = Session::start(&sandbox, "2025-06-18");
    for minutes in 1..40 {
        sandbox.write("docs/a.md", format!("# Cache\n\nEntries live for {minutes} minutes.\n"));
        let (said, _) = session.said("query", json!({"question": "how long do entries live?"}));
        let expected = format!("**Answer.** Entries live for {minutes} minutes. (docs/a.md#cache)\n");
        assert!(said.starts_with(&expected), "{said}");
    }
    assert_eq!(session.end(), Some(0));
}
