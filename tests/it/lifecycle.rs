//! The life of an index: always fresh, the same however it came about, safe among processes, and never in the way.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use crate::sandbox::{INKWELL, Run, SENTINEL, Sandbox, files_below, repository};

fn page(title: &str, text: &str) -> String {
    format!("# {title}\n\n{text}\n")
}

/// Two pages, indexed.
fn indexed() -> Sandbox {
    let sandbox =
        Sandbox::new().file("docs/a.md", page("A", "The turbine spins.")).file("docs/b.md", page("B", "rotor"));
    assert_eq!(sandbox.ok(&["index"]).stdout, "read 2 files: 2 files with 2 passages\n");
    sandbox
}

/// Every output about a project, for comparison.
fn outputs(sandbox: &Sandbox) -> Vec<String> {
    let mut outputs = Vec::new();
    for question in ["how does the turbine spin?", "rotor blade", "page number 7", "zeppelin", "the gear of the mill"] {
        for format in ["markdown", "json", "chunks"] {
            outputs.push(sandbox.ok(&["query", question, "--format", format, "-n", "8"]).stdout);
        }
        outputs.push(sandbox.ok(&["search", question]).stdout);
    }
    let root = sandbox.root().to_str().expect("UTF-8");
    let index = sandbox.index_dir();
    let status = sandbox.ok(&["status"]).stdout.replace(root, "ROOT");
    // The index directory's name holds a digest of the root's path.
    outputs.push(status.lines().filter(|line| !line.starts_with(&format!("index     {}", index.display()))).collect());
    outputs
}

/// When each file of the index was written last, with its length.
fn index_state(sandbox: &Sandbox) -> Vec<(PathBuf, u64, SystemTime)> {
    let state = |path: PathBuf| {
        let found = fs::metadata(sandbox.index_dir().join(&path)).expect("it was just listed");
        (path, found.len(), found.modified().expect("a time"))
    };
    sandbox.index_files().into_iter().map(state).collect()
}

// Fresh at every question

#[test]
fn an_edit_is_seen_at_once() {
    let sandbox = indexed();
    assert_eq!(sandbox.citations("gearbox"), Vec::<String>::new());
    sandbox.write("docs/b.md", page("B", "gearbox"));
    assert_eq!(sandbox.citations("gearbox"), ["docs/b.md#b"]);
    assert_eq!(sandbox.query("rotor"), SENTINEL);
}

#[test]
fn a_new_file_is_seen_at_once() {
    let sandbox = indexed();
    sandbox.write("docs/deep/er/c.md", page("C", "gearbox"));
    assert_eq!(sandbox.citations("gearbox"), ["docs/deep/er/c.md#c"]);
}

#[test]
fn a_deleted_file_is_gone_at_once() {
    let sandbox = indexed();
    sandbox.remove("docs/b.md");
    assert_eq!(sandbox.query("rotor"), SENTINEL);
    sandbox.remove("docs");
    assert_eq!(sandbox.query("turbine"), SENTINEL);
    assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(0));
}

#[test]
fn a_renamed_file_is_cited_by_its_new_name() {
    let sandbox = indexed();
    fs::rename(sandbox.path("docs/b.md"), sandbox.path("docs/c.md")).expect("renamed");
    assert_eq!(sandbox.citations("rotor"), ["docs/c.md#b"]);
    fs::rename(sandbox.path("docs"), sandbox.path("old")).expect("renamed");
    fs::rename(sandbox.path("old"), sandbox.path("docs")).expect("renamed");
    assert_eq!(sandbox.citations("rotor"), ["docs/c.md#b"]);
}

