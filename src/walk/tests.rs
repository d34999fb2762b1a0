//! The step as a whole: files on disk in, a listing out.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

/// Builds a root from lines: `path` is a file that holds its own path, `path/` a folder, `path = text` a file with
/// that text, `path -> target` a symbolic link.
fn project(lines: &[&str]) -> (TempDir, Root) {
    let temp = tempfile::tempdir().expect("a temporary folder");
    let root = Root::open(temp.path()).expect("it was just made");
    for line in lines {
        add(&root, line);
    }
    (temp, root)
}

fn add(root: &Root, line: &str) {
    let (path, content) = line.split_once(" = ").unwrap_or((line, line));
    let (path, target) = path.split_once(" -> ").map_or((path, None), |(path, to)| (path, Some(to)));
    let on_disk = root.as_path().join(path);
    fs::create_dir_all(on_disk.parent().expect("below the root")).expect("created");
    match target {
        Some(target) => symlink(target, on_disk).expect("linked"),
        None if path.ends_with('/') => fs::create_dir_all(on_disk).expect("created"),
        None => fs::write(on_disk, content).expect("written"),
    }
}

fn paths(names: &[&str]) -> Vec<RepoPath> {
    names.iter().map(|name| RepoPath::new(name).expect("a path inside the root")).collect()
}

fn list(root: &Root, trees: &[&str]) -> Listing {
    docs(root, &paths(trees)).expect("the root exists")
}

fn files(listing: &Listing) -> Vec<&str> {
    listing.files.iter().map(|file| file.path.as_str()).collect()
}

fn skipped(listing: &Listing) -> Vec<(&str, SkipReason)> {
    listing.skipped.iter().map(|skipped| (skipped.path.as_str(), skipped.reason.clone())).collect()
}

/// Checks the files of a project whose skipped list is empty.
fn check(lines: &[&str], trees: &[&str], expected: &[&str]) {
    check_skips(lines, trees, expected, &[]);
}

fn check_skips(lines: &[&str], trees: &[&str], expected: &[&str], skips: &[(&str, SkipReason)]) {
    let (_temp, root) = project(lines);
    let listing = list(&root, trees);
    assert_eq!((files(&listing), skipped(&listing)), (expected.to_vec(), skips.to_vec()));
}

#[test]
fn markdown_is_told_by_its_extension() {
    let lines = ["docs/a.md", "docs/b.MD", "docs/c.mdx", "docs/d.markdown", "docs/e.txt", "docs/md", "docs/f.md.bak"];
    check(&lines, &["docs"], &["docs/a.md", "docs/b.MD", "docs/c.mdx", "docs/d.markdown"]);
}

#[test]
fn files_come_in_byte_order() {
    let lines = ["docs/b.md", "docs/a/z.md", "docs/a-b.md", "docs/a.md", "docs/B.md"];
    check(&lines, &["docs"], &["docs/B.md", "docs/a-b.md", "docs/a.md", "docs/a/z.md", "docs/b.md"]);
}

#[test]
fn templates_and_partials_are_left_out() {
    let lines = [
        "docs/templates/t.md",
        "docs/templates/deep/t.md",
        "docs/guide/templates/kept.md",
        "docs/_sidebar.md",
        "docs/_PART.MD",
        "docs/_snippet.mdx",
        "docs/_note.markdown",
        "docs/_folder/kept.md",
    ];
    let kept = ["docs/_folder/kept.md", "docs/_note.markdown", "docs/_snippet.mdx", "docs/guide/templates/kept.md"];
    check(&lines, &["docs"], &kept);
    check(&lines, &["."], &kept);
    check(&["wiki/templates/t.md", "wiki/a.md"], &["wiki"], &["wiki/a.md"]);
    check(&lines, &["docs/templates"], &["docs/templates/deep/t.md", "docs/templates/t.md"]);
}

#[test]
fn trees_that_overlap_give_each_file_once() {
    let lines = ["README.md", "docs/a.md", "docs/guide/b.md"];
    let all = ["README.md", "docs/a.md", "docs/guide/b.md"];
    check(&lines, &["docs", "docs/guide", "README.md", ".", "docs/a.md", "docs"], &all);
    check(&lines, &["docs/guide", "README.md"], &["README.md", "docs/guide/b.md"]);
}

