//! The finalizer (contracts B): its stages, its findings word for word, the digest, and what people are told.

use inkwell::grounded::canonical::digest;
use inkwell::grounded::finalize::{Rules, finalize};
use inkwell::grounded::json::read;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::laws::{config, schema};
use crate::sandbox::Sandbox;

/// Checks a value against a schema.
pub fn validate(schema: &Validator, value: &Value) {
    let errors: Vec<String> = schema.iter_errors(value).map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new(), "{value}");
}

const TEXT: &str = " Backups are kept for 30 days.\nRestores take an hour. ";

fn request() -> Value {
    json!({
        "question": "How long are backups kept?",
        "corpus": [
            {"id": "kb-1", "title": "Backups", "text": TEXT},
            {"id": "kb-2", "title": "Ports", "text": "The server listens on port 8080."},
        ],
        "answer_draft": {
            "decision": "answered",
            "answer": {
                "text": "For 30 days.",
                "citations": [{"source_id": "kb-1", "quote": "Backups are kept for 30 days."}],
            },
            "kb_gaps": [],
            "conflicts": [],
        },
    })
}

/// The request with the value at a JSON pointer set, or removed where it is null.
fn with(pointer: &str, value: Value) -> Value {
    set(request(), pointer, value)
}

fn set(mut request: Value, pointer: &str, value: Value) -> Value {
    let (parent, name) = pointer.rsplit_once('/').expect("a pointer");
    match request.pointer_mut(parent).expect("a parent") {
        Value::Object(fields) if value.is_null() => drop(fields.remove(name)),
        Value::Object(fields) => drop(fields.insert(name.to_owned(), value)),
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        other => panic!("{other} has no `{name}`"),
    }
    request
}

fn sealed(request: &Value, rules: Rules) -> Value {
    let json = request.to_string();
    let value = serde_json::from_str(&finalize(&read(json.as_bytes()).expect("JSON"), rules).sealed.to_json());
    let value: Value = value.expect("JSON");
    validate(&schema("finalize"), &value);
    value["grounded_answer"].clone()
}

/// Checks that a request is refused with some findings, in the form that every refusal has.
fn refused(request: &Value, findings: &[&str]) -> Value {
    let found = sealed(request, Rules::Contract);
    assert_eq!(found["validation"], json!({"status": "fail", "findings": findings}), "{request}");
    assert_eq!((&found["decision"], &found["grounded"]), (&json!("unsupported"), &json!(false)));
    assert_eq!(found["answer"], json!({"text": "", "citations": []}));
    assert_eq!(found["kb_gaps"], json!(["Correct the supplied evidence before answering."]));
    assert_eq!(found["conflicts"], json!([]));
    found
}

/// Checks that a request is accepted.
fn accepted(request: &Value) -> Value {
    validate(&schema("finalize-input"), request);
    let found = sealed(request, Rules::Contract);
    assert_eq!(found["validation"], json!({"status": "pass", "findings": []}), "{request}");
    found
}

fn corpus_digest(request: &Value) -> String {
    digest(&read(request["corpus"].to_string().as_bytes()).expect("JSON"))
}

#[test]
fn a_sealed_answer_has_its_keys_in_order() {
    let json = request().to_string();
    let expected = format!(
        r#"{{
  "grounded_answer": {{
    "schema": "runx.grounded_answer.v1",
    "question": "How long are backups kept?",
    "decision": "answered",
    "grounded": true,
    "answer": {{
      "text": "For 30 days.",
      "citations": [
        {{
          "source_id": "kb-1",
          "title": "Backups",
          "quote": "Backups are kept for 30 days."
        }}
      ]
    }},
    "kb_gaps": [],
    "conflicts": [],
    "corpus_digest": "{}",
    "validation": {{
      "status": "pass",
      "findings": []
    }}
  }}
}}
"#,
        corpus_digest(&request())
    );
    let value = read(json.as_bytes()).expect("JSON");
    assert_eq!(finalize(&value, Rules::Contract).sealed.to_json(), expected);
}