#[test]
fn an_edit_of_equal_size_and_time_is_seen() {
    let sandbox = indexed();
    let path = sandbox.path("docs/b.md");
    let before = fs::metadata(&path).expect("a file");
    fs::write(&path, page("B", "mills")).expect("written");
    let file = fs::File::options().write(true).open(&path).expect("a file");
    file.set_modified(before.modified().expect("a time")).expect("set");
    drop(file);
    let after = fs::metadata(&path).expect("a file");
    assert_eq!((before.len(), before.modified().ok()), (after.len(), after.modified().ok()));
    assert_eq!(sandbox.citations("mills"), ["docs/b.md#b"]);
    assert_eq!(sandbox.query("rotor"), SENTINEL);
}

#[test]
fn a_file_replaced_by_rename_is_seen() {
    let sandbox = indexed();
    sandbox.write("draft", page("B", "mills"));
    let time = fs::metadata(sandbox.path("docs/b.md")).and_then(|found| found.modified()).expect("a time");
    fs::File::options().write(true).open(sandbox.path("draft")).and_then(|file| file.set_modified(time)).expect("set");
    fs::rename(sandbox.path("draft"), sandbox.path("docs/b.md")).expect("renamed");
    assert_eq!(sandbox.citations("mills"), ["docs/b.md#b"]);
}

#[test]
fn edits_as_fast_as_they_come_are_all_seen() {
    let sandbox = indexed();
    for round in 0..25 {
        sandbox.write("docs/b.md", page("B", &format!("word{round:02}")));
        assert_eq!(sandbox.citations(&format!("word{round:02}")), ["docs/b.md#b"], "round {round}");
    }
}

#[test]
fn an_edit_while_the_program_runs_is_never_quoted_wrongly() {
    let sandbox = indexed();
    let path = sandbox.path("docs/b.md");
    let until = Instant::now() + Duration::from_millis(1500);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut round = 0;
            while Instant::now() < until {
                let filler = "x ".repeat(round % 50);
                fs::write(&path, format!("{filler}\n\n# Head {round}\n\nrotor number {round}\n")).expect("written");
                round += 1;
            }
        });
        while Instant::now() < until {
            let response = sandbox.response("rotor number");
            for source in response["sources"].as_array().expect("sources") {
                let number = |text: &str| text.rsplit([' ', '-']).next().map(str::to_owned);
                let [anchor, snippet] = ["anchor", "snippet"].map(|key| number(source[key].as_str().expect("text")));
                assert_eq!(anchor, snippet, "{source}");
            }
        }
    });
}

#[test]
fn a_setting_that_changes_is_seen() {
    let sandbox = Sandbox::new().file("docs/a.md", page("A & B", "turbine")).file("wiki/c.md", page("C", "turbine"));
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a--b"]);
    sandbox.write("inkwell.toml", "anchors = \"collapsed\"\n");
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a-b"]);
    sandbox.write("inkwell.toml", "docs = [\"wiki\"]\n");
    assert_eq!(sandbox.citations("turbine"), ["wiki/c.md#c"]);
    sandbox.remove("inkwell.toml");
    sandbox.write(".gitignore", "a.md\n");
    assert_eq!(sandbox.query("turbine"), SENTINEL);
}

// The same however it came about

/// Writes a tree of a dozen pages in one go.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new()
        .file("docs/mill.md", page("Mill", "The gear of the mill turns the stone."))
        .file("docs/turbine.md", page("Turbine", "The turbine spins. Its rotor has three blades."));
    (0..10).fold(sandbox, |sandbox, number| {
        let content = page(&format!("Page {number}"), &format!("This is page number {number} about a rotor blade."));
        sandbox.file(&format!("docs/p{number}.md"), content)
    })
}

