//! `check`, `corroborate` and the last block of `query` from the command line: what is asked, how it is printed, and
//! which exit code says so. What is drift and what is not is in `drift`.

use std::fs;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox, files_below, repository, text, verdicts};

const GONE: &str = "drift detected (see src/gone.ts: file does not exist)";

/// A project with one claim, which is drift.
fn drifted() -> Sandbox {
    Sandbox::new().file("docs/a.md", "# A\n\nSee `src/gone.ts:openStore`.\n")
}

/// A project with one claim, which is verified.
fn sound() -> Sandbox {
    Sandbox::new().file("docs/a.md", "# A\n\nSee `src/a.ts`.\n").file("src/a.ts", "export const a = 1;\n")
}

/// A repository where `src/old.ts`, which two pages name, was renamed to `src/new.ts`; `docs/c.md` has another drift.
/// The rename is on disk and in the index, and not committed.
fn renamed() -> Sandbox {
    let code = "export function first() {\n  return 1;\n}\nexport function second() {\n  return 2;\n}\n";
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\n\nSee `src/old.ts`.\n")
        .file("docs/b.md", "# B\n\nSee `src/other.ts`.\n")
        .file("docs/c.md", "# C\n\nSee `src/never.ts:openStore`.\n")
        .file("src/old.ts", code)
        .file("src/other.ts", "export const other = 1;\n")
        .committed();
    sandbox.git(&["mv", "src/old.ts", "src/new.ts"]);
    sandbox
}

const MOVED: &str = "drift detected (see src/new.ts: moved from src/old.ts)";

/// Runs `check` and expects an exit code.
fn check(sandbox: &Sandbox, args: &[&str], code: i32) -> Run {
    let run = sandbox.run(&[&["check"], args].concat());
    assert_eq!(run.code, Some(code), "{args:?}\nstdout: {}\nstderr: {}", run.stdout, run.stderr);
    run
}

/// The drifts of a report as path and message.
fn drifts(report: &Value) -> Vec<(&str, &str)> {
    let findings = report["findings"].as_array().expect("there are findings");
    findings.iter().map(|finding| (text(&finding["path"]), text(&finding["message"]))).collect()
}

/// The remarks of a report as path, line and message.
fn remarks(report: &Value) -> Vec<(&str, u64, &str)> {
    let remarks = report["remarks"].as_array().expect("there are remarks");
    let place = |remark: &Value| remark["line"].as_u64().unwrap_or_default();
    remarks
        .iter()
        .map(|remark| (remark["path"].as_str().unwrap_or_default(), place(remark), text(&remark["message"])))
        .collect()
}

// Exit codes and usage

#[test]
fn the_exit_code_says_whether_there_is_drift() {
    check(&sound(), &[], 0);
    check(&drifted(), &[], 1);
    check(&drifted(), &["--fail-on", "none"], 0);
    check(&Sandbox::new(), &[], 0);
    for format in ["text", "json", "sarif", "github", "junit"] {
        check(&drifted(), &["--format", format], 1);
        check(&sound(), &["--format", format], 0);
    }
}

#[test]
fn what_check_does_not_know_is_a_usage_error() {
    for args in [
        &["--format", "xml"][..],
        &["--fail-on", "some"],
        &["--jsn"],
        &["--force"],
        &["--staged", "--changed"],
        &["--staged", "--fix"],
        &["--write-baseline", "--baseline", "x"],
    ] {
        let run = check(&sound(), args, 2);
        assert_eq!(run.stdout, "", "{args:?}");
    }
}

#[test]
fn a_path_that_is_not_there_is_named() {
    for path in ["docs/nowhere.md", "nowhere"] {
        let run = check(&sound(), &[path], 2);
        assert_eq!(run.stdout, "", "{path}");
        assert!(run.stderr.contains(&format!("`{path}`")), "{}", run.stderr);
    }
}

#[test]
fn paths_outside_of_the_root_are_refused() {
    for path in ["/etc", "..", "docs/../../x.md"] {
        let run = check(&sound(), &[path], 2);
        assert!(run.stderr.contains("not below the root"), "{path}: {}", run.stderr);
    }
}

// What is checked

