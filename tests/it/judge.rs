//! The judge of behaviour from the outside (contracts A4): whose it is, what it is asked, where its line stands, and that
//! nothing it does stops or holds up an answer. The judges here are shell scripts.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox};

const JUDGE: &str = "INKWELL_CORROBORATE_SUBAGENT";

/// A page that names one thing and says one thing about behaviour, and the code it speaks of.
fn store() -> Sandbox {
    let page = "# Store\n\nThe store is made in `src/store.rs`. It returns nothing when it is full.\n";
    Sandbox::new().file("docs/store.md", page).file("src/store.rs", "pub fn find() {}\n")
}

/// The program with a script as the judge, which runs in the project's root and may leave files beside it.
fn judged(sandbox: &Sandbox, script: &str, args: &[&str]) -> Run {
    let path = sandbox.home().join("judge.sh");
    fs::write(&path, format!("cd '{}'\n{script}\n", sandbox.home().display())).expect("a script");
    let mut command = sandbox.command(args);
    command.env(JUDGE, format!("sh '{}'", path.display())).env("INKWELL_CORROBORATE_TIMEOUT", "10");
    Run::of(command.output().expect("the program starts")).ok()
}

/// Makes a script the judge in the user's own configuration.
fn choose(sandbox: &Sandbox, script: &str) {
    let folder = sandbox.home().join(".config/inkwell");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("config.toml"), format!("judge = ['sh', '-c', '{script}']\n")).expect("a file");
}

/// The corroboration of the store with a script as the judge.
fn corroboration(sandbox: &Sandbox, script: &str) -> Vec<String> {
    let run = judged(sandbox, script, &["query", "when is the store full?"]);
    assert_eq!(run.stderr, "", "{script}");
    block(&run.stdout)
}

/// The lines of a response's last block.
fn block(response: &str) -> Vec<String> {
    let (_, block) = response.split_once("**Corroboration:**\n").expect("a block");
    block.lines().map(str::to_owned).collect()
}

/// How often a script that leaves a line in `runs` was run.
fn runs(sandbox: &Sandbox) -> usize {
    fs::read_to_string(sandbox.home().join("runs")).unwrap_or_default().lines().count()
}

#[test]
fn a_judges_line_stands_after_those_on_names() {
    for (reply, line) in [
        ("verified", "verified"),
        ("Could not corroborate", "could not corroborate"),
        (
            "drift detected: see src/store.rs: it drops the oldest",
            "drift detected (see src/store.rs: it drops the oldest)",
        ),
    ] {
        let lines = corroboration(&store(), &format!("echo '{reply}'"));
        assert_eq!(lines, ["- docs/store.md#store — verified".to_owned(), format!("- docs/store.md#store — {line}")]);
    }
}

#[test]
fn without_a_judge_there_is_no_such_line() {
    assert_eq!(block(&store().query("when is the store full?")), ["- docs/store.md#store — verified"]);
}

#[test]
fn json_holds_the_reason_of_a_judge() {
    let run = judged(&store(), "echo 'drift detected: it drops the oldest'", &["query", "--json", "full store"]);
    let response: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let line =
        |verdict: &str, detail: Value| json!({"citation": "docs/store.md#store", "verdict": verdict, "detail": detail});
    let expected = [line("verified", Value::Null), line("drift detected", json!("it drops the oldest"))];
    assert_eq!(response["corroboration"], json!(expected));
}

#[test]
fn a_judge_gets_the_sentences_on_behaviour_of_each_section() {
    let sandbox = store()
        .file("docs/a.md", "# Full\n\nThe full store is large.\n")
        .file("docs/b.md", "# Full stores\n\nIt exits with 3 when the full store is locked.\n");
    let script = "cat > prompt.$$; grep -q 'exits with 3' prompt.$$ && echo verified || echo 'drift detected: no'";
    let lines = corroboration(&sandbox, script);
    let of =
        |name: &str| lines.iter().filter(|line| line.starts_with(&format!("- docs/{name}.md"))).collect::<Vec<_>>();
    assert_eq!(of("store"), ["- docs/store.md#store — verified", "- docs/store.md#store — drift detected (no)"]);
    assert_eq!(of("a"), ["- docs/a.md#full — could not corroborate"]);
    assert_eq!(of("b"), ["- docs/b.md#full-stores — verified"]);
    assert_eq!(lines.len(), 4);
    let names = fs::read_dir(sandbox.home()).expect("a home").map(|entry| entry.expect("an entry").path());
    let prompts: Vec<String> = names
        .filter(|path| path.file_stem().is_some_and(|stem| stem == "prompt"))
        .map(|path| fs::read_to_string(path).expect("a prompt"))
        .collect();
    assert_eq!(prompts.len(), 2);
    let own = prompts.iter().find(|prompt| prompt.contains("docs/store.md#store")).expect("one of the store");
    let root = sandbox.root().canonicalize().expect("a root");
    for part in ["It returns nothing when it is full.", root.to_str().expect("UTF-8"), "# Store\n"] {
        assert!(own.contains(part), "{part}\n---\n{own}");
    }
}