/// Makes the same tree by edits, asking in between.
fn edited_tree() -> Sandbox {
    let sandbox =
        Sandbox::new().file("docs/gone.md", page("Gone", "rotor rotor turbine mill gear blade")).file("docs/p3.md", "");
    let ask = || drop(sandbox.query("rotor"));
    ask();
    for number in (0..10).rev() {
        let content = page(&format!("Page {number}"), &format!("This is page number {number} about a rotor blade."));
        sandbox.write(&format!("docs/p{number}.md"), page("Draft", "rotor of a draft"));
        ask();
        sandbox.write(&format!("docs/p{number}.md"), content);
        ask();
    }
    sandbox.write("docs/old.md", page("Turbine", "The turbine spins. Its rotor has three blades."));
    sandbox.remove("docs/gone.md");
    ask();
    fs::rename(sandbox.path("docs/old.md"), sandbox.path("docs/turbine.md")).expect("renamed");
    sandbox.write("docs/mill.md", page("Mill", "The gear of the mill turns the stone."));
    sandbox
}

#[test]
fn a_tree_reached_by_edits_gives_the_same_bytes() {
    let (once, edited) = (outputs(&tree()), outputs(&edited_tree()));
    assert_eq!(once.len(), edited.len());
    for (once, edited) in once.iter().zip(&edited) {
        assert_eq!(once, edited);
    }
}

#[test]
fn three_runs_give_the_same_bytes() {
    let sandbox = tree();
    let first = outputs(&sandbox);
    assert_eq!(outputs(&sandbox), first);
    sandbox.ok(&["index", "--rebuild"]);
    assert_eq!(outputs(&sandbox), first);
}

#[test]
fn deleting_the_index_changes_no_answer() {
    let sandbox = tree();
    let first = outputs(&sandbox);
    fs::remove_dir_all(sandbox.index_dir()).expect("an index");
    assert_eq!(outputs(&sandbox), first);
}

