//! The lexical answer (contracts C): the choice of sentences, the refusals and the bytes of the output.

use inkwell::grounded::json::read;
use inkwell::grounded::lexical::answer;
use serde_json::{Value, json};

use crate::finalize::validate;
use crate::laws::schema;
use crate::sandbox::{Run, Sandbox};

/// The line that is printed for a request.
fn outcome(request: &Value) -> String {
    let json = request.to_string();
    match answer(&read(json.as_bytes()).expect("JSON")) {
        Ok(outcome) => outcome.to_json(),
        Err(failure) => failure.to_json(),
    }
}

fn parsed(request: &Value) -> Value {
    let value = serde_json::from_str(&outcome(request)).expect("JSON");
    validate(&schema("answer"), &value);
    value
}

/// Checks what is quoted for a question, as `source:sentence`, from items given as `(id, text)`.
fn check(question: &str, items: &[(&str, &str)], expected: &[&str]) {
    let corpus: Vec<Value> = items.iter().map(|(id, text)| json!({"id": id, "title": "T", "text": text})).collect();
    let request = json!({"question": question, "corpus": corpus});
    validate(&schema("answer-input"), &request);
    let value = parsed(&request);
    let cited = value["answer"]["citations"].as_array().expect("citations").iter();
    let cited: Vec<String> =
        cited.map(|c| format!("{}:{}", c["source_id"].as_str().expect("an id"), c["sentence_index"])).collect();
    assert_eq!(cited, expected, "{question:?} in {items:?}");
    assert_eq!(value["grounded"], !expected.is_empty());
}

#[test]
fn an_answer_is_one_compact_line_with_its_keys_in_order() {
    let text = "Backups are retained for 30 days. Ports.";
    let request =
        json!({"corpus": [{"text": text, "id": "kb-1", "title": "Back\"ups"}], "question": "backup retention?"});
    let expected = concat!(
        r#"{"answer":{"text":"Backups are retained for 30 days.","citations":[{"source_id":"kb-1","title":"Back\"ups","#,
        r#""sentence_index":1,"quote":"Backups are retained for 30 days."}]},"kb_gaps":[],"grounded":true}"#,
        "\n",
    );
    assert_eq!(outcome(&request), expected);
}

#[test]
fn control_characters_are_escaped_as_json_has_them() {
    let request = json!({"question": "cache\u{1}\u{2028}?", "corpus": [{"id": "a", "text": "x\ty."}]});
    let expected = concat!(
        r#"{"answer":{"text":"","citations":[]},"kb_gaps":["no grounded answer found in supplied corpus","#,
        r#""No supplied corpus item directly supports: cache\u0001"#,
        "\u{2028}",
        r#"?","Corpus items checked: a"],"grounded":false}"#,
        "\n",
    );
    assert_eq!(outcome(&request), expected);
}

#[test]
fn without_a_question_there_is_an_error() {
    let expected =
        "{\"error\":{\"reason\":\"missing_question\",\"message\":\"question is required and must not be empty\"}}\n";
    for request in
        [json!({}), json!({"question": " \u{feff}\n"}), json!({"question": 7}), json!([]), json!(3), json!("x")]
    {
        assert_eq!(outcome(&request), expected, "{request}");
    }
    assert!(outcome(&Value::Null).starts_with("{\"error\":{\"reason\":\"invalid_input\",\"message\":\""));
}

#[test]
fn without_readable_items_the_corpus_is_missing() {
    for corpus in [
        Value::Null,
        json!([]),
        json!({"id": "a", "text": "cache"}),
        json!("cache"),
        json!("[broken"),
        json!("{\"text\": \"cache\"}"),
        json!("[]"),
        json!([null, 7, "cache", ["cache"], {"id": "a"}, {"text": 7}, {"text": " \u{feff} "}]),
    ] {
        let gaps = [
            "corpus is required and must include readable text",
            "No supplied corpus item directly supports: cache?",
            "Corpus items checked: none",
        ];
        let expected = json!({"answer": {"text": "", "citations": []}, "kb_gaps": gaps, "grounded": false});
        assert_eq!(parsed(&json!({"question": " cache? ", "corpus": corpus})), expected, "{corpus}");
    }
}

#[test]
fn a_refusal_names_the_question_and_the_items() {
    let corpus = json!([{"id": "b", "text": "x."}, {"id": "dropped"}, {"id": " a ", "text": "y."}, {"text": "z."}]);
    let value = parsed(&json!({"question": "turbine?", "corpus": corpus}));
    let gaps = [
        "no grounded answer found in supplied corpus",
        "No supplied corpus item directly supports: turbine?",
        "Corpus items checked: b, a, corpus_4",
    ];
    assert_eq!(value["kb_gaps"], json!(gaps));
}

