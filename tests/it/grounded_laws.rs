//! What is printed with its grounds is accepted by `verify`, for any question on any tree; with one thing changed it is
//! not.

use std::fs;

use inkwell::config::{Environment, Overrides};
use inkwell::engine::{Engine, State};
use inkwell::grounded::ground::Grounds;
use inkwell::grounded::verify::{self, Evidence, Passage, Passages};
use inkwell::grounded::{citations, receipt};
use inkwell::sync::Mode;
use inkwell::walk::Root;
use proptest::prelude::*;
use serde_json::Value;

use crate::laws::{config, fixtures};
use crate::sandbox::{repository, text};

/// A project with its docs as they are now.
struct Project {
    engine: Engine,
    state: State,
    _temp: tempfile::TempDir,
}

/// A project with one page.
fn project(page: &str) -> Project {
    let temp = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir(temp.path().join("docs")).expect("a docs tree");
    fs::write(temp.path().join("docs/a b.md"), page).expect("a page");
    fs::write(temp.path().join("docs/other.md"), "# Other\n\nSomething else stands here.\n").expect("a page");
    let overrides = Overrides { index_dir: Some(temp.path().join("index")), ..Overrides::default() };
    let root = Root::open(temp.path()).expect("a root");
    let engine = Engine::open(root, &Environment::default(), &overrides).expect("a project");
    let state = engine.refresh(Mode::Update, &|_, _| {}).expect("an index");
    Project { engine, state, _temp: temp }
}

/// Everything that is wrong with a receipt by what was retrieved and by the files.
fn receipt_problems(engine: &Engine, grounds: &Grounds, response: &str) -> Vec<String> {
    let retrieved: Value = serde_json::from_str(&receipt::retrieved(grounds)).expect("JSON");
    let retrieved = verify::retrieved(&retrieved).expect("what was retrieved");
    let open = |path: &inkwell::walk::RepoPath| engine.page(path);
    verify::receipt(response, &Evidence { retrieved: Some(&retrieved), files: Some(&open) })
}

/// Everything that is wrong with an answer with citations by itself, by what was retrieved and by the docs.
fn citation_problems(engine: &Engine, state: &State, grounds: &Grounds, response: &str) -> Vec<String> {
    let retrieved: Value = serde_json::from_str(&citations::retrieved(grounds)).expect("JSON");
    let retrieved = Passages::read(&retrieved).expect("what was retrieved");
    let wanted = verify::cited_ids(response);
    let pages = state.listing.files.iter().filter_map(|file| engine.page(&file.path).ok());
    let docs = Passages::of_docs(pages.flat_map(|page| Passage::of_page(&page, &wanted)));
    let mut problems = verify::schema(response);
    problems.extend(verify::citations(response, &[&retrieved, &docs]));
    problems
}

fn check(engine: &Engine, state: &mut State, question: &str) {
    let grounds = engine.ground(state, question, 5).expect("grounds");
    let response = receipt::response(&grounds);
    assert_eq!(receipt_problems(engine, &grounds, &response), [""; 0], "{question}\n{response}");
    let response = citations::response(&grounds);
    assert_eq!(citation_problems(engine, state, &grounds, &response), [""; 0], "{question}\n{response}");
}

#[test]
fn what_is_printed_for_the_sample_questions_is_accepted() {
    let project = fixtures();
    let mut state = project.state();
    let questions = fs::read_to_string(repository().join("fixtures/expected/questions.jsonl")).expect("questions");
    for line in questions.lines() {
        let value: Value = serde_json::from_str(line).expect("JSON");
        check(&project.engine, &mut state, text(&value["question"]));
    }
}