#[test]
fn an_index_in_memory_gives_the_same_bytes() {
    let sandbox = tree();
    let first = sandbox.query("rotor blade");
    let blocked = tree();
    fs::write(blocked.index_dir(), "a file where the index should be").expect("written");
    let run = blocked.ok(&["query", "rotor blade"]);
    assert_eq!(run.stdout, first);
    assert!(run.stderr.starts_with("note: ") && run.stderr.contains("keeps its index in memory"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(blocked.index_dir()).expect("a file"), "a file where the index should be");
}

// Nothing is written without need

#[test]
fn an_unchanged_tree_writes_nothing() {
    let sandbox = tree();
    sandbox.query("rotor");
    // What was written less than two seconds before it was checked is noted once more when that is past.
    std::thread::sleep(std::time::Duration::from_millis(2100));
    sandbox.query("rotor");
    let before = index_state(&sandbox);
    outputs(&sandbox);
    sandbox.ok(&["index"]);
    sandbox.ok(&["read", "docs/mill.md#mill"]);
    assert_eq!(index_state(&sandbox), before);
}

#[test]
fn nothing_is_written_into_the_project() {
    let sandbox = tree();
    let before = files_below(sandbox.root());
    outputs(&sandbox);
    sandbox.ok(&["index", "--rebuild"]);
    assert_eq!(files_below(sandbox.root()), before);
    assert_eq!(files_below(&sandbox.home()), Vec::<PathBuf>::new());
}

#[test]
fn the_cache_directory_is_used_where_nothing_else_is_said() {
    let sandbox = indexed();
    let mut command = sandbox.command(&["query", "turbine"]);
    Run::of(command.env_remove("INKWELL_INDEX_DIR").output().expect("it starts")).ok();
    let files = files_below(&sandbox.home());
    assert!(files.iter().all(|path| path.starts_with(".cache/inkwell")) && !files.is_empty(), "{files:?}");
}

#[test]
fn two_projects_share_an_index_directory_without_mixing() {
    let one = indexed();
    let two = Sandbox::new().file("docs/a.md", page("A", "The zeppelin flies."));
    let index = one.index_dir();
    let ask = |sandbox: &Sandbox, question: &str| {
        let mut command = sandbox.command(&["query", question]);
        Run::of(command.env("INKWELL_INDEX_DIR", &index).output().expect("it starts")).ok().stdout
    };
    assert!(ask(&two, "zeppelin").contains("The zeppelin flies."));
    assert!(ask(&one, "turbine").contains("The turbine spins."));
    assert_eq!((ask(&one, "zeppelin"), ask(&two, "turbine")), (SENTINEL.to_owned(), SENTINEL.to_owned()));
}

// Many processes

fn spawn(sandbox: &Sandbox, args: &[&str]) -> Child {
    let mut command = sandbox.command(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

fn finish(child: Child) -> Run {
    Run::of(child.wait_with_output().expect("the program ends"))
}

#[test]
fn twenty_processes_after_an_edit_all_answer() {
    // IX5 agent-lore/lithos#244
    let sandbox = tree();
    sandbox.query("rotor");
    sandbox.write("docs/new.md", page("New", "The gearbox hums."));
    let children: Vec<Child> = (0..20).map(|_| spawn(&sandbox, &["query", "gearbox"])).collect();
    let runs: Vec<Run> = children.into_iter().map(finish).collect();
    let expected = sandbox.ok(&["query", "gearbox"]);
    assert!(expected.stdout.contains("docs/new.md#new"), "{}", expected.stdout);
    for run in runs {
        assert_eq!(run, expected);
    }
    assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(13));
}

#[test]
fn twenty_processes_on_a_new_index_all_answer() {
    // IX5 agent-lore/lithos#244
    let sandbox = tree();
    let children: Vec<Child> = (0..20).map(|_| spawn(&sandbox, &["query", "mill"])).collect();
    let runs: Vec<Run> = children.into_iter().map(finish).collect();
    let expected = sandbox.ok(&["query", "mill"]);
    assert!(runs.iter().all(|run| *run == expected), "{runs:?}");
}

#[test]
fn alternating_processes_do_not_fill_the_disk() {
    // IX6 paperless-ngx/paperless-ngx PR#13682
    let sandbox = tree();
    let mut most = 0;
    for round in 0..50 {
        let word = format!("word{round}");
        sandbox.write(&format!("docs/{}.md", round % 2), page("Alternating", &word));
        let other = spawn(&sandbox, &["index"]);
        assert_eq!(sandbox.citations(&word), [format!("docs/{}.md#alternating", round % 2)], "round {round}");
        finish(other).ok();
        most = most.max(sandbox.index_files().len());
    }
    // Six files a segment, eight segments and what a merge adds at most.
    assert!(most < 80, "{most} files");
    assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(14));
}

#[test]
fn a_writer_that_holds_the_lock_stops_nobody() {
    let sandbox = indexed();
    let lock = fs::File::options().append(true).open(sandbox.store_dir().join("lock")).expect("a lock");
    lock.lock().expect("locked");
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a"]);
    sandbox.write("docs/c.md", page("C", "gearbox"));
    sandbox.remove("docs/b.md");
    assert_eq!(sandbox.citations("gearbox"), ["docs/c.md#c"]);
    assert_eq!(sandbox.query("rotor"), SENTINEL);
}

// Damage

/// Checks that a damaged index is built again, with the right answers and at most a note.
fn check_rebuilt(sandbox: &Sandbox) {
    let run = sandbox.ok(&["query", "turbine"]);
    assert!(run.stdout.contains("[docs/a.md#a](docs/a.md#a) — The turbine spins.\n"), "{}", run.stdout);
    assert!(run.stderr.lines().all(|line| line.starts_with("note: ")), "{}", run.stderr);
    assert_eq!(sandbox.citations("rotor"), ["docs/b.md#b"]);
    // The second question finds it whole again.
    assert_eq!(sandbox.ok(&["query", "turbine"]).stderr, "");
    sandbox.write("docs/b.md", page("B", "gearbox"));
    assert_eq!(sandbox.citations("gearbox"), ["docs/b.md#b"]);
}

/// The first file of the index whose name passes.
fn index_file(sandbox: &Sandbox, is_it: impl Fn(&str) -> bool) -> PathBuf {
    let name = |path: &PathBuf| path.file_name().and_then(|name| name.to_str()).map(str::to_owned).unwrap_or_default();
    let path = sandbox.index_files().into_iter().find(|path| is_it(&name(path))).expect("such a file");
    sandbox.index_dir().join(path)
}

#[test]
fn a_truncated_meta_file_is_repaired() {
    // IX7 anyproto/anytype-heart PR#3269
    for content in ["", "{", "{}", "null", "\0\0\0\0"] {
        let sandbox = indexed();
        fs::write(index_file(&sandbox, |name| name == "meta.json"), content).expect("written");
        check_rebuilt(&sandbox);
    }
}

#[test]
fn a_truncated_manifest_is_repaired() {
    for length in [0, 1, 40] {
        let sandbox = indexed();
        let path = index_file(&sandbox, |name| name.starts_with("manifest-"));
        let content = fs::read(&path).expect("a file");
        fs::write(&path, &content[..length]).expect("written");
        check_rebuilt(&sandbox);
    }
}

/// Damages one file of an index after the other, each in an index of its own, and checks that it is repaired.
fn check_each_file(damage: impl Fn(&Path)) {
    let count = indexed().index_files().len();
    assert!(count > 8, "{count} files");
    for number in 0..count {
        let sandbox = indexed();
        let path = sandbox.index_dir().join(&sandbox.index_files()[number]);
        damage(&path);
        check_rebuilt(&sandbox);
    }
}

#[test]
fn every_missing_file_is_repaired() {
    check_each_file(|path| fs::remove_file(path).expect("a file"));
}

#[test]
fn every_truncated_file_is_repaired() {
    check_each_file(|path| {
        let content = fs::read(path).expect("a file");
        fs::write(path, &content[..content.len() / 2]).expect("written");
    });
}

#[test]
fn a_flipped_byte_never_crashes() {
    let count = indexed().index_files().len();
    for number in 0..count {
        let sandbox = indexed();
        let path = sandbox.index_dir().join(&sandbox.index_files()[number]);
        let mut content = fs::read(&path).expect("a file");
        let at = content.len() / 3;
        content.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 0x15);
        fs::write(&path, content).expect("written");
        // A panic fails in `Run::of`; quoted words need positions, and so every file.
        let run = sandbox.run(&["query", "\"turbine spins\""]);
        assert_eq!(run.code, Some(0), "{}: {}", path.display(), run.stderr);
    }
}

