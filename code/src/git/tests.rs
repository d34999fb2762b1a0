use std::fs;
use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

use super::sample::{Sample, git};
use super::*;

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

fn shown(changes: &[Change]) -> Vec<String> {
    let line = |change: &Change| match &change.kind {
        Kind::Added => format!("A {}", change.path),
        Kind::Modified => format!("M {}", change.path),
        Kind::Deleted => format!("D {}", change.path),
        Kind::Renamed { from } => format!("R {from} {}", change.path),
    };
    changes.iter().map(line).collect()
}

#[test]
fn a_folder_outside_of_repositories_isnt_opened() {
    let folder = TempDir::new().expect("works");
    assert!(Repo::open(folder.path()).is_none());
    assert!(Repo::open(&folder.path().join("absent")).is_none());
    fs::create_dir(folder.path().join(".git")).expect("works");
    fs::write(folder.path().join(".git/HEAD"), "nonsense").expect("works");
    let error = Repo::try_open(folder.path()).expect_err("fails").to_string();
    assert!(error.starts_with("`git rev-parse` failed: not a git repository"), "{error}");
}

#[test]
fn a_bare_repository_isnt_opened() {
    let folder = TempDir::new().expect("works");
    git(folder.path(), &["init", "-q", "--bare"]);
    assert!(matches!(Repo::try_open(folder.path()), Err(Error::NoRepository { .. })));
}

#[test]
fn without_commits_there_is_no_head_but_an_index() {
    let sample = Sample::new();
    sample.write("a.md", "a");
    sample.write("b.md", "b");
    sample.git(&["add", "a.md"]);
    let repo = sample.repo();
    assert_eq!((repo.head(), repo.is_shallow(), repo.is_partial()), (None, false, false));
    assert_eq!(shown(&repo.staged().expect("works")), ["A a.md"]);
    assert_eq!(shown(&repo.changed(None).expect("works")), ["A a.md", "A b.md"]);
    assert_eq!(
        repo.blobs(&strings(&[":a.md", ":b.md", "HEAD:a.md"])).expect("works"),
        [Some(b"a".to_vec()), None, None]
    );
}

#[test]
fn tracked_files_are_those_below_the_root_with_any_name() {
    let names = ["docs/a b.md", "docs/a\nb.md", "docs/\"q\".md", "docs/é.md", "docs/sub/c.md", "other.md"];
    let sample = Sample::new();
    names.iter().for_each(|name| sample.write(name, "x"));
    sample.git(&["add", "-A"]);
    let repo = Repo::try_open(&sample.root().join("docs")).expect("works");
    let tracked: Vec<String> = repo.tracked().expect("works").into_iter().map(|it| it.path).collect();
    assert_eq!(tracked, ["\"q\".md", "a\nb.md", "a b.md", "sub/c.md", "é.md"]);
    let blobs = repo.blobs(&strings(&[":./a\nb.md", ":docs/a b.md", ":./a b.md", ":a b.md", "\n"])).expect("works");
    assert_eq!(blobs.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, true, false, false]);
}

#[test]
fn tracked_files_tell_modes_and_what_is_skipped() {
    let sample = Sample::of(&[&[("a", Some("a")), ("b", Some("b"))]]);
    fs::set_permissions(sample.root().join("b"), fs::Permissions::from_mode(0o755)).expect("works");
    std::os::unix::fs::symlink("a", sample.root().join("c")).expect("works");
    sample.git(&["add", "-A"]);
    sample.git(&["update-index", "--skip-worktree", "a"]);
    sample.delete("a");
    let repo = sample.repo();
    let tracked: Vec<_> =
        repo.tracked().expect("works").into_iter().map(|it| (it.path, it.mode, it.is_skipped)).collect();
    let row = |path: &str, mode, is_skipped| (path.to_owned(), mode, is_skipped);
    let expected = [row("a", Mode::File, true), row("b", Mode::Executable, false), row("c", Mode::Symlink, false)];
    assert_eq!(tracked, expected);
    assert_eq!(shown(&repo.changed(None).expect("works")), ["M b", "A c"].map(str::to_owned)[1..]);
}

