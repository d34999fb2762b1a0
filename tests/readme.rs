//! The README tells the truth: its transcripts are what the program prints, its commands are those that CI runs.
//!
//! In every `console` block of the README the lines that start with `$ ` are run again, by the program that was built
//! for this test, on a copy of the sample docs without history, and the lines below them are what it must print. `SNAPSHOTS=overwrite` puts what it prints into the
//! README instead.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_inkwell");

#[test]
fn transcripts_are_what_the_program_prints() {
    let readme = read("README.md");
    assert!(readme.contains("```console\n$ cargo run "), "the README asks the sample docs");
    let sandbox = sandbox();
    let replayed = replay(&readme, |line| run(line, sandbox.path()));
    if std::env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite") {
        fs::write(Path::new(REPOSITORY).join("README.md"), replayed).expect("written");
        return;
    }
    assert!(replayed == readme, "{}\nSNAPSHOTS=overwrite cargo test --test readme", difference(&readme, &replayed));
}

#[test]
fn old_output_is_replaced_and_all_else_kept() {
    let document = "# A\n\n```console\n$ one\nold\n\nold\n$ two\n```\n\n```sh\n$ three\nkept\n```\n";
    let replayed = "# A\n\n```console\n$ one\n<one>\n$ two\n<two>\n```\n\n```sh\n$ three\nkept\n```\n";
    assert_eq!(replay(document, |line| format!("<{line}>\n")), replayed);
}

#[test]
fn ci_runs_the_commands_of_the_readme() {
    let (readme, ci) = (read("README.md"), read(".ci/run"));
    let question = readme.lines().find_map(|line| line.strip_prefix("$ cargo run ")).expect("the first question");
    assert!(ci.contains(&format!("cargo run {question}")), "cargo run {question}");
    let tests = "cargo test --workspace\n";
    assert!(readme.contains(tests) && ci.contains(tests), "{tests}");
    assert!(ci.contains("\ncargo run -- check\n"), "CI checks our own docs");
}

#[test]
fn every_command_is_in_the_readme() {
    let readme = read("README.md");
    let sandbox = sandbox();
    let help = run("inkwell --help", sandbox.path());
    let (_, commands) = help.split_once("\nCommands:\n").expect("the help lists the commands");
    let names = commands.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    for name in names.filter(|name| *name != "help") {
        assert!(readme.contains(&format!("\n| `{name}")), "no row for `{name}`");
    }
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(REPOSITORY).join(path)).expect("it is in the repository")
}

/// The document with what `run` prints below every command of its console blocks.
fn replay(document: &str, run: impl Fn(&str) -> String) -> String {
    let mut replayed = String::new();
    let mut in_console = false;
    for line in document.split_inclusive('\n') {
        let command = line.trim_end().strip_prefix("$ ").filter(|_| in_console);
        match line.trim_end() {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ if in_console && command.is_none() => continue,
            _ => {}
        }
        replayed.push_str(line);
        replayed.extend(command.map(&run));
    }
    replayed
}

/// A folder with a copy of the sample project, which no history of ours surrounds: what a clone has of it varies.
fn sandbox() -> TempDir {
    let sandbox = tempfile::tempdir().expect("a temporary folder");
    copy(&Path::new(REPOSITORY).join("fixtures"), &sandbox.path().join("fixtures"));
    sandbox
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).expect("created");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).expect("copied");
        }
    }
}

/// What a command of a transcript prints. It must end well and have nothing to say besides.
fn run(line: &str, sandbox: &Path) -> String {
    let mut command = Command::new(PROGRAM);
    command.args(arguments(line)).current_dir(sandbox);
    // Neither the user's settings nor an index from before.
    command.env("INKWELL_INDEX_DIR", sandbox.join("index")).env("XDG_CONFIG_HOME", sandbox);
    command.env_remove("INKWELL_SYNTH").env_remove("INKWELL_CORROBORATE_SUBAGENT");
    let output = command.output().expect("the program starts");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "`{line}`");
    assert!(output.status.success(), "`{line}` ends with {}", output.status);
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// The arguments for the program in `inkwell …` or `cargo run … -- …`.
fn arguments(line: &str) -> Vec<String> {
    let words = shell_words::split(line).expect("quotation marks are closed");
    let is_program = |word: &str| if line.starts_with("cargo run ") { word == "--" } else { word == "inkwell" };
    let program = words.iter().position(|word| is_program(word));
    words[program.expect("`inkwell …` or `cargo run … -- …`") + 1..].to_vec()
}

/// The first line that differs.
fn difference(expected: &str, found: &str) -> String {
    let pairs = expected.lines().chain([""]).zip(found.lines().chain([""]));
    let differing = pairs.enumerate().find(|(_, (expected, found))| expected != found);
    differing.map_or_else(String::new, |(index, (expected, found))| {
        format!("README.md line {} is\n  {expected}\nbut the program prints\n  {found}", index + 1)
    })
}