#[test]
fn an_older_format_is_left_alone() {
    // IX7 anyproto/anytype-heart PR#3269
    let sandbox = indexed();
    let store = sandbox.store_dir();
    let old = store.with_file_name("v0");
    fs::rename(&store, &old).expect("renamed");
    fs::write(old.join("current"), "something else entirely").expect("written");
    check_rebuilt(&sandbox);
}

#[test]
fn foreign_files_stay_and_do_no_harm() {
    let sandbox = indexed();
    let store = sandbox.store_dir();
    let foreign =
        [store.join("notes.txt"), store.join("gen-x"), store.join("gen-1/notes.txt"), store.with_file_name("v9")];
    foreign.iter().for_each(|path| fs::write(path, "mine").expect("written"));
    sandbox.write("docs/c.md", page("C", "gearbox"));
    assert_eq!(sandbox.citations("gearbox"), ["docs/c.md#c"]);
    sandbox.ok(&["index", "--rebuild"]);
    assert_eq!(sandbox.citations("gearbox"), ["docs/c.md#c"]);
    for path in [&foreign[0], &foreign[3]] {
        assert_eq!(fs::read_to_string(path).ok().as_deref(), Some("mine"), "{}", path.display());
    }
}

#[test]
fn an_index_of_another_directory_is_not_believed() {
    // Somebody copies an index over that of another project.
    let (one, two) = (indexed(), Sandbox::new().file("docs/z.md", page("Z", "The zeppelin flies.")));
    two.query("zeppelin");
    let (from, to) = (one.store_dir(), two.store_dir());
    fs::remove_dir_all(&to).expect("an index");
    for path in files_below(&from) {
        let target = to.join(&path);
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(from.join(&path), target).expect("copied");
    }
    assert_eq!(two.query("turbine"), SENTINEL);
    assert_eq!(two.citations("zeppelin"), ["docs/z.md#z"]);
}