#[test]
fn an_unfinished_merge_lists_a_file_once() {
    let sample = Sample::of(&[&[("a", Some("a"))]]);
    sample.git(&["checkout", "-q", "-b", "side"]);
    sample.commit(&[("a", Some("b"))]);
    sample.git(&["checkout", "-q", "main"]);
    sample.commit(&[("a", Some("c"))]);
    let _ = std::process::Command::new("git").current_dir(sample.root()).args(["merge", "-q", "side"]).output();
    let tracked = sample.repo().tracked().expect("works");
    assert_eq!(tracked.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["a"]);
    assert_eq!(shown(&sample.repo().changed(None).expect("works")), ["M a"]);
}

#[test]
fn ignore_rules_are_the_repositorys_own() {
    let sample = Sample::of(&[&[(".gitignore", Some("build/\n*.log\n!keep.log\n")), ("sub/.gitignore", Some("/x\n"))]]);
    std::os::unix::fs::symlink(".", sample.root().join("link")).expect("works");
    let asked =
        ["build/", "build/a", "a.log", "sub/keep.log", "sub/x", "x", "../y.log", "link/a.log", "", "/a.log", ":(a.log"];
    let ignored = sample.repo().ignored(&strings(&asked)).expect("works");
    assert_eq!(ignored, [true, true, true, false, true, false, false, false, false, false, true]);
    sample.write("a.log", "");
    sample.write("new\n.md", "");
    assert_eq!(sample.repo().untracked().expect("works"), ["link", "new\n.md"]);
    let repo = Repo::try_open(&sample.root().join("sub")).expect("works");
    assert_eq!(repo.ignored(&strings(&["x", "a.log", "y"])).expect("works"), [true, true, false]);
}

#[test]
fn changes_are_those_between_a_commit_and_the_disk() {
    let text = "one\ntwo\nthree\nfour\nfive\n";
    let sample = Sample::of(&[
        &[("gone", Some("g")), ("kept", Some("k")), ("edited", Some("e")), ("moved", Some(text)), ("reset", Some("r"))],
        &[("second", Some("s"))],
    ]);
    sample.write("edited", "E");
    sample.write("kept", "k");
    sample.delete("gone");
    fs::rename(sample.root().join("moved"), sample.root().join("moved to")).expect("works");
    sample.write("reset", "R");
    sample.write("second", "S");
    sample.git(&["add", "reset", "second"]);
    sample.write("reset", "r");
    let repo = sample.repo();
    assert_eq!(shown(&repo.staged().expect("works")), ["M reset", "M second"]);
    let changed = ["M edited", "D gone", "R moved moved to", "M second"];
    assert_eq!(shown(&repo.changed(None).expect("works")), changed);
    assert_eq!(
        shown(&repo.changed(Some("HEAD~1")).expect("works")),
        ["M edited", "D gone", "R moved moved to", "A second"]
    );
    sample.git(&["add", "-A"]);
    assert_eq!(shown(&repo.staged().expect("works")), changed);
}

#[test]
fn a_file_taken_out_of_the_index_but_not_off_the_disk_is_no_change() {
    let sample = Sample::of(&[&[("a", Some("a")), ("b", Some("b"))]]);
    sample.git(&["rm", "-q", "--cached", "a", "b"]);
    sample.write("b", "B");
    assert_eq!(shown(&sample.repo().changed(None).expect("works")), ["M b"]);
}

#[test]
fn a_folder_replaced_by_a_link_has_no_files() {
    let sample = Sample::of(&[&[("d/a", Some("a")), ("e/a", Some("a"))]]);
    fs::remove_dir_all(sample.root().join("d")).expect("works");
    std::os::unix::fs::symlink("e", sample.root().join("d")).expect("works");
    assert_eq!(shown(&sample.repo().changed(None).expect("works")), ["A d", "D d/a"]);
}