#[test]
fn docs_and_files_that_speak_for_the_project_are_checked() {
    let page = "# A\n\nSee `src/gone.ts:openStore`.\n";
    let paths =
        ["docs/a.md", "docs/b/c.mdx", "README.md", "CONTRIBUTING.md", "AGENTS.md", "CLAUDE.md", "src/notes.md", "x.md"];
    let sandbox = paths.iter().fold(Sandbox::new(), |sandbox, path| sandbox.file(path, page));
    let report = sandbox.report(&[]);
    let found: Vec<&str> = drifts(&report).iter().map(|(path, _)| *path).collect();
    assert_eq!(found, ["AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", "README.md", "docs/a.md", "docs/b/c.mdx"]);
}

#[test]
fn named_paths_are_checked_and_nothing_else() {
    let page = "# A\n\nSee `src/gone.ts:openStore`.\n";
    let sandbox = ["docs/a.md", "docs/b/c.md", "README.md", "src/notes.md"]
        .iter()
        .fold(Sandbox::new(), |sandbox, path| sandbox.file(path, page));
    for (paths, expected) in [
        (&["docs/a.md"][..], &["docs/a.md"][..]),
        (&["docs/b"], &["docs/b/c.md"]),
        (&["src/notes.md", "README.md"], &["README.md", "src/notes.md"]),
        (&["docs", "docs/a.md"], &["docs/a.md", "docs/b/c.md"]),
    ] {
        let report = sandbox.report(paths);
        let found: Vec<&str> = drifts(&report).iter().map(|(path, _)| *path).collect();
        assert_eq!(found, expected, "{paths:?}");
    }
}

