//! Files, names and questions that mean harm or are merely broken: nothing crashes, hangs, leaks or fakes output, and
//! what is left out is named.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use inkwell::cite::decode;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

use crate::sandbox::{Run, SENTINEL, Sandbox, citations, text};

const GOOD: &str = "# Good\n\nThe turbine spins.\n";

/// A project with one good page; hostile ones are put beside it.
fn good() -> Sandbox {
    Sandbox::new().file("docs/good.md", GOOD)
}

/// Checks that the good page is answered from, that `path` is left out with this reason, and that both say so.
fn check_skipped(sandbox: &Sandbox, path: &str, reason: &str) {
    let warning = format!("warning: skipped `{path}`: {reason}\n");
    let query = sandbox.ok(&["query", "turbine"]);
    assert!(query.stdout.contains("[docs/good.md#good](docs/good.md#good) — The turbine spins.\n"), "{}", query.stdout);
    assert_eq!(query.stderr, warning);
    assert_eq!(sandbox.ok(&["index"]).stderr, warning);
    assert_eq!(sandbox.json(&["status", "--json"])["skipped"], json!([{"path": path, "reason": reason}]));
}

/// Checks that a text could be printed on a terminal without driving it.
fn check_harmless(output: &str) {
    let is_harmful = |c: &char| (c.is_control() && *c != '\n') || ('\u{202a}'..='\u{202e}').contains(c);
    assert_eq!(output.chars().find(is_harmful), None, "{output:?}");
}

/// The links of a text that Markdown makes, as (label, target).
fn links(markdown: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for event in Parser::new_ext(markdown, Options::empty()) {
        match event {
            Event::Start(Tag::Link { dest_url, .. }) => {
                found.push((String::new(), dest_url.into_string()));
                is_inside = true;
            }
            Event::End(pulldown_cmark::TagEnd::Link) => is_inside = false,
            Event::Text(text) | Event::Code(text) if is_inside => found.last_mut().expect("a link").0.push_str(&text),
            _ => {}
        }
    }
    found
}

// Contents

#[test]
fn a_file_that_is_not_utf_8_is_named() {
    let sandbox = good().file("docs/bad.md", b"# Bad \xe9\n\nturbine\n");
    check_skipped(&sandbox, "docs/bad.md", "it is not UTF-8: the byte at offset 6 is wrong");
}

#[test]
fn a_file_in_utf_16_is_named() {
    let utf16: Vec<u8> = "\u{feff}# Bad\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check_skipped(&good().file("docs/bad.md", utf16), "docs/bad.md", "it is UTF-16: expected UTF-8");
}

#[test]
fn a_binary_file_is_named() {
    let sandbox = good().file("docs/bad.md", b"\x7fELF\x02\x01\x01\0\0\0 turbine");
    check_skipped(&sandbox, "docs/bad.md", "it is binary: it holds a NUL byte");
}

#[test]
fn a_file_above_the_limit_is_named_and_not_read() {
    let sandbox = good().file("docs/bad.md", "");
    let file = fs::OpenOptions::new().write(true).open(sandbox.path("docs/bad.md")).expect("a file");
    file.set_len(5 << 30).expect("a sparse file");
    check_skipped(&sandbox, "docs/bad.md", "it is too large: 5368709120 bytes, the limit is 67108864");
}

#[test]
fn a_project_can_lower_the_limit() {
    let sandbox = good().file("inkwell.toml", "max-file-size = 1000\n").file("docs/bad.md", "x".repeat(1001));
    check_skipped(&sandbox, "docs/bad.md", "it is too large: 1001 bytes, the limit is 1000");
}

#[test]
fn a_large_file_is_searched_to_its_end() {
    let paragraph = "Plain words fill the page and say very little of any use to anyone.\n\n";
    let content = format!("# Large\n\n{}## End\n\nThe rotor stops.\n", paragraph.repeat((2 << 20) / paragraph.len()));
    let sandbox = good().file("docs/large.md", content);
    assert_eq!(sandbox.citations("rotor"), ["docs/large.md#end"]);
}

#[test]
fn a_huge_line_is_cut_in_the_snippet() {
    let line = format!("{} turbine {}", "filler ".repeat(6_000), "filler ".repeat(6_000));
    let sandbox = Sandbox::new().file("docs/a.md", format!("# A\n\n{line}\n"));
    let response = sandbox.response("turbine");
    let snippet = text(&response["sources"][0]["snippet"]);
    assert!(snippet.contains("turbine") && snippet.chars().count() == 121, "{snippet}");
    let answer = text(&response["answer"]);
    assert!(answer.len() < 4096, "{} bytes", answer.len());
}