#[test]
fn what_is_no_object_has_no_question() {
    for request in [Value::Null, json!([]), json!("x"), json!(1), json!({})] {
        let found = refused(&request, &["question is missing"]);
        assert_eq!((&found["question"], &found["corpus_digest"]), (&json!(""), &Value::Null));
    }
}

#[test]
fn a_blank_question_is_missing_and_a_real_one_trimmed() {
    for question in [json!(""), json!(" \n\u{feff}\u{a0}"), json!(7), json!(["q"]), Value::Null] {
        refused(&with("/question", question), &["question is missing"]);
    }
    assert_eq!(accepted(&with("/question", json!("\u{feff} why? \n")))["question"], "why?");
}

#[test]
fn the_first_stage_that_fails_ends_the_check() {
    let all = json!({"corpus": [7], "corpus_digest": "x", "answer_draft": 7});
    refused(&all, &["question is missing"]);
    let all = set(all, "/question", json!("q"));
    refused(&all, &["native corpus digest is missing"]);
    let all = set(all, "/corpus_digest", json!(format!("sha256:{}", "0".repeat(64))));
    refused(&all, &["corpus digest does not match the supplied corpus"]);
    let all = set(all, "/corpus_digest", Value::Null);
    refused(&all, &["every corpus source requires non-empty id, title, and text"]);
    let all = set(all, "/corpus", request()["corpus"].clone());
    refused(&all, &["decision must be answered, unsupported, or conflicted"]);
}

#[test]
fn a_digest_that_is_none_is_refused_and_not_repeated() {
    let right = corpus_digest(&request());
    for wrong in ["x", "sha256:", &right[7..], &right[..70], &right.to_uppercase(), &format!("{right}0")] {
        let found = refused(&with("/corpus_digest", json!(wrong)), &["native corpus digest is missing"]);
        assert_eq!(found["corpus_digest"], Value::Null, "{wrong}");
    }
    let found = refused(&set(with("/corpus_digest", json!("x")), "/question", Value::Null), &["question is missing"]);
    assert_eq!(found["corpus_digest"], Value::Null);
}

#[test]
fn a_digest_is_computed_where_there_is_none_and_compared_where_there_is() {
    let right = corpus_digest(&request());
    for digest in [Value::Null, json!(" "), json!(7), json!(right), json!(format!(" {right}\n"))] {
        let found = sealed(&with("/corpus_digest", digest), Rules::Contract);
        assert_eq!((&found["corpus_digest"], &found["validation"]["status"]), (&json!(right), &json!("pass")));
    }
    let other = format!("sha256:{}", "0".repeat(64));
    let finding = "corpus digest does not match the supplied corpus";
    assert_eq!(refused(&with("/corpus_digest", json!(other)), &[finding])["corpus_digest"], json!(right));
}

#[test]
fn a_corpus_has_sources() {
    let finding = "corpus must be a non-empty array";
    assert_eq!(refused(&with("/corpus", Value::Null), &[finding])["corpus_digest"], Value::Null);
    for corpus in [json!([]), json!({}), json!("x"), json!("[]"), json!(0)] {
        let request = with("/corpus", corpus);
        assert_eq!(refused(&request, &[finding])["corpus_digest"], json!(corpus_digest(&request)));
    }
}

#[test]
fn every_bad_source_is_a_finding_in_order() {
    let bad = "every corpus source requires non-empty id, title, and text";
    for source in [
        json!({"id": " ", "title": "T", "text": "x"}),
        json!({"id": "a", "title": "", "text": "x"}),
        json!({"id": "a", "title": "T", "text": "\u{feff}"}),
        json!({"id": 1, "title": "T", "text": "x"}),
        json!({"title": "T", "text": "x"}),
        json!(["a", "T", "x"]),
        json!("a"),
        Value::Null,
    ] {
        refused(&with("/corpus/1", source), &[bad]);
    }
    let twin = json!({"id": " kb-1 ", "title": "T", "text": "x"});
    refused(&with("/corpus/1", twin.clone()), &["duplicate corpus source id: kb-1"]);
    let corpus = json!([7, twin, twin, {}, twin]);
    let duplicate = "duplicate corpus source id: kb-1";
    refused(&with("/corpus", corpus), &[bad, duplicate, bad, duplicate]);
}