#[test]
fn a_tree_that_is_not_there_is_named() {
    let (_temp, root) = project(&["README.md"]);
    let listing = list(&root, &["docs", "README.md/docs", "README.md"]);
    assert_eq!(listing.missing, paths(&["docs", "README.md/docs"]));
    assert_eq!((files(&listing), skipped(&listing)), (vec!["README.md"], vec![]));
}

#[test]
fn a_single_file_must_be_markdown() {
    check_skips(&["NOTES.txt"], &["NOTES.txt"], &[], &[("NOTES.txt", SkipReason::NotMarkdown)]);
}

#[test]
fn only_gits_rules_and_our_own_count() {
    // FS1 zilliztech/claude-context#372
    let lines = [
        ".prettierignore = *\n!src\n",
        ".dockerignore = docs\n",
        ".ignore = *.md\n",
        "docs/.ignore = *\n",
        "docs/a.md",
        "docs/draft.md",
        "docs/.inkwellignore = draft.md\n",
    ];
    check(&lines, &["docs"], &["docs/a.md"]);
}

#[test]
fn an_ignored_entry_can_be_taken_back() {
    // FS2 zilliztech/claude-context#397
    let lines = [".gitignore = docs/*\n!docs/guide\n", "docs/a.md", "docs/guide/b.md", "docs/api/c.md"];
    check(&lines, &["docs"], &["docs/guide/b.md"]);
    check(&lines, &["."], &["docs/guide/b.md"]);
}

#[test]
fn a_leading_slash_binds_a_rule_to_its_folder() {
    // FS3 zilliztech/claude-context#200
    let lines = [".gitignore = /Library/\n", "Library/a.md", "docs/Library/b.md"];
    check(&lines, &["."], &["docs/Library/b.md"]);
}

#[test]
fn rules_nest_and_the_nearest_wins() {
    let lines = [
        ".gitignore = \u{feff}*.draft.md\r\n[unclosed\r\n",
        "docs/.gitignore = !kept.draft.md\nout/\n",
        "docs/a.draft.md",
        "docs/kept.draft.md",
        "docs/out/b.md",
        "docs/sub/kept.draft.md",
        "docs/sub/.gitignore = kept.*\n",
        ".git/info/exclude = secret.md\n",
        "docs/secret.md",
    ];
    check(&lines, &["docs"], &["docs/kept.draft.md"]);
    check(&lines, &["docs/sub"], &[]);
}

#[test]
fn a_tree_that_is_named_is_searched_though_it_is_ignored() {
    let lines = [".gitignore = /docs/\n*.tmp.md\n", "docs/a.md", "docs/b.tmp.md"];
    check(&lines, &["docs"], &["docs/a.md"]);
    check(&lines, &["."], &[]);
}

#[test]
fn rules_above_the_root_count_up_to_the_top_of_the_repository() {
    let (_temp, outer) = project(&[
        ".gitignore = *.md\n",
        "repo/.git/",
        "repo/.gitignore = gen.md\n",
        "repo/.inkwellignore = a.md\n",
        "repo/packages/x/docs/a.md",
        "repo/packages/x/docs/gen.md",
    ]);
    let root = Root::open(&outer.as_path().join("repo/packages/x")).expect("a root");
    assert_eq!(files(&list(&root, &["docs"])), ["docs/a.md"]);
    let root = Root::open(&outer.as_path().join("repo")).expect("a root");
    assert_eq!(files(&list(&root, &["."])), [""; 0]);
}

#[test]
fn without_a_repository_rules_start_at_the_root() {
    let (_temp, outer) = project(&[".gitignore = *.md\n", "x/docs/a.md", "x/docs/b.md", "x/.gitignore = b.md\n"]);
    let root = Root::open(&outer.as_path().join("x")).expect("a root");
    assert_eq!(files(&list(&root, &["docs"])), ["docs/a.md"]);
}

#[test]
fn a_repository_inside_has_its_own_rules() {
    let lines = [
        ".git/",
        ".gitignore = a.md\n",
        "sub/.git = gitdir: ../.git/modules/sub\n",
        "sub/a.md",
        "sub/.gitignore = b.md\n",
        "sub/b.md",
    ];
    check(&lines, &["."], &["sub/a.md"]);
}

