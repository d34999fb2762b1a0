//! The MCP server from the outside, as raw messages: what it speaks, what it answers and refuses, that it stays fresh,
//! and that nothing holds it up.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::sandbox::{Sandbox, repository, text};

const TOOLS: [&str; 4] = ["query", "search", "read", "check"];

/// A client that speaks the protocol line by line.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    /// The roots that it names when it is asked; `None` for a client that has none to name.
    roots: Option<Vec<String>>,
    last_id: u64,
    /// What the server sent besides answers.
    heard: Vec<Value>,
}

impl Client {
    /// Starts the server in the sandbox's root and greets it.
    fn of(sandbox: &Sandbox) -> Self {
        Self::greeting(sandbox.command(&["mcp"]), None)
    }

    /// The same for a client that names these folders as its roots.
    fn with_roots(sandbox: &Sandbox, folders: &[&str]) -> Self {
        let uri = |folder: &&str| format!("file://{}", sandbox.path(folder).display());
        Self::greeting(sandbox.command(&["mcp"]), Some(folders.iter().map(uri).collect()))
    }

    fn greeting(command: Command, roots: Option<Vec<String>>) -> Self {
        let mut client = Self::start(command, roots);
        let greeted = client.greet("2025-06-18");
        assert_eq!(greeted["protocolVersion"], "2025-06-18");
        client
    }