#[test]
fn paths_are_relative_to_the_folder_of_the_caller() {
    let sandbox = drifted().file("docs/b/c.md", "# C\n").repository();
    let in_docs = |args: &[&str]| {
        let mut command = sandbox.command(&[&["check"], args].concat());
        Run::of(command.current_dir(sandbox.path("docs")).output().expect("the program starts"))
    };
    let run = in_docs(&["a.md"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stdout.starts_with("docs/a.md:3:5: "), "{}", run.stdout);
    assert_eq!(in_docs(&["b", "../docs/b/c.md"]).code, Some(0));
    let run = in_docs(&["docs/a.md"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(run.stderr.contains("`docs/docs/a.md`") || run.stderr.contains("`docs/a.md`"), "{}", run.stderr);
}

#[test]
fn with_a_root_paths_are_relative_to_it() {
    let sandbox = drifted();
    let root = sandbox.root().to_str().expect("UTF-8").to_owned();
    let mut command = sandbox.command(&["-C", &root, "check", "docs/a.md"]);
    let run = Run::of(command.current_dir("/").output().expect("the program starts"));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
}

#[test]
fn other_docs_trees_are_checked() {
    let sandbox = sound().file("site/a.md", "# A\n\nSee `src/gone.ts:openStore`.\n");
    let report = sandbox.report(&["--docs", "site"]);
    assert_eq!(drifts(&report), [("site/a.md", GONE)]);
}

#[test]
fn a_check_leaves_the_project_as_it_is() {
    for sandbox in [drifted(), drifted().committed()] {
        let content = |path: &std::path::PathBuf| fs::read(sandbox.path(path)).expect("a file");
        let before: Vec<_> = files_below(sandbox.root()).into_iter().map(|path| (content(&path), path)).collect();
        check(&sandbox, &[], 1);
        check(&sandbox, &["--format", "json"], 1);
        let after: Vec<_> = files_below(sandbox.root()).into_iter().map(|path| (content(&path), path)).collect();
        assert!(before == after, "{:?}", files_below(sandbox.root()));
    }
}

// Formats

#[test]
fn text_names_the_place_the_rule_and_the_section() {
    let run = check(&drifted(), &[], 1);
    let expected = format!(
        "docs/a.md:3:5: missing-path: `src/gone.ts:openStore` {GONE}\n  section: docs/a.md#a\n\nchecked 1 claim in 1 \
         page: 0 verified, 1 drifted, 0 not corroborated\n"
    );
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (expected.as_str(), ""));
}

#[test]
fn what_can_not_be_told_is_counted_and_listed_on_request() {
    let sandbox = sound().file("docs/a.md", "# A\n\nSee `src/a.ts` and `closeStore`.\n");
    let counts = "checked 2 claims in 1 page: 1 verified, 0 drifted, 1 not corroborated\n";
    assert_eq!(check(&sandbox, &[], 0).stdout, counts);
    let explained = check(&sandbox, &["--explain"], 0).stdout;
    let lines: Vec<&str> = explained.lines().collect();
    assert_eq!(lines[0], "docs/a.md:3:5: exists: path `src/a.ts` verified (see src/a.ts)");
    assert!(
        lines[1].starts_with("docs/a.md:3:20: unproven: symbol `closeStore` could not corroborate ("),
        "{explained}"
    );
}

/// The published schema of the report.
fn schema() -> Validator {
    let file = fs::read_to_string(repository().join("schemas/check.v1.schema.json")).expect("a schema");
    jsonschema::validator_for(&serde_json::from_str(&file).expect("JSON")).expect("a JSON Schema")
}

#[test]
fn json_reports_follow_their_schema() {
    let schema = schema();
    let suppressed = "# B\n\n<!-- inkwell-ignore: x -->\nNothing.\n\n[a](#b) [c](#c) `--dry-run` `APP_LEVEL` `a.b_c`\n";
    let sandbox = renamed();
    sandbox.write("docs/d.md", suppressed);
    for (sandbox, args) in [(&drifted(), &[][..]), (&sandbox, &["--claims"]), (&Sandbox::new(), &["--claims"])] {
        let report = sandbox.json(&[&["check", "--format", "json", "--fail-on", "none"], args].concat());
        let errors: Vec<String> = schema.iter_errors(&report).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{report}");
        assert_eq!(report.get("claims").is_some(), args == ["--claims"]);
    }
}

#[test]
fn a_json_report_has_the_fields_of_the_contract() {
    let report = drifted().report(&[]);
    assert_eq!(report["schema_version"], 1);
    for (field, count) in [("claims", 1), ("verified", 0), ("drifted", 1), ("uncorroborated", 0)] {
        assert_eq!(report["summary"][field], count, "{field}");
    }
    let finding = &report["findings"][0];
    for (field, expected) in [
        ("path", json!("docs/a.md")),
        ("line", json!(3)),
        ("column", json!(5)),
        ("span", json!("src/gone.ts:openStore")),
        ("kind", json!("path-symbol")),
        ("rule", json!("missing-path")),
        ("verdict", json!("drift detected")),
        ("message", json!(GONE)),
        ("fix", Value::Null),
    ] {
        assert_eq!(finding[field], expected, "{field}");
    }
    assert!(finding.get("evidence").is_some());
    assert_eq!(report["claims"], report["findings"]);
}

#[test]
fn lines_and_columns_are_those_of_the_file() {
    let page = "\u{feff}---\r\ntitle: A\r\n---\r\n# A\r\n\r\nÄ 'é' `src/gone.ts:openStore`\r\n";
    let report = Sandbox::new().file("docs/a.md", page).report(&[]);
    let finding = &report["findings"][0];
    // A byte column: two letters of two bytes each stand before.
    assert_eq!((&finding["line"], &finding["column"]), (&json!(6), &json!(9)));
}

#[test]
fn sarif_is_json_with_a_result_for_each_drift() {
    let sandbox = drifted();
    sandbox.write("docs/b.md", "# B\n\n[x](gone.md)\n");
    let sarif: Value = serde_json::from_str(&check(&sandbox, &["--format", "sarif"], 1).stdout).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let shown: Vec<(&str, &str, u64)> = results
        .iter()
        .map(|result| {
            let place = &result["locations"][0]["physicalLocation"];
            let line = place["region"]["startLine"].as_u64().expect("a line");
            (text(&result["ruleId"]), text(&place["artifactLocation"]["uri"]), line)
        })
        .collect();
    assert_eq!(shown, [("missing-path", "docs/a.md", 3), ("broken-link", "docs/b.md", 3)]);
    let clean: Value = serde_json::from_str(&check(&sound(), &["--format", "sarif"], 0).stdout).expect("JSON");
    assert_eq!(clean["runs"][0]["results"], json!([]));
}

#[test]
fn github_gets_a_command_a_line() {
    let run = check(&drifted(), &["--format", "github"], 1);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let error =
        format!("::error file=docs/a.md,line=3,col=5,endColumn=28,title=missing-path::`src/gone.ts:openStore` {GONE}");
    assert_eq!(lines[0], error);
    assert_eq!(
        lines[1],
        "::notice title=inkwell::checked 1 claim in 1 page: 0 verified, 1 drifted, 0 not corroborated"
    );
    assert_eq!(lines.len(), 2);
}

/// The tags of a document in order; panics where they don't nest or an attribute isn't quoted.
fn tags(xml: &str) -> Vec<String> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for piece in xml.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_owned();
        match tag {
            _ if tag.starts_with('?') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "{xml}"),
            _ => {
                found.push(name.clone());
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
    }
    assert_eq!(open, [""; 0]);
    found
}

#[test]
fn junit_has_a_failure_for_each_drift() {
    let sandbox = drifted().file("docs/b.md", "# <B> & \"b\"\n\n[x](a<b>&\"c.md) `src/gone.ts:<b>`\n");
    let run = check(&sandbox, &["--format", "junit"], 1);
    let tags = tags(&run.stdout);
    let report = sandbox.report(&[]);
    let count = |name: &str| tags.iter().filter(|tag| *tag == name).count();
    assert_eq!(count("failure"), drifts(&report).len());
    assert_eq!(count("testsuites"), 1);
}

#[test]
fn a_second_run_says_the_same() {
    let sandbox = renamed();
    let first = check(&sandbox, &["--format", "json", "--claims"], 1).stdout;
    assert_eq!(check(&sandbox, &["--format", "json", "--claims"], 1).stdout, first);
    fs::remove_dir_all(sandbox.index_dir()).expect("a cache");
    assert_eq!(check(&sandbox, &["--format", "json", "--claims"], 1).stdout, first);
}

#[test]
fn a_target_that_moves_is_noticed() {
    // 45 rvben/rumdl#640, gotgenes/pi-packages#879
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\n\nSee `src/target.ts:openStore`.\n")
        .file("src/target.ts", "export function openStore() {}\n")
        .committed();
    check(&sandbox, &[], 0);
    fs::rename(sandbox.path("src/target.ts"), sandbox.path("src/moved.ts")).expect("a rename");
    check(&sandbox, &[], 1);
    sandbox.write("docs/a.md", "# A\n\n<!-- inkwell-ignore: known -->\nSee `src/target.ts:openStore`.\n");
    check(&sandbox, &[], 0);
    check(&sandbox, &[], 0);
    fs::rename(sandbox.path("src/moved.ts"), sandbox.path("src/target.ts")).expect("a rename");
    let report = sandbox.report(&[]);
    assert_eq!(remarks(&report), [("docs/a.md", 3, "the suppression suppresses nothing")]);
}

// Suppression

/// Checks how many drifts of a page are left, and how many are suppressed.
fn check_suppressed(path: &str, page: &str, left: u64, suppressed: u64) {
    let report = Sandbox::new().file(path, page).report(&[]);
    let summary = &report["summary"];
    assert_eq!((&summary["drifted"], &summary["suppressed"]), (&json!(left), &json!(suppressed)), "{page}");
    assert_eq!(remarks(&report), [("", 0, ""); 0], "{page}");
}

#[test]
fn a_comment_suppresses_the_next_block() {
    // 39 loft-sh/vcluster-docs#2416
    let (a, b) = ("See `src/a.ts:a_b`.\n", "See `src/b.ts:a_b`.\n");
    check_suppressed("docs/a.md", &format!("# A\n\n<!-- inkwell-ignore -->\n{a}\n{b}"), 1, 1);
    check_suppressed("docs/a.md", &format!("# A\n\n<!-- inkwell-ignore: old -->\n\n- {a}- {b}\n{b}"), 1, 2);
    check_suppressed("docs/a.mdx", &format!("# A\n\n{{/* inkwell-ignore: old */}}\n\n{a}\n{b}"), 1, 1);
}

#[test]
fn a_comment_suppresses_its_section() {
    let (a, b) = ("See `src/a.ts:a_b`.\n", "See `src/b.ts:a_b`.\n");
    let comment = "<!-- inkwell-ignore-section: old -->";
    check_suppressed("docs/a.md", &format!("# A\n\n{a}\n## B\n\n{comment}\n\n{a}\n### C\n\n{b}\n## D\n\n{b}"), 2, 2);
    let comment = "{/* inkwell-ignore-section: old */}";
    check_suppressed("docs/a.mdx", &format!("# A\n\n## B\n\n{comment}\n\n{a}\n{b}\n## D\n\n{b}"), 1, 2);
}

#[test]
fn a_suppressed_drift_is_explained_by_its_reason() {
    let page = "# A\n\n<!-- inkwell-ignore: kept for old readers -->\nSee `src/gone.ts:openStore`.\n";
    let run = check(&Sandbox::new().file("docs/a.md", page), &["--explain"], 0);
    assert!(run.stdout.contains("kept for old readers"), "{}", run.stdout);
}

#[test]
fn a_suppression_that_suppresses_nothing_is_said() {
    let page =
        "# A\n\n<!-- inkwell-ignore: x -->\nNothing.\n\n## B\n\n<!-- inkwell-ignore-section: y -->\n\nNothing.\n";
    let report = Sandbox::new().file("docs/a.md", page).report(&[]);
    let said = "the suppression suppresses nothing";
    assert_eq!(remarks(&report), [("docs/a.md", 3, said), ("docs/a.md", 8, said)]);
}

#[test]
fn words_in_code_suppress_nothing() {
    let page = "# A\n\n`<!-- inkwell-ignore -->` See `src/gone.ts:openStore`.\n\n```\n<!-- inkwell-ignore -->\n```\n";
    check_suppressed("docs/a.md", page, 1, 0);
}

// Baseline

#[test]
fn a_baseline_knows_what_is_there_and_only_that() {
    let sandbox = drifted();
    check(&sandbox, &["--write-baseline"], 0);
    assert!(sandbox.path(".inkwell-baseline.json").exists());
    let report = sandbox.report(&[]);
    assert_eq!((&report["summary"]["drifted"], &report["summary"]["baselined"]), (&json!(0), &json!(1)));
    check(&sandbox, &[], 0);
    // Other edits don't disturb it, new drifts count, and so does the same one once more.
    sandbox.write("docs/a.md", "# A\n\nNew.\n\nSee `src/gone.ts:openStore`.\n");
    check(&sandbox, &[], 0);
    sandbox.write("docs/a.md", "# A\n\nSee `src/gone.ts:openStore`.\n\nSee `src/gone.ts:openStore`.\n");
    check(&sandbox, &[], 1);
    sandbox.write("docs/a.md", "# A\n\nSee `src/gone.ts:openStore` and `src/gone.ts:closeStore`.\n");
    assert_eq!(drifts(&sandbox.report(&[])), [("docs/a.md", GONE)]);
}

#[test]
fn a_baseline_only_shrinks() {
    let sandbox = drifted();
    check(&sandbox, &["--write-baseline"], 0);
    sandbox.write("docs/a.md", "# A\n");
    let report = sandbox.report(&[]);
    let found = remarks(&report);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "docs/a.md" && found[0].2.contains("`src/gone.ts:openStore`"), "{found:?}");
    check(&sandbox, &["--write-baseline"], 0);
    assert_eq!(remarks(&sandbox.report(&[])), [("", 0, ""); 0]);
}

