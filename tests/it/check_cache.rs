//! What `check` keeps between runs changes how long it takes, never what it says.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use crate::sandbox::{Run, Sandbox};

const PAGE: &str = "# Guide\n\nSee [the target](../src/target.ts) and `src/other.ts`, which has `renderAll`.\n";

fn project() -> Sandbox {
    Sandbox::new()
        .file("docs/guide.md", PAGE)
        .file("src/target.ts", "export function target() {}\n")
        .file("src/other.ts", "export function renderAll() {}\n")
}

/// Waits until stamps of what was written before can be trusted (2 s), so that what is kept is really used.
fn settle() {
    std::thread::sleep(Duration::from_millis(2100));
}

fn check(sandbox: &Sandbox) -> Run {
    sandbox.run(&["check", "--format", "json", "--claims"])
}

fn lines(run: &Run) -> Vec<&str> {
    run.stdout.lines().filter(|line| line.starts_with("docs/")).collect()
}

/// The files in which something is kept.
fn kept(sandbox: &Sandbox) -> Vec<PathBuf> {
    let files = sandbox.index_files().into_iter();
    files
        .filter(|path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("check-")))
        .collect()
}

/// What a check says where nothing is kept.
fn afresh(sandbox: &Sandbox) -> Run {
    for path in kept(sandbox) {
        fs::remove_file(sandbox.index_dir().join(path)).expect("a kept file");
    }
    check(sandbox)
}

#[test]
fn a_second_check_says_the_same_and_reads_what_is_kept() {
    let sandbox = project();
    settle();
    let first = check(&sandbox).ok();
    let names: Vec<String> =
        kept(&sandbox).iter().map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    assert!(names.contains(&"run".to_owned()) && names.contains(&"places".to_owned()), "{names:?}");
    let bytes = |sandbox: &Sandbox| {
        kept(sandbox).iter().map(|path| fs::read(sandbox.index_dir().join(path)).ok()).collect::<Vec<_>>()
    };
    let before = bytes(&sandbox);
    assert_eq!(check(&sandbox), first);
    assert_eq!(bytes(&sandbox), before);
    assert_eq!(afresh(&sandbox), first);
}

/// gotgenes/pi-packages#879, rvben/rumdl#640: a cache that knew only the page called it clean when its target moved.
#[test]
fn a_target_that_moved_is_noticed() {
    let sandbox = project();
    settle();
    check(&sandbox).ok();
    fs::rename(sandbox.path("src/target.ts"), sandbox.path("src/elsewhere.ts")).expect("moved");
    let moved = sandbox.run(&["check"]);
    assert_eq!(lines(&moved).len(), 1, "{moved:?}");
    assert_eq!(moved.code, Some(1));
    assert_eq!(sandbox.run(&["check"]), moved);
    settle();
    assert_eq!(sandbox.run(&["check"]), moved);
    assert_eq!(sandbox.run(&["check"]), moved);
    fs::rename(sandbox.path("src/elsewhere.ts"), sandbox.path("src/target.ts")).expect("moved back");
    sandbox.ok(&["check"]);
}

#[test]
fn a_definition_that_went_is_noticed_in_the_warm() {
    let sandbox = project();
    settle();
    let before = check(&sandbox).ok();
    // As long as before, and a moment later.
    sandbox.write("src/other.ts", "export function renderOne() {}\n");
    let after = check(&sandbox);
    assert_ne!(after.stdout, before.stdout);
    assert_eq!(check(&sandbox), after);
    assert_eq!(afresh(&sandbox), after);
}

#[test]
fn a_suppression_holds_cold_and_warm() {
    let sandbox = project();
    sandbox.remove("src/target.ts");
    settle();
    assert_eq!(sandbox.run(&["check"]).code, Some(1));
    sandbox.write("docs/guide.md", PAGE.replace("See", "<!-- inkwell-ignore: moved soon -->\nSee"));
    let cold = check(&sandbox).ok();
    assert!(cold.stdout.contains("moved soon"), "{cold:?}");
    settle();
    assert_eq!(check(&sandbox), cold);
    assert_eq!(check(&sandbox), cold);
    sandbox.write("docs/guide.md", PAGE);
    assert_eq!(sandbox.run(&["check"]).code, Some(1));
}

#[test]
fn a_baseline_is_laid_over_what_is_kept() {
    let sandbox = project();
    sandbox.remove("src/target.ts");
    settle();
    assert_eq!(sandbox.run(&["check"]).code, Some(1));
    sandbox.ok(&["check", "--write-baseline"]);
    sandbox.ok(&["check"]);
    sandbox.remove(".inkwell-baseline.json");
    assert_eq!(sandbox.run(&["check"]).code, Some(1));
}