#[test]
fn ten_thousand_equal_headings_have_anchors_of_their_own() {
    let content: String = (0..10_000).map(|n| format!("## Same\n\nword{n}\n\n")).collect();
    let sandbox = Sandbox::new().file("docs/a.md", content);
    assert_eq!(sandbox.first("word9999"), "docs/a.md#same-9999");
    assert_eq!(sandbox.ok(&["read", "docs/a.md#same-9999"]).stdout, "## Same\n\nword9999\n\n");
    assert_eq!(sandbox.json(&["status", "--json"])["passages"], json!(10_000));
}

#[test]
fn deep_nesting_is_no_matter() {
    let nested = [
        format!("{} deep\n", ">".repeat(5_000)),
        format!("{}deep\n", "- ".repeat(2_000)),
        format!("{}deep{}\n", "[".repeat(5_000), "](x)".repeat(5_000)),
        format!("{}deep\n", "*a **a ".repeat(2_000)),
        format!("{}deep{}\n", "<b>".repeat(5_000), "</b>".repeat(5_000)),
        format!("{}deep\n", "`".repeat(1_000).chars().map(|c| format!("{c} ")).collect::<String>()),
        format!("deep\n\n{}\n", "<!--".repeat(5_000)),
        format!("deep\n\n| a |\n|---|\n{}\n", "|".repeat(5_000)),
        format!("deep\n\n{}\n", "[a]: x\n".repeat(2_000)),
        format!("deep\n\n{}\n", "{#a".repeat(2_000)),
    ];
    for (number, content) in nested.iter().enumerate() {
        let sandbox = good().file("docs/a.md", format!("# A\n\n{content}\n## Rotor\n\nIt stops.\n"));
        assert_eq!(sandbox.first("turbine"), "docs/good.md#good", "case {number}");
        assert!(sandbox.found("deep").contains(&"docs/a.md".to_owned()), "case {number}");
    }
}

#[test]
fn deep_folders_are_searched() {
    let folder = "d/".repeat(150);
    let sandbox = Sandbox::new().file(&format!("docs/{folder}a.md"), "# A\n\nturbine\n");
    assert_eq!(sandbox.citations("turbine"), [format!("docs/{folder}a.md#a")]);
}

#[test]
fn empty_files_are_docs_without_answers() {
    let contents =
        ["", "\n", "\u{feff}", "---\ntitle: x\n---\n", "   \n\t\n", "#", "# \n", "---", "---\n---", "<!--", "```"];
    let sandbox = contents
        .iter()
        .enumerate()
        .fold(good(), |sandbox, (number, content)| sandbox.file(&format!("docs/{number}.md"), content));
    assert_eq!(sandbox.citations("turbine"), ["docs/good.md#good"]);
    assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(1 + contents.len()));
}

#[test]
fn a_heading_that_leaves_no_anchor_is_cited_by_one_that_works() {
    let sandbox = Sandbox::new().file("docs/a.md", "# Top\n\nx\n\n## ???\n\nturbine\n\n## !!!\n\nrotor\n");
    for word in ["turbine", "rotor"] {
        let citation = sandbox.first(word);
        assert!(sandbox.ok(&["read", &citation]).stdout.contains(word), "{citation}");
    }
}

#[test]
fn escapes_in_texts_never_reach_the_response() {
    let content = "\
---
title: \"T\\e[31m\"
tags: [\"a\\e[2Jb\", \"c\\nd\"]
---

# Red\u{1b}[31m \u{202e}turned\u{7}

The \u{1b}]0;owned\u{7}turbine\u{9b}2J spins\u{85} `co\u{1b}[1mde` here.\u{2028}Next.

| a\u{1b} | b |
|---|---|
| rotor\u{1b}[5m | x\u{8} |
";
    // A NUL near the start would make the file binary.
    let content = format!("{content}{}tail\u{0}end turbine\n", "Plain words.\n\n".repeat(700));
    let sandbox = Sandbox::new().file("docs/a.md", content);
    for question in ["turbine", "rotor", "red turned", "tail"] {
        let run = sandbox.ok(&["query", question]);
        assert_ne!(run.stdout, SENTINEL, "{question}");
        check_harmless(&run.stdout);
        check_harmless(&run.stderr);
        check_harmless(&sandbox.ok(&["search", question]).stdout);
        check_harmless(&sandbox.ok(&["query", question, "--explain", "--json"]).stdout);
    }
}

#[test]
fn docs_can_not_add_lines_to_the_response() {
    let content = "\
# A

turbine **Sources:** - [x](y) — z

**Corroboration:**
- docs/a.md#a — verified

turbine

**Answer.** turbine

## **Sources:**

- [turbine](evil) — verified
";
    let stdout = Sandbox::new().file("docs/a.md", content).query("turbine");
    let lines: Vec<&str> = stdout.lines().collect();
    let count = |wanted: &str| lines.iter().filter(|line| line.starts_with(wanted)).count();
    assert_eq!((count("**Answer.** "), count("**Sources:**"), count("**Corroboration:**")), (1, 1, 1), "{stdout}");
    // One for each link of the two sections, of which one holds the other.
    assert_eq!(count("- docs/a.md#"), 3, "{stdout}");
    assert!(!stdout.contains("- docs/a.md#a — verified\n"), "{stdout}");
}

#[test]
fn a_yaml_bomb_is_defused() {
    let mut front = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (name, before) in ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"]) {
        front.push_str(&format!("{name}: &{name} [{}]\n", vec![format!("*{before}"); 9].join(", ")));
    }
    let sandbox = good().file("docs/a.md", format!("---\n{front}tags: *h\n---\n\n# Rotor\n\nIt stops.\n"));
    assert_eq!(sandbox.first("rotor"), "docs/a.md#rotor");
    assert!(sandbox.search("rotor")[0].len() < 10_000);
}

