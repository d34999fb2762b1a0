//! What other programs read of this repository: the plugin of Claude Code, the hooks of the pre-commit framework, the
//! action for GitHub. Each names commands, files and versions, and all of these must be there.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::sandbox::{INKWELL, Run, Sandbox, repository, text};

const SKILLS: [&str; 5] = ["answer-from-docs", "answer-with-citations", "check", "cite-or-refuse", "query"];

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// A skill's front matter and its text.
fn skill(name: &str) -> (Value, String) {
    let file = read(&format!("skills/{name}/SKILL.md"));
    let (front_matter, body) = file.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).expect(name);
    (yaml(front_matter), body.to_owned())
}

#[test]
fn the_plugin_has_the_version_of_the_program() {
    let plugin = json(".claude-plugin/plugin.json");
    assert_eq!((text(&plugin["name"]), text(&plugin["version"])), ("inkwell", env!("CARGO_PKG_VERSION")));
    let marketplace = json(".claude-plugin/marketplace.json");
    let entry = &marketplace["plugins"][0];
    assert_eq!(
        (text(&marketplace["name"]), text(&entry["name"]), text(&entry["source"])),
        ("inkwell", "inkwell", "./")
    );
    // The manifest's version holds; a second one could only be another.
    assert_eq!((&entry["version"], &entry["description"]), (&Value::Null, &plugin["description"]));
}

#[test]
fn skills_say_what_they_are_called_and_when_to_use_them() {
    let folders: Vec<String> = fs::read_dir(repository().join("skills"))
        .expect("skills")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(folders.len(), SKILLS.len());
    for name in SKILLS {
        let (front_matter, body) = skill(name);
        assert_eq!(front_matter["name"], name);
        let description = text(&front_matter["description"]);
        assert!((40..=300).contains(&description.len()) && !description.contains(['<', '>']), "{name}: {description}");
        assert!(body.contains("$ARGUMENTS"), "{name} takes the user's words");
        assert!(body.lines().count() < 120, "{name} is short");
    }
}

#[test]
fn what_the_plugin_names_is_there() {
    let mut named = Vec::new();
    for file in [".claude-plugin/plugin.json".to_owned(), "hooks/hooks.json".to_owned()]
        .into_iter()
        .chain(SKILLS.map(|name| format!("skills/{name}/SKILL.md")))
    {
        let text = read(&file);
        let rest = text.split("${CLAUDE_PLUGIN_ROOT}/").skip(1);
        let path = |rest: &str| rest.split(['"', ' ', '\\', ':', ')', '`']).next().unwrap_or_default().to_owned();
        named.extend(rest.map(path));
    }
    named.sort();
    named.dedup();
    assert_eq!(named, ["bin/inkwell", "bin/inkwell-query-retrieve.sh", "hooks/drift.sh"]);
    #[cfg(unix)]
    for path in named {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(repository().join(&path)).expect("it is there").permissions().mode();
        assert_eq!(mode & 0o111, 0o111, "{path} is a program");
    }
    assert!(skill("cite-or-refuse").1.contains("(receipt-schema.md)"));
    assert!(repository().join("skills/cite-or-refuse/receipt-schema.md").is_file());
}

#[test]
fn the_program_knows_the_flags_that_skills_use() {
    let mut commands = Vec::new();
    for name in SKILLS {
        let (_, body) = skill(name);
        let lines = body.lines().filter_map(|line| line.strip_prefix("\"${CLAUDE_PLUGIN_ROOT}/bin/inkwell\" "));
        commands.extend(lines.map(str::to_owned));
    }
    assert!(commands.len() >= 7, "{commands:?}");
    let sandbox = Sandbox::new();
    for line in commands {
        let line = line.split(['#', '>']).next().unwrap_or_default();
        let words = shell_words::split(line).expect("quotation marks are closed");
        let mut args: Vec<&str> = words.iter().map(String::as_str).take_while(|word| *word != "--").collect();
        args.push("--help");
        assert_eq!(sandbox.run(&args).code, Some(0), "inkwell {line}");
    }
}