#[test]
fn a_baseline_can_have_another_name() {
    let sandbox = drifted();
    check(&sandbox, &["--write-baseline=known.json"], 0);
    check(&sandbox, &[], 1);
    check(&sandbox, &["--baseline", "known.json"], 0);
}

#[test]
fn a_baseline_that_can_not_be_read_is_trouble() {
    let sandbox = drifted();
    let run = check(&sandbox, &["--baseline", "nowhere.json"], 2);
    assert!(run.stderr.contains("nowhere.json"), "{}", run.stderr);
    for content in ["", "[]", "{\"schema_version\": 2, \"entries\": []}", "{\"schema_version\": 1, \"x\": 1}"] {
        sandbox.write(".inkwell-baseline.json", content);
        let run = check(&sandbox, &[], 2);
        assert!(run.stderr.contains(".inkwell-baseline.json"), "{}", run.stderr);
    }
    check(&sandbox, &["--write-baseline"], 0);
    check(&sandbox, &[], 0);
}

#[test]
fn an_empty_baseline_knows_nothing() {
    let sandbox = sound();
    check(&sandbox, &["--write-baseline"], 0);
    let text = fs::read_to_string(sandbox.path(".inkwell-baseline.json")).expect("a file");
    assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), json!({"schema_version": 1, "entries": []}));
    check(&sandbox, &[], 0);
}

