//! Comfort at the prompt: help, completions and manual pages say the same, colours and links only where they are wanted,
//! a near name for every mistake, and a first configuration that changes nothing.

use std::collections::BTreeSet;
use std::fs;

use crate::sandbox::{INKWELL, Run, Sandbox};

/// The commands that the help lists.
fn commands(sandbox: &Sandbox) -> Vec<String> {
    let help = sandbox.ok(&["--help"]).stdout;
    let (_, rest) = help.split_once("\nCommands:\n").expect("the help lists the commands");
    let names = rest.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The long flags that a text names at the start of a line of help.
fn flags(help: &str) -> BTreeSet<String> {
    let flag = |line: &str| {
        let line = line.trim_start();
        let line = line
            .strip_prefix("-")
            .filter(|rest| !rest.starts_with('-'))
            .map_or(line, |short| &short[3.min(short.len())..]);
        let name: String = line.strip_prefix("--")?.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
        (!name.is_empty()).then(|| format!("--{name}"))
    };
    let (_, options) = help.split_once("\nOptions:\n").expect("options");
    let options = options.split("\nExample").next().unwrap_or_default();
    options.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --")).filter_map(flag).collect()
}

#[test]
fn every_help_ends_with_examples() {
    let sandbox = Sandbox::new();
    let commands = commands(&sandbox);
    assert!(commands.len() >= 14, "{commands:?}");
    for command in &commands {
        let help = sandbox.ok(&[command, "--help"]).stdout;
        assert!(help.contains("\nExample") && help.contains("\n  inkwell "), "{command}");
        let example = help.split("\nExample").nth(1).expect("examples");
        assert!(example.contains(command.as_str()), "{command} shows itself");
    }
}

#[test]
fn manual_pages_and_completions_have_what_the_help_has() {
    let sandbox = Sandbox::new().folder("pages");
    let commands = commands(&sandbox);
    sandbox.ok(&["man", "pages"]);
    let scripts =
        ["bash", "zsh", "fish", "powershell", "elvish"].map(|shell| sandbox.ok(&["completions", shell]).stdout);
    let page =
        |name: &str| fs::read_to_string(sandbox.path(format!("pages/{name}.1"))).expect(name).replace("\\-", "-");
    assert_eq!(page("inkwell"), sandbox.ok(&["man"]).stdout.replace("\\-", "-"));
    assert_eq!(fs::read_dir(sandbox.path("pages")).expect("pages").count(), commands.len() + 1);
    for command in &commands {
        let flags = flags(&sandbox.ok(&[command, "--help"]).stdout);
        assert!(flags.contains("--root") && flags.contains("--help"), "{command}: {flags:?}");
        let page = page(&format!("inkwell-{command}"));
        assert!(page.contains("\nExample"), "{command}");
        for flag in &flags {
            assert!(page.contains(flag.as_str()), "the page of {command} lacks {flag}");
            // fish writes a flag without its dashes.
            let named =
                |script: &String| script.contains(flag.as_str()) || script.contains(&format!("-l {}", &flag[2..]));
            assert!(scripts.iter().all(named), "{flag} of {command} is completed everywhere");
        }
        assert!(scripts.iter().all(|script| script.contains(command.as_str())), "{command} is completed everywhere");
        assert!(page.contains(concat!("inkwell ", env!("CARGO_PKG_VERSION"))), "{command}: the page names the version");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_flags_and_values() {
    let sandbox = Sandbox::new();
    sandbox.write("inkwell.bash", sandbox.ok(&["completions", "bash"]).stdout);
    let check = |words: &str, expected: &str| {
        let last = words.split(' ').count() - 1;
        let script = format!(
            "source ./inkwell.bash; COMP_WORDS=({words}); COMP_CWORD={last}; \
             _inkwell inkwell \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let run = Run::of(sandbox.command_of("bash").args(["-c", &script]).output().expect("bash starts")).ok();
        assert_eq!(run.stdout, expected, "{words}");
    };
    check("inkwell compl", "completions\n");
    check("inkwell check --chan", "--changed\n");
    check("inkwell check --only broken", "broken-link\n");
    check("inkwell query --format spa", "spans\n");
}

#[test]
fn a_folder_for_the_pages_must_exist() {
    let run = Sandbox::new().run(&["man", "no where"]);
    let expected = "error: there is no folder `no where`\nhint: `mkdir -p 'no where'` makes it\n";
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(2), "", expected));
}

#[test]
fn mistakes_get_the_nearest_name() {
    let sandbox = Sandbox::new().file("docs/setup.md", "# Setup\n\n## Install\n").file("inkwell.toml", "");
    let check = |args: &[&str], near: &str| {
        let run = sandbox.run(args);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(run.stderr.contains(near), "{args:?}: {}", run.stderr);
    };
    check(&["serach", "x"], "similar subcommand exists: 'search'");
    check(&["check", "--explian"], "similar argument exists: '--explain'");
    check(&["check", "--format", "sarf"], "similar value exists: 'sarif'");
    check(&["check", "--only", "broken-links"], "similar value exists: 'broken-link'");
    check(&["completions", "bsh"], "similar value exists: 'bash'");
    check(&["--anchors", "gitub", "status"], "did you mean `github`?");
    check(&["read", "docs/setpu.md"], "there is `docs/setup.md`");
    check(&["read", "docs/setup.md#instal"], "there is `docs/setup.md#install`");
    check(&["check", "docs/setpu.md"], "did you mean `docs/setup.md`?");
    sandbox.write("inkwell.toml", "dosc = 'x'\n");
    check(&["status"], "did you mean `docs`?");
}

#[test]
fn colour_is_for_who_wants_it() {
    let sandbox = Sandbox::new().file("docs/a.md", "# A\n");
    let check = |variables: &[(&str, &str)], is_coloured: bool| {
        // A mistake that we report, one that the parser of the command line reports, and the help.
        for args in [&["check", "nope.md"][..], &["chekc"], &["--help"]] {
            let run = Run::of(sandbox.command(args).envs(variables.iter().copied()).output().expect("it starts"));
            assert_eq!((run.stdout + &run.stderr).contains('\u{1b}'), is_coloured, "{variables:?} {args:?}");
        }
    };
    check(&[], false);
    check(&[("CLICOLOR", "1")], false);
    check(&[("CLICOLOR_FORCE", "1")], true);
    check(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false);
}

/// Runs the program in a terminal of its own and returns what it writes there.
#[cfg(target_os = "linux")]
fn in_terminal(sandbox: &Sandbox, line: &str, variables: &[(&str, &str)]) -> String {
    let mut command = sandbox.command_of("script");
    command.args(["-qec", &format!("{INKWELL} {line}"), "/dev/null"]).envs(variables.iter().copied());
    Run::of(command.output().expect("`script` starts")).stdout
}

#[cfg(target_os = "linux")]
#[test]
fn places_are_links_where_a_terminal_takes_them() {
    let sandbox = Sandbox::new().file("docs/a.md", "# A\n\n[x](no.md) rotor\n");
    let link = |place: &str| {
        let address = format!("file://{}/docs/a.md", sandbox.root().canonicalize().expect("a root").display());
        format!("\u{1b}]8;;{address}\u{1b}\\{place}\u{1b}]8;;\u{1b}\\")
    };
    let check = |variables: &[(&str, &str)], has_links: bool| {
        for (line, place) in [("--root=. search rotor", "docs/a.md:3"), ("--root=. check", "docs/a.md:3:1")] {
            let shown = in_terminal(&sandbox, line, variables);
            assert!(shown.contains(place), "{line}: {shown:?}");
            assert_eq!(shown.contains(&link(place)), has_links, "{line} {variables:?}: {shown:?}");
            assert_eq!(shown.contains('\u{1b}'), has_links, "{line} {variables:?}: {shown:?}");
        }
    };
    let kitty = ("TERM", "xterm-kitty");
    check(&[kitty], true);
    check(&[("TERM", "xterm"), ("VTE_VERSION", "7600")], true);
    check(&[("TERM", "xterm")], false);
    check(&[kitty, ("NO_COLOR", "1")], false);
    check(&[("TERM", "dumb"), ("VTE_VERSION", "7600")], false);
    let formats = in_terminal(&sandbox, "--root=. check --format json", &[kitty]);
    assert!(!formats.contains('\u{1b}'), "formats for programs hold no links");
    let mut piped = sandbox.command(&["search", "rotor"]);
    let piped = Run::of(piped.envs([kitty, ("FORCE_HYPERLINK", "1")]).output().expect("it starts")).ok().stdout;
    assert_eq!(piped, "docs/a.md:3  []  x rotor\n", "a pipe gets the plain bytes");
}

#[test]
fn init_writes_a_file_that_changes_nothing() {
    let sandbox = Sandbox::new().file("docs/a.md", "# A\n").file("mkdocs.yml", "").repository();
    let before = sandbox.ok(&["status"]).stdout;
    let run = sandbox.ok(&["init"]);
    assert!(run.stderr.starts_with("note: wrote `") && run.stderr.ends_with("inkwell.toml`\n"), "{}", run.stderr);
    let written = fs::read_to_string(sandbox.path("inkwell.toml")).expect("written");
    assert!(written.lines().all(|line| line.is_empty() || line.starts_with('#')), "{written}");
    assert!(written.contains("auto is `mkdocs`"), "{written}");
    assert_eq!(sandbox.ok(&["status"]).stdout, before);
    // What the comments show is what holds.
    let is_key = |line: &&str| line.starts_with("# ") && line.contains(" = ");
    let keys: Vec<&str> = written.lines().filter(is_key).map(|line| &line[2..]).collect();
    assert_eq!(keys.len(), 6, "{keys:?}");
    sandbox.write("inkwell.toml", keys.join("\n"));
    assert_eq!(sandbox.ok(&["status"]).stdout, before);
}

#[test]
fn init_leaves_what_is_there() {
    let sandbox = Sandbox::new().file("inkwell.toml", "docs = 'x'\n").repository();
    let run = sandbox.ok(&["init"]);
    assert!(run.stderr.ends_with("inkwell.toml` is there already and stays as it is\n"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(sandbox.path("inkwell.toml")).expect("there"), "docs = 'x'\n");
    assert_eq!(run.stdout, Sandbox::new().repository().ok(&["init"]).stdout, "what it prints is the same");
}

#[test]
fn init_finds_the_docs() {
    let check = |files: &[&str], args: &[&str], expected: &str| {
        let sandbox = files.iter().fold(Sandbox::new(), |sandbox, path| sandbox.file(path, "# A\n")).repository();
        sandbox.ok(&[&["init"][..], args].concat());
        let written = fs::read_to_string(sandbox.path("inkwell.toml")).expect("written");
        let docs: Vec<&str> =
            written.lines().filter(|line| line.trim_start_matches("# ").starts_with("docs = ")).collect();
        assert_eq!(docs, [expected]);
        sandbox.ok(&["status"]);
    };
    check(&["docs/a.md", "README.md"], &[], "# docs = [\"docs\"]");
    check(&["website/docs/a.md", "wiki/b.md", "README.md"], &[], "docs = [\"website/docs\"]");
    check(&["README.md"], &[], "docs = [\"README.md\"]");
    check(&[], &[], "# docs = [\"docs\"]");
    check(
        &["docs/a.md", "my \"notes\"/b.md"],
        &["--docs", "my \"notes\"", "--docs", "docs"],
        "docs = [\"my \\\"notes\\\"\", \"docs\"]",
    );
}

#[test]
fn init_prints_what_runs() {
    let sandbox = Sandbox::new().file("docs/a.md", "# A\n").committed();
    let printed = sandbox.ok(&["init"]).stdout;
    for line in printed.lines() {
        let Some((_, command)) = line.split_once("inkwell check ") else { continue };
        let words = shell_words::split(command.split(['`', ',']).next().unwrap_or_default()).expect("words");
        let args: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.contains('$')).collect();
        assert_eq!(sandbox.run(&[&["check"][..], &args].concat()).code, Some(0), "{line}");
    }
    assert!(printed.contains(".github/workflows/") && !printed.contains("GITLAB"), "{printed}");
    let gitlab = Sandbox::new().file(".gitlab-ci.yml", "").repository().ok(&["init"]).stdout;
    assert!(gitlab.contains("reports: { junit: inkwell.xml }") && !gitlab.contains("GITHUB"), "{gitlab}");
}

#[test]
fn only_some_rules_are_reported_and_counted() {
    let page =
        "# A\n\n[x](no.md) [y](#none) and `src/a.rs:run`.\n\n<!-- inkwell-ignore: an example -->\n\n`src/a.rs:run`\n";
    let sandbox = Sandbox::new().file("docs/a.md", page).file("src/a.rs", "fn a() {}\n").committed();
    let rules = |args: &[&str]| {
        let report = sandbox.report(args);
        let findings = report["findings"].as_array().expect("findings").iter();
        let rules: Vec<String> = findings.map(|finding| finding["rule"].as_str().expect("a rule").to_owned()).collect();
        assert_eq!(report["summary"]["drifted"], rules.len());
        rules
    };
    assert_eq!(rules(&[]), ["broken-link", "missing-anchor", "missing-symbol"]);
    assert_eq!(rules(&["--only", "broken-link"]), ["broken-link"]);
    assert_eq!(rules(&["--only", "missing-symbol", "--only", "missing-anchor"]), ["missing-anchor", "missing-symbol"]);
    let run = sandbox.run(&["check", "--only", "unknown-flag"]);
    assert_eq!(run.code, Some(0), "{}", run.stdout);
    assert!(!run.stdout.contains("suppresses nothing"), "a suppression of another rule is not idle: {}", run.stdout);
    sandbox.ok(&["check", "--write-baseline"]);
    let run = sandbox.ok(&["check", "--only", "broken-link"]);
    assert!(!run.stdout.contains("no longer found"), "nor is a known drift of another rule: {}", run.stdout);
    assert!(run.stdout.contains("(1 in the baseline)"), "{}", run.stdout);
}