    /// Starts a server and says nothing.
    fn start(mut command: Command, roots: Option<Vec<String>>) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, stdin, stdout, roots, last_id: 0, heard: Vec::new() }
    }

    fn capabilities(&self) -> Value {
        if self.roots.is_some() { json!({ "roots": { "listChanged": true } }) } else { json!({}) }
    }

    /// The handshake, as of some version; what the server says of itself.
    fn greet(&mut self, version: &str) -> Value {
        let client = json!({ "name": "a test", "version": "1" });
        let capabilities = self.capabilities();
        let params = json!({ "protocolVersion": version, "capabilities": capabilities, "clientInfo": client });
        let greeted = self.ask("initialize", params)["result"].clone();
        self.notify("notifications/initialized", json!({}));
        greeted
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("it is open");
        writeln!(stdin, "{message}").expect("the server reads");
        stdin.flush().expect("the server reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and returns its id.
    fn request(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params }));
        self.last_id
    }

    /// The next message; every line must be one.
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the server writes text");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// The answer to a request; what the server asks meanwhile is answered, what it says is kept.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["method"] == "roots/list" {
                let roots = self.roots.iter().flatten().map(|uri| json!({ "uri": uri })).collect::<Vec<_>>();
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "roots": roots } }));
            } else if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.heard.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.answer(id)
    }

    /// The result of a call, whatever it is.
    fn result(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].clone()
    }

    /// The structured content of a call that is answered.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.result(tool, &arguments);
        assert_eq!(result["isError"], false, "{tool} {arguments}: {result}");
        assert!(!text(&result["content"][0]["text"]).is_empty());
        result["structuredContent"].clone()
    }

    /// The words of a call that is refused.
    fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.result(tool, &arguments);
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        assert_eq!(result.get("structuredContent"), None);
        text(&result["content"][0]["text"]).to_owned()
    }

    /// The sections that a question is answered from.
    fn sources(&mut self, question: &str) -> Vec<String> {
        let response = self.call("query", json!({ "question": question }));
        crate::sandbox::citations(&response)
    }

    /// Closes stdin: what the server still says, what it said to stderr, and its exit code.
    fn close(mut self) -> (Vec<Value>, String, Option<i32>) {
        drop(self.stdin.take());
        let mut rest = String::new();
        self.stdout.read_to_string(&mut rest).expect("the server writes text");
        let rest = rest.lines().map(|line| serde_json::from_str(line).expect("a message")).collect();
        let mut stderr = String::new();
        self.child.stderr.take().expect("it is piped").read_to_string(&mut stderr).expect("text");
        (rest, stderr, self.child.wait().expect("it ends").code())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails must not leave a server behind.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// A project with two pages of a name, odd headings, and one drift.
fn project() -> Sandbox {
    let odd = "# Odd \"names\" & `code`\n\nQuotes are odd.\n\n## Rockets 🚀 fly\n\nEmoji are odd.\n\n## Twice\n\nThe first \
               of two.\n\n## Twice\n\nThe second of two.\n";
    Sandbox::new()
        .file("docs/a/setup.md", "# Setup of a\n\nInstall the alpha with `make alpha`.\n")
        .file("docs/b/setup.md", "# Setup of b\n\nInstall the beta with `make beta`.\n")
        .file(
            "docs/SYNTAX.md",
            "# Syntax\n\nA rule is written `name = value`.\n\n## Comments\n\nThey begin with `;`.\n",
        )
        .file("docs/odd #1.md", odd)
        .file("docs/drift.md", "# Drift\n\nThe limit is set in [the code](../src/limit.rs).\n")
        .file("src/main.rs", "fn main() {}\n")
}

fn validator(schema: &Value) -> Validator {
    jsonschema::validator_for(schema).expect("a JSON Schema")
}

fn check_valid(schema: &Value, value: &Value) {
    if let Some(error) = validator(schema).iter_errors(value).next() {
        panic!("{error} at {} in {value}", error.instance_path());
    }
}

/// The published schema of a result.
fn published(tool: &str) -> Value {
    let file = repository().join(format!("schemas/{tool}.v1.schema.json"));
    serde_json::from_str(&fs::read_to_string(file).expect("a schema")).expect("JSON")
}

/// A result as the command line has it: without what only agents get.
fn plain(structured: &Value) -> Value {
    let mut plain = structured.as_object().expect("an object").clone();
    for besides in ["left_out", "notes", "next"] {
        assert!(plain.remove(besides).is_some(), "{besides} in {structured}");
    }
    Value::Object(plain)
}

/// The calls that a refusal names, as they are to be made.
fn offered(refusal: &str) -> Vec<(String, Value)> {
    let call = |line: &str| {
        let (tool, arguments) = line.strip_prefix("Next: ")?.split_once(' ')?;
        Some((tool.to_owned(), serde_json::from_str(arguments).expect("arguments")))
    };
    refusal.lines().filter_map(call).collect()
}

// What it speaks

#[test]
fn old_and_new_handshakes_are_answered() {
    let sandbox = project();
    for (asked, answered) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let mut client = Client::start(sandbox.command(&["mcp"]), None);
        let greeted = client.greet(asked);
        assert_eq!(greeted["protocolVersion"], answered);
        assert_eq!(greeted["capabilities"], json!({ "tools": {} }));
        assert_eq!(greeted["serverInfo"]["name"], "inkwell");
        assert_eq!(greeted["serverInfo"]["version"], env!("CARGO_PKG_VERSION"));
        let instructions = text(&greeted["instructions"]);
        assert!(instructions.contains("`query` first") && instructions.contains("the docs don't say it"));
        assert_eq!(client.sources("how do I install alpha?")[0], "docs/a/setup.md#setup-of-a");
        assert_eq!(client.close(), (Vec::new(), String::new(), Some(0)));
    }
}

/// What every request carries since there is no handshake.
fn meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "a test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

#[test]
fn the_version_without_a_handshake_is_spoken() {
    let sandbox = project();
    let mut client = Client::start(sandbox.command(&["mcp"]), None);
    let meta = meta(&json!({}));
    let discovered = client.ask("server/discover", json!({ "_meta": meta }))["result"].clone();
    let versions = discovered["supportedVersions"].as_array().expect("versions");
    assert_eq!((&versions[0], &versions[versions.len() - 1]), (&json!("2024-11-05"), &json!("2026-07-28")));
    let listed = client.ask("tools/list", json!({ "_meta": meta }));
    assert_eq!(listed["result"]["tools"].as_array().expect("tools").len(), 4);
    let call = json!({ "name": "read", "arguments": { "target": "SYNTAX.md#comments" }, "_meta": meta });
    let result = client.ask("tools/call", call)["result"].clone();
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["structuredContent"]["text"], "## Comments\n\nThey begin with `;`.\n");
    assert_eq!(client.close(), (Vec::new(), String::new(), Some(0)));
}

