use std::fs;

use tempfile::TempDir;

use super::*;
use crate::git::sample::{Sample, git};

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

/// Asks with pages ending in `.md` and everything else as source.
fn asked<T>(names: &[&str], paths: &[&str], answer: impl FnOnce(&Ask) -> T) -> T {
    let is_doc = |path: &str| path.ends_with(".md");
    let (is_source, is_test) = (|_: &str| true, |path: &str| path.starts_with("checks/"));
    let (names, paths) = (strings(names), strings(paths));
    answer(&Ask { names: &names, paths: &paths, is_source: &is_source, is_test: &is_test, is_doc: &is_doc })
}

fn traced(sample: &Sample, names: &[&str], paths: &[&str]) -> Trace {
    asked(names, paths, |ask| trace(&sample.repo(), ask).expect("works"))
}

/// Shows removals as `<order> <path>:<line> <text> => <lines that came>`.
fn removals(trace: &Trace, name: &str) -> Vec<String> {
    let line = |it: &Removal| format!("{} {}:{} {} => {}", it.order, it.path, it.line, it.text, it.added.join(" | "));
    trace.name(name).expect("works").removals.iter().map(line).collect()
}

/// Shows changes of pages as `<order> <path> +<lines> -<lines>`.
fn docs(trace: &Trace, name: &str) -> Vec<String> {
    let line = |it: &DocEvent| format!("{} {} +{} -{}", it.order, it.path, it.added.join("|"), it.removed.join("|"));
    trace.name(name).expect("works").docs.iter().map(line).collect()
}

/// Shows deletions as `<order> <path> => <where it went>`.
fn deletions(trace: &Trace, path: &str) -> Vec<String> {
    let line = |it: &PathEvent| format!("{} {} => {}", it.order, it.path, it.moved_to.as_deref().unwrap_or("-"));
    trace.path(path).iter().map(line).collect()
}

#[test]
fn a_removal_tells_commit_line_and_what_came_instead() {
    let sample = Sample::of(&[&[("a.rs", Some("one\nfn old_name() {}\nthree\n"))]]);
    let commit = sample.commit(&[("a.rs", Some("zero\none\nfn new_name() {}\nthree\n"))]);
    sample.commit(&[("a.rs", Some("zero\none\nfn new_name() {}\nfour\n"))]);
    let trace = traced(&sample, &["old_name", "new_name", "absent"], &[]);
    assert_eq!(removals(&trace, "old_name"), ["1 a.rs:2 fn old_name() {} => fn new_name() {}"]);
    let removal = &trace.name("old_name").expect("works").removals[0];
    assert_eq!((removal.commit.as_str(), removal.is_whole_file, removal.is_moved), (commit.as_str(), false, false));
    assert_eq!(trace.name("old_name").expect("works").returned, Some(2));
    assert_eq!((removals(&trace, "new_name").len(), trace.name("new_name").expect("works").returned), (0, Some(1)));
    assert_eq!(trace.name("absent"), Some(&NameTrace::default()));
    assert_eq!((Some(trace.head.clone()), trace.commits, trace.is_cut), (sample.repo().head(), 3, false));
}

#[test]
fn a_line_that_changed_or_moved_within_its_file_isnt_removed() {
    let sample = Sample::of(&[
        &[("a.rs", Some("fn name(a);\n1\n2\n"))],
        &[("a.rs", Some("fn name(a, b);\n1\n2\n"))],
        &[("a.rs", Some("1\n2\nfn name(a, b);\n"))],
    ]);
    assert_eq!(removals(&traced(&sample, &["name"], &[]), "name"), [""; 0]);
}

#[test]
fn a_name_that_came_back_says_when() {
    let sample =
        Sample::of(&[&[("a", Some("name\n"))], &[("a", Some("\n"))], &[("b", Some("name\n"))], &[("c", Some("x"))]]);
    let trace = traced(&sample, &["name"], &[]);
    assert_eq!((removals(&trace, "name"), trace.names["name"].returned), (strings(&["2 a:1 name => "]), Some(1)));
}

#[test]
fn a_name_that_went_to_another_file_has_moved() {
    let sample =
        Sample::of(&[&[("a", Some("fn name\n"))], &[("a", None), ("b", Some("pub fn name\n"))], &[("b", None)]]);
    let trace = traced(&sample, &["name"], &[]);
    assert_eq!(removals(&trace, "name"), ["0 b:1 pub fn name => ", "1 a:1 fn name => "]);
    let flags: Vec<_> = trace.names["name"].removals.iter().map(|it| (it.is_moved, it.is_whole_file)).collect();
    assert_eq!(flags, [(false, true), (true, true)]);
}

