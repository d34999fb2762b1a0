//! How the source is kept: who may use what, who may write, who may print, and how long a file may be.
//!
//! These are the invariants of `ARCHITECTURE.md` that neither the compiler nor a lint can hold. Tests and comments are
//! not looked at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::{Sandbox, files_below, repository};

/// The stages in the order of the flow: each uses only those before it.
const STAGES: [&str; 32] = [
    "span",
    "digest",
    "error",
    "walk",
    "parse",
    "config",
    "section",
    "page",
    "link",
    "entries",
    "sync",
    "retrieve",
    "statement",
    "asked",
    "cite",
    "conflict",
    "answer",
    "finding",
    "command",
    "claim",
    "codebase",
    "corroborate",
    "check",
    "judge",
    "response",
    "grounded",
    "synth",
    "engine",
    "excerpt",
    "render",
    "mcp",
    "cli",
];

/// Crates that only some part of the source may name. A name that ends in `_` stands for all that start so.
const HOMES: [(&str, &[&str]); 27] = [
    ("tantivy", &["index/src/"]),
    ("postcard", &["index/src/"]),
    ("frostem", &["index/src/"]),
    ("tree_sitter", &["code/src/outline/"]),
    ("tree_sitter_", &["code/src/outline/grammar/"]),
    ("inkwell_code", &["src/codebase/", "src/corroborate/", "src/check/"]),
    ("rmcp", &["src/mcp/"]),
    ("tokio", &["src/mcp/"]),
    ("clap", &["src/cli/"]),
    ("clap_complete", &["src/cli/"]),
    ("clap_mangen", &["src/cli/"]),
    ("supports_hyperlinks", &["src/cli/"]),
    ("indicatif", &["src/cli/"]),
    ("anstream", &["src/cli/"]),
    ("anstyle", &["src/cli/"]),
    ("pulldown_cmark", &["src/parse/"]),
    ("serde_saphyr", &["src/parse/"]),
    ("unicode_properties", &["src/parse/"]),
    ("slug", &["src/parse/"]),
    ("ignore", &["src/walk/"]),
    // `code/` has a module of that name.
    ("toml", &["src/config/", "src/parse/", "code/src/outline/keys.rs"]),
    ("rustix", &["src/command.rs"]),
    ("daachorse", &["src/grounded/finalize/quotes.rs"]),
    ("icu_collator", &["src/grounded/lexical.rs"]),
    ("ryu_js", &["src/grounded/canonical.rs"]),
    ("shell_words", &["src/config/"]),
    ("serde", SERDE),
];

/// What is written down in a form of its own: wire types, front matter, and what is kept between runs.
const SERDE: &[&str] = &[
    "src/render/",
    "src/parse/front_matter.rs",
    "src/check/",
    "src/codebase/",
    "src/grounded/",
    "code/src/",
    "index/src/manifest.rs",
    "index/src/cache.rs",
];

/// Lines of code that a file may have, tests and comments excepted.
const LENGTH_LIMIT: usize = 400;

/// A Rust file without its tests and comments.
struct Source {
    /// Relative to the repository.
    path: String,
    code: Vec<String>,
}

/// Every Rust file of the three packages, those that only tests have left out.
fn sources() -> Vec<Source> {
    let mut files = Vec::new();
    for folder in ["src", "code/src", "index/src"] {
        for path in files_below(&repository().join(folder)) {
            let path = format!("{folder}/{}", path.display());
            if path.ends_with(".rs") {
                let text = fs::read_to_string(repository().join(&path)).expect("a source file");
                files.push((path, text));
            }
        }
    }
    let tests: Vec<String> = files.iter().flat_map(|(path, text)| test_modules(path, text)).collect();
    let is_test = |path: &str| {
        let is_it = |test: &String| path.strip_prefix(test.as_str()).is_some_and(|rest| rest.starts_with(['.', '/']));
        tests.iter().any(is_it)
    };
    files.retain(|(path, _)| !is_test(path));
    assert!(files.len() > 100, "{} files", files.len());
    files.into_iter().map(|(path, text)| Source { code: code(&text), path }).collect()
}

/// The modules in files of their own that a file has for tests only, as paths without an ending.
fn test_modules(path: &str, text: &str) -> Vec<String> {
    let folder = match path.rsplit_once('/') {
        Some((folder, "mod.rs" | "lib.rs" | "main.rs")) => folder.to_owned(),
        _ => path.trim_end_matches(".rs").to_owned(),
    };
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter(|pair| is_for_tests(pair[0]));
    pairs.filter_map(|pair| Some(format!("{folder}/{}", module_file(pair[1])?))).collect()
}

fn is_for_tests(line: &str) -> bool {
    line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test")
}

/// The name in `mod name;`.
fn module_file(line: &str) -> Option<&str> {
    line.rsplit_once("mod ")?.1.strip_suffix(';')
}