#[test]
fn tools_have_closed_schemas() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tools = listed.as_array().expect("tools");
    assert_eq!(tools.iter().map(|tool| text(&tool["name"])).collect::<Vec<_>>(), TOOLS);
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            assert_eq!((&schema["type"], &schema["additionalProperties"]), (&json!("object"), &json!(false)));
            validator(schema);
            assert_eq!(schema.get("$id"), None);
        }
    }
    // What a model always reads of them.
    let inputs: Vec<&Value> = tools.iter().map(|tool| &tool["inputSchema"]).collect();
    assert!(json!(inputs).to_string().len() < 4000);
}

// What it answers

#[test]
fn results_are_those_of_the_command_line() {
    let sandbox = Sandbox::at(&repository().join("fixtures"));
    let mut client = Client::of(&sandbox);
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let schema = |tool: &str| {
        let found = listed.as_array().expect("tools").iter().find(|listed| listed["name"] == tool);
        found.expect("a tool")["outputSchema"].clone()
    };
    let question = "how do I restore a backup?";
    let section = "docs/guides/backup-and-restore.md#restore-a-snapshot";
    let cases = [
        ("query", json!({ "question": question }), vec!["query", "--json", question]),
        ("query", json!({ "question": "zeppelin" }), vec!["query", "--json", "zeppelin"]),
        ("query", json!({ "question": question, "limit": 2 }), vec!["query", "--json", "-n", "2", question]),
        ("read", json!({ "target": section }), vec!["read", "--json", section]),
        ("read", json!({ "target": "docs/index.md" }), vec!["read", "--json", "docs/index.md"]),
        ("check", json!({}), vec!["check", "--format", "json", "--fail-on", "none"]),
        (
            "check",
            json!({ "paths": ["docs/faq.md"] }),
            vec!["check", "docs/faq.md", "--format", "json", "--fail-on", "none"],
        ),
    ];
    for (tool, mut arguments, args) in cases {
        arguments["budget"] = 20_000.into();
        let structured = client.call(tool, arguments);
        check_valid(&schema(tool), &structured);
        check_valid(&published(tool), &plain(&structured));
        assert_eq!(plain(&structured), sandbox.json(&args), "{args:?}");
    }
    let structured = client.call("search", json!({ "text": "session", "limit": 3 }));
    check_valid(&schema("search"), &structured);
    check_valid(&published("search"), &plain(&structured));
    let line = |line: &Value| format!("{}:{}", text(&line["path"]), line["line"]);
    let lines: Vec<String> = structured["lines"].as_array().expect("lines").iter().map(line).collect();
    let printed = sandbox.search("session");
    let expected: Vec<&str> = printed[..3].iter().filter_map(|line| line.split("  ").next()).collect();
    assert_eq!(lines, expected);
}

#[test]
fn names_in_results_can_be_read_as_they_are() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let mut names = Vec::new();
    for words in ["odd", "two", "rule", "install"] {
        let found = client.call("search", json!({ "text": words }));
        let name = |line: &Value| format!("{}#{}", text(&line["path"]), text(&line["anchor"]));
        names.extend(found["lines"].as_array().expect("lines").iter().map(name));
    }
    names.sort();
    names.dedup();
    let odd: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("docs/odd #1.md#")).collect();
    assert_eq!(odd, ["odd-names--code", "rockets--fly", "twice", "twice-1"]);
    for name in &names {
        let section = client.call("read", json!({ "target": name }));
        assert_eq!(format!("{}#{}", text(&section["path"]), text(&section["anchor"])), *name);
    }
    let second = client.call("read", json!({ "target": "docs/odd #1.md#twice-1" }));
    assert_eq!(second["text"], "## Twice\n\nThe second of two.\n");
    // Links of the text are percent-encoded.
    let linked = client.call("read", json!({ "target": "docs/odd%20%231.md#rockets--fly" }));
    assert_eq!(linked["heading"], "Rockets 🚀 fly");
}

