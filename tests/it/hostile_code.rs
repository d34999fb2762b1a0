//! Code, repositories and docs that were made to mislead or stop a check: nothing outside of the root is read, nothing of
//! a repository runs, what can't be read proves nothing, and every run ends soon.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::sandbox::{Sandbox, text, verdicts};

const VERIFIED: &str = "verified";
const UNKNOWN: &str = "could not corroborate";
/// How long any of the checks here may take, in a debug build on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);
const CODE: &str = "export function openStore() {}\n";

/// A page that names `openStore`.
fn page() -> Sandbox {
    Sandbox::new().file("docs/a.md", "# A\n\nCall `openStore`.\n")
}

/// Checks the verdicts on the claims of `docs/a.md`.
fn check(sandbox: &Sandbox, expected: &[&str]) {
    let found = sandbox.verdicts("docs/a.md");
    let found: Vec<&str> = found.iter().map(|(_, verdict)| verdict.as_str()).collect();
    assert_eq!(found, expected);
}

/// The remarks of a report.
fn remarks(report: &Value) -> Vec<&str> {
    report["remarks"].as_array().expect("there are remarks").iter().map(|remark| text(&remark["message"])).collect()
}

// Files

#[test]
fn links_out_of_the_root_are_not_followed() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("x.ts"), CODE).expect("a file");
    let sandbox = page()
        .file("docs/a.md", "# A\n\nCall `openStore` of `src/x.ts:openStore`.\n")
        .link("src/x.ts", outside.path().join("x.ts"))
        .link("lib", outside.path());
    check(&sandbox, &[UNKNOWN, UNKNOWN]);
    let sandbox = sandbox.committed();
    check(&sandbox, &[UNKNOWN, UNKNOWN]);
}

#[test]
fn pages_out_of_the_root_are_not_read() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("x.md"), "# Secret\n\nSee `src/gone.ts:openStore`.\n").expect("a file");
    let sandbox = page().link("docs/x.md", outside.path().join("x.md")).link("README.md", outside.path().join("x.md"));
    let report = sandbox.report(&[]);
    assert!(verdicts(&report, "docs/x.md").is_empty() && verdicts(&report, "README.md").is_empty(), "{report}");
    let run = sandbox.run_with_input(&["corroborate"], "### docs/x.md#secret\n").ok();
    assert!(!run.stdout.contains("gone.ts"), "{}", run.stdout);
}

#[test]
fn loops_of_links_end() {
    let sandbox = page()
        .file("src/a.ts", CODE)
        .link("src/up", "..")
        .link("src/self", "self")
        .link("docs/up", "../docs")
        .link("a", "b")
        .link("b", "a");
    check(&sandbox, &[VERIFIED]);
}

#[test]
fn a_file_of_a_million_lines_is_read() {
    let sandbox = page().file("src/a.ts", format!("{}{CODE}", "a = 1;\n".repeat(1_000_000)));
    check(&sandbox, &[VERIFIED]);
}

#[test]
fn deeply_nested_code_is_read() {
    for (path, open, close) in [
        ("src/a.ts", "[", "]"),
        ("src/a.rs", "(", ")"),
        ("src/a.py", "(", ")"),
        ("a.json", "[", "]"),
        ("src/a.c", "{", "}"),
    ] {
        let nested = format!("{}{}\nopenStore\n", open.repeat(100_000), close.repeat(100_000));
        check(&page().file(path, nested), &[VERIFIED]);
    }
}

#[test]
fn binaries_do_not_vouch_whatever_they_are_called() {
    let sandbox = page().file("src/a.ts", [b"\0\x01\xff", CODE.as_bytes()].concat());
    check(&sandbox, &[UNKNOWN]);
}

#[test]
fn code_that_is_not_utf8_is_code() {
    let sandbox = page().file("src/a.ts", [b"// caf\xe9\n", CODE.as_bytes()].concat());
    check(&sandbox, &[VERIFIED]);
}

