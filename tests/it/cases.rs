//! Mistakes that others made, each a public report of a tool of this kind, with the right behaviour.
//!
//! A test's comment names the row of our list and the report. Rows about the index's life are in `lifecycle`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::sandbox::{Run, SENTINEL, Sandbox, citations, text};

fn pages(pages: &[(&str, &str)]) -> Sandbox {
    pages.iter().fold(Sandbox::new(), |sandbox, (path, content)| sandbox.file(path, content))
}

/// One page, `docs/a.md`.
fn page(content: &str) -> Sandbox {
    pages(&[("docs/a.md", content)])
}

/// Checks that a page has exactly these sections, as anchor and trail.
fn check_sections(sandbox: &Sandbox, path: &str, expected: &[(&str, &[&str])]) {
    let status = sandbox.json(&["status", "--json", "--docs", path]);
    assert_eq!(status["passages"], json!(expected.len()), "the sections of {path}");
    for (anchor, trail) in expected {
        let section = sandbox.json(&["read", "--json", &format!("{path}#{anchor}")]);
        assert_eq!(section["trail"], json!(trail), "{path}#{anchor}");
    }
}

fn check_no_section(sandbox: &Sandbox, targets: &[&str]) {
    for target in targets {
        assert_eq!(sandbox.run(&["read", target]).code, Some(2), "{target}");
    }
}

/// A section as it stands in the file.
fn own_text(sandbox: &Sandbox, target: &str) -> String {
    sandbox.ok(&["read", target, "--context", "none"]).stdout
}

// Markdown parsing and sectioning