#[test]
fn the_calls_that_a_result_names_can_be_made() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    for (tool, arguments) in [
        ("query", json!({ "question": "how do I install alpha?" })),
        ("query", json!({ "question": "zeppelin" })),
        ("search", json!({ "text": "install OR rule", "limit": 1 })),
        ("check", json!({})),
    ] {
        let result = client.result(tool, &arguments);
        let next = result["structuredContent"]["next"].as_array().expect("calls").clone();
        assert!(!next.is_empty(), "{tool} {arguments}");
        let told = offered(text(&result["content"][0]["text"]));
        assert_eq!(told.len(), next.len());
        for (call, (tool, arguments)) in next.iter().zip(told) {
            assert_eq!((text(&call["tool"]), &call["arguments"]), (tool.as_str(), &arguments));
            client.call(&tool, arguments);
        }
    }
}

#[test]
fn a_result_keeps_within_its_budget_and_goes_on() {
    let lines: String =
        (0..300).map(|line| format!("Line {line} of the long page says `src/gone{line}.rs` once.\n")).collect();
    let page = format!("# Long\n\n{lines}");
    let links: String = (0..40).map(|at| format!("[{at}](gone{at}.md)\n\n")).collect();
    let sandbox = Sandbox::new().file("docs/long.md", &page).file("docs/links.md", format!("# Links\n\n{links}"));
    let mut client = Client::of(&sandbox);

    let mut read = String::new();
    let mut next = json!({ "target": "docs/long.md", "budget": 500 });
    loop {
        let part = client.call("read", next);
        let text = text(&part["text"]);
        assert!(text.len() <= 2000, "{} bytes", text.len());
        read.push_str(text);
        if part["left_out"] == 0 {
            assert_eq!((&part["next"], &part["is_truncated"]), (&json!([]), &json!(false)));
            break;
        }
        assert_eq!(part["is_truncated"], true);
        next = part["next"][0]["arguments"].clone();
        next["budget"] = 500.into();
    }
    assert_eq!(read, page);

    let mut found = Vec::new();
    let mut arguments = json!({ "budget": 1000, "paths": ["docs/links.md"] });
    loop {
        let part = client.call("check", arguments);
        assert_eq!(part["summary"]["drifted"], 40);
        assert!(part.to_string().len() < 6000);
        found.extend(part["findings"].as_array().expect("findings").iter().map(|finding| finding["span"].clone()));
        if part["left_out"] == 0 {
            break;
        }
        assert_eq!(part["left_out"], 40 - found.len());
        arguments = part["next"][1]["arguments"].clone();
    }
    let expected: Vec<Value> = (0..40).map(|at| json!(format!("gone{at}.md"))).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_is_not_among_the_docs_is_said() {
    let sandbox = project().file("docs/broken.md", b"# Broken\n\n\xff\xfe\xff");
    let mut client = Client::of(&sandbox);
    let notes = client.call("query", json!({ "question": "how do I install alpha?" }))["notes"].clone();
    let notes = notes.as_array().expect("notes");
    assert!(notes.iter().any(|note| text(note).starts_with("not among the docs: `docs/broken.md` (")), "{notes:?}");
}

// What it refuses

#[test]
fn an_unknown_tool_is_answered_with_those_there_are() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let error = client.ask("tools/call", json!({ "name": "serach", "arguments": {} }))["error"].clone();
    let message = "there is no tool `serach`, did you mean `search`?; the tools are `query`, `search`, `read`, `check`";
    assert_eq!((&error["code"], &error["message"]), (&json!(-32602), &json!(message)));
}

