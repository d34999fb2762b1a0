//! Any text gives an outline or none, in time.

use std::time::{Duration, Instant};

use crate::language::Language;
use crate::outline::{SIZE_LIMIT, outline};

const GRAMMARS: [Language; 18] = [
    Language::Rust,
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Tsx,
    Language::Go,
    Language::Java,
    Language::Kotlin,
    Language::C,
    Language::Cpp,
    Language::CSharp,
    Language::Ruby,
    Language::Php,
    Language::Swift,
    Language::Scala,
    Language::Elixir,
    Language::Lua,
    Language::Bash,
];

const SCANNERS: [Language; 10] = [
    Language::Yaml,
    Language::Toml,
    Language::Json,
    Language::Ini,
    Language::Hcl,
    Language::Makefile,
    Language::Just,
    Language::Dockerfile,
    Language::CMake,
    Language::Protobuf,
];

#[test]
fn an_empty_text_names_nothing() {
    for language in GRAMMARS.into_iter().chain(SCANNERS) {
        assert_eq!(outline(language, ""), Some(crate::outline::Outline::default()), "{language:?}");
    }
}

#[test]
fn a_language_without_grammar_has_no_outline() {
    assert_eq!(outline(Language::Other, "fn main() {}"), None);
    assert_eq!(outline(Language::Css, "a { b: c }"), None);
}

#[test]
fn a_text_over_the_limit_has_no_outline() {
    assert_eq!(outline(Language::Json, &" ".repeat(SIZE_LIMIT + 1)), None);
}

#[test]
fn deep_nesting_ends_in_time() {
    for language in GRAMMARS.into_iter().chain(SCANNERS) {
        for (bracket, times) in [("[", 100_000), ("{[", 100_000), ("(", 2_000), ("if (x) {", 1_000), ("if x ", 1_000)] {
            let started = Instant::now();
            let _ = outline(language, &bracket.repeat(times));
            let took = started.elapsed();
            assert!(took < Duration::from_secs(20), "{language:?} {bracket}: {took:?}");
        }
    }
}

#[test]
fn noise_is_survived() {
    let noise = "\u{0}\u{fffd}'\"`\\\r\n\t{<[(é漢\u{1f600}$@#:;=>-\n".repeat(50);
    for language in GRAMMARS.into_iter().chain(SCANNERS) {
        let _ = outline(language, &noise);
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_the_rest_is_read() {
    let outline = outline(Language::Rust, "fn first() {}\nfn second( -> { }\nfn last() {}\n").expect("an outline");
    let names: Vec<&str> = outline.symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["first", "last"]);
    assert_eq!(outline.errors.first(), Some(&(2, 2)));
}