#[test]
fn a_revision_cant_be_an_option() {
    let sample = Sample::of(&[&[("a", Some("a"))]]);
    for revision in ["--all", "-h", "absent", "HEAD:a", "", "HEAD\n--all"] {
        let error = sample.repo().changed(Some(revision)).expect_err("fails");
        assert_eq!(error.to_string(), format!("no commit is called `{}`", revision.escape_debug()));
    }
    assert_eq!(sample.repo().commit("main").ok(), sample.repo().head());
}

#[test]
fn linked_work_trees_and_submodules_are_repositories_of_their_own() {
    let sample = Sample::of(&[&[("a", Some("a"))]]);
    let folder = TempDir::new().expect("works");
    let linked = folder.path().canonicalize().expect("works").join("linked");
    sample.git(&["worktree", "add", "-q", linked.to_str().expect("works"), "-b", "side"]);
    fs::write(linked.join("b"), "b").expect("works");
    let repo = Repo::try_open(&linked).expect("works");
    assert_eq!(shown(&repo.changed(None).expect("works")), ["A b"]);
    assert_eq!(repo.git_dir(), sample.root().join(".git/worktrees/linked"));
    assert!(repo.stamp_files().contains(&sample.root().join(".git/refs/heads/side")));

    let outer = Sample::new();
    outer.git(&["submodule", "add", "-q", sample.root().to_str().expect("works"), "inner"]);
    outer.commit(&[]);
    let modes: Vec<_> = outer.repo().tracked().expect("works").into_iter().map(|it| (it.path, it.mode)).collect();
    assert_eq!(modes, [(".gitmodules".to_owned(), Mode::File), ("inner".to_owned(), Mode::Submodule)]);
    assert_eq!(shown(&outer.repo().changed(None).expect("works")), [""; 0]);
    let inner = Repo::try_open(&outer.root().join("inner")).expect("works");
    assert_eq!(inner.tracked().expect("works")[0].path, "a");
    assert_eq!(inner.head(), sample.repo().head());
}

#[test]
fn stamps_are_of_the_index_and_of_what_head_means() {
    let sample = Sample::of(&[&[("a", Some("a"))]]);
    let names = ["HEAD", "index", "packed-refs", "refs/heads/main", "reftable/tables.list", "shallow"];
    assert_eq!(sample.repo().stamp_files(), names.map(|name| sample.root().join(".git").join(name)));
}

#[test]
fn long_contents_are_left_out() {
    let long = "x".repeat(usize::try_from(BLOB_BUDGET).expect("works") + 1);
    let sample = Sample::of(&[&[("a", Some("a")), ("long", Some(&long)), ("z", Some(""))]]);
    let blobs = sample
        .repo()
        .blobs(&strings(&["HEAD:long", "HEAD:a", "HEAD", "HEAD:", "HEAD:z", "no such blob 3"]))
        .expect("works");
    assert_eq!(blobs, [None, Some(b"a".to_vec()), None, None, Some(Vec::new()), None]);
}

#[test]
fn objects_missing_from_a_damaged_repository_are_absent() {
    let sample = Sample::of(&[&[("a", Some("a"))]]);
    let id = sample.git(&["rev-parse", "HEAD:a"]);
    fs::remove_file(sample.root().join(".git/objects").join(&id[..2]).join(id[2..].trim())).expect("works");
    assert_eq!(sample.repo().blobs(&strings(&["HEAD:a"])).expect("works"), [None]);
    fs::write(sample.root().join(".git/index"), "nonsense").expect("works");
    let error = sample.repo().tracked().expect_err("fails").to_string();
    assert!(error.starts_with("`git ls-files` failed: "), "{error}");
}