#[test]
fn a_decision_is_one_of_three() {
    let finding = "decision must be answered, unsupported, or conflicted";
    for decision in [json!("Answered"), json!("yes"), json!(""), json!(1), Value::Null] {
        refused(&with("/answer_draft/decision", decision), &[finding]);
    }
    for draft in [Value::Null, json!([]), json!("answered")] {
        refused(&with("/answer_draft", draft), &[finding]);
    }
    assert_eq!(sealed(&with("/answer_draft/decision", json!(" answered\n")), Rules::Contract)["grounded"], true);
}

/// A draft without an answer.
fn unanswered(decision: &str, gaps: Value, conflicts: Value) -> Value {
    with("/answer_draft", json!({"decision": decision, "kb_gaps": gaps, "conflicts": conflicts}))
}

#[test]
fn a_refusal_of_the_drafters_is_sealed_with_its_reasons() {
    for (decision, gaps, conflicts) in [
        ("unsupported", json!([" retention of logs ", " ", 7]), json!([])),
        ("unsupported", json!(["a", "b"]), json!(["c"])),
        ("conflicted", json!([]), json!(["30 or 90 days"])),
        ("conflicted", json!(["a"]), json!(["\tb", null])),
    ] {
        let found = sealed(&unanswered(decision, gaps.clone(), conflicts.clone()), Rules::Contract);
        let kept = |list: &Value| -> Vec<String> {
            let texts = list.as_array().expect("a list").iter().filter_map(Value::as_str).map(str::trim);
            texts.filter(|text| !text.is_empty()).map(str::to_owned).collect()
        };
        assert_eq!(found["validation"], json!({"status": "pass", "findings": []}));
        assert_eq!((&found["decision"], &found["grounded"]), (&json!(decision), &json!(false)));
        assert_eq!((&found["kb_gaps"], &found["conflicts"]), (&json!(kept(&gaps)), &json!(kept(&conflicts))));
        assert_eq!(found["answer"], json!({"text": "", "citations": []}));
    }
}

#[test]
fn a_refusal_of_the_drafters_needs_reasons_and_no_answer() {
    let gap = "unsupported results require at least one knowledge-base gap";
    let conflict = "conflicted results require at least one conflict";
    refused(&unanswered("unsupported", json!([]), json!(["c"])), &[gap]);
    refused(&unanswered("unsupported", json!("gap"), json!([])), &[gap]);
    refused(&unanswered("unsupported", json!([" ", 1, null]), Value::Null), &[gap]);
    refused(&unanswered("conflicted", json!(["a"]), json!([])), &[conflict]);
    for (decision, last) in [("unsupported", gap), ("conflicted", conflict)] {
        let answer = format!("{decision} results cannot include an answer or citations");
        let full = set(unanswered(decision, json!(["a"]), json!(["c"])), "/answer_draft/answer", json!({}));
        for (field, value) in [("text", json!("x")), ("citations", json!([7])), ("citations", json!([{}]))] {
            refused(&set(full.clone(), &format!("/answer_draft/answer/{field}"), value), &[&answer]);
        }
        let empty = set(full, "/answer_draft/answer", json!({"text": " ", "citations": "none"}));
        assert_eq!(sealed(&empty, Rules::Contract)["validation"]["status"], "pass");
        let bare = set(with("/answer_draft/decision", json!(decision)), "/answer_draft/kb_gaps", Value::Null);
        refused(&bare, &[&answer, last]);
    }
}