#[test]
fn of_many_lines_those_that_define_are_kept() {
    let uses: String = (0..20).map(|number| format!("x = name({number})\n")).collect();
    let files = [("a.rs", uses.as_str()), ("tests/t.rs", "fn name()\n"), ("z.rs", "x\npub fn name()\n")];
    let sample = Sample::of(&[&files.map(|(path, text)| (path, Some(text))), &files.map(|(path, _)| (path, None))]);
    let kept = removals(&traced(&sample, &["name"], &[]), "name");
    assert_eq!(kept.len(), REMOVAL_LIMIT_PER_COMMIT);
    assert_eq!(kept[..2], ["0 z.rs:2 pub fn name() => ", "0 a.rs:1 x = name(0) => "]);
    assert_eq!(kept[11], "0 a.rs:11 x = name(10) => ");
}

#[test]
fn pages_tell_when_lines_came_and_went() {
    let sample = Sample::of(&[
        &[("a", Some("name\n")), ("old.md", Some("# Title\nUse `name`.\n"))],
        &[("old.md", None), ("new.md", Some("# Title\nUse `name`.\n"))],
        &[("a", Some("\n"))],
        &[("new.md", Some("# Title\nNo `name` any more.\n"))],
    ]);
    let expected = [
        "0 new.md +No `name` any more. -Use `name`.",
        "2 new.md +Use `name`. -",
        "2 old.md + -Use `name`.",
        "3 old.md +Use `name`. -",
    ];
    assert_eq!(docs(&traced(&sample, &["name"], &[]), "name"), expected);
}

#[test]
fn a_merge_is_one_commit_with_all_it_brought() {
    let sample = Sample::of(&[&[("a", Some("name\nx\n"))]]);
    sample.git(&["checkout", "-q", "-b", "side"]);
    sample.commit(&[("b", Some("1"))]);
    sample.commit(&[("a", Some("x\n"))]);
    sample.git(&["checkout", "-q", "main"]);
    sample.commit(&[("c", Some("1"))]);
    sample.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let trace = traced(&sample, &["name"], &[]);
    assert_eq!((removals(&trace, "name"), trace.commits), (strings(&["0 a:1 name => "]), 3));
}

#[test]
fn deletions_are_found_by_file_by_end_and_by_folder() {
    let sample = Sample::of(&[
        &[("src/a.rs", Some("a\n")), ("src/sub/b.rs", Some("b\n")), ("src/sub/c.rs", Some("c\n"))],
        &[("src/sub/b.rs", None)],
        &[("src/sub/c.rs", None), ("src/a.rs", None)],
    ]);
    let trace = traced(&sample, &[], &["src/a.rs", "sub/b.rs", "src/sub/", "./src/sub", "ub/b.rs", "src/sub/d.rs"]);
    assert_eq!(deletions(&trace, "src/a.rs"), ["0 src/a.rs => -"]);
    assert_eq!(deletions(&trace, "sub/b.rs"), ["1 src/sub/b.rs => -"]);
    assert_eq!(deletions(&trace, "src/sub/"), ["0 src/sub/c.rs => -"]);
    assert_eq!(deletions(&trace, "./src/sub"), ["0 src/sub/c.rs => -"]);
    assert_eq!((deletions(&trace, "ub/b.rs").len(), deletions(&trace, "src/sub/d.rs").len()), (0, 0));
    assert_eq!(trace.path("src/a.rs")[0].blob, sample.git(&["rev-parse", "HEAD~1:src/a.rs"]).trim());
}

#[test]
fn a_deleted_file_is_followed_to_where_it_went() {
    let text: String = (0..20).map(|number| format!("line {number}\n")).collect();
    let sample = Sample::of(&[
        &[("a/one.md", Some("same\n")), ("a/two.md", Some(&text)), ("a/three.md", Some("gone\n"))],
        &[("a/one.md", None), ("other.md", Some("same\n")), ("b/one.md", Some("same\n"))],
        &[("a/two.md", None), ("b/zwei.md", Some(&format!("{text}more\n"))), ("a/three.md", None)],
    ]);
    let trace = traced(&sample, &[], &["a/one.md", "a/two.md", "a/three.md"]);
    assert_eq!(deletions(&trace, "a/one.md"), ["1 a/one.md => b/one.md"]);
    assert_eq!(deletions(&trace, "a/two.md"), ["0 a/two.md => b/zwei.md"]);
    assert_eq!(deletions(&trace, "a/three.md"), ["0 a/three.md => -"]);
}