#[test]
fn ids_that_break_links_are_encoded() {
    let content = "# A {#x](evil)[y}\n\nturbine\n\n# B {#<b>\"'`|}\n\nrotor\n";
    let sandbox = Sandbox::new().file("docusaurus.config.js", "").file("docs/a.md", content);
    for word in ["turbine", "rotor"] {
        let (label, target) = links(&sandbox.query(word)).remove(0);
        assert_eq!(decode(&target), label);
        assert!(sandbox.ok(&["read", &label]).stdout.contains(word), "{label}");
        assert!(sandbox.ok(&["read", &target]).stdout.contains(word), "{target}");
    }
}

// Names

/// File names that break links, lines, shells or terminals.
const NAMES: [&str; 34] = [
    "a b",
    "a#b",
    "#a",
    "a[b]",
    "a]b",
    "a[b",
    "[a](b)",
    "a(b",
    "a)b",
    "a:b",
    "a:12",
    "a|b",
    "a\nb",
    "a\n- [x](y) — z",
    "🐘",
    "a\u{1b}[31mb",
    "a%20b",
    "100%",
    "a`b",
    "`a`",
    "a<b>",
    "a\\b",
    "-n",
    "a?b=c",
    "a&amp;b",
    "a\"b'c",
    "*a*",
    "a__b__",
    "a — b",
    " a ",
    "a\u{202e}b",
    "a\tb",
    "a\rb",
    "~",
];

/// The link that Markdown makes of the first source's bullet.
fn source_link(response: &str) -> Option<String> {
    let bullet = response.lines().find(|line| line.starts_with("- ["))?;
    links(bullet).into_iter().next().map(|(_, target)| target)
}

/// The names for which a check fails, all of them.
fn failing(check: impl Fn(&str) -> bool) -> Vec<&'static str> {
    NAMES.into_iter().filter(|name| !check(name)).collect()
}

#[test]
fn hostile_names_print_a_link_that_leads_back() {
    let leads_back = |name: &str| {
        let path = format!("docs/{name}.md");
        let sandbox = Sandbox::new().file(&path, "# Head\n\nThe turbine spins.\n");
        let response = sandbox.query("turbine");
        check_harmless(&response);
        assert_eq!(response.lines().count(), 7, "{response}");
        assert_eq!(sandbox.response("turbine")["sources"][0]["path"], json!(path));
        source_link(&response).is_some_and(|target| {
            decode(&target) == format!("{path}#head") && sandbox.run(&["read", &target]).stdout.starts_with("# Head")
        })
    };
    assert_eq!(failing(leads_back), Vec::<&str>::new());
}

#[test]
fn snippets_do_not_break_the_link_before_them() {
    let leads_back = |name: &str| {
        let path = format!("docs/{name}.md");
        let text = "# Head\n\nThe `turbine` spins ](x) <b> **bold `\n";
        let response = Sandbox::new().file(&path, text).query("turbine");
        source_link(&response).is_some_and(|target| decode(&target) == format!("{path}#head"))
    };
    assert_eq!(failing(leads_back), Vec::<&str>::new());
}