/// A piece of a page that is hard to quote.
fn piece() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Sessions end after 12 hours.",
        "Use a tool, e.g. Docker. Ask J. Doe.",
        "The `[session]` table holds `a. B` and [S1] of the session.",
        "See [abcd1234] or [the session](b.md). \"Session one.\" Then (session two.) End!",
        "- a session item\n- another `x. y` one. And more.\n  Third line",
        "Do this with a session:\n\n1. Open it. Then wait.\n2. Close the `session`.\n3. Rest",
        "| Session | Default |\n|---|---|\n| `session.ttl` | 5 \\| 6 |\n| Two. Three | `[x1y2]` |",
        "```toml\n[session]\nttl = 5\n\nname = \"a. B\"\n```",
        "Run:\n\n```sh\nsession --end \"now. Then\" [abcd]\n```",
        "会话在十二小时后结束。Session 二！",
        "**Session** _ends_ `` a`b `` here. <b>Session</b> &amp; &lt;more&gt;.",
        "The session is 30 seconds by default\\. Escaped \\[abcd\\] session",
        "> A quoted session. Over\n> two lines.",
        "[session]: https://example.com \"A title. Session\"\n",
        "## Session\n\nA session starts here. It ends. This is it?",
        "It ends a session. they go on. v1.2 session 3.",
        "session\u{202e} with \u{1b}[31m marks. Session\u{a0}two.",
    ]);
    prop::collection::vec(words, 1..7).prop_map(|pieces| format!("# Session\n\n{}\n", pieces.join("\n\n")))
}

fn question() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "session", "how", "end", "what", "default", "ttl", "[abcd]", "S1", "docker", "two", "会话", "Keycloak", "x.",
        "?",
    ]);
    prop::collection::vec(words, 1..6).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(config(160))]

    #[test]
    fn what_is_printed_is_accepted(page in piece(), questions in prop::collection::vec(question(), 3), crlf: bool) {
        let page = if crlf { page.replace('\n', "\r\n") } else { page };
        let Project { engine, mut state, _temp } = project(&page);
        for question in questions {
            check(&engine, &mut state, &question);
        }
    }
}

const PAGE: &str = "# Session\n\nA session ends after 12 hours. It can be renewed twice, for a day.\n\n\
                    Open these for a session:\n\n- 8080 for the web server\n- 9090 for metrics\n";

/// Checks that each change to the response, which must change something, is rejected.
fn check_mutations(response: &str, mutations: &[(&str, &str, &str)], problems: impl Fn(&str) -> Vec<String>) {
    assert_eq!(problems(response), [""; 0], "{response}");
    for (what, old, new) in mutations {
        let changed = response.replacen(old, new, 1);
        assert_ne!(changed, response, "{what}: nothing to change in\n{response}");
        assert_ne!(problems(&changed), [""; 0], "{what}:\n{changed}");
    }
}

#[test]
fn each_change_to_a_receipt_is_rejected() {
    let Project { engine, mut state, _temp } = project(PAGE);
    let grounds = engine.ground(&mut state, "can a session be renewed?", 5).expect("grounds");
    let response = receipt::response(&grounds);
    let answer = "A session ends after 12 hours [S1]. It can be renewed twice, for a day [S2].";
    assert!(response.starts_with(&format!("## Answer\n\n{answer}\n")), "{response}");
    let mutations = [
        ("a dropped marker", " [S1]", ""),
        ("another marker", "[S1]. It", "[S2]. It"),
        ("an invented marker", "day [S2]", "day [S9]"),
        ("an invented id", "\"id\": \"S1\"", "\"id\": \"S9\""),
        ("an altered excerpt", "\"A session ends after 12 hours.\"", "\"A session ends after 13 hours.\""),
        ("a shifted start", "\"start\": 11", "\"start\": 12"),
        ("a shifted end", "\"end\": 41", "\"end\": 40"),
        ("another status", "answered_with_citations", "refused_unsupported_claim"),
        ("another refusal", "answered_with_citations", "refused_empty_retrieval"),
        ("a wrong count", "\"retrieved_span_count\": ", "\"retrieved_span_count\": 1"),
        ("another mode", "cite_or_refuse", "cite"),
        ("another source", "\"source_id\": \"docs/a b.md\"", "\"source_id\": \"docs/other.md\""),
        ("another anchor", "\"uri\": \"docs/a b.md#session\"", "\"uri\": \"docs/a b.md#other\""),
        ("another title", "\"title\": \"Session\"", "\"title\": \"Sessions\""),
        ("another line", "line 3", "line 4"),
        ("a dropped bullet", "- [S1]", "- [S7]"),
        ("a statement before the answer", "## Answer", "The vault costs 900 dollars.\n\n## Answer"),
        ("a second record", "}\n```\n", "}\n```\n\n```json title=x\n{\"status\": \"refused_empty_retrieval\"}\n```\n"),
        ("a dropped support", "\"supported_by\": [\n        \"S1\"\n      ]", "\"supported_by\": []"),
        ("a reason that is none", "\"refusal_reason\": null", "\"refusal_reason\": \"no\""),
    ];
    check_mutations(&response, &mutations, |response| receipt_problems(&engine, &grounds, response));
}