#[test]
fn whatever_a_judge_does_there_is_an_answer() {
    for script in [
        "echo 'verified? no'",
        "echo 'I think so.'; echo verified",
        "echo 'drift detected:'",
        "exit 3",
        "kill -9 $$",
        "yes verified",
        "exec <&- >&-; exit 0",
        "printf '\\377\\376'",
    ] {
        let lines = corroboration(&store(), script);
        assert_eq!(
            lines,
            ["- docs/store.md#store — verified", "- docs/store.md#store — could not corroborate"],
            "{script}"
        );
    }
}

#[test]
fn a_judge_that_hangs_is_not_waited_for() {
    let sandbox = store();
    let start = Instant::now();
    let mut command = sandbox.command(&["query", "when is the store full?"]);
    command.env(JUDGE, "sh -c 'echo verified; exec sleep 60'").env("INKWELL_CORROBORATE_TIMEOUT", "1");
    let run = Run::of(command.output().expect("the program starts")).ok();
    assert_eq!(block(&run.stdout).last().map(String::as_str), Some("- docs/store.md#store — could not corroborate"));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_judge_that_is_not_there_corroborates_nothing() {
    let sandbox = store();
    for command in ["inkwell-no-such-program", "/"] {
        let output = sandbox.command(&["query", "when is the store full?"]).env(JUDGE, command).output();
        let run = Run::of(output.expect("the program starts")).ok();
        assert_eq!(run.stderr, "");
        assert_eq!(
            block(&run.stdout).last().map(String::as_str),
            Some("- docs/store.md#store — could not corroborate")
        );
    }
}

#[test]
fn a_reason_can_not_fake_lines() {
    let lines = corroboration(&store(), "printf 'drift detected: a\\033[31m\\r- docs/x.md — verified\\nmore'");
    assert_eq!(lines[1..], ["- docs/store.md#store — drift detected (a[31m - docs/x.md — verified)"]);
}

#[test]
fn a_repository_can_not_choose_the_judge() {
    let sandbox = store().file("inkwell.toml", "judge = \"touch pwned\"\n");
    let run = sandbox.run(&["query", "full store"]);
    assert!(!sandbox.path("pwned").exists());
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("`judge` in `inkwell.toml` line 1"), "{}", run.stderr);
}

#[test]
fn a_users_file_can_and_an_empty_variable_switches_it_off() {
    let sandbox = store();
    choose(&sandbox, "echo drift detected: x");
    let lines = block(&sandbox.query("when is the store full?"));
    assert_eq!(lines[1..], ["- docs/store.md#store — drift detected (x)"]);
    let output = sandbox.command(&["query", "when is the store full?"]).env(JUDGE, "").output();
    let run = Run::of(output.expect("the program starts")).ok();
    assert_eq!(block(&run.stdout), ["- docs/store.md#store — verified"]);
}

#[test]
fn a_verdict_holds_until_code_or_section_changes() {
    let sandbox = store();
    let script = "echo >> runs; echo verified";
    for expected in [1, 1] {
        assert_eq!(corroboration(&sandbox, script)[1..], ["- docs/store.md#store — verified"]);
        assert_eq!(runs(&sandbox), expected);
    }
    sandbox.write("src/other.rs", "fn other() {}\n");
    corroboration(&sandbox, script);
    assert_eq!(runs(&sandbox), 2);
    sandbox.write("docs/store.md", "# Store\n\nIt returns all when it is full, see `src/store.rs`.\n");
    corroboration(&sandbox, script);
    corroboration(&sandbox, script);
    assert_eq!(runs(&sandbox), 3);
}

#[test]
fn what_could_not_be_corroborated_is_judged_again() {
    let sandbox = store();
    for expected in [1, 2] {
        corroboration(&sandbox, "echo >> runs; echo could not corroborate");
        assert_eq!(runs(&sandbox), expected);
    }
}

#[test]
fn chunks_are_judged_too() {
    let sandbox = store();
    choose(&sandbox, "echo drift detected: it waits");
    let run = sandbox.run_with_input(&["corroborate"], "### docs/store.md#store\n\nAs it was retrieved.\n").ok();
    let expected = "docs/store.md#store\tverified\ndocs/store.md#store\tdrift detected (it waits)\n";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (expected, ""));
}