#[test]
fn what_can_not_be_read_proves_nothing() {
    let sandbox = page().file("docs/a.md", "# A\n\nCall `src/a.ts:openStore`.\n").file("src/a.ts", CODE);
    let file = sandbox.path("src/a.ts");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("a mode");
    // Whoever may read everything finds it.
    let expected = if fs::read(&file).is_ok() { VERIFIED } else { UNKNOWN };
    check(&sandbox, &[expected]);
}

/// Names that break out of lines, quotes, options and encodings.
fn odd_names() -> [&'static OsStr; 6] {
    [b"-a".as_slice(), b"--output=x", b"a\nb", b"a\"'b", b"a\xffb", b":(top)a"].map(OsStr::from_bytes)
}

#[test]
fn odd_names_of_files_are_only_names() {
    let sandbox = page();
    for (number, name) in odd_names().into_iter().enumerate() {
        for (folder, ending, content) in
            [("src", ".ts", format!("export const oddName{number} = 1;\n")), ("docs", ".md", format!("# O{number}\n"))]
        {
            let mut path = sandbox.path(folder).join(name).into_os_string();
            path.push(ending);
            fs::create_dir_all(sandbox.path(folder)).expect("a folder");
            fs::write(path, content).expect("a file");
        }
    }
    sandbox.write("docs/a.md", "# A\n\n`oddName0` `oddName1` `oddName2` `oddName3` `oddName5` `src/-a.ts`\n");
    check(&sandbox, &[VERIFIED; 6]);
    let sandbox = sandbox.committed();
    check(&sandbox, &[VERIFIED; 6]);
    for (number, name) in odd_names().into_iter().enumerate() {
        let mut path = sandbox.path("src").join(name).into_os_string();
        path.push(".ts");
        fs::write(path, format!("export const newName{number} = 1;\n")).expect("a file");
    }
    for args in [&["--changed"][..], &["--staged"]] {
        assert_eq!(sandbox.report(args)["schema_version"], 1);
    }
    sandbox.commit();
    let found = sandbox.verdicts("docs/a.md");
    let is_renamed = |(_, verdict): &&(String, String)| verdict.contains("is now 'newName");
    assert_eq!(found.iter().filter(is_renamed).count(), 5, "{found:?}");
}

// Repositories

#[test]
fn a_repository_without_commits_is_checked() {
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\n\n`openStore`, `closeStore`, `src/gone.ts:openStore`.\n")
        .file("src/a.ts", CODE)
        .repository();
    check(&sandbox, &[VERIFIED, UNKNOWN, "drift detected (see src/gone.ts: file does not exist)"]);
}

/// A repository whose code lost `openStore` after the page was written.
fn lost() -> Sandbox {
    let sandbox = page().file("src/a.ts", "export function openStore() { return 1 + 2; }\n").committed();
    sandbox.write("src/a.ts", "export const other = [];\n");
    sandbox.commit();
    sandbox
}

const LOST: &str = "drift detected (see src/a.ts: symbol 'openStore' not found)";

#[test]
fn a_linked_worktree_has_the_whole_history() {
    let sandbox = lost();
    let tree = sandbox.home().join("tree");
    sandbox.git(&["worktree", "add", "-q", tree.to_str().expect("UTF-8")]);
    check(&Sandbox::at(&tree), &[LOST]);
}

#[test]
fn a_worktree_of_a_bare_repository_has_the_whole_history() {
    let sandbox = lost();
    let (bare, tree) = (sandbox.home().join("bare.git"), sandbox.home().join("tree"));
    sandbox.git(&["clone", "-q", "--bare", ".", bare.to_str().expect("UTF-8")]);
    sandbox.git_in(&bare, &["worktree", "add", "-q", tree.to_str().expect("UTF-8"), "main"]);
    check(&Sandbox::at(&tree), &[LOST]);
}

#[test]
fn worktrees_inside_do_not_vouch() {
    let sandbox = page().file("src/a.ts", CODE).committed();
    sandbox.git(&["worktree", "add", "-q", ".worktrees/x", "-b", "x"]);
    sandbox.remove("src/a.ts");
    sandbox.git(&["rm", "-q", "--cached", "src/a.ts"]);
    let found = sandbox.verdicts("docs/a.md");
    assert!(found[0].1 != VERIFIED, "{found:?}");
}