#[test]
fn the_query_skill_holds_the_contract() {
    let (_, body) = skill("query");
    let contract = [
        "\"${CLAUDE_PLUGIN_ROOT}/bin/inkwell-query-retrieve.sh\" 'QUESTION' 'REPOSITORY'",
        "`*No matching documentation found.*`",
        "`---END-OF-CHUNKS---`",
        "`**Answer.** `",
        "`**Sources:**`",
        "`**Corroboration:**`",
        "one paragraph",
    ];
    for words in contract {
        assert!(body.contains(words), "{words}");
    }
}

#[test]
fn a_runner_of_skills_can_answer_without_a_model() {
    let (manifest, _) = skill("answer-from-docs");
    let source = &manifest["source"];
    assert_eq!((text(&source["type"]), text(&source["command"])), ("cli-tool", "inkwell"));
    assert_eq!(source["timeout_seconds"], 15);
    for (input, kind) in [("question", "string"), ("corpus", "json")] {
        let input = &manifest["inputs"][input];
        assert_eq!((text(&input["type"]), &input["required"]), (kind, &Value::Bool(true)));
        assert!(!text(&input["description"]).is_empty());
    }
    let runx = &manifest["runx"];
    assert_eq!(text(&runx["category"]), "ops");
    assert_eq!(runx["input_resolution"]["required"], serde_json::json!(["question", "corpus"]));
    assert_eq!(text(&runx["artifacts"]["named_emits"]["grounded_answer"]), "runx.grounded_answer.v1");
    let args: Vec<&str> = source["args"].as_array().expect("a list").iter().map(text).collect();
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&args);
    let inputs = r#"{"question":"How long are backups retained?","corpus":[{"id":"a","title":"A","text":"Backups are retained for 14 days."}]}"#;
    let run = Run::of(command.env("RUNX_INPUTS_JSON", inputs).output().expect("the program starts")).ok();
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(
        (&answer["grounded"], text(&answer["answer"]["text"])),
        (&Value::Bool(true), "Backups are retained for 14 days.")
    );
}

#[test]
fn the_schema_beside_the_skill_shows_every_key_of_a_receipt() {
    let schema = read("skills/cite-or-refuse/receipt-schema.md");
    let (_, example) = schema.split_once("```json\n").expect("an example");
    let example: Value = serde_json::from_str(example.split("```").next().unwrap_or_default()).expect("JSON");
    let sandbox = Sandbox::new().file("docs/backup.md", "# Backups\n\n## Retention\n\nThe newest 14 are kept.\n");
    let run = sandbox.ok(&["query", "--format", "receipt", "--", "How many backups are kept?"]);
    let (_, receipt) = run.stdout.split_once("```json\n").expect("a receipt");
    let receipt: Value = serde_json::from_str(receipt.split("```").next().unwrap_or_default()).expect("JSON");
    assert_eq!(keys(&receipt), keys(&example));
    assert_eq!(keys(&receipt["cited_spans"][0]), keys(&example["cited_spans"][0]));
    assert_eq!(keys(&receipt["answer_claims"][0]), keys(&example["answer_claims"][0]));
}

/// The first block of a skill's text in that language.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("```{language}\n")).expect("a block");
    rest.split_once("```").expect("its end").0
}