// Changes

#[test]
fn a_change_brings_in_pages_that_name_what_it_renames() {
    // 75 ciaranm/glasgow-constraint-solver#670, formbricks/hub#126
    let sandbox = renamed();
    let report = sandbox.report(&["--changed"]);
    assert_eq!(drifts(&report), [("docs/a.md", MOVED)]);
    sandbox.commit();
    assert_eq!(drifts(&sandbox.report(&["--changed"])), [("", ""); 0]);
    assert_eq!(drifts(&sandbox.report(&["--changed=HEAD~1"])), [("docs/a.md", MOVED)]);
}

#[test]
fn a_change_of_a_page_is_checked_whole() {
    let sandbox = renamed();
    sandbox.commit();
    sandbox.write("docs/c.md", "# C\n\nNew.\n\nSee `src/never.ts:openStore`.\n");
    let drift = "drift detected (see src/never.ts: file does not exist)";
    assert_eq!(drifts(&sandbox.report(&["--changed"])), [("docs/c.md", drift)]);
    sandbox.write("docs/new.md", "# N\n\nSee `src/gone.ts:openStore`.\n");
    assert_eq!(drifts(&sandbox.report(&["--changed"])), [("docs/c.md", drift), ("docs/new.md", GONE)]);
}

#[test]
fn a_change_brings_in_pages_that_name_what_it_removes() {
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\n\nSee `closeStore`.\n")
        .file("docs/b.md", "# B\n\nSee `openStore`.\n")
        .file("src/a.ts", "export function openStore() {}\nexport function closeStore() { return 1 + 2; }\n")
        .committed();
    sandbox.write("src/a.ts", "export function openStore() {}\n");
    let report = sandbox.report(&["--changed"]);
    let drift = "drift detected (see src/a.ts: symbol 'closeStore' not found)";
    assert_eq!(drifts(&report), [("docs/a.md", drift)]);
}

