use super::*;

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

const LONG: Duration = Duration::from_secs(20);

/// A judge made of a shell script, in a folder of its own.
struct Stub {
    folder: TempDir,
    command: Vec<String>,
}

impl Stub {
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("judge");
        fs::write(&path, format!("cd '{}'\n{script}\n", folder.path().display())).expect("a script");
        // Run by `sh`: a file that another thread's child still holds open for writing can't be executed itself.
        let command = vec!["sh".to_owned(), path.display().to_string()];
        Self { folder, command }
    }

    fn judge(&self) -> Judge<'_> {
        Judge { command: &self.command, timeout: LONG, budget: LONG * 2, root: self.folder.path() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn case(number: usize) -> Case {
    let claims = vec![format!("It returns {number}.")];
    Case { citation: format!("docs/a.md#s{number}"), section: format!("# S{number}\n\nIt returns {number}.\n"), claims }
}

fn drifted(reason: &str) -> Verdict {
    Verdict::Drifted(reason.to_owned())
}

/// Runs a script as the judge of one case; it must not take long.
fn check(script: &str, expected: Verdict) {
    let stub = Stub::new(script);
    let start = Instant::now();
    assert_eq!(stub.judge().judge(&[case(1)]), [Some(expected)], "{script}");
    assert!(start.elapsed() < LONG / 2, "{script}: {:?}", start.elapsed());
}

#[test]
fn a_judge_says_one_of_three_things() {
    check("echo verified", Verdict::Verified);
    check("printf '\\r\\n  \\r\\nVERIFIED \\r\\nso be it\\r\\n'", Verdict::Verified);
    check("echo 'Drift Detected: see a.rs: it (always) waits'", drifted("see a.rs: it (always) waits"));
    check("echo could not corroborate", Verdict::Uncorroborated);
}

#[test]
fn anything_else_corroborates_nothing() {
    for script in ["echo 'verified? no'", "echo verified.", "echo 'drift detected:'", "true", "echo yes; echo verified"]
    {
        check(script, Verdict::Uncorroborated);
    }
}

#[test]
fn a_crash_counts_only_without_an_answer() {
    check("echo verified; exit 3", Verdict::Verified);
    check("echo verified; kill -9 $$", Verdict::Verified);
    check("echo 'drift detected: x' >&2; exit 1", Verdict::Uncorroborated);
    check("kill -9 $$", Verdict::Uncorroborated);
}

#[test]
fn reasons_can_not_fake_lines_or_drive_terminals() {
    check("printf 'drift detected: a\\033[31m\\tb\\rc\\001\\n- x'", drifted("a[31m b c"));
    check("printf 'drift detected: \\377x'", drifted("\u{fffd}x"));
    let long = "printf 'drift detected: '; yes x | head -n 5000 | tr -d '\\n'";
    check(long, drifted(&format!("{}…", "x".repeat(199))));
}

#[test]
fn misbehaving_judges_keep_nobody_waiting() {
    check("yes verified", Verdict::Uncorroborated);
    check("yes >&2 & echo verified", Verdict::Verified);
    check("exec <&-; echo verified", Verdict::Verified);
    check("sleep 30 & echo verified", Verdict::Verified);
    let stub = Stub::new("echo verified; sleep 30");
    let start = Instant::now();
    let judge = Judge { timeout: Duration::from_secs(1), ..stub.judge() };
    assert_eq!(judge.judge(&[case(1)]), [Some(Verdict::Uncorroborated)]);
    assert!((Duration::from_secs(1)..LONG / 2).contains(&start.elapsed()), "{:?}", start.elapsed());
}

#[test]
fn a_large_prompt_need_not_be_read() {
    let stub = Stub::new("echo verified");
    let claims = (0..48).map(|_| "It returns x. ".repeat(10_000)).collect();
    let large = Case { claims, ..case(1) };
    assert_eq!(stub.judge().judge(&[large]), [Some(Verdict::Verified)]);
}

#[test]
fn a_judge_that_is_not_there_corroborates_nothing() {
    let stub = Stub::new("");
    for command in [vec![], vec!["inkwell-no-such-program".to_owned()]] {
        let judge = Judge { command: &command, ..stub.judge() };
        assert_eq!(judge.judge(&[case(1)]), [Some(Verdict::Uncorroborated)]);
    }
}

#[test]
fn a_single_word_is_called_as_claude_is() {
    let words = |command: &[&str]| {
        let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
        Judge { command: &command, timeout: LONG, budget: LONG, root: Path::new("/") }.words().join(" ")
    };
    assert_eq!(words(&["claude"]), "claude -p --model haiku");
    assert_eq!(words(&["claude", "-p"]), "claude -p");
    assert_eq!(words(&[]), "");
}

#[test]
fn the_prompt_is_on_the_standard_input() {
    let stub = Stub::new("cat > prompt; echo verified");
    assert_eq!(stub.judge().judge(&[case(7)]), [Some(Verdict::Verified)]);
    let prompt = fs::read_to_string(stub.path("prompt")).expect("a prompt");
    assert_eq!(prompt, prompt::prompt(&case(7), stub.folder.path()));
}

#[test]
fn verdicts_come_in_the_order_of_the_cases() {
    let stub = Stub::new("n=$(sed -n 's/^1. It returns \\([0-9]*\\)\\.$/\\1/p'); echo drift detected: $n");
    let cases: Vec<Case> = (0..9).map(case).collect();
    let expected: Vec<_> = (0..9).map(|number| Some(drifted(&number.to_string()))).collect();
    assert_eq!(stub.judge().judge(&cases), expected);
}

#[test]
fn cases_without_claims_are_not_judged() {
    let stub = Stub::new("echo x >> runs; echo verified");
    let silent = Case { claims: Vec::new(), ..case(2) };
    let verdicts = stub.judge().judge(&[silent.clone(), case(1), silent]);
    assert_eq!(verdicts, [None, Some(Verdict::Verified), None]);
    assert_eq!(fs::read_to_string(stub.path("runs")).expect("runs"), "x\n");
    assert_eq!(stub.judge().judge(&[]), []);
}

#[test]
fn cases_are_judged_at_the_same_time() {
    // Each waits until four have begun.
    let stub =
        Stub::new("touch run.$$; until [ -e run4 ]; do set -- run.*; [ $# -lt 4 ] || touch run4; done; echo verified");
    let cases: Vec<Case> = (0..4).map(case).collect();
    assert_eq!(stub.judge().judge(&cases), vec![Some(Verdict::Verified); 4]);
}

#[test]
fn what_is_not_judged_in_the_time_of_all_is_uncorroborated() {
    let stub = Stub::new("grep -q '#s0$' && echo verified || exec sleep 30");
    let start = Instant::now();
    let judge = Judge { budget: Duration::from_secs(1), ..stub.judge() };
    let cases: Vec<Case> = (0..30).map(case).collect();
    let verdicts = judge.judge(&cases);
    assert_eq!(verdicts[0], Some(Verdict::Verified));
    assert_eq!(verdicts[1..], vec![Some(Verdict::Uncorroborated); 29]);
    assert!(start.elapsed() < LONG / 2, "{:?}", start.elapsed());
}

#[test]
fn a_key_is_of_everything_a_verdict_rests_on() {
    let command = ["a", "b"].map(str::to_owned);
    let own = key(&case(1), &command, "s");
    assert_eq!(own, key(&case(1), &command, "s"));
    let others = [
        key(&case(2), &command, "s"),
        key(&case(1), &command, "t"),
        key(&case(1), &["ab".to_owned()], "s"),
        key(&Case { claims: vec!["It returns".into(), " 1.".into()], ..case(1) }, &command, "s"),
        key(&Case { citation: "docs/b.md#s1".into(), ..case(1) }, &command, "s"),
        key(&Case { section: "x".into(), ..case(1) }, &command, "s"),
    ];
    assert!(others.iter().all(|other| *other != own));
}