#[test]
fn killing_the_writer_leaves_an_index_that_answers() {
    let sandbox = Sandbox::new();
    let write = |round: usize| {
        for number in 0..60 {
            let body = format!("Round {round} says word{round}x{number} of the rotor.\n\n").repeat(20);
            sandbox.write(&format!("docs/{number}.md"), format!("# Page {number}\n\n{body}"));
        }
    };
    for round in 0..15 {
        write(round);
        let started = Instant::now();
        let mut child = spawn(&sandbox, &["index"]);
        // The delay is the point: each round kills at another moment.
        thread::sleep(Duration::from_millis(7 * round as u64 + 3));
        child.kill().expect("killed");
        child.wait().expect("it ended");
        assert!(started.elapsed() < Duration::from_secs(60));
        let run = sandbox.ok(&["query", &format!("word{round}x7 rotor"), "--json"]);
        assert_eq!(run.stderr, "", "round {round}");
        let fresh = Sandbox::at(sandbox.root()).ok(&["query", &format!("word{round}x7 rotor"), "--json"]);
        assert_eq!(run.stdout, fresh.stdout, "round {round}");
    }
    assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(60));
}

#[test]
fn a_read_only_index_directory_is_said_and_not_wiped() {
    // IX7 anyproto/anytype-heart PR#3269
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let sandbox = indexed();
    let temp = sandbox.root().parent().expect("a folder above the root").to_owned();
    let program = temp.join("inkwell");
    fs::copy(INKWELL, &program).expect("a copy");
    fs::set_permissions(&temp, fs::Permissions::from_mode(0o755)).expect("our own folder");
    let folders = || files_below(&temp).into_iter().filter_map(|path| temp.join(path).parent().map(PathBuf::from));
    for folder in folders().filter(|folder| folder.starts_with(sandbox.index_dir())) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).expect("our own folder");
    }
    let before = index_state(&sandbox);
    sandbox.write("docs/c.md", page("C", "gearbox"));
    let mut command = sandbox.command_of(&program);
    if fs::metadata(&temp).expect("a folder").uid() == 0 {
        command.uid(65534).gid(65534);
    }
    let run = Run::of(command.args(["query", "gearbox"]).output().expect("it starts")).ok();
    assert!(run.stdout.contains("[docs/c.md#c](docs/c.md#c) — gearbox\n"), "{}", run.stdout);
    assert!(run.stderr.starts_with("note: ") && run.stderr.lines().count() == 1, "{}", run.stderr);
    assert!(run.stderr.contains("permission denied") && run.stderr.contains("in memory"), "{}", run.stderr);
    for folder in folders().filter(|folder| folder.starts_with(sandbox.index_dir())) {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("our own folder");
    }
    assert_eq!(index_state(&sandbox), before);
}

#[test]
fn an_index_directory_inside_the_docs_is_no_docs() {
    let sandbox = Sandbox::new().file("docs/a.md", page("A", "turbine"));
    let dir = sandbox.path("docs/index");
    let mut command = sandbox.command(&["query", "turbine"]);
    let run = Run::of(command.env("INKWELL_INDEX_DIR", &dir).output().expect("it starts")).ok();
    assert!(run.stdout.contains("docs/a.md#a"));
    assert_eq!(sandbox.citations("cache of inkwell"), Vec::<String>::new());
}

#[test]
fn the_fixtures_are_asked_without_leaving_a_trace() {
    let fixtures = repository().join("fixtures");
    let before = files_below(&fixtures);
    Sandbox::at(&fixtures).query("How do I restore a backup?");
    assert_eq!(files_below(&fixtures), before);
}