#[test]
fn nothing_is_known_of_submodules() {
    let inner = Sandbox::new().file("lib/a.ts", CODE).committed();
    let page =
        "# A\n\n`sub/`, `sub/lib/a.ts`, `sub/lib/b.ts`, `sub/lib/b.ts:openStore`, [b](../sub/lib/b.md), `openStore`.\n";
    let sandbox = Sandbox::new().file("docs/a.md", page).committed();
    let from = inner.root().to_str().expect("UTF-8");
    sandbox.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, "sub"]);
    sandbox.commit();
    check(&sandbox, &[VERIFIED, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]);
}

#[test]
fn files_that_a_sparse_checkout_left_out_are_there() {
    let page = "# A\n\n`src/a.ts`, `src/`, [a](../src/a.ts), `src/a.ts:openStore`, `src/a.ts:2`, `openStore`.\n";
    let sandbox = Sandbox::new().file("docs/a.md", page).file("src/a.ts", CODE).committed();
    sandbox.git(&["sparse-checkout", "set", "--no-cone", "/docs/"]);
    assert!(!sandbox.path("src/a.ts").exists());
    check(&sandbox, &[VERIFIED, VERIFIED, VERIFIED, UNKNOWN, UNKNOWN, UNKNOWN]);
}

#[test]
fn a_history_that_is_cut_short_is_said_once_and_proves_nothing() {
    let sandbox = lost();
    sandbox.write("docs/b.md", "# B\n\nCall `openStore` and `closeStore` and `src/gone.ts`.\n");
    sandbox.commit();
    let shallow = sandbox.home().join("shallow");
    let from = format!("file://{}", sandbox.root().display());
    let args = ["-c", "protocol.file.allow=always", "clone", "-q", "--depth", "1", &from];
    sandbox.git(&[&args[..], &[shallow.to_str().expect("UTF-8")]].concat());
    let clone = Sandbox::at(&shallow);
    check(&clone, &[UNKNOWN]);
    let report = clone.report(&[]);
    assert_eq!(report["summary"]["drifted"], 0);
    let cut: Vec<&str> = remarks(&report).into_iter().filter(|remark| remark.contains("cut short")).collect();
    assert_eq!(cut.len(), 1, "{report}");
    // A warm run says it too.
    assert_eq!(remarks(&clone.report(&[])), remarks(&report));
}

#[test]
fn a_git_file_that_leads_nowhere_is_no_repository() {
    for content in ["gitdir: /nowhere/at/all\n", "gitdir: .\n", "garbage", ""] {
        let sandbox = page().file(".git", content).file("src/a.ts", CODE);
        check(&sandbox, &[VERIFIED]);
        assert_eq!(sandbox.run(&["check", "--changed"]).code, Some(2), "{content:?}");
    }
}

#[test]
fn a_damaged_repository_is_no_obstacle() {
    let sandbox = page().file("src/a.ts", CODE).committed();
    sandbox.remove(".git/objects");
    check(&sandbox, &[VERIFIED]);
    sandbox.write(".git/index", b"garbage");
    check(&sandbox, &[VERIFIED]);
}

#[test]
fn nothing_of_a_repository_is_run() {
    let sandbox = lost();
    let (script, mark) = (sandbox.path(".git/run.sh"), sandbox.home().join("ran"));
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\ncat\n", mark.display())).expect("a script");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a mode");
    let hooks = sandbox.path(".git/hooks");
    fs::create_dir_all(&hooks).expect("a folder");
    for hook in ["post-index-change", "post-checkout", "pre-commit", "reference-transaction", "fsmonitor-watchman"] {
        fs::copy(&script, hooks.join(hook)).expect("a hook");
    }
    let run = script.to_str().expect("UTF-8");
    for name in [
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "gpg.program",
        "credential.helper",
        "core.alternateRefsCommand",
    ] {
        sandbox.git(&["config", name, run]);
    }
    sandbox.git(&["config", "log.showSignature", "true"]);
    sandbox.write(".gitattributes", "* filter=x diff=x\n");
    sandbox.write("src/a.ts", "export const another = [];\n");
    sandbox.write("src/b.ts", "export const third = [];\n");
    for args in [&["check"][..], &["check", "--changed"], &["check", "--staged"], &["check", "--fix", "--dry-run"]] {
        let run = sandbox.run(args);
        assert!(run.code != Some(2), "{args:?}: {}", run.stderr);
        assert!(!mark.exists(), "{args:?}");
    }
    sandbox.query("how do I call openStore?");
    assert!(!mark.exists());
}