#[test]
fn a_shallow_clone_is_cut() {
    let sample = Sample::of(&[&[("a", Some("name\n"))], &[("a", Some("name\nx\n"))], &[("a", Some("x\n"))]]);
    let folder = TempDir::new().expect("works");
    let url = format!("file://{}", sample.root().display());
    git(folder.path(), &["clone", "-q", "--depth=2", &url, "clone"]);
    let repo = Repo::try_open(&folder.path().join("clone")).expect("works");
    let trace = asked(&["name"], &[], |ask| trace(&repo, ask).expect("works"));
    assert_eq!((repo.is_shallow(), trace.is_cut, trace.commits), (true, true, 2));
    assert_eq!(removals(&trace, "name"), ["0 a:1 name => "]);
}

#[test]
fn a_partial_clone_tells_what_it_couldnt_read() {
    let sample = Sample::of(&[&[("a", Some("name\n"))], &[("a", Some("x\n"))]]);
    sample.git(&["config", "uploadpack.allowFilter", "true"]);
    let folder = TempDir::new().expect("works");
    let url = format!("file://{}", sample.root().display());
    git(folder.path(), &["clone", "-q", "--filter=blob:none", &url, "clone"]);
    let repo = Repo::try_open(&folder.path().join("clone")).expect("works");
    let trace = asked(&["name"], &["a"], |ask| trace(&repo, ask).expect("works"));
    assert_eq!((repo.is_partial(), trace.is_cut, trace.unread), (true, false, 1));
    assert_eq!(removals(&trace, "name"), [""; 0]);
}

#[test]
fn a_missing_tree_ends_history_early() {
    let sample = Sample::of(&[&[("a", Some("name\n"))], &[("a", Some("name\nx\n"))], &[("a", Some("x\n"))]]);
    let tree = sample.git(&["rev-parse", "HEAD~2^{tree}"]);
    fs::remove_file(sample.root().join(".git/objects").join(&tree[..2]).join(tree[2..].trim())).expect("works");
    let trace = traced(&sample, &["name"], &[]);
    assert_eq!((trace.is_cut, removals(&trace, "name")), (true, strings(&["0 a:1 name => "])));
}

#[test]
fn a_root_inside_the_repository_sees_nothing_else() {
    let sample = Sample::of(&[
        &[("pkg/a", Some("name\n")), ("b", Some("name\n")), ("pkg/m.md", Some("x\n"))],
        &[("pkg/a", None), ("b", None), ("pkg/m.md", None), ("m.md", Some("x\n"))],
        &[("pkg/c", Some(""))],
    ]);
    let repo = Repo::try_open(&sample.root().join("pkg")).expect("works");
    let trace = asked(&["name"], &["a", "b", "pkg/a", "m.md"], |ask| trace(&repo, ask).expect("works"));
    assert_eq!(removals(&trace, "name"), ["1 a:1 name => "]);
    assert_eq!(
        (deletions(&trace, "a"), deletions(&trace, "m.md")),
        (strings(&["1 a => -"]), strings(&["1 m.md => -"]))
    );
    assert_eq!((deletions(&trace, "b").len(), deletions(&trace, "pkg/a").len()), (0, 0));
}

#[test]
fn texts_that_look_like_gits_own_are_texts() {
    let text = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-name\n+x\ncommit 0123\n";
    let sample = Sample::new();
    let message = "x\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,1 +0,0 @@\n-fn name\n";
    let odd = ["a b", "a\nb", "\"a\"", ":100644 100644 1 2 M"];
    sample.commit_with(message, &odd.map(|path| (path, Some(text))));
    sample.commit_with(message, &odd.map(|path| (path, Some("@@ -9 +9 @@\n"))));
    let trace = traced(&sample, &["name"], &["a b", "a\nb"]);
    let expected = odd.map(|path| format!("0 {path}:5 -name => @@ -9 +9 @@"));
    let mut found = removals(&trace, "name");
    found.sort_by_key(|it| expected.iter().position(|other| other == it));
    assert_eq!(found, expected);
}

#[test]
fn files_of_others_and_of_machines_are_left_out() {
    let paths = ["vendor/a.go", "x/node_modules/a.js", "package-lock.json", "a.min.js", "a.snap", "a.js"];
    let sample = Sample::of(&[&paths.map(|path| (path, Some("name\n"))), &paths.map(|path| (path, None))]);
    let trace = traced(&sample, &["name"], &["vendor/a.go"]);
    assert_eq!(removals(&trace, "name"), ["0 a.js:1 name => "]);
    assert_eq!(deletions(&trace, "vendor/a.go"), ["0 vendor/a.go => -"]);
}