#[test]
fn an_answer_has_text_and_citations_and_nothing_open() {
    let text = "answered results require non-empty answer text";
    let citation = "answered results require at least one citation";
    let gaps = "answered results cannot include knowledge-base gaps";
    let conflicts = "answered results cannot include unresolved conflicts";
    refused(&with("/answer_draft/answer/text", json!(" ")), &[text]);
    refused(&with("/answer_draft/answer/text", json!(["x"])), &[text]);
    refused(&with("/answer_draft/answer/citations", json!([])), &[citation]);
    refused(&with("/answer_draft/answer/citations", json!({"0": {}})), &[citation]);
    refused(&with("/answer_draft/answer", json!("30 days")), &[text, citation]);
    refused(&with("/answer_draft/kb_gaps", json!(["x"])), &[gaps]);
    refused(&with("/answer_draft/conflicts", json!(["x"])), &[conflicts]);
    accepted(&with("/answer_draft/kb_gaps", json!([" "])));
    let draft = json!({"decision": "answered", "kb_gaps": ["x"], "conflicts": ["x"]});
    refused(&with("/answer_draft", draft), &[text, citation, gaps, conflicts]);
}

/// The request with other citations.
fn citing(citations: Value) -> Value {
    with("/answer_draft/answer/citations", citations)
}

#[test]
fn a_citation_names_a_source() {
    let missing = "citation names unknown source: <missing>";
    let quote = "Backups are kept";
    for citation in [json!({}), json!(7), json!("kb-1"), json!({"source_id": " ", "quote": quote}), Value::Null] {
        refused(&citing(json!([citation])), &[missing]);
    }
    for id in ["kb-3", "KB-1", "Backups", "__proto__"] {
        let finding = format!("citation names unknown source: {id}");
        refused(&citing(json!([{"source_id": id, "quote": quote}])), &[&finding]);
    }
    accepted(&citing(json!([{"source_id": "\nkb-1 ", "quote": quote}])));
}

#[test]
fn a_quote_stands_in_its_source_letter_for_letter() {
    let absent = "citation quote is not present in source: kb-1";
    for quote in [
        json!("backups are kept"),
        json!("Backups  are kept"),
        json!("30 days. Restores"),
        json!("30 days.\r\nRestores"),
        json!("Backups are kept for 30 days!"),
        json!("The server listens on port 8080."),
        json!("Backups … days"),
        json!(" "),
        json!(30),
        Value::Null,
    ] {
        refused(&citing(json!([{"source_id": "kb-1", "quote": quote}])), &[absent]);
    }
    for quote in ["B", "30 days.\nRestores", "hour.", " kept ", "\u{feff}Restores\n", TEXT] {
        let found = accepted(&citing(json!([{"source_id": "kb-1", "quote": quote}])));
        assert_eq!(found["answer"]["citations"][0]["quote"], quote.trim_matches([' ', '\n', '\u{feff}']));
    }
}

#[test]
fn one_bad_citation_refuses_all_and_every_one_is_named() {
    let good = json!({"source_id": "kb-1", "quote": "30 days"});
    let (absent, unknown) = (json!({"source_id": "kb-2", "quote": "x"}), json!({"source_id": "kb-3", "quote": "x"}));
    let findings = ["citation quote is not present in source: kb-2", "citation names unknown source: kb-3"];
    refused(&citing(json!([good, absent, good, unknown])), &findings);
    refused(&citing(json!([unknown, absent])), &[findings[1], findings[0]]);
}

#[test]
fn titles_come_from_the_corpus() {
    let found = accepted(&citing(json!([{"source_id": "kb-2", "title": "Fake", "quote": "port 8080"}])));
    let expected = json!([{"source_id": "kb-2", "title": "Ports", "quote": "port 8080"}]);
    assert_eq!(found["answer"]["citations"], expected);
}

#[test]
fn many_quotes_of_one_source_are_each_judged() {
    let quotes: Vec<Value> =
        (1..TEXT.len()).map(|end| json!({"source_id": "kb-1", "quote": &TEXT[..end + 1]})).collect();
    accepted(&citing(json!(quotes)));
    let mut quotes = quotes;
    quotes.push(json!({"source_id": "kb-1", "quote": "Backups are kept for 31"}));
    refused(&citing(json!(quotes)), &["citation quote is not present in source: kb-1"]);
}