#[test]
fn without_a_repository_no_change_can_be_told() {
    for args in [&["--changed"][..], &["--changed=HEAD"], &["--staged"]] {
        let run = check(&drifted(), args, 2);
        assert!(run.stderr.contains("git"), "{}", run.stderr);
    }
    let run = check(&renamed(), &["--changed=nowhere"], 2);
    assert!(run.stderr.contains("nowhere"), "{}", run.stderr);
    check(&renamed(), &["--changed=--output=x"], 2);
}

#[test]
fn staged_renames_are_seen() {
    // 75 ciaranm/glasgow-constraint-solver#670, formbricks/hub#126
    assert_eq!(drifts(&renamed().report(&["--staged"])), [("docs/a.md", MOVED)]);
}

#[test]
fn staged_deletions_are_seen() {
    let sandbox = renamed();
    sandbox.commit();
    sandbox.git(&["rm", "-q", "src/other.ts"]);
    let drift = "drift detected (see src/other.ts: file does not exist)";
    assert_eq!(drifts(&sandbox.report(&["--staged"])), [("docs/b.md", drift)]);
}

#[test]
fn what_is_staged_is_judged_not_what_is_on_disk() {
    let sandbox = sound().committed();
    // Wrong on disk, right in the index.
    sandbox.write("docs/a.md", "# A\n\nStill `src/a.ts`.\n");
    sandbox.git(&["add", "docs/a.md"]);
    sandbox.write("docs/a.md", "# A\n\nSee `src/gone.ts:openStore`.\n");
    check(&sandbox, &["--staged"], 0);
    // Wrong in the index, right on disk.
    sandbox.git(&["add", "docs/a.md"]);
    sandbox.write("docs/a.md", "# A\n");
    check(&sandbox, &["--staged"], 1);
}

#[test]
fn what_is_not_staged_is_not_part_of_the_commit() {
    let sandbox = sound().committed();
    sandbox.write("docs/a.md", "# A\n\nSee `src/a.ts`, `src/b.ts:openStore` and `openStore`.\n");
    sandbox.write("src/b.ts", "export function openStore() {}\n");
    sandbox.git(&["add", "docs/a.md"]);
    check(&sandbox, &["--staged"], 1);
    sandbox.git(&["add", "src/b.ts"]);
    check(&sandbox, &["--staged"], 0);
    // A file that is gone from the disk stays in the commit.
    sandbox.remove("src/b.ts");
    assert_eq!(sandbox.report(&["--staged"])["summary"]["verified"], 3);
}