/// Every setting that could start a program, in one repository, and everything that is asked of it.
#[test]
fn nothing_in_a_repository_runs() {
    let sample = Sample::of(&[&[("a.x", Some("a\n")), ("gone.x", Some("1\n2\n3\n"))]]);
    let proof = sample.root().join("proof");
    let script = sample.root().join(".git/script");
    fs::write(&script, format!("#!/bin/sh\ntouch '{}'\ncat\n", proof.display())).expect("works");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("works");
    let script = script.to_str().expect("works");
    let settings = [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.alternateRefsCommand",
        "core.gitProxy",
        "credential.helper",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "merge.x.driver",
        "gpg.program",
        "pager.log",
        "pager.diff",
        "uploadpack.packObjectsHook",
        "alias.ls-files",
        "alias.rev-parse",
        "alias.diff-tree",
    ];
    sample.commit(&[("gone.x", None), ("here.x", Some("1\n2\n3\n4\n"))]);
    for hook in ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"] {
        fs::create_dir_all(sample.root().join(".git/hooks")).expect("works");
        fs::copy(script, sample.root().join(".git/hooks").join(hook)).expect("works");
    }
    let attributes = "* filter=x diff=x merge=x\n";
    fs::write(sample.root().join(".git/info/attributes"), attributes).expect("works");
    for (name, value) in [("filter.x.required", "true"), ("log.showSignature", "true"), ("core.worktree", "/")] {
        sample.git(&["config", name, value]);
    }
    for setting in settings {
        let text = fs::read_to_string(sample.root().join(".git/config")).expect("works");
        let (section, key) = setting.rsplit_once('.').expect("works");
        let section = section.split_once('.').map_or(format!("[{section}]"), |(a, b)| format!("[{a} \"{b}\"]"));
        let value = if section.starts_with("[alias") { format!("!{script}") } else { script.to_owned() };
        fs::write(sample.root().join(".git/config"), format!("{text}{section}\n\t{key} = {value}\n")).expect("works");
    }
    // A blob that is missing, with a remote that would be asked for it.
    let text = fs::read_to_string(sample.root().join(".git/config")).expect("works");
    let remote = format!("[remote \"o\"]\n\turl = ext::{script}\n\tuploadpack = {script}\n\tpromisor = true\n");
    let allow = "[protocol \"ext\"]\n\tallow = always\n[extensions]\n\tpartialClone = o\n";
    let text = text.replace("repositoryformatversion = 0", "repositoryformatversion = 1");
    fs::write(sample.root().join(".git/config"), format!("{text}{remote}{allow}")).expect("works");
    sample.write("a.x", "b\n");
    sample.write(".gitattributes", attributes);

    let repo = sample.repo();
    assert_eq!(repo.tracked().expect("works").len(), 2);
    let changed = shown(&repo.changed(Some("HEAD")).expect("works"));
    assert_eq!(changed, ["A .gitattributes", "M a.x"]);
    assert_eq!(shown(&repo.changed(Some("HEAD~1")).expect("works")).len(), 3);
    assert_eq!(repo.staged().expect("works"), []);
    repo.untracked().expect("works");
    repo.ignored(&strings(&["a"])).expect("works");
    assert_eq!(repo.blobs(&strings(&["HEAD:a.x", ":a.x", &"1".repeat(40)])).expect("works")[2], None);
    let ask = crate::history::Ask {
        names: &strings(&["a"]),
        paths: &strings(&["gone.x"]),
        is_source: &|_| true,
        is_test: &|_| false,
        is_doc: &|_| false,
    };
    let trace = crate::history::trace(&repo, &ask).expect("works");
    assert_eq!(trace.path("gone.x")[0].moved_to.as_deref(), Some("here.x"));
    assert!(!proof.exists());
    let _ = std::process::Command::new("git").current_dir(sample.root()).args(["--work-tree=.", "status"]).output();
    assert!(proof.exists(), "the trap doesn't work");
}
