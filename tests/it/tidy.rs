//! How the source is kept: who may use what, who may write, who may print, and how long a file may be.
//!
//! These are the invariants of `ARCHITECTURE.md` that neither the compiler nor a lint can hold. Tests and comments are
//! not looked at.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sandbox::{files_below, repository};

/// The stages in the order of the flow: each uses only those before it.
const STAGES: [&str; 23] = [
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
    "response",
    "synth",
    "engine",
    "excerpt",
    "render",
    "cli",
];

/// Crates that only some part of the source may name.
const HOMES: [(&str, &[&str]); 16] = [
    ("tantivy", &["index/src/"]),
    ("postcard", &["index/src/"]),
    ("frostem", &["index/src/"]),
    ("clap", &["src/cli/"]),
    ("indicatif", &["src/cli/"]),
    ("anstream", &["src/cli/"]),
    ("anstyle", &["src/cli/"]),
    ("pulldown_cmark", &["src/parse/"]),
    ("serde_saphyr", &["src/parse/"]),
    ("unicode_properties", &["src/parse/"]),
    ("slug", &["src/parse/"]),
    ("ignore", &["src/walk/"]),
    ("toml", &["src/config.rs", "src/parse/"]),
    ("rustix", &["src/command.rs"]),
    ("shell_words", &["src/config.rs"]),
    ("serde", &["src/render/", "src/parse/front_matter.rs", "index/src/manifest.rs"]),
];

/// Lines of code that a file may have, tests and comments excepted.
const LENGTH_LIMIT: usize = 400;

/// A Rust file without its tests and comments.
struct Source {
    /// Relative to the repository.
    path: String,
    code: Vec<String>,
}

/// Every Rust file of the two packages.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for folder in ["src", "index/src"] {
        for path in files_below(&repository().join(folder)) {
            let name = format!("{folder}/{}", path.display());
            if name.ends_with(".rs") && !name.ends_with("tests.rs") {
                let text = fs::read_to_string(repository().join(&name)).expect("a source file");
                found.push(Source { path: name, code: code(&text) });
            }
        }
    }
    assert!(found.len() > 40, "{} files", found.len());
    found
}

/// The lines of a file before its test module, comment lines and blank ones left out.
fn code(text: &str) -> Vec<String> {
    let is_test = |line: &&str| !line.starts_with("#[cfg(test)]") && !line.starts_with("#[cfg(all(test");
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    text.lines().take_while(is_test).filter(is_code).map(str::to_owned).collect()
}

/// The lines of the source that a rule catches, as `path: line`.
fn caught(is_caught: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let of_file = |source: &Source| {
        let lines = source.code.iter().filter(|line| is_caught(&source.path, line));
        lines.map(|line| format!("{}: {}", source.path, line.trim())).collect::<Vec<_>>()
    };
    sources().iter().flat_map(of_file).collect()
}

/// Whether a line names a crate: `name::` as a path's start.
fn names(line: &str, name: &str) -> bool {
    let needle = format!("{name}::");
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
fn only_the_index_writes_files() {
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
    let strays = caught(|path, line| !path.starts_with("index/") && writes.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn only_walk_config_and_the_command_line_read_files() {
    let reads = ["fs::read", "File::open", "fs::metadata", "canonicalize", "symlink_metadata", "read_dir"];
    let homes = ["index/src/", "src/walk/", "src/config.rs", "src/cli/query.rs"];
    let strays = caught(|path, line| !starts_with_any(path, &homes) && reads.iter().any(|word| line.contains(word)));
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
fn only_one_place_runs_programs() {
    let strays = caught(|path, line| {
        path != "src/command.rs" && (line.contains("process::Command") || line.contains("Command::new"))
    });
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn nothing_asks_the_clock_for_an_answer() {
    let clocks = ["SystemTime::now", "Instant::now", "rand::", "thread_rng", "RandomState"];
    // Waiting for another process, for a program and for the file system's clock.
    let homes = ["index/src/store.rs", "src/command.rs", "src/judge/", "src/sync.rs"];
    let strays = caught(|path, line| !starts_with_any(path, &homes) && clocks.iter().any(|word| line.contains(word)));
    assert_eq!(strays, Vec::<String>::new());
}

#[test]
fn nothing_is_left_to_do() {
    let words = ["TODO", "FIXME", "XXX", "todo!", "unimplemented!", ".unwrap()"];
    let strays = caught(|_, line| words.iter().any(|word| line.contains(word)));
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