#[test]
fn worktrees_inside_are_copies() {
    // FS4 MinishLab/semble#126
    let lines = [
        ".git/",
        "docs/a.md",
        ".worktrees/x/.git = gitdir: /r/.git/worktrees/x\n",
        ".worktrees/x/docs/a.md",
        ".claude/worktrees/y/.git = gitdir: /r/.git/worktrees/y\n",
        ".claude/worktrees/y/docs/a.md",
        "trees/z/.git = gitdir: /r/.git/worktrees/z\n",
        "trees/z/docs/a.md",
        "trees/sub/.git = gitdir: /r/.git/worktrees/z/modules/sub\n",
        "trees/sub/a.md",
        ".inkwellignore = !.worktrees\n",
    ];
    check(&lines, &["."], &["docs/a.md", "trees/sub/a.md"]);
    check(&lines, &[".worktrees/x"], &[".worktrees/x/docs/a.md"]);
}

#[test]
fn hidden_entries_are_left_out_unless_asked_for() {
    let lines = ["docs/.vitepress/a.md", "docs/.draft.md", ".github/b.md", ".github/.x/c.md", "docs/d.md"];
    check(&lines, &["."], &["docs/d.md"]);
    check(&lines, &[".github"], &[".github/b.md"]);
    let asking = [&lines[..], &[".inkwellignore = !.vitepress\n"]].concat();
    check(&asking, &["docs"], &["docs/.vitepress/a.md", "docs/d.md"]);
}

#[test]
fn other_peoples_code_is_left_out() {
    let lines =
        ["node_modules/x/README.md", "a/node_modules/x.md", "target/doc/a.md", "vendor/b.md", "docs/vendor/c.md"];
    check(&lines, &["."], &["docs/vendor/c.md"]);
    check(&lines, &["vendor"], &["vendor/b.md"]);
}

#[test]
fn a_folder_behind_a_link_is_listed_once() {
    // FS7 upstash/context7#1651
    let lines = ["docs/cli -> ../packages/cli/docs", "packages/cli/docs/a.md", "packages/cli/docs/b/c.md"];
    check(&lines, &["docs"], &["docs/cli/a.md", "docs/cli/b/c.md"]);
    check(&lines, &["."], &["packages/cli/docs/a.md", "packages/cli/docs/b/c.md"]);
    check(&lines, &["docs", "packages"], &["packages/cli/docs/a.md", "packages/cli/docs/b/c.md"]);
}

#[test]
fn of_two_links_to_a_place_the_first_in_order_counts() {
    let lines =
        ["docs/b -> ../x", "docs/a -> ../x", "docs/z.md -> ../x/a.md", "docs/y.md -> ../CHANGES", "x/a.md", "CHANGES"];
    check(&lines, &["docs"], &["docs/a/a.md", "docs/y.md"]);
    let lines = ["docs/a -> ../x", "docs/a-b.md -> ../x/a.md", "x/a.md"];
    check(&lines, &["docs"], &["docs/a-b.md"]);
}

#[test]
fn a_link_to_a_doc_adds_nothing() {
    check(&["docs/a.md", "docs/0.md -> a.md", "docs/0 -> ../docs", "docs/1 -> ."], &["docs"], &["docs/a.md"]);
}

#[test]
fn links_in_linked_folders_are_followed() {
    let lines =
        ["docs/a -> ../x", "x/b -> ../y", "y/c.md", "y/d.md -> ../z.md", "z.md", "x/.gitignore = e.md\n", "x/e.md"];
    check(&lines, &["docs"], &["docs/a/b/c.md", "docs/a/b/d.md"]);
}

#[test]
fn a_tree_can_be_a_link() {
    let lines = ["docs -> site/docs", "site/docs/a.md", "README.md -> site/docs/a.md"];
    check(&lines, &["docs"], &["docs/a.md"]);
    check(&lines, &["docs", "site/docs"], &["site/docs/a.md"]);
    check(&lines, &["README.md"], &["README.md"]);
}

#[test]
fn a_tree_spelled_otherwise_is_shown_as_it_is() {
    // Stands in for a file system that takes `Docs` for `docs`.
    check(&["docs/a.md", "Docs -> docs"], &["Docs"], &["docs/a.md"]);
}

#[test]
fn a_link_does_not_lead_around_the_contract() {
    check(&["docs/x -> templates", "docs/templates/t.md", "docs/g -> ../.git", ".git/a.md"], &["docs"], &[]);
}