#[test]
fn strict_refuses_fields_and_sentences_that_have_no_place() {
    let check = |request: Value, findings: &[&str]| {
        assert_eq!(sealed(&request, Rules::Contract)["validation"]["status"], "pass");
        assert_eq!(sealed(&request, Rules::Strict)["validation"]["findings"], json!(findings));
    };
    check(request(), &[]);
    check(with("/model", json!("m")), &["unknown field: model"]);
    check(with("/corpus/0/url", json!("u")), &["unknown field: corpus[0].url"]);
    let title = "/answer_draft/answer/citations/0/title";
    check(with(title, json!("T")), &["unknown field: answer_draft.answer.citations[0].title"]);
    let finding = "answer sentence shares no word with any cited quote: \"Rotate the keys.\"";
    check(with("/answer_draft/answer/text", json!("For 30 days. Rotate the keys.")), &[finding]);
}

#[test]
fn deep_and_odd_values_are_refused_not_fatal() {
    let deep = format!("{{\"question\": {}{}}}", "[".repeat(120), "]".repeat(120));
    let value = read(deep.as_bytes()).expect("JSON");
    assert_eq!(finalize(&value, Rules::Strict).sealed.grounded_answer.validation.findings, ["question is missing"]);
    accepted(&with("/corpus/0/text", json!(format!("{TEXT}\u{0}\u{10ffff}"))));
}

// Laws

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn true_quotes_are_always_sealed_and_a_changed_one_never(
        texts in prop::collection::vec("[a-c \\n.é“]{0,30}x", 1..4),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..40),
    ) {
        let corpus: Vec<Value> = texts.iter().enumerate()
            .map(|(index, text)| json!({"id": index.to_string(), "title": "T", "text": text})).collect();
        let quote = |(source, start): &(prop::sample::Index, prop::sample::Index)| {
            let source = source.index(texts.len());
            let starts: Vec<usize> = texts[source].char_indices().map(|(at, _)| at).collect();
            json!({"source_id": source.to_string(), "quote": &texts[source][*start.get(&starts)..]})
        };
        let citations: Vec<Value> = cuts.iter().map(quote).collect();
        let request = set(citing(json!(citations)), "/corpus", json!(corpus));
        prop_assert_eq!(sealed(&request, Rules::Contract)["grounded"].clone(), json!(true));
        for (index, citation) in citations.iter().enumerate().take(3) {
            let changed = citation["quote"].as_str().expect("a quote").replace('x', "y");
            let pointer = format!("/answer_draft/answer/citations/{index}/quote");
            let request = set(request.clone(), &pointer, json!(changed));
            prop_assert_eq!(sealed(&request, Rules::Contract)["validation"]["status"].clone(), json!("fail"));
        }
    }

    #[test]
    fn a_digest_is_of_values_and_not_of_how_they_are_written(text in "\\PC{0,20}", other in "\\PC{0,20}") {
        let string = |text: &str| serde_json::to_string(text).expect("JSON");
        let (text, other) = (string(&text), string(&other));
        let of = |json: String| digest(&read(json.as_bytes()).expect("JSON"));
        let compact = of(format!("[{{\"id\":\"a\",\"text\":{text},\"n\":1}}]"));
        prop_assert_eq!(&of(format!("\n[ {{\"n\" : 1.0,\t\"text\": {text} ,\"id\": \"\\u0061\"}}] ")), &compact);
        prop_assert_eq!(of(format!("[{{\"id\":\"a\",\"text\":{other},\"n\":1}}]")) == compact, text == other);
    }
}

// The command line

#[test]
fn the_command_reads_stdin_files_and_parts() {
    let whole = request();
    let sandbox = Sandbox::new()
        .file("whole.json", format!("\u{feff}{whole}"))
        .file("corpus.json", whole["corpus"].to_string())
        .file("draft.json", whole["answer_draft"].to_string())
        .file("other.json", "{\"question\": \"x\", \"corpus\": 7}");
    let question = whole["question"].as_str().expect("a question");
    let expected = sandbox.run_with_input(&["finalize"], &whole.to_string()).ok();
    assert_eq!(expected.stderr, "");
    assert!(expected.stdout.contains("\"grounded\": true"), "{}", expected.stdout);
    let parts = ["finalize", "--corpus", "corpus.json", "--draft", "draft.json", "--question", question];
    assert_eq!(sandbox.ok(&["finalize", "--input", "whole.json"]).stdout, expected.stdout);
    assert_eq!(sandbox.ok(&parts).stdout, expected.stdout);
    assert_eq!(sandbox.ok(&[&parts[..], &["--input", "other.json"]].concat()).stdout, expected.stdout);
    let piped = ["finalize", "--corpus", "corpus.json", "--draft", "-", "--question", question];
    assert_eq!(sandbox.run_with_input(&piped, &whole["answer_draft"].to_string()).stdout, expected.stdout);
}