#[test]
fn each_change_to_citations_is_rejected() {
    let Project { engine, mut state, _temp } = project(PAGE);
    let grounds = engine.ground(&mut state, "can a session be renewed?", 5).expect("grounds");
    let response = citations::response(&grounds);
    let value: Value = serde_json::from_str(&response).expect("JSON");
    let id = text(&value["citations"][0]["chunk_id"]);
    let mutations = [
        ("a dropped token", &*format!(" [{id}]"), ""),
        ("an invented token", &*format!("[{id}]"), "[0123456789ab]"),
        ("an invented id", &*format!("\"chunk_id\": \"{id}\""), "\"chunk_id\": \"0123456789ab\""),
        ("an altered snippet", "\"snippet\": \"A session ends", "\"snippet\": \"A session begins"),
        ("another source", "\"source\": \"docs/a b.md#session\"", "\"source\": \"docs/other.md#other\""),
        ("another version", "\"schema_version\": 1", "\"schema_version\": 2"),
        ("a sentence more", "\"answer\": \"", "\"answer\": \"Nobody can renew it 13 times. "),
    ];
    check_mutations(&response, &mutations, |response| citation_problems(&engine, &state, &grounds, response));
    let invented = response.replace(id, "0123456789ab");
    assert_ne!(citation_problems(&engine, &state, &grounds, &invented), [""; 0], "an id invented everywhere");
}

#[test]
fn a_sentence_that_shares_no_word_with_what_it_cites_is_refused_where_that_is_asked() {
    let Project { engine, mut state, _temp } = project(PAGE);
    let grounds = engine.ground(&mut state, "can a session be renewed?", 5).expect("grounds");
    let retrieved: Value = serde_json::from_str(&citations::retrieved(&grounds)).expect("JSON");
    let passages = Passages::read(&retrieved).expect("what was retrieved");
    let response = citations::response(&grounds);
    assert_eq!(verify::groundless_citations(&response, &[&passages]), [""; 0]);
    let changed = response.replacen("A session ends after 12 hours", "Bananas are blue", 1);
    let found = verify::groundless_citations(&changed, &[&passages]);
    let id = text(&retrieved[0]["chunk_id"]);
    assert_eq!(found, [format!("shares no word with what it cites: `Bananas are blue [{id}].`")]);

    let open = |path: &inkwell::walk::RepoPath| engine.page(path);
    let evidence = Evidence { retrieved: None, files: Some(&open) };
    let response = receipt::response(&grounds);
    assert_eq!(verify::groundless_claims(&response, &evidence), [""; 0]);
    let changed = response.replacen("A session ends after 12 hours [S1]", "Bananas are blue [S1]", 1);
    let expected = ["shares no word with what it cites: `Bananas are blue [S1].`"];
    assert_eq!(verify::groundless_claims(&changed, &evidence), expected);
}