#[test]
fn links_out_of_the_root_are_refused() {
    let outside = tempfile::tempdir().expect("a temporary folder");
    fs::write(outside.path().join("secret.md"), "secret").expect("written");
    let (folder, file) = (outside.path().display(), outside.path().join("secret.md"));
    let lines = [
        format!("docs/a -> {folder}"),
        format!("docs/b.md -> {}", file.display()),
        format!("docs/c.png -> {}", file.display()),
        "docs/d.md".to_owned(),
        format!("wiki -> {folder}"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let skips = ["docs/a", "docs/b.md", "wiki"].map(|path| (path, SkipReason::LeavesRoot));
    check_skips(&lines, &["docs", "wiki"], &["docs/d.md"], &skips);
}

#[test]
fn links_to_nothing_are_named_where_a_doc_was_meant() {
    let lines = ["docs/a.md -> gone.md", "docs/cli -> ../gone", "docs/img.png -> gone.png", "wiki -> gone"];
    let skips = ["docs/a.md", "docs/cli", "wiki"].map(|path| (path, SkipReason::DanglingLink));
    check_skips(&lines, &["docs", "wiki"], &[], &skips);
}

#[test]
fn links_in_a_circle_end() {
    let lines = [
        "docs/a -> b",
        "docs/b -> a",
        "docs/up -> ..",
        "docs/x/y -> ../../other",
        "other/z -> ../docs/x",
        "docs/x/d.md",
    ];
    let skips = ["docs/a", "docs/b", "docs/up"].map(|path| (path, SkipReason::LinkLoop));
    check_skips(&lines, &["docs"], &["docs/x/d.md"], &skips);
}

#[test]
fn links_between_all_folders_do_not_multiply() {
    let (_temp, root) = project(&[]);
    for from in 0..12 {
        add(&root, &format!("x/{from}/a.md"));
        for to in 0..12 {
            add(&root, &format!("x/{from}/to{to} -> ../{to}"));
        }
    }
    add(&root, "docs/x -> ../x/0");
    assert_eq!(list(&root, &["docs"]).files.len(), 12);
}

#[test]
fn any_name_is_a_name() {
    // FS11 tobi/qmd#302
    let names = ["docs/#notes & (draft) [v2].md", "docs/a\nb.md", "docs/a|b:c.md", "docs/é.md", "docs/🐘.md"];
    check(&names, &["docs"], &names);
}

#[test]
fn names_that_are_not_utf8_are_named() {
    let (_temp, root) = project(&["docs/a.md"]);
    let docs = root.as_path().join("docs");
    for name in [b"\xff.md".as_slice(), b"\xff.txt"] {
        fs::write(docs.join(OsStr::from_bytes(name)), "x").expect("written");
    }
    fs::create_dir(docs.join(OsStr::from_bytes(b"d\xff"))).expect("created");
    let listing = list(&root, &["docs"]);
    assert_eq!(files(&listing), ["docs/a.md"]);
    let reason = SkipReason::NotUtf8Name;
    assert_eq!(skipped(&listing), [("docs/d\u{fffd}", reason.clone()), ("docs/\u{fffd}.md", reason)]);
}

#[test]
fn a_folder_can_be_named_like_a_file_and_a_socket_is_none() {
    let (_temp, root) = project(&["docs/x.md/a.md"]);
    let _socket = std::os::unix::net::UnixListener::bind(root.as_path().join("docs/s.md")).expect("bound");
    let listing = list(&root, &["docs"]);
    assert_eq!(files(&listing), ["docs/x.md/a.md"]);
    assert_eq!(skipped(&listing), [("docs/s.md", SkipReason::NotAFile)]);
    let read = |path| root.read(&RepoPath::new(path).expect("inside")).expect_err("no text");
    assert_eq!((read("docs/s.md"), read("docs/x.md")), (SkipReason::NotAFile, SkipReason::NotAFile));
}

/// Makes `name` below itself `depth` times, past the longest path that the system takes.
fn bury(root: &Root, name: &str, depth: usize) {
    let chain = |start: &str, length: usize| {
        let path = [start].into_iter().chain(std::iter::repeat_n(name, length)).collect::<PathBuf>();
        let path = root.as_path().join(path);
        fs::create_dir_all(&path).expect("created");
        path
    };
    fs::write(chain("lower", depth / 2).join("deepest.md"), "x").expect("written");
    let bottom = chain("docs", depth - depth / 2);
    fs::rename(root.as_path().join("lower"), bottom.join("lower")).expect("moved");
}

#[test]
fn what_lies_too_deep_is_named_and_not_taken_as_gone() {
    // IX15: the reason differs, the rule is the same as for a folder without permission.
    let (_temp, root) = project(&["docs/a.md"]);
    bury(&root, &"d".repeat(200), 30);
    let listing = list(&root, &["docs"]);
    assert_eq!(files(&listing), ["docs/a.md"]);
    let [unseen] = listing.incomplete.as_slice() else { panic!("one folder: {:?}", listing.incomplete) };
    let reason = SkipReason::Unreadable("file name too long".to_owned());
    assert_eq!(skipped(&listing), [(unseen.as_str(), reason)]);
    assert!(listing.is_unseen(&format!("{unseen}/old.md")));
    assert!(!listing.is_unseen("docs/old.md"));
}

#[test]
fn a_thousand_levels_are_no_trouble() {
    let (_temp, root) = project(&["docs/a.md"]);
    bury(&root, "d", 1000);
    let listing = list(&root, &["docs"]);
    assert_eq!((listing.files.len(), listing.incomplete.len()), (2, 0));
}

#[test]
fn a_folder_without_permission_is_not_taken_as_empty() {
    use std::os::unix::fs::PermissionsExt;
    let (_temp, root) = project(&["docs/a.md", "docs/shut/b.md"]);
    let shut = root.as_path().join("docs/shut");
    let set = |mode| fs::set_permissions(&shut, fs::Permissions::from_mode(mode)).expect("set");
    set(0);
    let is_barred = fs::read_dir(&shut).is_err();
    let listing = list(&root, &["docs"]);
    set(0o755);
    // Permissions don't bind the superuser.
    if is_barred {
        assert_eq!(listing.incomplete, paths(&["docs/shut"]));
        let reason = SkipReason::Unreadable("permission denied".to_owned());
        assert_eq!(skipped(&listing), [("docs/shut", reason)]);
    }
}

#[test]
fn a_root_that_is_gone_is_an_error() {
    let (temp, root) = project(&[]);
    temp.close().expect("removed");
    let error = docs(&root, &paths(&["docs"])).expect_err("no root");
    let path = root.as_path().display();
    assert_eq!(error.to_string(), format!("failed to open the root `{path}`: no such file or directory"));
}

#[test]
fn the_size_limit_is_inclusive() {
    let (_temp, root) = project(&["docs/a.md = 12345", "docs/b.md = 123456", "docs/c.md -> ../d.md", "d.md = 1234567"]);
    let root = root.with_size_limit(5);
    let listing = list(&root, &["docs"]);
    assert_eq!(files(&listing), ["docs/a.md"]);
    let too_large = |size| SkipReason::TooLarge { size, limit: 5 };
    assert_eq!(skipped(&listing), [("docs/b.md", too_large(6)), ("docs/c.md", too_large(7))]);
    let read = |path| root.read(&RepoPath::new(path).expect("inside")).map(|(text, _)| text);
    assert_eq!(read("docs/a.md"), Ok("12345".to_owned()));
    assert_eq!(read("docs/b.md"), Err(too_large(6)));
}

#[test]
fn a_long_changelog_is_read() {
    // IX13 jgravelle/jdocmunch-mcp#130
    let (_temp, root) = project(&["docs/CHANGELOG.md"]);
    let text = "- fixed a thing\n".repeat(100_000) + "zanzibar\n";
    fs::write(root.as_path().join("docs/CHANGELOG.md"), &text).expect("written");
    let listing = list(&root, &["docs"]);
    let (read, stamp) = root.read(&listing.files[0].path).expect("text");
    assert!(read == text);
    assert_eq!((stamp, stamp.size), (listing.files[0].stamp, 1_600_009));
}

#[test]
fn what_is_not_text_says_why() {
    let (_temp, root) = project(&[]);
    let check = |content: &[u8], expected: &str| {
        fs::write(root.as_path().join("a.md"), content).expect("written");
        let read = root.read(&RepoPath::new("a.md").expect("inside"));
        assert_eq!(read.map(|(text, _)| text).unwrap_or_else(|reason| reason.to_string()), expected);
    };
    check(b"", "");
    check("\u{feff}a\r\n".as_bytes(), "\u{feff}a\r\n");
    check(b"# caf\xe9", "it is not UTF-8: the byte at offset 5 is wrong");
    check(b"a\0b", "it is binary: it holds a NUL byte");
    check(b"\xff\xfe#\0", "it is UTF-16: expected UTF-8");
    let late = [" ".repeat(8192).as_bytes(), b"\0"].concat();
    check(&late, &String::from_utf8_lossy(&late));
}

#[test]
fn a_path_that_leads_out_by_now_is_not_read() {
    let (_temp, outer) = project(&["secret.md", "repo/docs/a.md", "repo/docs/b.md"]);
    let root = Root::open(&outer.as_path().join("repo")).expect("a root");
    let path = list(&root, &["docs"]).files[0].path.clone();
    fs::remove_file(root.join(&path)).expect("removed");
    assert_eq!(root.read(&path).map(|_| ()), Err(SkipReason::Missing));
    symlink("../../secret.md", root.join(&path)).expect("linked");
    assert_eq!(root.read(&path).map(|_| ()), Err(SkipReason::LeavesRoot));
    assert_eq!(root.stamp(&path), Err(SkipReason::LeavesRoot));
    fs::remove_file(root.join(&path)).expect("removed");
    symlink("b.md", root.join(&path)).expect("linked");
    assert_eq!(root.read(&path).map(|(text, _)| text), Ok("repo/docs/b.md".to_owned()));
}

#[test]
fn a_stamp_sees_an_edit_whose_times_were_set_back() {
    let (_temp, root) = project(&["docs/a.md = one"]);
    let path = RepoPath::new("docs/a.md").expect("inside");
    let old = root.stamp(&path).expect("a stamp");
    assert_eq!(list(&root, &["docs"]).files, [DocFile { path: path.clone(), stamp: old }]);
    let on_disk = root.join(&path);
    let modified = fs::metadata(&on_disk).and_then(|found| found.modified()).expect("a time");
    while root.stamp(&path).expect("a stamp") == old {
        // Again until the clock of the file system has moved on.
        fs::write(&on_disk, "two").expect("written");
        let file = fs::File::options().write(true).open(&on_disk).expect("opened");
        file.set_modified(modified).expect("set");
    }
    let new = root.stamp(&path).expect("a stamp");
    assert_eq!((new.size, new.mtime_ns, new.inode), (old.size, old.mtime_ns, old.inode));
    assert_ne!(new.ctime_ns, old.ctime_ns);
}

#[test]
fn other_places_with_docs_are_found() {
    let lines =
        ["README.md", "doc/a.md", "doc/src/b.md", "website/docs/c.mdx", "guide/x.txt", "src/d.md", "site/docs/"];
    let (_temp, root) = project(&lines);
    let found: Vec<(String, usize)> =
        other_trees(&root).into_iter().map(|tree| (tree.path.to_string(), tree.files)).collect();
    let expected = [("doc", 2), ("website/docs", 1), ("README.md", 1)].map(|(path, n)| (path.to_owned(), n));
    assert_eq!(found, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// The rules of nested files agree with the walker of the `ignore` crate, which ripgrep has tried on many trees.
    #[test]
    fn rules_agree_with_the_walker_of_ripgrep(
        names in prop::collection::vec("[ab](/[ab]){0,3}", 1..8),
        rules in prop::collection::vec(("([ab]/){0,2}", "(!?/?[ab*](/[ab*]{1,2}|/\\*\\*)?/?(\\.md)?\n){1,4}"), 0..4),
    ) {
        let (_temp, root) = project(&[".git/"]);
        for name in &names {
            add(&root, &format!("{name}.d/x.md"));
            add(&root, &format!("{name}/a.md"));
        }
        for (folder, text) in &rules {
            add(&root, &format!("{folder}.gitignore = {text}"));
        }
        let mut walker = ignore::WalkBuilder::new(root.as_path());
        walker.ignore(false).git_global(false).parents(false).require_git(false);
        let mut expected: Vec<String> = walker
            .build()
            .map(|entry| entry.expect("readable"))
            .filter(|entry| entry.path().extension() == Some(OsStr::new("md")) && entry.path().is_file())
            .filter_map(|entry| entry.path().strip_prefix(root.as_path()).ok().map(|path| path.display().to_string()))
            .collect();
        expected.sort();
        let listing = list(&root, &["."]);
        prop_assert_eq!(files(&listing), expected);
    }
}