#[test]
fn what_can_not_be_read_is_an_error_with_its_place() {
    let sandbox = Sandbox::new().file("broken.json", "[1,\n]").file("bytes.json", b"{\"a\": \"\xff\"}");
    let hint =
        "hint: the input is one JSON object with `question`, `corpus` and `answer_draft`, without a Markdown fence\n";
    for (args, input, expected) in [
        (&["finalize"][..], "", format!("error: stdin is empty: expected JSON\n{hint}")),
        (&["finalize"], "{\"a\": }", format!("error: stdin is not JSON: expected value at line 1 column 7\n{hint}")),
        (&["finalize", "--input", "gone"], "", "error: failed to read `gone`: no such file or directory\n".to_owned()),
        (
            &["finalize", "--draft", "broken.json"],
            "",
            "error: `broken.json` is not JSON: trailing comma at line 2 column 1\n".to_owned(),
        ),
        (
            &["finalize", "--input", "bytes.json"],
            "",
            format!("error: `bytes.json` is not JSON: invalid unicode code point at line 1 column 8\n{hint}"),
        ),
        (
            &["finalize", "--input", "-", "--draft", "-"],
            "",
            "error: stdin can be read only once: two inputs come from it\nhint: give a file for one of them\n"
                .to_owned(),
        ),
    ] {
        let run = sandbox.run_with_input(args, input);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", expected.as_str(), Some(2)), "{args:?}");
    }
}

#[test]
fn people_are_told_what_was_probably_meant() {
    let request = citing(json!([
        {"source_id": "kb-1", "quote": "backups are kept for 30 days. Restores"},
        {"source_id": "kb-1", "quote": "port 8080"},
        {"source_id": "kb-9", "quote": "x"},
    ]));
    let run = Sandbox::new().run_with_input(&["finalize"], &request.to_string()).ok();
    let passage = r#""Backups are kept for 30 days.\nRestores""#;
    let expected = format!(
        "note: citation 1 of `kb-1`: the source has it with other white space, case: {passage}
note: citation 2 of `kb-1`: these words stand in `kb-2`
note: citation 3 of `kb-9`: there is no such source; did you mean `kb-1`?
"
    );
    assert_eq!(run.stderr, expected);
    assert!(run.stdout.contains("\"status\": \"fail\""));
}

#[test]
fn a_folder_of_markdown_is_a_corpus_of_whole_sections() {
    let docs = "# Machines\n\nText.\n\n## Turbines\n\nTurbines spin.\n";
    let citations = json!([{"source_id": "docs/a.md#machines", "quote": "Text.\n\n## Turbines\n\nTurbines spin."}]);
    let draft = json!({"decision": "answered", "answer": {"text": "They spin.", "citations": citations}});
    let sandbox = Sandbox::new().file("docs/a.md", docs).file("draft.json", draft.to_string()).folder("empty");
    let args =
        |folder| ["-C", ".", "finalize", "--corpus", folder, "--draft", "draft.json", "--question", "what spins?"];
    let run = sandbox.ok(&args("docs"));
    assert!(run.stdout.contains("\"title\": \"Machines\""), "{}", run.stdout);
    let run = sandbox.ok(&args("empty"));
    assert!(run.stdout.contains("corpus must be a non-empty array"), "{}", run.stdout);
    assert_eq!(run.stderr, "note: there is no Markdown with text in `empty`\n");
    let run = sandbox.run(&args(".."));
    assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    assert!(run.stderr.starts_with("error: `..` is outside the project `"), "{}", run.stderr);
    assert!(run.stderr.ends_with("\nhint: name the project that it belongs to with `-C DIR`\n"), "{}", run.stderr);
}