#[test]
fn comments_in_fences_are_not_headings() {
    // MD1 VeraTools/vera#159
    let sandbox = page("# Real Title\n\n```python\n# this is a comment\nrun()\n```\n\nThe turbine spins.\n");
    check_sections(&sandbox, "docs/a.md", &[("real-title", &["Real Title"])]);
    check_no_section(&sandbox, &["docs/a.md#this-is-a-comment"]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#real-title"]);
}

#[test]
fn tilde_fences_stay_whole() {
    // MD2 agno-agi/agno#10470
    let sandbox = page("# Real Title\n\n~~~bash\n## Install deps\n~~~\n\nThe turbine spins.\n\n# Next\n\nx\n");
    check_sections(&sandbox, "docs/a.md", &[("real-title", &["Real Title"]), ("next", &["Next"])]);
    let expected = "# Real Title\n\n~~~bash\n## Install deps\n~~~\n\nThe turbine spins.\n\n";
    assert_eq!(own_text(&sandbox, "docs/a.md#real-title"), expected);
}

#[test]
fn fences_in_list_items_are_fences() {
    // MD3 markedjs/marked#2518
    let sandbox = page("## before\n\n1. item\n\n   ```bash\n   # comment\n   ```\n\n## after\n\nThe turbine spins.\n");
    check_sections(&sandbox, "docs/a.md", &[("before", &["before"]), ("after", &["after"])]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#after"]);
}

#[test]
fn fences_close_as_commonmark_says() {
    // MD4 praneybehl/llm-wiki-plugin PR#11
    let sandbox = pages(&[
        ("docs/a.md", "````\n```\n# no\n```\n# no2\n````\n\n## yes\n\nx\n"),
        ("docs/b.md", "```\n~~~\n# no\n~~~\n```\n\n## yes\n\nx\n"),
        ("docs/c.md", "    # no\n\n## yes\n\nx\n"),
    ]);
    for path in ["docs/a.md", "docs/b.md", "docs/c.md"] {
        check_no_section(&sandbox, &[&format!("{path}#no"), &format!("{path}#no2")]);
        assert_eq!(own_text(&sandbox, &format!("{path}#yes")), "## yes\n\nx\n");
    }
}

/// Four sections, of which the third opens a fence that nothing closes.
const UNCLOSED: &str = "\
## One

alpha

## Two

beta

## Three

```sh
gamma

## Four

The turbine spins.
";

#[test]
fn text_after_an_unclosed_fence_is_found() {
    // MD6 virgiliojr94/book-to-skill PR#135
    let sandbox = page(UNCLOSED);
    for (word, anchor) in [("alpha", "one"), ("beta", "two"), ("gamma", "three"), ("turbine", "three")] {
        assert_eq!(sandbox.citations(word), [format!("docs/a.md#{anchor}")], "{word}");
    }
}

#[test]
fn an_unclosed_fence_is_named_by_file_and_line() {
    // MD6 virgiliojr94/book-to-skill PR#135
    let stderr = page(UNCLOSED).ok(&["index"]).stderr;
    assert!(stderr.contains("docs/a.md") && stderr.contains("11"), "{stderr:?}");
}

#[test]
fn front_matter_is_metadata() {
    // MD7 jgravelle/jdocmunch-mcp PR#10
    let sandbox = page("---\nname: example\ndescription: metadata line\n---\n\n# Title\n\nThe turbine spins.\n");
    check_no_section(
        &sandbox,
        &["docs/a.md#description-metadata-line", "docs/a.md#name-example-description-metadata-line"],
    );
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#title"]);
    assert_eq!(sandbox.citations("metadata"), ["docs/a.md#title"]);
}

#[test]
fn a_rule_at_the_top_is_no_front_matter() {
    // MD7 jgravelle/jdocmunch-mcp PR#10
    let sandbox = page("---\n\n# One\n\nalpha\n\n## Two\n\nbeta\n");
    assert_eq!(sandbox.citations("alpha"), ["docs/a.md#one"]);
    assert_eq!(sandbox.citations("beta"), ["docs/a.md#two"]);
}

#[test]
fn rules_in_the_middle_hide_nothing() {
    // MD8 the pulldown-cmark metadata-block trap, as jgravelle/jdocmunch-mcp PR#10
    let sandbox = page("# A\n\npara\n\n---\ntext between rules\n\n## Inside\n\nturbine\n\n---\n\n## After\n\nrotor\n");
    let expected: [(&str, &[&str]); 3] = [("a", &["A"]), ("inside", &["A", "Inside"]), ("after", &["A", "After"])];
    check_sections(&sandbox, "docs/a.md", &expected);
    assert_eq!(sandbox.citations("text between rules"), ["docs/a.md#a"]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#inside"]);
}

#[test]
fn sections_belong_to_the_nearest_heading_above() {
    // MD9 engram-app/Engram#1616
    let sandbox = page("# Chapter One\n\nalpha\n\n# Chapter Two\n\n### deep\n\nbeta\n");
    assert_eq!(sandbox.citations("beta"), ["docs/a.md#deep"]);
    let source = &sandbox.response("beta")["sources"][0];
    assert_eq!(source["trail"], json!(["Chapter Two", "deep"]));
}

#[test]
fn a_heading_without_text_is_no_answer() {
    // MD9 engram-app/Engram#1616
    let sandbox = page("# Chapter One\n\nalpha\n\n# Turbine\n\n# Chapter Three\n\nThe turbine spins fast.\n");
    let response = sandbox.response("turbine");
    assert!(text(&response["answer"]).starts_with("The turbine spins fast."), "{response}");
    for source in response["sources"].as_array().expect("sources") {
        assert_ne!(text(&source["snippet"]), "", "{source}");
    }
}

#[test]
fn headings_in_comments_are_not_headings() {
    // MD10 patchloom/patchloom#1133
    let sandbox = page("<!--\n# commented heading\n\nzeppelin\n-->\n\n## yes\n\nThe turbine spins.\n");
    check_no_section(&sandbox, &["docs/a.md#commented-heading"]);
    assert_eq!(sandbox.query("zeppelin"), SENTINEL);
    assert_eq!(sandbox.query("commented heading"), SENTINEL);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#yes"]);
}

#[test]
fn crlf_files_have_the_same_sections() {
    // MD11 abhigyanpatwari/GitNexus PR#1469
    let unix: String = (1..=5).map(|n| format!("## Part {n}\n\nword{n} stands here\nand more.\n\n")).collect();
    let outputs = [unix.clone(), unix.replace('\n', "\r\n")].map(|content| {
        let sandbox = page(&content);
        (1..=5).map(|n| sandbox.ok(&["query", "--json", &format!("word{n}")]).stdout).collect::<Vec<_>>()
    });
    assert_eq!(outputs[0], outputs[1]);
    assert!(outputs[0][4].contains("\"line_start\": 21"), "{}", outputs[0][4]);
}

#[test]
fn a_byte_order_mark_hides_no_front_matter() {
    // MD12 QwenLM/qwen-code PR#2095
    let sandbox = page("\u{feff}---\r\ntitle: Rotor\r\n---\r\n\r\n# H\r\n\r\nThe turbine spins.\r\n");
    assert_eq!(sandbox.found("title:rotor"), ["docs/a.md"]);
    let response = sandbox.ok(&["query", "--json", "turbine"]).stdout;
    assert!(!response.contains('\u{feff}') && !response.contains("\\ufeff"), "{response}");
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#h"]);
}

#[test]
fn a_byte_order_mark_hides_no_heading() {
    // MD12 QwenLM/qwen-code PR#2095
    let sandbox = page("\u{feff}# H\r\n\r\nThe turbine spins.\r\n");
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#h"]);
    assert_eq!(sandbox.response("turbine")["sources"][0]["heading"], json!("H"));
}

#[test]
fn lines_cover_exactly_the_quoted_text() {
    // MD13 kirodotdev/KiroCrew PR#6363
    let content = "# A\na\n## B\nb\n## C\nc\n## Turbine\nspins\n\n\n";
    for content in [content, content.trim_end_matches('\n'), &content[..content.len() - 1]] {
        let sandbox = page(content);
        let lines: Vec<&str> = content.lines().collect();
        for anchor in ["a", "b", "c", "turbine"] {
            let section = sandbox.json(&["read", "--json", &format!("docs/a.md#{anchor}")]);
            let at = |key: &str| section[key].as_u64().expect("a line") as usize;
            let (start, end) = (at("line_start"), at("line_end"));
            assert!(1 <= start && start <= end && end <= lines.len(), "{anchor}: {start}-{end}");
            let quoted: Vec<&str> = text(&section["text"]).lines().collect();
            assert_eq!(quoted, lines[start - 1..end], "{anchor} in {content:?}");
        }
    }
}

#[test]
fn a_file_without_headings_is_found_by_its_path() {
    // MD14 vuejs/vitepress#4049
    let content = "A paragraph.\n\nThe turbine spins.\n";
    let sandbox = page(content);
    assert_eq!(sandbox.search("turbine"), ["docs/a.md:3  []  The turbine spins."]);
    assert_eq!(sandbox.ok(&["read", "docs/a.md"]).stdout, content);
}

#[test]
fn code_in_a_heading_is_part_of_its_title() {
    // MD16 fedify-dev/fedify#254
    let sandbox = page("## Implement the `KvStore` interface\n\nThe turbine spins.\n");
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#implement-the-kvstore-interface"]);
    assert_eq!(sandbox.response("turbine")["sources"][0]["heading"], json!("Implement the KvStore interface"));
}

#[test]
fn html_in_a_heading_is_no_part_of_its_title() {
    // MD17 wotakumoe/wotaku PR#86
    let sandbox = page("## General Download <a id=\"x\"></a> <Badge text=\"new\"/>\n\nThe turbine spins.\n");
    let source = &sandbox.response("turbine")["sources"][0];
    assert_eq!(source["heading"], json!("General Download"));
    let anchor = text(&source["anchor"]).to_owned();
    assert!(anchor.trim_end_matches('-') == "general-download", "{anchor}");
    for anchor in ["general-download", "x"] {
        assert!(own_text(&sandbox, &format!("docs/a.md#{anchor}")).contains("turbine"), "{anchor}");
    }
}

#[test]
fn container_markers_carry_no_weight() {
    // MD22 observablehq/plot#1787
    let boxes = ["::: tip\nUse x.\n:::", "> [!TIP]\n> Use x.", "!!! tip\n    Use x."];
    let sandbox = (0..10).fold(Sandbox::new(), |sandbox, number| {
        let content = format!("# Page {number}\n\n{0}\n\n{0}\n\n{0}\n", boxes[number % 3]);
        sandbox.file(&format!("docs/a{number}.md"), content)
    });
    let sandbox = sandbox.file("docs/tip-mark.md", "# Tip mark\n\nDraws a box near the pointer.\n");
    assert_eq!(sandbox.citations("tip"), ["docs/tip-mark.md#tip-mark"]);
}

#[test]
fn scripts_and_styles_are_not_text() {
    // MD23 squidfunk/mkdocs-material#5198
    let sandbox = page(
        "# A\n\n<style>.x{color:crimson}</style>\n\n<script>\nfetchWidgets()\n</script>\n\nText <script>loadRotor()</script> here.\n",
    );
    for word in ["fetchWidgets", "crimson", "loadRotor"] {
        assert_eq!(sandbox.query(word), SENTINEL, "{word}");
    }
}

#[test]
fn mdx_includes_are_cited_where_they_stand() {
    // MD25 PostHog/posthog.com#9827
    let sandbox = pages(&[
        ("docs/doc.mdx", "import Snippet from './snippet.mdx'\n\n# Doc\n\nBefore <b>it</b>.\n\n<Snippet/>\n"),
        ("docs/snippet.mdx", "## This is a header\n\nThe turbine spins.\n"),
    ]);
    assert_eq!(sandbox.citations("turbine"), ["docs/snippet.mdx#this-is-a-header"]);
    assert_eq!(sandbox.query("import from"), SENTINEL);
    assert!(!sandbox.query("before").contains("<Snippet"), "{}", sandbox.query("before"));
}

#[test]
fn front_matter_that_is_no_yaml_costs_a_warning() {
    // MD26 basicmachines-co/basic-memory#1171
    let sandbox = pages(&[
        ("docs/a.md", "---\ntitle: x\n\tbad: [unclosed\n---\n\n# A\n\nThe turbine spins.\n"),
        ("docs/b.md", "# B\n\nx\n"),
    ]);
    let run = sandbox.ok(&["index"]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a"]);
    assert_eq!(run.stderr.matches("docs/a.md").count(), 1, "one warning names the file: {:?}", run.stderr);
}

// Anchors and links

#[test]
fn marks_at_the_end_of_headings_stay_or_go_as_on_github() {
    // AN5 npm/marky-markdown#56
    let sandbox = page("## test(\n\nw1\n\n## test)\n\nw2\n\n## test_\n\nw3\n\n## test-\n\nw4\n\n## test=\n\nw5\n");
    let found: Vec<String> = (1..=5).map(|n| sandbox.first(&format!("w{n}"))).collect();
    let expected = ["test", "test-1", "test_", "test-", "test-2"].map(|anchor| format!("docs/a.md#{anchor}"));
    assert_eq!(found, expected);
}

#[test]
fn emoji_shortcodes_keep_their_name() {
    // AN6 npm/marky-markdown#128
    assert_eq!(page("## :tada: Release\n\nturbine\n").citations("turbine"), ["docs/a.md#tada-release"]);
}

#[test]
fn links_are_relative_to_the_root_wherever_the_program_runs() {
    // AN8 easyops-cn/docusaurus-search-local#422
    let sandbox = pages(&[("docs/a/b.md", "# H\n\nturbine\n")]).folder(".git");
    let expected = sandbox.query("turbine");
    assert!(expected.contains("- [docs/a/b.md#h](docs/a/b.md#h) — turbine\n"), "{expected}");
    for folder in ["docs", "docs/a"] {
        let output = sandbox.command(&["query", "turbine"]).current_dir(sandbox.path(folder)).output();
        assert_eq!(Run::of(output.expect("it starts")).stdout, expected, "{folder}");
    }
    let root = sandbox.root().to_str().expect("UTF-8").to_owned();
    assert_eq!(Sandbox::new().ok(&["query", "turbine", "--root", &root]).stdout, expected);
}

// Tokenization and query syntax

/// Checks that a page is found, first of all, by each of some questions and searches.
fn check_found(sandbox: &Sandbox, path: &str, queries: &[&str]) {
    for query in queries {
        assert_eq!(sandbox.first(query).split('#').next(), Some(path), "query {query}");
        assert_eq!(sandbox.found(query).first().map(String::as_str), Some(path), "search {query}");
    }
}

const OTHER: (&str, &str) = ("docs/other.md", "# Other\n\nNothing of that kind is said on this page.\n");

#[test]
fn an_inner_hyphen_is_no_negation() {
    // TK1 tobi/qmd#417
    let sandbox = pages(&[("docs/a.md", "# Decisions\n\nSee DEC-0054 for the reason.\n"), OTHER]);
    check_found(&sandbox, "docs/a.md", &["DEC-0054", "\"DEC-0054\"", "dec 0054"]);
}

#[test]
fn names_with_marks_are_found_as_typed() {
    // TK3 tobi/qmd#916
    let sandbox = pages(&[
        ("docs/a.md", "# One\n\nOpen qmd://notes in the viewer.\n"),
        ("docs/b.md", "# Two\n\nInstall @scope/pkg from the registry.\n"),
        ("docs/c.md", "# Three\n\nIt is written in src/store.ts and nowhere else.\n"),
    ]);
    check_found(&sandbox, "docs/a.md", &["qmd://notes", "\"qmd://notes\""]);
    check_found(&sandbox, "docs/b.md", &["@scope/pkg", "\"@scope/pkg\""]);
    check_found(&sandbox, "docs/c.md", &["src/store.ts", "\"src/store.ts\""]);
}

#[test]
fn a_version_comes_before_its_neighbours() {
    // TK4 tobi/qmd#563
    let sandbox = pages(&[
        ("docs/a.md", "# Release\n\nFixed in 2026.4.1 for all.\n"),
        ("docs/b.md", "# Release\n\nFixed in 2026.4.10 for all.\n"),
        ("docs/c.md", "# Release\n\nFixed in 1.0.21 for all.\n"),
        ("docs/d.md", "# Release\n\nFixed in 1.0.2 for all.\n"),
    ]);
    check_found(&sandbox, "docs/b.md", &["2026.4.10", "\"2026.4.10\""]);
    check_found(&sandbox, "docs/a.md", &["2026.4.1"]);
    check_found(&sandbox, "docs/c.md", &["\"1.0.21\"", "1.0.21"]);
}

#[test]
fn languages_with_marks_in_their_names_are_told_apart() {
    // TK6 Pagefind/pagefind#639
    let page = |name: &str| format!("# Using {name}\n\nWrite {name} and compile it.\n");
    let sandbox = pages(&[
        ("docs/c-plus-plus.md", &page("C++")),
        ("docs/c-sharp.md", &page("C#")),
        ("docs/plain.md", &page("C")),
        ("docs/dotnet.md", &page(".NET")),
    ]);
    check_found(&sandbox, "docs/c-plus-plus.md", &["C++", "how do I compile C++?"]);
    check_found(&sandbox, "docs/c-sharp.md", &["C#", "how do I compile C#?"]);
    check_found(&sandbox, "docs/plain.md", &["C", "how do I compile C?"]);
    check_found(&sandbox, "docs/dotnet.md", &[".NET", "how do I compile .NET?"]);
}

#[test]
fn camel_case_is_found_whole_and_in_parts() {
    // TK8 squidfunk/mkdocs-material#6632
    let sandbox = pages(&[("docs/a.md", "# TestExample\n\nIt shows a thing.\n"), OTHER]);
    check_found(&sandbox, "docs/a.md", &["test", "example", "testexample", "TestExample"]);
}

#[test]
fn snake_and_camel_case_are_found_in_any_run_of_parts() {
    // TK9 squidfunk/mkdocs-material#744
    let sandbox = pages(&[
        ("docs/a.md", "# Messages\n\nCall Msg_MultiStopParse to read it.\n"),
        ("docs/b.md", "# Stops\n\nA multi stop parse of the msg is slow, msg by msg, stop by stop.\n"),
    ]);
    check_found(&sandbox, "docs/a.md", &["Msg_MultiStopParse"]);
    for query in ["Msg_", "MultiStop", "StopParse", "Msg_MultiStopParse"] {
        assert!(sandbox.found(query).contains(&"docs/a.md".to_owned()), "{query}");
        assert!(sandbox.citations(query).contains(&"docs/a.md#messages".to_owned()), "{query}");
    }
}

#[test]
fn apostrophes_break_neither_question_nor_match() {
    // TK15 spences10/ccrecall#29
    let sandbox = pages(&[
        ("docs/a.md", "# Agents\n\nYou don't need agents here.\n"),
        ("docs/b.md", "# Limits\n\nThe team\u{2019}s limit is ten.\n"),
    ]);
    check_found(&sandbox, "docs/a.md", &["don't use agents", "don\u{2019}t use agents"]);
    check_found(&sandbox, "docs/b.md", &["what's the team's limit?", "what\u{2019}s the team\u{2019}s limit?"]);
}

#[test]
fn syntax_in_a_question_is_neither_error_nor_everything() {
    // TK18 quickwit-oss/tantivy#2631
    let sandbox = pages(&[("docs/a.md", "# Turbine\n\nIt spins.\n"), OTHER]);
    for question in [
        "y+(y+25)",
        "zz AND",
        "\"unclosed",
        "[1 TO",
        "field:x",
        "*",
        "/re/",
        "title:hello",
        "err: {0}",
        "[zz TO b",
        "-zz",
        "zz~",
        "zz^2",
        "+zz",
        "\\",
        "(zz",
        "zz)",
        "!",
        "zz && yy",
        "zz || yy",
        "?",
        "field:*",
        "_exists_:x",
        "<zz>",
        "'",
    ] {
        assert_eq!(sandbox.query(question), SENTINEL, "{question}");
        assert_eq!(sandbox.search(question), Vec::<String>::new(), "{question}");
    }
}

#[test]
fn file_names_and_paths_are_found_literally() {
    // TK19 dezgit2025/auto-memory PR#27
    let sandbox = pages(&[
        ("docs/a.md", "# Memory\n\nKeep notes in CLAUDE.md at the top.\n"),
        ("docs/b.md", "# Entry\n\nThe entry is src/main.py there.\n"),
        ("docs/c.md", "# Recall\n\nRun session-recall to list them.\n"),
    ]);
    check_found(&sandbox, "docs/a.md", &["CLAUDE.md"]);
    check_found(&sandbox, "docs/b.md", &["src/main.py"]);
    check_found(&sandbox, "docs/c.md", &["session-recall"]);
}

#[test]
fn the_word_itself_beats_its_other_forms() {
    // TK21 freelawproject/courtlistener#1886
    let sandbox = pages(&[
        ("docs/a.md", "# Deposit\n\nThe deposit is paid. A deposit is due.\n"),
        ("docs/b.md", "# Deposition\n\nA deposition is taken.\n"),
    ]);
    check_found(&sandbox, "docs/b.md", &["deposition"]);
    check_found(&sandbox, "docs/a.md", &["deposit"]);
}

#[test]
fn a_question_of_common_words_still_searches() {
    // TK23 casey/just#1687
    let sandbox = pages(&[("docs/a.md", "# Recipes\n\nDependencies that run `after` the recipe.\n"), OTHER]);
    check_found(&sandbox, "docs/a.md", &["after"]);
}

#[test]
fn a_quoted_phrase_is_literal() {
    // TK24 typesense/typesense#2672
    let sandbox = pages(&[
        ("docs/a.md", "# One\n\nAbout connected pool handling.\n"),
        ("docs/b.md", "# Two\n\nAbout connecting pools handling.\n"),
    ]);
    assert_eq!(sandbox.found("\"connecting pools\""), ["docs/b.md"]);
    assert_eq!(sandbox.first("\"connecting pools\""), "docs/b.md#two");
}

#[test]
fn an_exact_word_comes_before_its_neighbour() {
    // TK25 oramasearch/orama#744
    let sandbox = pages(&[
        ("docs/a.md", "# Moelle\n\nLa moelle est moelle.\n"),
        ("docs/b.md", "# Gâteau\n\nUn gâteau moelleux.\n"),
    ]);
    check_found(&sandbox, "docs/b.md", &["moelleux"]);
    check_found(&sandbox, "docs/a.md", &["moelle"]);
}

#[test]
fn a_slip_finds_the_near_word_and_nothing_shorter() {
    // TK26 oramasearch/orama#797
    let sandbox = pages(&[("docs/a.md", "# S\n\nThe letter s.\n"), ("docs/b.md", "# Scroll\n\nThe page moves.\n")]);
    assert_eq!(sandbox.citations("scrol"), ["docs/b.md#scroll"]);
}

#[test]
fn versions_numbers_and_flags_are_not_guessed() {
    // TK26 oramasearch/orama#797
    let sandbox = page("# A\n\nUse 1.0.21 with --frozen on port 8080.\n");
    for question in ["8081", "--froze"] {
        assert_eq!(sandbox.query(question), SENTINEL, "{question}");
    }
    // Its parts match, so the page may be named as the nearest, but it is no answer.
    let response = sandbox.response("1.0.22");
    assert_eq!((&response["status"], &response["missing"]), (&json!("not_found"), &json!(["1.0.22"])));
}

#[test]
fn case_does_not_matter() {
    // TK27 meilisearch/meilisearch#6146
    let sandbox = pages(&[
        ("docs/a.md", "# One\n\nThe genscript tool. And GENSCRIPT too.\n"),
        ("docs/b.md", "# GenScript\n\nA tool.\n"),
        ("docs/c.md", "# Three\n\nNo Genscript here.\n"),
    ]);
    let expected = sandbox.citations("genscript");
    assert_eq!(expected.len(), 3);
    for question in ["GENSCRIPT", "Genscript"] {
        assert_eq!(sandbox.citations(question), expected, "{question}");
        assert_eq!(sandbox.search(question), sandbox.search("genscript"), "{question}");
    }
}

#[test]
fn a_word_that_is_absent_does_not_empty_the_result() {
    // TK30 tobi/qmd#976
    let sandbox =
        pages(&[("docs/a.md", "# 活动\n\n云工开物 300 元学生券\n"), ("docs/b.md", "# 其他\n\n开发者工具说明\n")]);
    check_found(&sandbox, "docs/a.md", &["云工开物 优惠券", "云工开物"]);
}

#[test]
fn an_unknown_word_in_a_long_question_does_no_harm() {
    // TK31 obetomuniz/web-ai-sdk#214
    let sandbox = pages(&[
        ("docs/a.md", "# Tools\n\nRegistration of tools is declarative or imperative; the browser needs support.\n"),
        ("docs/b.md", "# Support\n\nAsk in the forum how to use it.\n"),
        OTHER,
    ]);
    let question = "how to use the webmcp browser support registration tools declarative imperative";
    assert_eq!(sandbox.first(question), "docs/a.md#tools");
}

// Ranking, excerpts, confidence

#[test]
fn a_heading_beats_repetition() {
    // RK1 Pagefind/pagefind#437
    let long = "The automations run. Many automations are there among other words of the day. ".repeat(20);
    let sandbox = pages(&[
        ("docs/a.md", &format!("# Overview\n\n{long}\n")),
        ("docs/b.md", "# Guide\n\nx\n\n## Automations\n\nThey start by themselves.\n"),
    ]);
    assert_eq!(sandbox.first("automations"), "docs/b.md#automations");
}

#[test]
fn a_file_name_that_fits_comes_first() {
    // RK1 Pagefind/pagefind#437
    let long = "Wire I2C devices. The bus runs at 400 kHz and has pull-ups. ".repeat(20);
    let sandbox = pages(&[
        ("docs/buses.md", &format!("# Buses\n\n{long}\n")),
        ("docs/i2c.md", "# The two-wire bus\n\nConnect the clock and the data line.\n"),
    ]);
    assert_eq!(sandbox.first("I2C"), "docs/i2c.md#the-two-wire-bus");
}

#[test]
fn a_changelog_comes_below_the_page_itself() {
    // RK2 readthedocs/readthedocs.org#11741
    let entries: String = (0..30).map(|n| format!("- Audio: fixed audio bug {n} in the audio mixer.\n")).collect();
    let sandbox = pages(&[
        ("docs/changelog.md", &format!("# Changelog\n\n## Audio\n\n{entries}")),
        ("docs/buses.md", "# Audio buses\n\nSound goes through buses.\n"),
    ]);
    assert_eq!(sandbox.first("audio"), "docs/buses.md#audio-buses");
}

#[test]
fn a_page_is_found_by_its_path() {
    // RK4 Chemaclass/agnostic-ai PR#882
    let sandbox = pages(&[("docs/migration.md", "# Import existing tool configuration\n\nCopy the file.\n"), OTHER]);
    check_found(&sandbox, "docs/migration.md", &["migration"]);
}

#[test]
fn both_words_together_beat_one_word_many_times() {
    // RK5 hpcugent/vsc_user_docs#727
    let many = "Load a module. The module is a module of modules. ".repeat(10);
    let sandbox = pages(&[
        ("docs/a.md", &format!("# Software\n\n{many}\n")),
        ("docs/b.md", "# Details\n\nTo see what is inside, run `module show` with the name.\n"),
    ]);
    check_found(&sandbox, "docs/b.md", &["module show"]);
}

#[test]
fn the_section_that_matches_best_is_cited() {
    // RK8 nychealth/EH-dataportal#992
    let filler: String = (2..6).map(|n| format!("## Part {n}\n\nOther matters.\n\n")).collect();
    let strong = "## Part 6\n\nAsthma rates by district. Asthma visits, asthma care and asthma maps.\n";
    let sandbox = page(&format!("# Data\n\n## Part 1\n\nWe mention asthma here.\n\n{filler}{strong}"));
    assert_eq!(sandbox.first("asthma"), "docs/a.md#part-6");
}

#[test]
fn a_title_is_found_though_no_text_repeats_it() {
    // RK10 algolia/docsearch#1255
    let sandbox = pages(&[
        ("docs/a.md", "---\ntitle: Quarterly turbine\n---\n\n## First\n\nSome words.\n\n## Second\n\nMore words.\n"),
        OTHER,
    ]);
    check_found(&sandbox, "docs/a.md", &["quarterly turbine"]);
}

#[test]
fn common_words_do_not_make_an_answer() {
    // RK15 xmlui-org/xmlui-mcp#19
    let sandbox = pages(&[
        ("docs/a.md", "# DataSource\n\nA DataSource fetches data with GET. Bind it to read the result in a list.\n"),
        ("docs/b.md", "# Lists\n\nA list shows data. Each item has a template.\n"),
    ]);
    let response = sandbox.response("DataSource method post send body read data");
    assert_ne!(text(&response["status"]), "answered", "{response}");
    let missing: Vec<&str> = response["missing"].as_array().expect("a list").iter().map(text).collect();
    assert_eq!(missing, ["method", "post", "send", "body"]);
    assert!(text(&response["answer"]).contains("`post`"), "{response}");
}

#[test]
fn a_boilerplate_section_does_not_win_everything() {
    // RK16 arabold/docs-mcp-server#315
    let footer =
        "\n## Getting help\n\nAsk about install, deploy, backup, upgrade questions in the chat. Read the docs first.\n";
    let page = |title: &str, body: &str| format!("# {title}\n\n{body}\n{footer}");
    let sandbox = pages(&[
        ("docs/install.md", &page("Install", "Download the archive and unpack it.")),
        ("docs/deploy.md", &page("Deploy", "Copy the bundle to the host and start it.")),
        ("docs/backup.md", &page("Backup", "Dump the store every night.")),
        ("docs/upgrade.md", &page("Upgrade", "Stop it, replace the binary, start it.")),
    ]);
    let firsts = ["install", "deploy", "backup", "upgrade"].map(|verb| sandbox.first(&format!("how do I {verb} it?")));
    let expected =
        ["docs/install.md#install", "docs/deploy.md#deploy", "docs/backup.md#backup", "docs/upgrade.md#upgrade"];
    assert_eq!(firsts, expected);
}

#[test]
fn a_snippet_shows_the_densest_match_in_its_own_case() {
    // RK18 speakeasy-api/docs-mcp `search-common.ts`
    let filler = "How many times this is said does not matter to anyone. ".repeat(12);
    let sandbox = page(&format!("# Users\n\n{filler}\n\nLoad one with getUserById(ID) from the client.\n"));
    let response = sandbox.response("how is getUserById called");
    assert_eq!(response["sources"][0]["snippet"], json!("Load one with getUserById(ID) from the client."));
}

// Index life cycle

#[test]
fn a_large_changelog_is_indexed() {
    // IX13 jgravelle/jdocmunch-mcp (CHANGELOG 1.138.0, #130 there)
    let line = "- Fixed a bug in the frame of the house and in the roof above it.\n";
    let content = format!("# Changelog\n\n{0}- The turbine spins.\n{0}", line.repeat(1_500_000 / line.len() / 2));
    let sandbox = pages(&[("docs/CHANGELOG.md", &content)]);
    assert_eq!(sandbox.citations("turbine"), ["docs/CHANGELOG.md#changelog"]);
}

/// A sandbox whose program runs without the rights of root, so that permissions mean something.
struct Nobody {
    sandbox: Sandbox,
    program: std::path::PathBuf,
}

impl Nobody {
    /// Opens everything that the sandbox is made of to everybody, and puts a copy of the program inside.
    fn of(sandbox: Sandbox) -> Self {
        let temp = sandbox.root().parent().expect("a folder above the root").to_owned();
        let program = temp.join("inkwell");
        fs::copy(crate::sandbox::INKWELL, &program).expect("a copy");
        fs::create_dir_all(sandbox.index_dir()).expect("a folder");
        for folder in [temp, sandbox.index_dir(), sandbox.home()] {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("our own folder");
        }
        Self { sandbox, program }
    }

    fn run(&self, args: &[&str]) -> Run {
        use std::os::unix::fs::MetadataExt;
        use std::os::unix::process::CommandExt;
        let mut command = self.sandbox.command_of(&self.program);
        command.args(args);
        if fs::metadata(self.sandbox.root()).expect("a root").uid() == 0 {
            command.uid(65534).gid(65534);
        }
        Run::of(command.output().expect("the program starts"))
    }

    fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.sandbox.path(path), fs::Permissions::from_mode(mode)).expect("our own file");
    }
}

#[test]
fn a_folder_that_can_not_be_read_keeps_its_entries() {
    // IX15 basicmachines-co/basic-memory#1007
    let nobody = Nobody::of(pages(&[("docs/a.md", "# A\n\nturbine\n"), ("docs/b.md", "# B\n\nrotor\n")]));
    let files = |nobody: &Nobody| {
        let status: Value = serde_json::from_str(&nobody.run(&["status", "--json"]).ok().stdout).expect("JSON");
        status["files"].as_u64()
    };
    assert_eq!(files(&nobody), Some(2));
    nobody.set_mode("docs", 0);
    let run = nobody.run(&["index"]);
    assert!(run.stderr.contains("`docs`") && run.stderr.contains("permission denied"), "{}", run.stderr);
    assert_eq!(files(&nobody), Some(2));
    nobody.set_mode("docs", 0o755);
    let run = nobody.run(&["query", "--json", "turbine"]).ok();
    assert_eq!(citations(&serde_json::from_str(&run.stdout).expect("JSON")), ["docs/a.md#a"]);
    assert_eq!(nobody.run(&["index"]).stdout, "up to date: 2 files with 2 passages\n");
}

#[test]
fn files_that_can_not_be_read_are_named_and_counted() {
    // IX16 tobi/qmd#460
    let sandbox = (0..10).fold(Sandbox::new(), |s, n| s.file(&format!("docs/{n}.md"), format!("# P{n}\n\nturbine\n")));
    let nobody = Nobody::of(sandbox.file("docs/3.md", b"# P3\n\nturbine \xff\n"));
    nobody.set_mode("docs/7.md", 0);
    let run = nobody.run(&["index"]).ok();
    let expected = "\
warning: skipped `docs/3.md`: it is not UTF-8: the byte at offset 14 is wrong
warning: skipped `docs/7.md`: permission denied
";
    assert_eq!(run.stderr, expected);
    assert_eq!(run.stdout, "read 8 files: 8 files with 8 passages, 2 skipped\n");
    let status: Value = serde_json::from_str(&nobody.run(&["status", "--json"]).ok().stdout).expect("JSON");
    assert_eq!(status["files"], json!(8));
    let skipped = json!([
        {"path": "docs/3.md", "reason": "it is not UTF-8: the byte at offset 14 is wrong"},
        {"path": "docs/7.md", "reason": "permission denied"},
    ]);
    assert_eq!(status["skipped"], skipped);
}

#[test]
fn a_file_that_becomes_readable_is_indexed() {
    // IX16 tobi/qmd#460
    let nobody = Nobody::of(pages(&[("docs/a.md", "# A\n\nturbine\n"), ("docs/b.md", "# B\n\nrotor\n")]));
    nobody.set_mode("docs/a.md", 0);
    assert_eq!(nobody.run(&["query", "turbine"]).ok().stdout, SENTINEL);
    nobody.set_mode("docs/a.md", 0o644);
    assert!(nobody.run(&["query", "turbine"]).ok().stdout.contains("docs/a.md#a"));
}

#[test]
fn an_index_of_failures_alone_fails() {
    // IX17 basicmachines-co/basic-memory#1237
    let sandbox = Sandbox::new().file("docs/a.md", b"\xff\xfe\xfd").file("docs/b.md", b"# B \xc0\n");
    let run = sandbox.run(&["index"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
    assert!(run.stderr.contains("docs/a.md") && run.stderr.contains("docs/b.md"), "{}", run.stderr);
}

// File discovery

#[test]
fn ignore_files_of_other_tools_do_not_count() {
    // FS1 zilliztech/claude-context#372
    let sandbox =
        pages(&[(".prettierignore", "*\n!src\n"), (".dockerignore", "docs\n"), ("docs/a.md", "# A\n\nturbine\n")]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a"]);
}

#[test]
fn our_own_ignore_file_counts() {
    // FS1 zilliztech/claude-context#372
    let sandbox = pages(&[
        (".inkwellignore", "docs/b.md\n"),
        ("docs/a.md", "# A\n\nturbine\n"),
        ("docs/b.md", "# B\n\nturbine\n"),
    ]);
    assert_eq!(sandbox.citations("turbine"), ["docs/a.md#a"]);
}

#[test]
fn an_ignored_folder_can_be_taken_back() {
    // FS2 zilliztech/claude-context#397
    let sandbox = pages(&[
        (".gitignore", "docs/*\n!docs/guide\n"),
        ("docs/a.md", "# A\n\nturbine\n"),
        ("docs/guide/b.md", "# B\n\nturbine\n"),
    ]);
    assert_eq!(sandbox.citations("turbine"), ["docs/guide/b.md#b"]);
}

#[test]
fn a_rule_with_a_leading_slash_is_for_the_top_only() {
    // FS3 zilliztech/claude-context#200
    let sandbox = pages(&[
        (".gitignore", "/Library/\n"),
        ("Library/a.md", "# A\n\nturbine\n"),
        ("docs/Library/b.md", "# B\n\nturbine\n"),
    ]);
    assert_eq!(sandbox.found("turbine"), ["docs/Library/b.md"]);
    let all = sandbox.ok(&["search", "turbine", "--docs", "."]).stdout;
    assert_eq!(all, "docs/Library/b.md:3  []  turbine\n");
}

#[test]
fn other_worktrees_are_not_searched() {
    // FS4 MinishLab/semble#126
    let sandbox = pages(&[("docs/a.md", "# A\n\nturbine\n")]).folder(".git/worktrees/x").folder(".git/worktrees/y");
    for (folder, name) in [(".worktrees/x", "x"), (".claude/worktrees/y", "y"), ("trees/z", "x")] {
        let git = sandbox.path(".git/worktrees").join(name);
        sandbox.write(&format!("{folder}/.git"), format!("gitdir: {}\n", git.display()));
        sandbox.write(&format!("{folder}/docs/a.md"), "# A\n\nturbine\n");
    }
    let found = sandbox.ok(&["search", "turbine", "--docs", "."]).stdout;
    assert_eq!(found, "docs/a.md:3  []  turbine\n");
}

#[test]
fn a_linked_folder_inside_the_root_is_cited_once() {
    // FS7 upstash/context7#1651
    let sandbox = pages(&[("packages/cli/docs/a.md", "# A\n\nturbine\n"), ("docs/b.md", "# B\n\nrotor\n")]);
    let sandbox = sandbox.link("docs/cli", "../packages/cli/docs");
    assert_eq!(sandbox.citations("turbine"), ["docs/cli/a.md#a"]);
    assert_eq!(own_text(&sandbox, "docs/cli/a.md#a"), "# A\n\nturbine\n");
}

#[test]
fn names_that_are_hard_to_type_can_be_read_back() {
    // FS11 tobi/qmd#302
    let names = ["docs/🐘.md", "docs/#notes & (draft) [v2].md"];
    let sandbox = names.iter().fold(Sandbox::new(), |sandbox, name| sandbox.file(name, "# A\n\nturbine\n"));
    let response = sandbox.query("turbine");
    for bullet in [
        "- [docs/#notes & (draft) [v2].md#a](docs/%23notes%20&%20%28draft%29%20%5Bv2%5D.md#a) — turbine\n",
        "- [docs/🐘.md#a](docs/🐘.md#a) — turbine\n",
    ] {
        assert!(response.contains(bullet), "{response}");
    }
    for link in ["docs/#notes & (draft) [v2].md#a", "docs/%23notes%20&%20%28draft%29%20%5Bv2%5D.md#a", "docs/🐘.md#a"]
    {
        assert_eq!(own_text(&sandbox, link), "# A\n\nturbine\n", "{link}");
    }
}

// Command line

#[test]
fn a_closed_pipe_ends_quietly() {
    // CLI1 BeaconBay/ck PR#148
    let sandbox = page("# A\n\nturbine\n");
    sandbox.write("questions.txt", "turbine\n".repeat(2000));
    let mut command = sandbox.command(&["query", "--batch", "questions.txt"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    let stdout = child.stdout.take().expect("it is piped");
    BufReader::with_capacity(64, stdout).read_line(&mut line).expect("a line");
    let run = Run::of(child.wait_with_output().expect("it ends"));
    assert!(line.starts_with("{\"schema_version\":1,"), "{line}");
    assert_eq!((run.stderr.as_str(), run.code), ("", Some(0)));
}

#[test]
fn nothing_found_is_an_empty_value_of_every_format() {
    // CLI3 tobi/qmd#228
    let sandbox = page("# A\n\nturbine\n");
    assert_eq!(sandbox.ok(&["query", "zeppelin"]).stdout, SENTINEL);
    assert_eq!(sandbox.ok(&["query", "zeppelin", "--format", "chunks"]).stdout, SENTINEL);
    assert_eq!(sandbox.json(&["query", "zeppelin", "--format", "json"])["sources"], json!([]));
    assert_eq!(sandbox.ok(&["search", "zeppelin"]).stdout, "");
}

#[test]
fn files_get_no_escape_sequences() {
    // CLI4 tobi/qmd#230
    let sandbox = page("# A\n\nturbine\n").file("docs/b.md", b"\xff");
    for (name, value) in [("NO_COLOR", "1"), ("TERM", "xterm-256color"), ("COLORTERM", "truecolor")] {
        for args in
            [&["query", "turbine", "--explain"][..], &["query"], &["index"], &["--help"], &["search", "turbine"]]
        {
            let run = Run::of(sandbox.command(args).env(name, value).output().expect("it starts"));
            assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'), "{name} {args:?}");
        }
    }
}

#[test]
fn unknown_flags_are_errors_with_a_suggestion() {
    // CLI6 tobi/qmd#536
    let sandbox = page("# A\n\nturbine\n");
    let refused = |args: &[&str]| {
        let run = sandbox.run(args);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{args:?}");
        run.stderr
    };
    assert!(refused(&["query", "turbine", "--glob", "*.md"]).contains("'--glob'"));
    assert!(refused(&["query", "turbine", "--jsn"]).contains("'--json'"));
    assert!(refused(&["query", "turbine", "--format", "jsn"]).contains("'json'"));
    assert!(refused(&["serch", "turbine"]).contains("'search'"));
}