/// The lines of a file without what only tests have, comment lines and blank ones. The tests inside a file are its end.
fn code(text: &str) -> Vec<String> {
    let is_code = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !is_for_tests(line) {
            found.extend(Some(line.to_owned()).filter(|line| is_code(line)));
        } else if lines.next().and_then(module_file).is_none() {
            break;
        }
    }
    found
}

/// The lines of the source that a rule catches, as `path: line`.
fn caught(is_caught: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let of_file = |source: &Source| {
        let lines = source.code.iter().filter(|line| is_caught(&source.path, line));
        lines.map(|line| format!("{}: {}", source.path, line.trim())).collect::<Vec<_>>()
    };
    sources().iter().flat_map(of_file).collect()
}

/// Whether a line names a crate: `name::` as a path's start, or with `name_` all crates that start so.
fn names(line: &str, name: &str) -> bool {
    let needle = if name.ends_with('_') { name.to_owned() } else { format!("{name}::") };
    line.match_indices(&needle).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        before.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == ':'))
    })
}

fn starts_with_any(path: &str, homes: &[&str]) -> bool {
    homes.iter().any(|home| path.starts_with(home))
}

/// The stage that a file of the main package belongs to.
fn stage(path: &str) -> Option<&str> {
    let path = path.strip_prefix("src/")?;
    let name = path.split('/').next()?;
    Some(name.strip_suffix(".rs").unwrap_or(name)).filter(|name| !["lib", "main"].contains(name))
}

/// The modules that a line names behind `crate::` or `inkwell::`.
fn used(line: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    ["crate::", "inkwell::"].iter().flat_map(|root| line.split(root).skip(1)).map(word).collect()
}

#[test]
fn a_stage_uses_only_stages_before_it() {
    let rank = |name: &str| STAGES.iter().position(|stage| *stage == name);
    for source in sources() {
        let Some(own) = stage(&source.path) else { continue };
        let own_rank = rank(own).unwrap_or_else(|| panic!("`{own}` has no place in the order of stages"));
        for line in &source.code {
            for other in used(line).iter().filter(|other| *other != own) {
                let is_before = rank(other).is_none_or(|other| other < own_rank);
                assert!(is_before, "{}: `{own}` comes before `{other}`: {line}", source.path);
            }
        }
    }
}

#[test]
fn every_stage_is_a_module() {
    let lib = fs::read_to_string(repository().join("src/lib.rs")).expect("the library");
    let mut modules: Vec<&str> =
        lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    modules.push("cli");
    modules.sort_unstable();
    let mut stages = STAGES;
    stages.sort_unstable();
    assert_eq!(modules, stages);
}

#[test]
fn the_engine_renders_nothing() {
    assert_eq!(caught(|path, line| path == "src/engine.rs" && line.contains("render")), Vec::<String>::new());
}

#[test]
fn crates_stay_at_home() {
    for (name, homes) in HOMES {
        let strays = caught(|path, line| names(line, name) && !starts_with_any(path, homes));
        assert_eq!(strays, Vec::<String>::new(), "`{name}` belongs in {homes:?}");
        assert!(
            !caught(|path, line| names(line, name) && starts_with_any(path, homes)).is_empty(),
            "nothing uses `{name}`"
        );
    }
}

