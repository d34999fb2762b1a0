//! What the answer says and what it doesn't: one small project each.

use crate::sandbox::{Sandbox, text};

fn answer(pages: &[(&str, &str)], question: &str) -> String {
    let sandbox = pages.iter().fold(Sandbox::new(), |sandbox, (path, content)| sandbox.file(path, content));
    text(&sandbox.response(question)["answer"]).to_owned()
}

/// Checks what one page answers.
fn check(page: &str, question: &str, expected: &str) {
    assert_eq!(answer(&[("docs/a.md", page)], question), expected, "{question}");
}

const SETTINGS: &str = "\
# Settings

| Key | Default | Meaning |
|---|---|---|
| `rotor.speed` | `40` | How fast it turns. |
| `mast.height` | `90` | How tall it stands, in the default unit of the rotor. |
| `brake.force` | – | Holds. |
";

#[test]
fn a_default_comes_from_the_row_of_the_thing() {
    check(
        SETTINGS,
        "What is the default rotor speed?",
        "`rotor.speed` — Default: `40`; Meaning: How fast it turns. (docs/a.md#settings)",
    );
}

#[test]
fn how_to_questions_get_the_steps_in_order() {
    let page =
        "# Brake\n\nBraking is loud.\n\n## Brake the rotor\n\n1. Stop it: `plant stop`\n2. Turn the key.\n3. Wait.\n";
    check(
        page,
        "How do I brake the rotor?",
        "(1) Stop it: `plant stop`; (2) Turn the key; (3) Wait. (docs/a.md#brake-the-rotor)",
    );
}

#[test]
fn questions_for_names_get_the_list() {
    let page =
        "# Rotor\n\nThe rotor has these modes:\n\n- slow\n- fast\n- silent\n\nModes of the rotor are set by hand.\n";
    check(page, "Which rotor modes are there?", "The rotor has these modes: slow; fast; silent. (docs/a.md#rotor)");
}

#[test]
fn a_sentence_that_leans_brings_the_one_before() {
    let page = "# Plant\n\nThe gearbox has a pump.\n\nA pump cools the gearbox. It needs glycol in winter.\n";
    check(page, "glycol in winter", "A pump cools the gearbox. It needs glycol in winter. (docs/a.md#plant)");
}

#[test]
fn a_note_does_not_stand_for_the_text() {
    let page = "# Rotor\n\n> Rotor fans will love this rotor.\n\nThe rotor turns the shaft.\n";
    let answer = answer(&[("docs/a.md", page)], "What is the rotor?");
    assert!(answer.starts_with("The rotor turns the shaft."), "{answer}");
}

#[test]
fn what_is_asked_for_is_defined() {
    let page = "# Parts\n\nOil every rotor twice a year.\n\nA rotor is the part that turns.\n";
    let answer = answer(&[("docs/a.md", page)], "What is a rotor?");
    assert!(answer.starts_with("A rotor is the part that turns."), "{answer}");
}

#[test]
fn docs_that_disagree_are_said_to() {
    let pages = [
        ("docs/a.md", "# Requests\n\nThe default request timeout is 30 seconds.\n"),
        ("docs/b.md", "# Limits\n\nDefault request timeout: 60 seconds.\n"),
    ];
    let answer = answer(&pages, "What is the default request timeout?");
    let expected = "The docs disagree: `30 seconds` (docs/a.md#requests), `60 seconds` (docs/b.md#limits).";
    let turned = "The docs disagree: `60 seconds` (docs/b.md#limits), `30 seconds` (docs/a.md#requests).";
    assert!(answer.ends_with(expected) || answer.ends_with(turned), "{answer}");
}

#[test]
fn docs_that_agree_in_other_words_or_speak_of_other_things_do_not_disagree() {
    for other in [
        "The default request timeout is 0.5 minutes.",
        "The default request timeout is 60 seconds if a proxy is set.",
        "The default upload request timeout is 60 seconds.",
        "The default request timeout is 3.",
        "`--request-timeout` is 60 seconds.",
        "The maximum default request timeout is 60 seconds.",
        "The request timeout is 60 seconds.",
        "For large sites:\n\n- Default request timeout: 60 seconds",
    ] {
        let page = format!("# Limits\n\n{other}\n");
        let pages =
            [("docs/a.md", "# Requests\n\nThe default request timeout is 30 seconds.\n"), ("docs/b.md", page.as_str())];
        let answer = answer(&pages, "What is the default request timeout?");
        assert!(!answer.contains("disagree"), "{answer}");
    }
    let old = [
        ("docs/a.md", "# Requests\n\nThe default request timeout is 30 seconds.\n"),
        ("docs/changelog.md", "# Changelog\n\nThe default request timeout is 60 seconds.\n"),
    ];
    assert!(!answer(&old, "What is the default request timeout?").contains("disagree"));
}