#[test]
fn wrong_arguments_are_answered_with_the_right_ones() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let refused = client.refusal("query", json!({ "query": "how do I install alpha?", "top_k": 3 }));
    assert!(refused.starts_with("`query` has no argument `query`: did you mean `question`?\n"), "{refused}");
    assert!(refused.contains("`query` has no argument `top_k`: did you mean `limit`?\n"), "{refused}");
    let right = json!({ "question": "how do I install alpha?", "limit": 3 });
    assert_eq!(offered(&refused), [("query".to_owned(), right.clone())]);
    client.call("query", right);
    let refused = client.refusal("read", json!({}));
    assert!(refused.starts_with("`read` needs `target`: "), "{refused}");
    let refused = client.refusal("search", json!({ "text": "a", "limit": "many" }));
    assert_eq!(refused, "`limit` is \"many\": expected a whole number from 1 to 100");
}

/// MCP6 of the cases: BeaconBay/ck#112.
#[test]
fn nothing_outside_the_root_is_read() {
    let sandbox = project().file("../secret.md", "# Secret\n\nThe secret is seven.\n");
    let mut client = Client::of(&sandbox);
    let outside = sandbox.path("../secret.md").display().to_string();
    for path in ["/etc/passwd", "../secret.md", "docs/../../secret.md", outside.as_str()] {
        let expected = format!("`{path}` is outside the project `{}`: nothing there is read", sandbox.root().display());
        assert_eq!(client.refusal("read", json!({ "target": path })), expected);
        assert_eq!(client.refusal("check", json!({ "paths": [path] })), expected);
    }
    for path in ["%2e%2e/secret.md", "docs/%2e%2e/%2e%2e/secret.md#secret"] {
        let refused = client.refusal("read", json!({ "target": path }));
        assert!(refused.starts_with("there is no docs file ") && !refused.contains("seven"), "{refused}");
    }
    let root = sandbox.path("..").canonicalize().expect("it exists").display().to_string();
    for folder in ["/", "/etc", "..", root.as_str()] {
        let refused = client.refusal("query", json!({ "question": "what is the secret?", "root": folder }));
        assert!(refused.starts_with(&format!("`{folder}` is not a root of this server")), "{refused}");
    }
    // Absolute names of what is inside are as good as others.
    let inside = sandbox.path("docs/SYNTAX.md").display().to_string();
    assert_eq!(client.call("read", json!({ "target": format!("{inside}#comments") }))["anchor"], "comments");
}

/// MCP7 and MCP14 of the cases: souther-lang/souther#404, basicmachines-co/basic-memory#1148, tobi/qmd#759.
#[test]
fn a_name_that_fits_nothing_is_answered_with_names_that_do() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let cases = [
        (
            "docs/SYNTAX.md#coments",
            "there is no section `#coments` in `docs/SYNTAX.md`",
            vec!["docs/SYNTAX.md#comments"],
        ),
        (
            "docs/SYNTAX.md#zzzzzzzz",
            "there is no section `#zzzzzzzz` in `docs/SYNTAX.md`",
            vec!["docs/SYNTAX.md#syntax", "docs/SYNTAX.md#comments"],
        ),
        ("docs/SYNTAXX.md", "there is no docs file `docs/SYNTAXX.md`", vec!["docs/SYNTAX.md"]),
        ("setup", "`setup` names several docs files", vec!["docs/a/setup.md", "docs/b/setup.md"]),
        ("setup.md#setup-of-a", "`setup.md` names several docs files", vec!["docs/a/setup.md", "docs/b/setup.md"]),
    ];
    for (target, message, names) in cases {
        let refused = client.refusal("read", json!({ "target": target }));
        assert_eq!(refused.lines().next(), Some(message));
        let expected: Vec<_> = names.iter().map(|name| ("read".to_owned(), json!({ "target": name }))).collect();
        assert_eq!(offered(&refused), expected, "{target}");
        assert!(!refused.contains("inkwell"), "an agent has tools, not a shell: {refused}");
        for (tool, arguments) in expected {
            client.call(&tool, arguments);
        }
    }
    // A part of a name is never taken for it.
    assert!(client.refusal("read", json!({ "target": "NTAX.md" })).starts_with("there is no docs file `NTAX.md`"));
    let refused = client.refusal("read", json!({ "target": "the/keys-of-it" }));
    assert!(refused.contains("\nthe pages are `docs/SYNTAX.md`, `docs/a/setup.md`, "), "{refused}");
    assert_eq!(offered(&refused), [("search".to_owned(), json!({ "text": "the keys of it" }))]);
    let refused = client.refusal("check", json!({ "paths": ["docs/SYNTAXX.md"] }));
    assert_eq!(offered(&refused), [("check".to_owned(), json!({ "paths": ["docs/SYNTAX.md"] }))]);
}