#[test]
fn citations_of_hostile_names_can_be_read_as_printed() {
    let leads_back = |name: &str| {
        let sandbox = Sandbox::new().file(&format!("docs/{name}.md"), "# Head\n\nThe turbine spins.\n");
        let response = sandbox.query("turbine");
        let (_, verdicts) = response.split_once("**Corroboration:**\n- ").expect("a verdict");
        let label = verdicts.strip_suffix(" — could not corroborate\n").expect("a verdict");
        // What a terminal would obey is printed as U+FFFD, and such a label leads nowhere.
        label.contains('\u{fffd}') || sandbox.run(&["read", "--", label]).stdout.starts_with("# Head")
    };
    assert_eq!(failing(leads_back), Vec::<&str>::new());
}

#[test]
fn hostile_names_take_one_search_line_each() {
    let sandbox = NAMES.iter().fold(Sandbox::new(), |sandbox, name| {
        sandbox.file(&format!("docs/{name}.md"), "# Head\n\nThe turbine spins.\n")
    });
    let stdout = sandbox.ok(&["search", "turbine", "-n", "100"]).stdout;
    check_harmless(&stdout);
    assert_eq!(stdout.lines().count(), NAMES.len(), "{stdout}");
    assert!(stdout.lines().all(|line| line.ends_with(".md:3  []  The turbine spins.")), "{stdout}");
    check_harmless(&sandbox.ok(&["query", "turbine", "--format", "chunks", "-n", "100"]).stdout);
}

#[test]
fn a_name_that_is_not_utf_8_is_named() {
    let sandbox = good();
    fs::write(sandbox.path(OsStr::from_bytes(b"docs/b\xffd.md")), "# Bad\n\nturbine\n").expect("a file");
    check_skipped(&sandbox, "docs/b\u{fffd}d.md", "its name is not UTF-8");
}

#[test]
fn skipped_names_do_not_drive_the_terminal() {
    let sandbox = good().file("docs/a\u{1b}[31m\nfake: `x`.md", b"\xff");
    for args in [&["query", "turbine"][..], &["index"], &["status"], &["search", "turbine"]] {
        let run = sandbox.ok(args);
        check_harmless(&run.stdout);
        check_harmless(&run.stderr);
        assert!(
            !run.stdout.contains("\nfake") && !run.stderr.contains("\nfake"),
            "{args:?}: {} {}",
            run.stdout,
            run.stderr
        );
    }
}

// Links and folders

#[test]
fn a_link_to_nothing_is_named() {
    check_skipped(&good().link("docs/bad.md", "nowhere.md"), "docs/bad.md", "it is a link to nothing");
}

#[test]
fn a_link_to_itself_is_named() {
    check_skipped(&good().link("docs/bad.md", "bad.md"), "docs/bad.md", "it is a link that leads in a circle");
    let pair = good().link("docs/one", "two").link("docs/two", "one");
    let skipped = pair.json(&["status", "--json"])["skipped"].as_array().map(Vec::len);
    assert_eq!((pair.citations("turbine"), skipped), (vec!["docs/good.md#good".to_owned()], Some(2)));
}

#[test]
fn a_link_to_a_folder_around_it_is_not_followed() {
    for target in ["..", "../..", ".", "../../docs", "../sub"] {
        let sandbox = good().file("docs/sub/b.md", "# B\n\nrotor\n").link("docs/sub/loop", target);
        assert_eq!(sandbox.citations("turbine"), ["docs/good.md#good"], "{target}");
        assert_eq!(sandbox.citations("rotor"), ["docs/sub/b.md#b"], "{target}");
        assert_eq!(sandbox.json(&["status", "--json"])["files"], json!(2), "{target}");
    }
}