#[test]
fn binary_files_are_left_out() {
    let sample = Sample::of(&[&[("a", Some("\0name\n"))], &[("a", None)]]);
    assert_eq!(removals(&traced(&sample, &["name"], &[]), "name"), [""; 0]);
}

#[test]
fn settings_and_replaced_commits_change_nothing() {
    let sample = Sample::of(&[&[("b", Some("name\n")), ("a", Some("name\n"))], &[("a", None), ("b", None)]]);
    let before = traced(&sample, &["name"], &["a"]);
    let settings = [
        ("diff.noprefix", "true"),
        ("diff.renames", "copies"),
        ("diff.relative", "true"),
        ("diff.orderFile", ".git/order"),
        ("color.ui", "always"),
        ("core.abbrev", "5"),
        ("core.quotePath", "true"),
        ("log.showRoot", "false"),
        ("log.date", "human"),
        ("format.pretty", "full"),
        ("diff.suppressBlankEmpty", "true"),
    ];
    settings.iter().for_each(|(name, value)| drop(sample.git(&["config", name, value])));
    fs::write(sample.root().join(".git/order"), "b\na\n").expect("works");
    let tree = sample.git(&["rev-parse", "HEAD~1^{tree}"]);
    let other = sample.git(&["commit-tree", "-m", "x", tree.trim()]);
    sample.git(&["replace", "HEAD", other.trim()]);
    assert_eq!(traced(&sample, &["name"], &["a"]), before);
}

#[test]
fn without_commits_there_is_no_history() {
    let error = asked(&["name"], &[], |ask| trace(&Sample::new().repo(), ask).expect_err("fails"));
    assert_eq!(error.to_string(), "no commit is called `HEAD`");
}

#[test]
fn an_extended_trace_is_the_one_read_anew() {
    let sample = Sample::new();
    let mut old = None;
    for turn in 0..40 {
        let text = if turn % 3 == 0 { format!("fn name_{turn}\nfn name\n") } else { "x\n".to_owned() };
        let page = (turn % 4 == 0).then(|| format!("`name` {turn}\n"));
        let mut files = vec![("a.rs", Some(text.as_str()))];
        match &page {
            Some(page) => files.push(("a.md", Some(page.as_str()))),
            None if turn % 4 == 1 => files.push(("a.md", None)),
            None => {}
        }
        sample.commit(&files);
        if turn % 7 != 0 {
            continue;
        }
        let (names, paths) = (["name", "name_0", "name_3"], ["a.md", "absent"]);
        let known = if turn < 20 { (&names[..2], &paths[..1]) } else { (&names[..], &paths[..]) };
        asked(known.0, known.1, |ask| {
            let repo = sample.repo();
            let anew = trace(&repo, ask).expect("works");
            let extended = old.take().map_or_else(|| anew.clone(), |old| extend(old, &repo, ask).expect("works"));
            assert_eq!(extended, anew, "{turn}");
            assert_eq!(extend(extended.clone(), &repo, ask).expect("works"), anew);
            assert!(extended.has_all(ask));
            old = Some(extended);
        });
    }
    // Another history: nothing of the old one holds.
    sample.git(&["checkout", "-q", "--orphan", "other"]);
    sample.commit(&[("b", Some("x"))]);
    asked(&["name"], &[], |ask| {
        assert_eq!(
            extend(old.expect("works"), &sample.repo(), ask).expect("works"),
            trace(&sample.repo(), ask).expect("works")
        );
    });
}

#[test]
fn tests_count_for_names_of_tests_only() {
    let text = Some("fn load() {}\nfn test_load() {}\n");
    let sample = Sample::of(&[
        &[("src/a.rs", text), ("checks/b.rs", text)],
        &[("src/a.rs", Some("\n")), ("checks/b.rs", Some("\n"))],
        &[("checks/c.rs", text)],
    ]);
    let trace = traced(&sample, &["load", "test_load"], &[]);
    assert_eq!(removals(&trace, "load"), ["1 src/a.rs:1 fn load() {} => "]);
    assert_eq!(
        removals(&trace, "test_load"),
        ["1 checks/b.rs:2 fn test_load() {} => ", "1 src/a.rs:2 fn test_load() {} => "]
    );
    assert_eq!((trace.names["load"].returned, trace.names["test_load"].returned), (Some(2), Some(0)));
    // Without a name of a test, no test is read.
    let alone = traced(&sample, &["load"], &[]);
    assert_eq!(alone.names["load"], trace.names["load"]);
    assert!(is_test_name("LoadTest") && is_test_name("load_test") && !is_test_name("Test") && !is_test_name("latest"));
}