#[test]
fn damage_is_forgotten() {
    let sandbox = project();
    settle();
    let first = check(&sandbox).ok();
    for path in kept(&sandbox) {
        let path = sandbox.index_dir().join(path);
        let whole = fs::read(&path).expect("a kept file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x10;
        for bytes in [&flipped[..], &whole[..whole.len() / 2], b"", b"\xff\xff\xff\xff"] {
            fs::write(&path, bytes).expect("damage");
            assert_eq!(check(&sandbox), first, "{}", path.display());
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_keeps_nothing_and_harms_nothing() {
    let sandbox = project();
    settle();
    let first = check(&sandbox).ok();
    let folders: Vec<PathBuf> =
        kept(&sandbox).iter().filter_map(|path| Some(sandbox.index_dir().join(path.parent()?))).collect();
    let set = |mode| fs::set_permissions(&folders[0], fs::Permissions::from_mode(mode)).expect("a mode");
    set(0o555);
    sandbox.write("docs/guide.md", PAGE.replace("renderAll", "renderAll()"));
    let warm = check(&sandbox);
    set(0o755);
    assert_ne!(warm.stdout, first.stdout);
    assert_eq!(afresh(&sandbox), warm);
    // A file stands where the folder should be.
    fs::remove_dir_all(&folders[0]).expect("removed");
    fs::write(&folders[0], "").expect("written");
    assert_eq!(check(&sandbox), warm);
}

#[test]
fn checks_at_the_same_time_do_not_disturb_each_other() {
    let sandbox = project();
    settle();
    let first = check(&sandbox).ok();
    for _ in 0..4 {
        afresh(&sandbox).ok();
        sandbox.write("src/more.ts", "export const more = 1;\n");
        let children: Vec<_> = (0..4)
            .map(|_| {
                let mut command = sandbox.command(&["check", "--format", "json", "--claims"]);
                command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
                command.spawn().expect("the program starts")
            })
            .collect();
        for child in children {
            assert_eq!(Run::of(child.wait_with_output().expect("it ends")), first);
        }
        sandbox.remove("src/more.ts");
        assert_eq!(check(&sandbox), first);
    }
}

#[test]
fn what_is_staged_is_not_taken_for_what_is_on_disk() {
    let sandbox = project().committed();
    sandbox.write("src/other.ts", "export function renderOne() {}\n");
    sandbox.git(&["add", "-A"]);
    sandbox.write("src/other.ts", "export function renderAll() {}\n");
    settle();
    let staged = sandbox.run(&["check", "--staged"]);
    assert!(staged.stdout.contains("1 verified"), "{staged:?}");
    let disk = check(&sandbox).ok();
    assert!(sandbox.ok(&["check"]).stdout.contains("3 verified"));
    assert_eq!(sandbox.run(&["check", "--staged"]), staged);
    assert_eq!(check(&sandbox), disk);
    assert_eq!(afresh(&sandbox), disk);
}

#[test]
fn a_commit_that_removes_a_name_is_noticed_in_the_warm() {
    let sandbox = project().committed();
    settle();
    check(&sandbox).ok();
    sandbox.write("src/other.ts", "export function renderOne() {}\n");
    sandbox.git(&["commit", "-qam", "second"]);
    let after = sandbox.run(&["check"]);
    assert_eq!((after.code, lines(&after).len()), (Some(1), 1), "{after:?}");
    settle();
    assert_eq!(sandbox.run(&["check"]), after);
    assert_eq!(sandbox.run(&["check"]), after);
    sandbox.git(&["reset", "-q", "--hard", "HEAD~1"]);
    sandbox.ok(&["check"]);
}

#[test]
fn a_question_gives_the_verdicts_of_a_check() {
    let sandbox = project();
    sandbox.remove("src/target.ts");
    settle();
    let cold = sandbox.query("what has renderAll?");
    assert!(cold.contains("drift detected (see src/target.ts: file does not exist)"), "{cold}");
    assert_eq!(sandbox.query("what has renderAll?"), cold);
    sandbox.write("src/target.ts", "");
    assert!(!sandbox.query("what has renderAll?").contains("drift detected"));
    sandbox.remove("src/target.ts");
    sandbox.write("docs/guide.md", PAGE.replace("See", "<!-- inkwell-ignore -->\nSee"));
    assert!(!sandbox.query("what has renderAll?").contains("drift detected"));
}