#[test]
fn items_without_names_are_named_after_their_place() {
    let corpus = json!([7, {"id": " ", "title": 3, "text": " Turbines spin. "}]);
    let citation =
        json!({"source_id": "corpus_2", "title": "Corpus 2", "sentence_index": 1, "quote": "Turbines spin."});
    let expected = json!({"text": "Turbines spin.", "citations": [citation]});
    assert_eq!(parsed(&json!({"question": "turbine", "corpus": corpus}))["answer"], expected);
    let inside = format!("\u{feff} {corpus}\n");
    assert_eq!(parsed(&json!({"question": "turbine", "corpus": inside}))["answer"], expected);
}

#[test]
fn sentences_end_at_marks_before_white_space() {
    let item = |text| [("a", text)];
    check("turbine", &item("One. Two! Three? turbine"), &["a:4"]);
    check("turbine", &item("One.\n\n\u{a0}Two!\u{feff}turbine"), &["a:3"]);
    check("turbine", &item("v1.2.3 has one turbine"), &["a:1"]);
    check("turbine", &item("Really?! (Yes.) The turbine"), &["a:2"]);
    check("turbine", &item("... turbine"), &["a:2"]);
    check("turbine", &item("One.\u{85}turbine"), &["a:1"]);
    check("turbine", &item("One。 turbine"), &["a:1"]);
}

#[test]
fn forms_of_four_words_and_a_last_s_are_folded() {
    for (question, text) in [
        ("retention", "retained"),
        ("retains", "retain"),
        ("backups", "backup"),
        ("requesting", "requested"),
        ("requests", "request"),
        ("restoring", "restores"),
        ("restored", "restore"),
        ("tokens", "token"),
        ("class", "clas"),
        ("CACHE", "cache"),
        ("\u{212a}ey-ring", "key-ring"),
    ] {
        check(question, &[("a", text)], &["a:1"]);
    }
    for (question, text) in [("keys", "key"), ("restart", "restarting"), ("gas", "ga"), ("naïve", "naive")] {
        check(question, &[("a", text)], &[]);
    }
}

#[test]
fn short_words_and_words_of_grammar_are_no_terms() {
    for question in ["to be or at", "what is the", "why do they do it with them", "é ñ 中文", "?!", "--", "x-"] {
        check(question, &[("a", "to be or at what is the why do they do it with them é ñ 中文 -- x-")], &[]);
    }
    check("---", &[("a", "a --- b")], &["a:1"]);
    check("30d", &[("a", "30d")], &["a:1"]);
}

#[test]
fn a_hyphen_joins_and_everything_else_parts() {
    check("key-rotation", &[("a", "key rotation"), ("b", "key-rotation")], &["b:1"]);
    check("rotation", &[("a", "key_rotation"), ("b", "key-rotation"), ("c", "key/rotation")], &["a:1", "c:1"]);
}

#[test]
fn one_term_is_enough_for_four_and_two_for_more() {
    check("alpha bravo charlie delta", &[("a", "alpha")], &["a:1"]);
    check("alpha bravo charlie delta echo", &[("a", "alpha")], &[]);
    check("alpha bravo charlie delta echo", &[("a", "alpha echo")], &["a:1"]);
    check("alpha bravo charlie delta echo foxtrot golf hotel india", &[("a", "alpha echo")], &["a:1"]);
    check("alpha alpha alpha alpha alpha", &[("a", "alpha")], &["a:1"]);
}

#[test]
fn more_terms_come_first_then_ids_then_sentences() {
    check("alpha bravo", &[("a", "alpha"), ("b", "alpha bravo")], &["b:1", "a:1"]);
    check("alpha", &[("b", "alpha. alpha."), ("a", "x. alpha")], &["a:2", "b:1", "b:2"]);
    check("alpha", &[("a", "alpha. alpha! alpha? alpha")], &["a:1", "a:2", "a:3"]);
    check("alpha", &[("a", "alpha alpha"), ("b", "alpha")], &["a:1", "b:1"]);
    // Equal ids keep the order of the corpus.
    check("alpha", &[("a", "x. alpha"), ("a", "alpha"), ("a", "alpha")], &["a:1", "a:1", "a:2"]);
}