#[test]
fn a_link_that_leaves_the_root_is_refused() {
    let secret = Sandbox::new().file("secret.md", "# Secret\n\nzeppelin\n");
    let reason = "it is a link that leads out of the root";
    check_skipped(&good().link("docs/bad.md", secret.path("secret.md")), "docs/bad.md", reason);
    check_skipped(&good().link("docs/bad", secret.root()), "docs/bad", reason);
    let sandbox = good().link("docs/bad.md", secret.path("secret.md")).link("docs/bad", secret.root());
    assert_eq!(sandbox.query("zeppelin"), SENTINEL);
    for target in ["docs/bad.md", "docs/bad.md#secret", "docs/bad/secret.md", "docs/bad/secret.md#secret"] {
        let run = sandbox.run(&["read", target]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{target}");
    }
}

#[test]
fn docs_that_are_a_link_out_of_the_root_are_refused() {
    let secret = Sandbox::new().file("secret.md", "# Secret\n\nzeppelin\n");
    let run = Sandbox::new().link("docs", secret.root()).ok(&["query", "zeppelin"]);
    assert_eq!(run.stdout, SENTINEL);
    assert!(run.stderr.contains("skipped `docs`: it is a link that leads out of the root"), "{}", run.stderr);
}

#[test]
fn a_file_swapped_for_a_link_out_of_the_root_is_not_read() {
    let secret = Sandbox::new().file("secret.md", "# Secret\n\nzeppelin\n");
    let sandbox = good().file("docs/a.md", "# A\n\nrotor\n");
    assert_eq!(sandbox.citations("rotor"), ["docs/a.md#a"]);
    sandbox.remove("docs/a.md");
    let sandbox = sandbox.link("docs/a.md", secret.path("secret.md"));
    assert_eq!(sandbox.query("zeppelin"), SENTINEL);
    assert_eq!(sandbox.query("rotor"), SENTINEL);
}

#[test]
fn a_pipe_is_named_and_not_opened() {
    let sandbox = good();
    let made = Command::new("mkfifo").arg(sandbox.path("docs/bad.md")).status().expect("mkfifo is there");
    assert!(made.success());
    check_skipped(&sandbox, "docs/bad.md", "it is not a regular file");
}

#[test]
fn folders_may_be_called_like_files() {
    let sandbox = good().file("docs/a.md/b.md", "# B\n\nrotor\n");
    assert_eq!(sandbox.citations("rotor"), ["docs/a.md/b.md#b"]);
}

#[test]
fn docs_may_be_a_file() {
    let run = Sandbox::new().file("docs", "turbine\n").ok(&["query", "turbine"]);
    assert_eq!(run.stdout, SENTINEL);
    let run = Sandbox::new().file("README.md", GOOD).ok(&["query", "turbine", "--docs", "README.md"]);
    assert!(run.stdout.contains("[README.md#good](README.md#good)"), "{}", run.stdout);
}

#[test]
fn a_config_that_leads_out_of_the_root_is_refused() {
    for docs in ["..", "/etc", "docs/../.."] {
        let sandbox = good().file("inkwell.toml", format!("docs = [\"{docs}\"]\n"));
        let run = sandbox.run(&["query", "turbine"]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{docs}");
        assert!(run.stderr.contains("`inkwell.toml` line 1"), "{}", run.stderr);
    }
}

#[test]
fn a_config_key_that_does_not_exist_is_named_with_the_nearest() {
    let run = good().file("inkwell.toml", "\ndoc = [\"docs\"]\n").run(&["query", "turbine"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.stderr, "error: unknown key `doc` in `inkwell.toml` line 2\nhint: did you mean `docs`?\n");
}

// Questions

#[test]
fn a_question_of_any_length_is_answered() {
    let sandbox = good();
    let long = format!("turbine {}", "what is the meaning of all this? ".repeat(3_000));
    assert_eq!(sandbox.citations(&long), ["docs/good.md#good"]);
    let word = "x".repeat(100_000);
    assert_eq!(sandbox.query(&word), SENTINEL);
    let batch = sandbox.run_with_input(&["query", "--batch", "-"], &format!("turbine {}\n", "spins ".repeat(200_000)));
    assert_eq!(citations(&serde_json::from_str(&batch.ok().stdout).expect("JSON")), ["docs/good.md#good"]);
}

#[test]
fn a_question_with_control_characters_is_answered() {
    let sandbox = good();
    let question = "turbine\u{0}\u{1b}[31m\n\r\u{7f}\u{85}\u{2028}spins";
    let line = serde_json::to_string(&json!({"id": "a", "question": question})).expect("JSON");
    let run = sandbox.run_with_input(&["query", "--batch", "-"], &format!("{line}\n")).ok();
    let response: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(run.stdout.lines().count(), 1);
    assert_eq!((text(&response["question"]), citations(&response)), (question, vec!["docs/good.md#good".to_owned()]));
    check_harmless(&sandbox.query("zeppelin\u{1b}[31m turbine"));
}

#[test]
fn a_question_that_is_not_utf_8_is_answered() {
    let sandbox = good();
    let mut command = sandbox.command(&["query", "--"]);
    let run = Run::of(command.arg(OsStr::from_bytes(b"turbine \xff")).output().expect("it starts"));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("docs/good.md#good"), "{}", run.stdout);
}

#[test]
fn a_batch_line_that_is_not_utf_8_stops_no_other() {
    let sandbox = good();
    sandbox.write("questions.txt", b"turbine\nspi\xffns\nturbine\n");
    let run = sandbox.run(&["query", "--batch", "questions.txt"]);
    assert_eq!((run.stdout.lines().count(), run.code), (3, Some(0)), "{}", run.stderr);
}