#[test]
fn a_project_without_docs_is_no_project_that_says_nothing() {
    let sandbox = Sandbox::new().file("guide/a.md", "# A\n\nText.\n");
    let mut client = Client::of(&sandbox);
    let refused = client.refusal("query", json!({ "question": "what is a?" }));
    let root = sandbox.root().display();
    assert!(
        refused.starts_with(&format!("there is no Markdown in `docs` of `{root}`; there is in `guide`: name it")),
        "{refused}"
    );
}

// Where it reads

#[test]
fn the_roots_are_those_of_the_client() {
    let sandbox = Sandbox::new()
        .file("one/docs/a.md", "# One\n\nThe colour is red.\n")
        .file("two/docs/a.md", "# Two\n\nThe colour is blue.\n");
    let mut client = Client::with_roots(&sandbox, &["one"]);
    let question = json!({ "question": "which colour?" });
    assert_eq!(client.call("query", question.clone())["sources"][0]["anchor"], "one");
    assert_eq!(client.heard.iter().filter(|message| message["method"] == "roots/list").count(), 1);
    client.roots = Client::with_roots(&sandbox, &["one", "two"]).roots.take();
    assert_eq!(client.call("query", question.clone())["sources"][0]["anchor"], "one");
    client.notify("notifications/roots/list_changed", json!({}));
    let refused = client.refusal("query", question.clone());
    assert!(refused.starts_with("there are several roots: say which one is meant with `root`\n"), "{refused}");
    let anchors: Vec<Value> = offered(&refused)
        .into_iter()
        .map(|(tool, arguments)| {
            let response = client.call(&tool, arguments.clone());
            assert_eq!(response["next"][0]["arguments"]["root"], arguments["root"]);
            response["sources"][0]["anchor"].clone()
        })
        .collect();
    assert_eq!(anchors, ["one", "two"]);
    // What the user says counts more than what the client has open.
    let mut command = sandbox.command(&["mcp", "--root"]);
    command.arg(sandbox.path("two"));
    let mut client = Client::greeting(command, Some(vec![format!("file://{}", sandbox.path("one").display())]));
    assert_eq!(client.call("query", question)["sources"][0]["anchor"], "two");
    assert_eq!(client.heard, Vec::<Value>::new());
}

#[test]
fn since_servers_ask_no_questions_roots_come_with_the_call() {
    let sandbox = Sandbox::new().file("one/docs/a.md", "# One\n\nThe colour is red.\n");
    let mut client = Client::start(sandbox.command(&["mcp"]), None);
    let meta = meta(&json!({ "roots": {} }));
    let mut call = json!({ "name": "query", "arguments": { "question": "which colour?" }, "_meta": meta });
    let asked = client.ask("tools/call", call.clone())["result"].clone();
    assert_eq!(asked["resultType"], "input_required");
    assert_eq!(asked["inputRequests"]["roots"]["method"], "roots/list");
    let uri = format!("file://{}", sandbox.path("one").display());
    call["inputResponses"] = json!({ "roots": { "roots": [{ "uri": uri }] } });
    let result = client.ask("tools/call", call)["result"].clone();
    assert_eq!(result["structuredContent"]["sources"][0]["anchor"], "one");
}