#[test]
fn a_repository_can_not_move_its_work_tree() {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("x.ts"), CODE).expect("a file");
    let sandbox = page().committed();
    sandbox.git(&["config", "core.worktree", outside.path().to_str().expect("UTF-8")]);
    check(&sandbox, &[UNKNOWN]);
}

// Docs

/// How long a check of a page takes, at most the limit.
fn time_of(page: &str) -> Duration {
    let sandbox = Sandbox::new().file("docs/a.md", page).file("src/a.ts", CODE);
    let mut command = sandbox.command(&["check", "--fail-on", "none"]);
    let start = Instant::now();
    let mut child = command.stdout(Stdio::null()).spawn().expect("the program starts");
    while start.elapsed() < LIMIT {
        if let Some(status) = child.try_wait().expect("a child") {
            assert_eq!(status.code(), Some(0));
            return start.elapsed();
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().and_then(|()| child.wait()).expect("a child that runs");
    LIMIT
}

/// Checks that a page with ten times as many of something takes about ten times as long.
fn check_growth(page: impl Fn(usize) -> String) {
    let (few, many) = (time_of(&page(1_000)), time_of(&page(10_000)));
    assert!(many < few * 25 + Duration::from_secs(1) && many < LIMIT, "{few:?}, {many:?}");
}

/// A page with many spans on one line.
fn line_of(count: usize, span: impl Fn(usize) -> String) -> String {
    let spans: Vec<String> = (0..count).map(span).collect();
    format!("# A\n\n{}\n", spans.join(" "))
}

#[test]
fn many_names_on_a_line_take_their_time_once_each() {
    check_growth(|count| line_of(count, |number| format!("`name_{number}`")));
}

#[test]
fn many_paths_on_a_line_take_their_time_once_each() {
    check_growth(|count| line_of(count, |number| format!("`src/f{number}.ts`")));
}

#[test]
fn many_options_on_a_line_take_their_time_once_each() {
    check_growth(|count| line_of(count, |number| format!("`--opt-{number}`")));
}

#[test]
fn many_links_on_a_line_take_their_time_once_each() {
    check_growth(|count| line_of(count, |number| format!("[a](b{number}.html)")));
}

#[test]
fn many_suppressions_take_their_time_once_each() {
    check_growth(|count| format!("# A\n\n{}", "<!-- inkwell-ignore: x -->\nSee `a_b`.\n\n".repeat(count)));
}

#[test]
fn hostile_names_in_docs_are_shown_escaped() {
    let page = "# A\n\n`src/\u{202e}gone.ts:a_b` [x](%1b%5b31m.md) `--\u{1b}[31m`\n";
    let run = Sandbox::new().file("docs/a.md", page).run(&["check", "--explain"]);
    let is_unsafe = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
    assert!(!run.stdout.contains(is_unsafe), "{:?}", run.stdout);
}

#[test]
fn a_path_can_not_lead_out_of_the_root() {
    let spans = "`../../../etc/passwd`, `../../../../etc/hosts:root`, [x](../../../../../etc/passwd)";
    let sandbox = page().file("docs/a.md", format!("# A\n\n{spans}\n"));
    let found = sandbox.verdicts("docs/a.md");
    assert!(found.iter().all(|(_, verdict)| verdict != VERIFIED), "{found:?}");
    assert!(Path::new("/etc/passwd").exists());
}