#[test]
fn the_first_commit_of_a_repository_is_judged() {
    let sandbox = drifted().repository();
    check(&sandbox, &["--staged"], 0);
    sandbox.git(&["add", "--all", "."]);
    assert_eq!(drifts(&sandbox.report(&["--staged"])), [("docs/a.md", GONE)]);
    check(&sandbox, &["--changed"], 1);
}

// Fixes

#[test]
fn a_proven_rename_is_shown_as_a_difference() {
    let sandbox = renamed();
    sandbox.commit();
    let run = check(&sandbox, &["--fix", "--dry-run"], 1);
    let diff = "--- a/docs/a.md\n+++ b/docs/a.md\n@@ -3 +3 @@\n-See `src/old.ts`.\n+See `src/new.ts`.\n";
    assert_eq!(run.stdout, diff);
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), "# A\n\nSee `src/old.ts`.\n");
}

#[test]
fn a_proven_rename_is_written() {
    let sandbox = renamed();
    sandbox.commit();
    // `docs/c.md` is not proven and stays.
    check(&sandbox, &["--fix"], 1);
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), "# A\n\nSee `src/new.ts`.\n");
    let drift = "drift detected (see src/never.ts: file does not exist)";
    assert_eq!(drifts(&sandbox.report(&[])), [("docs/c.md", drift)]);
    assert_eq!(sandbox.git(&["diff", "--name-only"]), "docs/a.md\n");
}

#[test]
fn a_renamed_name_is_written_with_all_around_it_kept() {
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\r\n\r\nCall `readAll(path)` — [`readAll`](../src/a.ts).  \r\n")
        .file("src/a.ts", "export function readAll(path: string) {}\n")
        .committed();
    sandbox.write("src/a.ts", "export function readEach(path: string) {}\n");
    sandbox.commit();
    check(&sandbox, &["--fix"], 0);
    let expected = "# A\r\n\r\nCall `readEach(path)` — [`readEach`](../src/a.ts).  \r\n";
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), expected);
}

#[test]
fn a_rename_that_could_be_another_is_not_written() {
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# A\n\nCall `readAll`.\n")
        .file("src/a.ts", "export function readAll(path: string) {}\n")
        .committed();
    sandbox.write("src/a.ts", "export function readEach(path: string) {}\nexport function readSome(path: string) {}\n");
    sandbox.commit();
    let run = check(&sandbox, &["--fix"], 1);
    assert_eq!(run.stdout, "");
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), "# A\n\nCall `readAll`.\n");
}

#[test]
fn a_page_with_changes_is_only_fixed_by_force() {
    let sandbox = renamed();
    sandbox.commit();
    let page = "# A\n\nSee `src/old.ts`.\n\nNew.\n";
    sandbox.write("docs/a.md", page);
    let run = check(&sandbox, &["--fix"], 2);
    assert!(run.stderr.contains("docs/a.md") && run.stderr.contains("--force"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), page);
    check(&sandbox, &["--fix", "--force"], 1);
    let expected = "# A\n\nSee `src/new.ts`.\n\nNew.\n";
    assert_eq!(fs::read_to_string(sandbox.path("docs/a.md")).expect("a page"), expected);
}

#[test]
fn what_is_suppressed_or_known_is_not_fixed() {
    let sandbox = renamed();
    sandbox.write("docs/a.md", "# A\n\n<!-- inkwell-ignore: x -->\nSee `src/old.ts`.\n");
    sandbox.commit();
    assert_eq!(check(&sandbox, &["--fix", "--dry-run"], 1).stdout, "");
    sandbox.write("docs/a.md", "# A\n\nSee `src/old.ts`.\n");
    sandbox.commit();
    check(&sandbox, &["--write-baseline"], 0);
    assert_eq!(check(&sandbox, &["--fix", "--dry-run"], 0).stdout, "");
}

// Corroboration of chunks and of answers

/// Runs `corroborate` on some chunks.
fn corroborate(sandbox: &Sandbox, chunks: &str) -> String {
    sandbox.run_with_input(&["corroborate"], chunks).ok().stdout
}