#[test]
fn what_skills_show_is_what_the_program_accepts() {
    let schema = read("skills/cite-or-refuse/receipt-schema.md");
    let receipt = block(&schema, "json");
    // A response as the skill tells to write it, with the receipt of that page.
    let response = format!(
        "## Answer\n\nThe newest 14 are kept [S1].\n\n## Sources\n\n- [S1] Backups, docs/backup.md#retention: \"The \
         newest 14\"\n\n## Grounding receipt\n\n```json\n{receipt}```\n"
    );
    let span = |id: &str, (start, end): (usize, usize), text: &str| {
        serde_json::json!({
            "id": id, "source_id": "docs/backup.md", "title": "Backups", "uri": "docs/backup.md#retention",
            "offset": { "kind": "bytes", "start": start, "end": end }, "text": text
        })
    };
    let spans = [span("S1", (23, 45), "The newest 14 are kept."), span("S2", (47, 52), "More.")];
    let (_, citations) = skill("answer-with-citations");
    let sandbox = Sandbox::new()
        .file("receipt.json", receipt)
        .file("response.md", response)
        .file("spans.json", serde_json::json!({ "state": "ok", "spans": spans }).to_string())
        .file("answer.json", block(&citations, "json"));
    sandbox.ok(&["verify", "--check", "receipt", "--strict", "receipt.json"]);
    sandbox.ok(&["verify", "--check", "receipt", "--strict", "--retrieved", "spans.json", "response.md"]);
    sandbox.ok(&["verify", "--check", "schema,citations", "--strict", "answer.json"]);

    let (_, body) = skill("cite-or-refuse");
    assert_eq!(block(&body, "text").trim(), inkwell::grounded::receipt::REFUSAL);

    let (_, body) = skill("answer-from-docs");
    let text = "The newest 14; older ones are removed.";
    let request = serde_json::json!({
        "question": "How many backups are kept?",
        "corpus": [{ "id": "docs/backup.md#retention", "title": "Retention", "text": text }],
        "answer_draft": serde_json::from_str::<Value>(block(&body, "json")).expect("JSON"),
    });
    let sealed = Sandbox::new().run_with_input(&["finalize", "--strict"], &request.to_string()).ok().stdout;
    let sealed: Value = serde_json::from_str(&sealed).expect("JSON");
    assert_eq!(sealed["grounded_answer"]["grounded"], true, "{sealed}");
}

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().expect("an object").keys().collect()
}

/// A committed project whose docs name a symbol, and link to a page.
fn project() -> Sandbox {
    Sandbox::new()
        .file("docs/a.md", "# A\n\nCall `load_config` in `src/a.rs`, see [B](b.md).\n")
        .file("docs/b.md", "# B\n")
        .file("src/a.rs", "pub fn load_config() {}\n")
        .committed()
}

const RENAMED: &str = "pub fn read_config() {}\n";

#[test]
fn hooks_of_pre_commit_fail_for_what_they_are_for() {
    let hooks = yaml(&read(".pre-commit-hooks.yaml"));
    let hooks = hooks.as_array().expect("a list");
    let ids: Vec<&str> = hooks.iter().map(|hook| text(&hook["id"])).collect();
    assert_eq!(ids, ["inkwell-check", "inkwell-links"]);
    let run = |hook: &Value, sandbox: &Sandbox| {
        assert_eq!(
            (text(&hook["language"]), &hook["pass_filenames"], &hook["always_run"]),
            ("rust", &Value::Bool(false), &Value::Bool(true))
        );
        let entry = shell_words::split(text(&hook["entry"])).expect("words");
        assert_eq!(entry[0], "inkwell");
        let own = hook["args"].as_array().expect("a list").iter().map(text);
        let args: Vec<&str> = entry[1..].iter().map(String::as_str).chain(own).collect();
        sandbox.run(&args).code
    };
    let renamed = project();
    renamed.write("src/a.rs", RENAMED);
    let codes = |sandbox: &Sandbox| hooks.iter().map(|hook| run(hook, sandbox)).collect::<Vec<_>>();
    assert_eq!(codes(&renamed), [Some(0), Some(0)], "nothing is staged");
    renamed.git(&["add", "src/a.rs"]);
    assert_eq!(codes(&renamed), [Some(1), Some(0)], "a symbol is no link");
    let unlinked = project();
    unlinked.git(&["rm", "-q", "docs/b.md"]);
    assert_eq!(codes(&unlinked), [Some(1), Some(1)], "a commit that only deletes");
}

#[cfg(unix)]
mod drift_hook {
    use super::*;