/// MCP11 of the cases: yoanbernabeu/grepai#58.
#[test]
fn neither_a_home_nor_a_disk_is_read() {
    let sandbox = project();
    fs::create_dir(sandbox.home().join("docs")).expect("a folder");
    fs::write(sandbox.home().join("docs/a.md"), "# A\n\nText.\n").expect("a file");
    for (folder, what) in [(sandbox.home(), "your home folder"), ("/".into(), "the top of the disk")] {
        let mut command = sandbox.command(&["mcp"]);
        command.current_dir(&folder);
        let mut client = Client::greeting(command, None);
        for (tool, arguments) in [("query", json!({ "question": "a?" })), ("check", json!({}))] {
            let refused = client.refusal(tool, arguments);
            let expected = format!("`{}` is {what} and no project, so it is not read\n", folder.display());
            assert!(refused.starts_with(&expected) && refused.contains("`inkwell mcp --root DIR`"), "{refused}");
        }
    }
    assert_eq!(sandbox.index_files(), Vec::<std::path::PathBuf>::new());
}

// How it goes on

#[test]
fn a_hundred_calls_stay_fresh() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    for round in 0..25 {
        sandbox.write("docs/new.md", format!("# Wombat {round}\n\nThe wombat weighs {round} kilograms.\n"));
        let response = client.call("query", json!({ "question": "how much does the wombat weigh?", "limit": 1 }));
        assert_eq!(response["answer"], format!("The wombat weighs {round} kilograms. (docs/new.md#wombat-{round})"));
        let section = client.call("read", json!({ "target": format!("new.md#wombat-{round}") }));
        assert_eq!(section["line_end"], 3);
        sandbox.write("docs/drift.md", format!("# Drift\n\n[a](gone{round}.md)\n"));
        let report = client.call("check", json!({}));
        assert_eq!(report["findings"][0]["span"], format!("gone{round}.md"));
        sandbox.remove("docs/new.md");
        assert_eq!(client.call("search", json!({ "text": "wombat" }))["lines"], json!([]));
    }
    assert_eq!(client.close(), (Vec::new(), String::new(), Some(0)));
}

#[test]
fn a_change_of_the_settings_shows_at_once() {
    let sandbox = project().file("site/a.md", "# Site\n\nThe numbat eats termites.\n");
    let mut client = Client::of(&sandbox);
    let question = "what does the numbat eat?";
    assert_eq!(client.sources(question), Vec::<String>::new());
    sandbox.write("inkwell.toml", "docs = [\"docs\", \"site\"]\n");
    assert_eq!(client.sources(question), ["site/a.md#site"]);
    sandbox.write("inkwell.toml", "dosc = \"site\"\n");
    let refused = client.refusal("query", json!({ "question": question }));
    assert!(refused.starts_with("unknown key `dosc` in `inkwell.toml` line 1"), "{refused}");
}

#[test]
fn two_servers_and_the_command_line_share_a_project() {
    let sandbox = project();
    let (mut one, mut two) = (Client::of(&sandbox), Client::of(&sandbox));
    // Nobody reads what the first one says to these.
    let ids: Vec<u64> = (0..20)
        .map(|_| one.request("tools/call", json!({ "name": "read", "arguments": { "target": "SYNTAX.md" } })))
        .collect();
    for round in 0..5 {
        let page = format!("# Quokka\n\nThe quokka sleeps {round} hours.\n");
        sandbox.write("docs/quokka.md", &page);
        let answer = format!("The quokka sleeps {round} hours. (docs/quokka.md#quokka)");
        let question = "how long does the quokka sleep?";
        assert_eq!(two.call("query", json!({ "question": question }))["answer"], answer);
        assert_eq!(sandbox.response(question)["answer"], answer);
    }
    let mut open = ids;
    while !open.is_empty() {
        let id = one.receive()["id"].as_u64().expect("an answer");
        open.retain(|asked| *asked != id);
    }
}