#[test]
fn chunks_get_their_verdicts_in_input_order() {
    let sandbox = sound()
        .file("docs/b.md", "# B\n\n`src/gone.ts:openStore`, `src/a.ts`.\n\n## C\n\nWords.\n")
        .file("docs/a.md", "# A\n\nSee `src/a.ts`.\n");
    let chunks = "## Retrieved chunks\n\n### docs/b.md#c\n\n## C\n\nWords.\n\n### docs/a.md#a\n\n# A\n\n### Not a chunk\n\n\
                  ### docs/nowhere.md#x\n\n### docs/b.md#b\n\n# B\n\n---END-OF-CHUNKS---\n";
    let expected = format!(
        "docs/b.md#c\tcould not corroborate\ndocs/a.md#a\tverified\ndocs/b.md#b\t{GONE}\ndocs/b.md#b\tverified\n"
    );
    assert_eq!(corroborate(&sandbox, chunks), expected);
    assert_eq!(corroborate(&sandbox, &chunks.replace('\n', "\r\n")), expected);
}

#[test]
fn without_chunks_there_are_no_verdicts() {
    for input in ["", "\n", "no chunk\n", "### Heading\n", "### docs/nowhere.md#a\n", "### #a\n", "### docs/a.md\n"] {
        assert_eq!(corroborate(&sound(), input), "", "{input:?}");
    }
}

#[test]
fn a_section_that_is_not_there_can_not_be_corroborated() {
    assert_eq!(corroborate(&sound(), "### docs/a.md#nowhere\n"), "docs/a.md#nowhere\tcould not corroborate\n");
}

#[test]
fn chunks_outside_of_the_root_are_text() {
    assert_eq!(corroborate(&sound(), "### ../../etc/passwd#a\n### /etc/passwd#a\n### docs/../../x#a\n"), "");
}

#[test]
fn chunks_of_the_program_itself_can_be_corroborated() {
    let sandbox = sound();
    let chunks = sandbox.ok(&["query", "--format", "chunks", "where is a"]).stdout;
    assert_eq!(corroborate(&sandbox, &chunks), "docs/a.md#a\tverified\n");
}

#[test]
fn a_root_that_is_no_folder_is_trouble() {
    for root in ["nowhere", "docs/a.md"] {
        let run = sound().run_with_input(&["-C", root, "corroborate"], "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{root}");
    }
}

/// The lines of the last block of a response.
fn corroboration(response: &str) -> Vec<&str> {
    let (_, block) = response.split_once("**Corroboration:**\n").expect("a block");
    block.lines().collect()
}

#[test]
fn a_response_has_a_line_for_each_distinct_claim_in_document_order() {
    let page = "# Stores\n\nStores open by `src/gone.ts:openStore`, then `src/a.ts`, `closeStore`, and again \
                `src/a.ts` and `src/gone.ts:openStore`.\n";
    let sandbox = sound().file("docs/a.md", page);
    let response = sandbox.query("how do stores open?");
    let expected = [
        format!("- docs/a.md#stores — {GONE}"),
        "- docs/a.md#stores — verified".to_owned(),
        "- docs/a.md#stores — could not corroborate".to_owned(),
    ];
    assert_eq!(corroboration(&response), expected);
}

#[test]
fn a_source_without_claims_has_one_line() {
    let sandbox = Sandbox::new().file("docs/a.md", "# Stores\n\nStores open slowly.\n");
    let response = sandbox.query("how do stores open?");
    assert_eq!(corroboration(&response), ["- docs/a.md#stores — could not corroborate"]);
}

#[test]
fn corroboration_stands_in_the_order_of_the_sources() {
    let sandbox = Sandbox::new()
        .file("docs/a.md", "# Stores\n\nStores open by `src/gone.ts:openStore`.\n")
        .file("docs/b.md", "# Queues\n\nQueues and stores close.\n");
    let response = sandbox.query("how do stores open?");
    let sources: Vec<String> = sandbox.citations("how do stores open?");
    assert_eq!(sources, ["docs/a.md#stores", "docs/b.md#queues"]);
    let expected = [format!("- docs/a.md#stores — {GONE}"), "- docs/b.md#queues — could not corroborate".to_owned()];
    assert_eq!(corroboration(&response), expected);
}

#[test]
fn an_answer_and_a_check_agree() {
    let sandbox = renamed();
    sandbox.commit();
    let checked = verdicts(&sandbox.report(&[]), "docs/a.md");
    assert_eq!(checked, [("src/old.ts".to_owned(), MOVED.to_owned())]);
    assert_eq!(corroborate(&sandbox, "### docs/a.md#a\n"), format!("docs/a.md#a\t{MOVED}\n"));
}