    /// Runs the hook by a shell, as the host does after an edit.
    fn run(sandbox: &Sandbox, shell: &str, variables: &[(&str, &str)]) -> String {
        let mut command = sandbox.command_of(shell);
        command.arg(repository().join("hooks/drift.sh")).current_dir(sandbox.home());
        command.env("INKWELL_BIN", INKWELL).env("CLAUDE_PROJECT_DIR", sandbox.root());
        command.env("CLAUDE_PLUGIN_DATA", sandbox.home().join("plugin data")).envs(variables.iter().copied());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect(shell);
        let event = r#"{"session_id":"s-1","tool_name":"Write","tool_input":{"content":"\"session_id\":\"x\""}}"#;
        // A hook that is switched off doesn't read.
        let _ = child.stdin.take().expect("piped").write_all(event.as_bytes());
        let run = Run::of(child.wait_with_output().expect("it ends"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{shell}");
        run.stdout
    }

    fn context(output: &str) -> String {
        let output: Value = serde_json::from_str(output).unwrap_or_else(|error| panic!("{error} in {output:?}"));
        let told = &output["hookSpecificOutput"];
        assert_eq!(text(&told["hookEventName"]), "PostToolUse");
        text(&told["additionalContext"]).to_owned()
    }

    #[test]
    fn drift_is_told_once_until_it_is_another() {
        for shell in ["sh", "bash"] {
            let sandbox = project();
            assert_eq!(run(&sandbox, shell, &[]), "");
            sandbox.write("src/a.rs", RENAMED);
            let told = context(&run(&sandbox, shell, &[]));
            assert!(told.contains("\ndocs/a.md:3:6: removed-name: `load_config` drift detected (see "), "{told}");
            assert_eq!(run(&sandbox, shell, &[]), "", "the same");
            sandbox.write("docs/a.md", "# A\n\nMore.\n\nCall `load_config` in `src/a.rs`, see [B](b.md).\n");
            assert_eq!(run(&sandbox, shell, &[]), "", "the same, further down");
            sandbox.remove("docs/b.md");
            assert!(context(&run(&sandbox, shell, &[])).contains("broken-link"), "another one");
            sandbox.git(&["checkout", "-q", "."]);
            assert_eq!(run(&sandbox, shell, &[]), "");
            sandbox.write("src/a.rs", RENAMED);
            assert_ne!(run(&sandbox, shell, &[]), "", "again, after it was mended");
        }
    }

    #[test]
    fn what_it_tells_is_json_whatever_the_docs_hold() {
        let sandbox = project();
        sandbox.write("docs/a.md", "# A\n\n[\"\\\\n\u{1b}[31m](<no \"such\u{7}\" \\file.md>) and [ü](nö.md)\n");
        let told = context(&run(&sandbox, "sh", &[]));
        assert!(told.contains("broken-link") && told.contains("nö.md"), "{told}");
        assert!(!told.chars().any(|c| c.is_control() && c != '\n'), "{told:?}");
        let long: String = (0..300).map(|number| format!("[x](no-such-page-{number}.md)\n\n")).collect();
        sandbox.write("docs/a.md", format!("# A\n\n{long}"));
        let told = context(&run(&sandbox, "sh", &[]));
        assert!(told.len() < 10_000 && told.ends_with("prints the rest\n"), "{} bytes", told.len());
    }

    #[test]
    fn where_nothing_can_be_checked_it_is_silent() {
        let sandbox = project();
        sandbox.write("src/a.rs", RENAMED);
        let home = sandbox.home().join("no home").display().to_string();
        for variables in
            [("INKWELL_BIN", "/no/such/program"), ("INKWELL_HOOK", "off"), ("CLAUDE_PROJECT_DIR", home.as_str())]
        {
            assert_eq!(run(&sandbox, "sh", &[variables]), "", "{variables:?}");
        }
        let no_repository = Sandbox::new().file("docs/a.md", "# A\n\n[x](no.md)\n");
        assert_eq!(run(&no_repository, "sh", &[]), "");
        assert_ne!(
            run(&sandbox, "sh", &[("CLAUDE_PLUGIN_DATA", "/dev/null")]),
            "",
            "told also where nothing can be kept"
        );
    }
}

#[test]
fn the_hook_runs_after_edits_and_is_stopped_in_time() {
    let hooks = json("hooks/hooks.json");
    let group = &hooks["hooks"]["PostToolUse"][0];
    assert_eq!(text(&group["matcher"]), "Edit|Write|MultiEdit|NotebookEdit");
    let hook = &group["hooks"][0];
    assert_eq!(text(&hook["command"]), "\"${CLAUDE_PLUGIN_ROOT}/hooks/drift.sh\"");
    assert_eq!((text(&hook["type"]), &hook["timeout"]), ("command", &Value::from(20)));
}

/// Runs a step of the action in a project, with its inputs as the runner hands them on.
#[cfg(unix)]
fn action(sandbox: &Sandbox, step: &str, variables: &[(&str, &str)]) -> Run {
    let action = yaml(&read("action.yml"));
    let steps = action["runs"]["steps"].as_array().expect("steps");
    let step = steps.iter().find(|known| known["name"] == step).expect("a step");
    assert_eq!(text(&step["shell"]), "bash");
    let mut command: Command = sandbox.command_of("bash");
    // As the runner starts it.
    command.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", text(&step["run"])]);
    command.env("INKWELL", INKWELL).env("CHANGED", "").env("ARGS", "").envs(variables.iter().copied());
    Run::of(command.output().expect("bash starts"))
}

#[cfg(unix)]
#[test]
fn the_action_keeps_a_build_for_each_source_or_version() {
    let sandbox = Sandbox::new().file("output", "");
    let output = sandbox.path("output").display().to_string();
    let here = repository().display().to_string();
    let name = |version: &str| {
        let variables = [("GITHUB_ACTION_PATH", here.as_str()), ("GITHUB_OUTPUT", &output), ("VERSION", version)];
        assert_eq!(action(&sandbox, "name the build", &variables).ok().stderr, "");
        let text = fs::read_to_string(sandbox.path("output")).expect("the outputs");
        text.lines().last().expect("an output").strip_prefix("name=").expect("its name").to_owned()
    };
    assert_eq!(name("1.2.3"), "1.2.3");
    let source = name("");
    assert!(source.len() == 40 && source.bytes().all(|byte| byte.is_ascii_hexdigit()), "{source}");
    assert_eq!(name(""), source);
}

#[cfg(unix)]
#[test]
fn the_action_shows_drift_beside_the_lines_of_what_changed() {
    let sandbox = project();
    sandbox.write("src/a.rs", RENAMED);
    sandbox.write("docs/c.md", "# C\n\n[x](no.md)\n");
    sandbox.commit();
    let check = |variables: &[(&str, &str)], code: i32, drifts: usize| {
        let run = action(&sandbox, "check", variables);
        let shown = run.stdout.lines().filter(|line| line.starts_with("::error ")).count();
        assert_eq!((run.code, shown), (Some(code), drifts), "{variables:?}: {}{}", run.stdout, run.stderr);
        run.stdout
    };
    check(&[], 1, 2);
    check(&[("CHANGED", "none")], 1, 2);
    check(&[("CHANGED", "HEAD")], 0, 0);
    check(&[("CHANGED", "HEAD~1")], 1, 2);
    check(&[("ARGS", "--fail-on none\n --only   broken-link\n")], 0, 1);
    check(&[("ARGS", "docs/*.md")], 2, 0);
    assert!(check(&[("ARGS", "--format json")], 1, 0).starts_with('{'));
    sandbox.git(&["update-ref", "refs/remotes/origin/main", "HEAD"]);
    check(&[("GITHUB_BASE_REF", "main")], 0, 0);
    check(&[("GITHUB_BASE_REF", "main"), ("CHANGED", "none")], 1, 2);
}

#[test]
fn inputs_of_the_action_reach_scripts_as_variables_only() {
    let action = yaml(&read("action.yml"));
    assert_eq!(text(&action["runs"]["using"]), "composite");
    let inputs = action["inputs"].as_object().expect("inputs");
    let docs = read("docs/ci.md");
    for name in inputs.keys() {
        assert!(docs.contains(&format!("| `{name}` |")), "docs/ci.md has a row for `{name}`");
    }
    for step in action["runs"]["steps"].as_array().expect("steps") {
        assert!(step["run"].as_str().is_none_or(|run| !run.contains("${{")), "{step}");
    }
}

#[test]
fn docs_show_every_skill_and_hook() {
    let claude = read("docs/claude.md");
    for name in SKILLS {
        assert!(claude.contains(&format!("`/inkwell:{name} ")), "{name}");
    }
    let (ids, page) = (yaml(&read(".pre-commit-hooks.yaml")), read("docs/pre-commit.md"));
    for hook in ids.as_array().expect("a list") {
        assert!(page.contains(&format!("| `{}` |", text(&hook["id"]))), "{hook}");
    }
}