#[test]
fn a_call_under_way_holds_up_nothing_and_can_be_cancelled() {
    let page = "# Store\n\nThe store is in `src/store.rs`. It returns nothing when it is full.\n";
    let sandbox = Sandbox::new().file("docs/store.md", page).file("src/store.rs", "pub fn find() {}\n");
    // A judge that waits until the test lets it go on.
    let gate = sandbox.home().join("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().expect("mkfifo starts").success());
    let hold = fs::OpenOptions::new().read(true).write(true).open(&gate).expect("a gate");
    let mut command = sandbox.command(&["mcp"]);
    command.env("INKWELL_CORROBORATE_SUBAGENT", format!("sh -c 'read line < \"{}\"; echo verified'", gate.display()));
    let mut client = Client::greeting(command, None);
    let question = json!({ "question": "when is the store full?" });
    let call = json!({ "name": "query", "arguments": question, "_meta": { "progressToken": "t" } });
    let slow = client.request("tools/call", call);
    let report = client.receive();
    assert_eq!(
        (&report["method"], &report["params"]["progressToken"]),
        (&json!("notifications/progress"), &json!("t"))
    );
    assert_eq!(client.call("search", json!({ "text": "full" }))["lines"][0]["anchor"], "store");
    client.notify("notifications/cancelled", json!({ "requestId": slow, "reason": "enough" }));
    let answered = client.call("read", json!({ "target": "store.md" }));
    assert_eq!(answered["text"], page);
    let (rest, stderr, code) = client.close();
    drop(hold);
    assert!(rest.iter().all(|message| message["id"] != slow), "{rest:?}");
    assert_eq!((stderr.as_str(), code), ("", Some(0)));
}

#[test]
fn a_check_reports_progress_to_who_asks_for_it() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let call = json!({ "name": "check", "arguments": {}, "_meta": { "progressToken": 7 } });
    let answer = client.ask("tools/call", call);
    assert_eq!(answer["result"]["isError"], false);
    let reports: Vec<&Map<String, Value>> =
        client.heard.iter().filter_map(|message| message["params"].as_object()).collect();
    assert!(!reports.is_empty());
    for (count, report) in reports.iter().enumerate() {
        assert_eq!((&report["progressToken"], report["progress"].as_f64()), (&json!(7), Some(count as f64)));
        assert!(["looking at what changed", "comparing the docs with the code"].contains(&text(&report["message"])));
    }
    let before = client.heard.len();
    client.call("check", json!({}));
    assert_eq!(client.heard.len(), before, "nobody asked");
}

#[test]
fn calls_are_answered_after_stdin_is_closed() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let id = client.request("tools/call", json!({ "name": "read", "arguments": { "target": "SYNTAX.md#comments" } }));
    let (rest, stderr, code) = client.close();
    assert_eq!((rest.len(), &rest[0]["id"], stderr.as_str(), code), (1, &json!(id), "", Some(0)));
    assert_eq!(rest[0]["result"]["structuredContent"]["anchor"], "comments");
    // A client that never says a word is no trouble either.
    assert_eq!(Client::start(sandbox.command(&["mcp"]), None).close(), (Vec::new(), String::new(), Some(0)));
}

#[test]
fn what_is_no_message_ends_nothing() {
    let sandbox = project();
    let mut client = Client::of(&sandbox);
    let stdin = client.stdin.as_mut().expect("it is open");
    stdin.write_all(b"not json\n\n{\"jsonrpc\":\"2.0\"}\n\xff\xfe\n").expect("the server reads");
    assert_eq!(client.sources("how do I install alpha?")[0], "docs/a/setup.md#setup-of-a");
    let error = client.ask("resources/list", json!({}))["error"]["code"].clone();
    assert_eq!(error, -32601);
}