#[test]
fn ids_are_in_the_order_of_a_dictionary() {
    for (first, second) in [
        ("a", "B"),
        ("a", "A"),
        ("A", "b"),
        ("a", "á"),
        ("á", "b"),
        ("z", "中"),
        ("kb_1", "kb-1"),
        ("kb-1", "kb1"),
        ("kb-10", "kb-2"),
        ("docs/a.md#x", "docs/ab.md"),
        ("docs-a", "docs/a"),
        ("1", "a"),
        ("ss", "ß"),
        ("😀", "1"),
    ] {
        let expected = [format!("{first}:1"), format!("{second}:1")];
        check("alpha", &[(second, "alpha"), (first, "alpha")], &[&expected[0], &expected[1]]);
    }
}

#[test]
fn the_answer_is_the_quotes_joined_by_a_space() {
    let corpus = json!([{"id": "a", "text": "alpha one.\n\nalpha\ttwo!  alpha three"}]);
    let value = parsed(&json!({"question": "alpha", "corpus": corpus}));
    assert_eq!(value["answer"]["text"], "alpha one. alpha\ttwo! alpha three");
}

// The command line

const REQUEST: &str = r#"{"question": "turbine", "corpus": [{"id": "a", "title": "A", "text": "Turbines spin."}]}"#;
const ANSWER: &str = "{\"answer\":{\"text\":\"Turbines spin.\",\"citations\":[{\"source_id\":\"a\",\"title\":\"A\",\
    \"sentence_index\":1,\"quote\":\"Turbines spin.\"}]},\"kb_gaps\":[],\"grounded\":true}\n";
const OTHER: &str = r#"{"question": "", "corpus": []}"#;

fn with_variables(sandbox: &Sandbox, variables: &[(&str, &str)], args: &[&str]) -> Run {
    let mut command = sandbox.command(&[&["answer"], args].concat());
    command.envs(variables.iter().copied());
    Run::of(command.output().expect("the program starts"))
}

#[test]
fn the_input_is_the_files_then_the_variables_then_stdin() {
    let sandbox = Sandbox::new().file("good.json", REQUEST).file("other.json", OTHER);
    let (path, json) = ("RUNX_INPUTS_PATH", "RUNX_INPUTS_JSON");
    for (variables, args) in [
        (&[(path, "other.json"), (json, OTHER)][..], &["--input", "good.json"][..]),
        (&[(path, "good.json"), (json, OTHER)], &[]),
        (&[(path, ""), (json, REQUEST)], &[]),
        (&[(json, OTHER)], &["--input", "other.json", "--question", "turbine", "--corpus", "corpus.json"]),
    ] {
        sandbox.write("corpus.json", r#"[{"id": "a", "title": "A", "text": "Turbines spin."}]"#);
        let run = with_variables(&sandbox, variables, args);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), (ANSWER, "", Some(0)), "{args:?}");
    }
    assert_eq!(sandbox.run_with_input(&["answer"], REQUEST).stdout, ANSWER);
    assert_eq!(sandbox.run_with_input(&["answer", "--input", "-"], &format!("\u{feff}{REQUEST}")).stdout, ANSWER);
}

#[test]
fn errors_are_one_line_of_json_on_stderr() {
    let sandbox = Sandbox::new().file("blank.json", " \n");
    let invalid = |message: &str| format!("{{\"error\":{{\"reason\":\"invalid_input\",\"message\":\"{message}\"}}}}\n");
    let missing =
        "{\"error\":{\"reason\":\"missing_question\",\"message\":\"question is required and must not be empty\"}}\n";
    for (args, input, expected) in [
        (&["answer"][..], " \n", missing.to_owned()),
        (&["answer"], "{}", missing.to_owned()),
        (&["answer"], "{\n  \"question\" 1}", invalid("stdin is not JSON: expected `:` at line 2 column 14")),
        (&["answer", "--input", "gone.json"], "", invalid("failed to read `gone.json`: no such file or directory")),
        (&["answer", "--input", "blank.json"], "", invalid("`blank.json` is empty: expected JSON")),
    ] {
        let run = sandbox.run_with_input(args, input);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("", expected.as_str(), Some(2)), "{args:?}");
    }
}

#[test]
fn a_folder_of_markdown_is_a_corpus_of_own_texts() {
    let sandbox = Sandbox::new().file("docs/a.md", "# Machines\n\nText.\n\n## Turbines\n\nTurbines spin.\n");
    let run = sandbox.ok(&["-C", ".", "answer", "--corpus", "docs", "--question", "what spins?"]);
    let value: Value = serde_json::from_str(&run.stdout).expect("JSON");
    let quote = "Turbines spin.";
    let citation = json!({"source_id": "docs/a.md#turbines", "title": "Turbines", "sentence_index": 1, "quote": quote});
    assert_eq!(value["answer"]["citations"], json!([citation]));
}