#[test]
fn the_index_has_never_heard_of_documents() {
    let strays = caught(|path, line| {
        path.starts_with("index/")
            && ["inkwell::", "serde_json", "Markdown", "pulldown"].iter().any(|word| line.contains(word))
    });
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn only_the_index_and_the_command_line_write_files() {
    let writes = [
        "fs::write",
        "File::create",
        "create_dir",
        "remove_file",
        "remove_dir",
        "fs::rename",
        "OpenOptions",
        "set_permissions",
        "fs::copy",
        "hard_link",
        "unix::fs::symlink",
        ".set_len(",
        "File::options",
    ];
    // The index with what else is kept beside it, and the one place that writes what the user asked for.
    let homes = ["index/src/", "src/cli/mod.rs"];
    let strays = caught(|path, line| !starts_with_any(path, &homes) && writes.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
    let own = caught(|path, line| path == "src/cli/mod.rs" && writes.iter().any(|word| line.contains(word)));
    assert_eq!(own.len(), 3, "only `write_file` writes: {own:?}");
}

#[test]
fn only_walk_config_git_and_the_command_line_read_files() {
    let reads = ["fs::read", "File::open", "fs::metadata", "canonicalize", "symlink_metadata", "read_dir"];
    // The command line reads what the user names: questions, a baseline, JSON to check and answers.
    let cli = ["src/cli/query.rs", "src/cli/check.rs", "src/cli/input.rs", "src/cli/verify.rs"];
    let homes = [&["index/src/", "code/src/git", "src/walk/", "src/config/"], &cli[..]].concat();
    let strays = caught(|path, line| !starts_with_any(path, &homes) && reads.iter().any(|word| line.contains(word)));
    // The permissions of what is rewritten.
    let strays: Vec<String> = strays.into_iter().filter(|stray| !stray.starts_with("src/cli/mod.rs: if let")).collect();
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn only_the_terminal_prints() {
    let prints = ["println!", "print!(", "eprint", "dbg!", "io::stdout", "io::stderr", "anstream::std"];
    let strays = caught(|path, line| path != "src/cli/terminal.rs" && prints.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
    let macros =
        caught(|_, line| ["println!", "print!(", "eprintln!", "eprint!("].iter().any(|word| line.contains(word)));
    assert_eq!(macros, Vec::<String>::new());
}

#[test]
fn only_two_places_run_programs() {
    // The user's commands, and git.
    let homes = ["src/command.rs", "code/src/git/run.rs"];
    let starts = ["process::Command", "Command::new"];
    let strays = caught(|path, line| !homes.contains(&path) && starts.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn nothing_asks_the_clock_for_an_answer() {
    let clocks = ["SystemTime::now", "Instant::now", "rand::", "thread_rng", "RandomState"];
    // Waiting for another process, for a program and for the file system's clock; and how long a check took.
    let homes = [
        "index/src/store.rs",
        "src/command.rs",
        "src/judge/",
        "src/sync.rs",
        "src/codebase/stamp.rs",
        "src/cli/verify.rs",
    ];
    let strays = caught(|path, line| !starts_with_any(path, &homes) && clocks.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn the_code_has_never_heard_of_docs() {
    let words = ["inkwell::", "inkwell_index", "Markdown", "pulldown", "Verdict", "Claim"];
    let strays = caught(|path, line| path.starts_with("code/") && words.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn nothing_is_left_to_do() {
    let words = ["TODO", "FIXME", "XXX", "todo!", "unimplemented!", ".unwrap()"];
    // A file may have such a name, which is then quoted.
    let is_name = |line: &str, word: &str| line.contains(&format!("\"{word}\""));
    let strays = caught(|_, line| words.iter().any(|word| line.contains(word) && !is_name(line, word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn files_are_short() {
    let long: Vec<String> = sources()
        .iter()
        .filter(|source| source.code.len() > LENGTH_LIMIT)
        .map(|source| format!("{}: {} lines", source.path, source.code.len()))
        .collect();
    assert_eq!(long, Vec::<String>::new());
}

#[test]
fn every_module_says_what_it_is_for() {
    let opens = |path: &str| {
        let text = fs::read_to_string(repository().join(path)).expect("a source file");
        text.starts_with("//! ")
    };
    let silent: Vec<String> = sources().into_iter().map(|source| source.path).filter(|path| !opens(path)).collect();
    assert_eq!(silent, Vec::<String>::new());
}

/// Every text file of the repository but what is built and what others wrote.
fn texts() -> Vec<(PathBuf, String)> {
    let is_ours = |path: &PathBuf| !["target", ".git"].iter().any(|folder| path.starts_with(folder));
    let paths = files_below(repository()).into_iter().filter(is_ours);
    paths.filter_map(|path| Some((path.clone(), fs::read_to_string(repository().join(&path)).ok()?))).collect()
}

#[test]
fn nothing_names_the_machine_it_was_made_on() {
    // Spelled in pieces, so that this file passes.
    let machine = [["/wo", "rk/"], ["/ro", "ot/"], ["/tmp", "/mb"], ["/tmp", "/it-"], ["/Us", "ers/"]]
        .map(|piece| piece.concat());
    let hosts = [
        ["static.cra", "tes.io"],
        ["index.cra", "tes.io"],
        ["registry.np", "mjs.org"],
        ["files.pythonho", "sted.org"],
        ["proxy.go", "lang.org"],
    ]
    .map(|piece| piece.concat());
    for (path, text) in texts() {
        let lock = path == Path::new("Cargo.lock");
        for word in machine.iter().chain(hosts.iter().filter(|_| !lock)) {
            assert!(!text.contains(word.as_str()), "{} names `{word}`", path.display());
        }
        let sources = text.lines().filter(|line| lock && line.starts_with("source = "));
        let index = ["registry+https://github.com/rust-lang/cra", "tes.io-index"].concat();
        let strange = sources.filter(|line| !line.contains(&index));
        assert_eq!(strange.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}

#[test]
fn our_own_tests_are_neither_ignored_nor_silenced() {
    let words = [["#[ig", "nore"], ["#[al", "low"], ["#![al", "low"]].map(|piece| piece.concat());
    for (path, text) in texts().iter().filter(|(path, _)| path.extension().is_some_and(|extension| extension == "rs")) {
        for word in &words {
            assert!(!text.contains(word.as_str()), "{} holds `{word}`", path.display());
        }
    }
}

#[test]
fn own_docs_do_not_drift() {
    let run = Sandbox::at(repository()).run(&["check"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}
