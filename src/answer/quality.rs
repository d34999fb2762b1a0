//! What makes a statement a better or poorer quotation for a kind of question, as factors around 1.
//!
//! The factors are orders of preference, not measurements: a wanted kind gains a little, what can't be said alone or
//! belongs to another thing loses much or all. The evaluation sets don't tell factors apart that differ by less.

use crate::asked::Asked;
use crate::statement::{Statement, StatementKind};

use super::choose::{Candidate, Place};
use super::wants::Wants;

/// What each rank takes from a statement: first hits are right more often.
const RANK_DISCOUNT: f32 = 0.7;
/// Statements longer than this are worth less, in bytes.
pub const COMFORTABLE: usize = 280;
/// From this share of the question on, a heading is what the question is about.
pub const FITTING: f32 = 0.5;
/// From this share of the question on, the lead-in and the headings of a group are what the question is about.
const INTRODUCED: f32 = 0.4;

/// What makes a statement a better or poorer quotation, as a factor.
pub fn quality(candidate: &Candidate, asked: &Asked, wants: Wants) -> f32 {
    let text = &candidate.statement.text;
    let is_double = candidate.is_group() || candidate.numbers.len() > 1;
    let roomy = if is_double { 2 * COMFORTABLE } else { COMFORTABLE };
    let long = if text.len() > roomy { (roomy as f32 / text.len() as f32).max(0.5) } else { 1.0 };
    let question = if text.ends_with('?') { 0.5 } else { 1.0 };
    let aside = if candidate.place == Place::Aside { 0.8 } else { 1.0 };
    let pair = if candidate.numbers.len() > 1 { 0.9 } else { 1.0 };
    let title = if is_title(&candidate.statement) { 0.3 } else { 1.0 };
    let pointer = if points_elsewhere(text) { 0.6 } else { 1.0 };
    let open = if promises(text, &candidate.statement) { 0.4 } else { 1.0 };
    let rank = 1.0 + RANK_DISCOUNT * candidate.rank as f32;
    candidate.kind * long * pair * question * aside * title * pointer * open * fitness(candidate, asked, wants) / rank
}

/// Whether a paragraph is the title of a note or a picture rather than something said.
pub fn is_title(statement: &Statement) -> bool {
    let text = &statement.own;
    let is_said =
        text.ends_with(['.', '!', '?', ')', '`', '"']) || text.contains(|c: char| c.is_ascii_digit() || c == '`');
    statement.kind == StatementKind::Sentence && text.is_ascii() && text.split(' ').count() < 5 && !is_said
}

/// Whether a sentence promises what follows it and is said without it.
fn promises(text: &str, statement: &Statement) -> bool {
    let text = text.to_lowercase();
    statement.kind == StatementKind::Sentence
        && ["the following", "as follows"].iter().any(|words| text.contains(words))
}

/// Whether a sentence only says why somebody might want something.
fn is_motive(text: &str) -> bool {
    let text = text.to_lowercase();
    let openings = ["there are scenarios", "there are cases", "there are situations", "sometimes you", "let people"];
    let wishes = ["you might want to", "you may want to", "might be useful", "can be useful"];
    openings.iter().any(|opening| text.starts_with(opening)) || wishes.iter().any(|wish| text.contains(wish))
}

/// Whether a sentence only says where to read on.
fn points_elsewhere(text: &str) -> bool {
    let text = text.to_lowercase();
    ["see ", "for more ", "for details", "read more", "read the ", "refer to ", "learn more"]
        .iter()
        .any(|opening| text.starts_with(opening))
}

/// How well a statement is of the kind that the question wants, as a factor; 0 rules it out.
fn fitness(candidate: &Candidate, asked: &Asked, wants: Wants) -> f32 {
    let named = asked.share(candidate.named);
    let introduced = asked.share(candidate.named | candidate.above);
    let text = &candidate.statement.text;
    let kind = candidate.statement.kind;
    match (kind, wants) {
        (StatementKind::List, Wants::Names) | (StatementKind::Steps, Wants::Steps) if introduced >= INTRODUCED => 1.6,
        // A short list is said whole rather than by one of its items.
        (StatementKind::List | StatementKind::Steps, _)
            if candidate.held != 0 && is_short_list(&candidate.statement) =>
        {
            1.05
        }
        (StatementKind::List | StatementKind::Steps, _) => 0.0,
        (StatementKind::Setting, Wants::Steps | Wants::Default | Wants::Meaning) if named >= 0.25 => 1.0,
        (StatementKind::Setting, _) => 0.0,
        // A value without the name that it is of is another setting's.
        (StatementKind::Row, Wants::Default) if named < 0.15 => 0.0,
        (StatementKind::Row, _) if named == 0.0 => 0.7,
        (StatementKind::Row, Wants::Meaning) => 1.4,
        (_, Wants::Default) if text.to_lowercase().contains("default") => 1.2,
        (_, Wants::Amount) if text.contains(|c: char| c.is_ascii_digit()) => 1.2,
        (StatementKind::Code, Wants::Steps) => 1.2,
        (_, Wants::Steps) if is_motive(text) => 0.7,
        (_, Wants::Steps) if instructs(text) => 1.2,
        (StatementKind::Sentence, Wants::Meaning) if defines(text, asked) => 1.4,
        _ => 1.0,
    }
}

/// Whether a list is there whole and no longer than a sentence; the names of a table are no list.
fn is_short_list(statement: &Statement) -> bool {
    statement.key.is_empty() && statement.text.len() <= SHORT_LIST && !statement.text.ends_with('…')
}

/// A list up to this length is as good as a sentence, in bytes.
const SHORT_LIST: usize = 220;

/// Verbs that open an instruction in documentation.
const INSTRUCTIONS: [&str; 44] = [
    "add",
    "apply",
    "build",
    "call",
    "change",
    "check",
    "choose",
    "configure",
    "copy",
    "create",
    "declare",
    "define",
    "delete",
    "disable",
    "download",
    "edit",
    "enable",
    "export",
    "generate",
    "import",
    "include",
    "install",
    "make",
    "mark",
    "open",
    "override",
    "pass",
    "place",
    "provide",
    "put",
    "remove",
    "replace",
    "restart",
    "run",
    "select",
    "send",
    "set",
    "specify",
    "start",
    "stop",
    "update",
    "use",
    "wrap",
    "write",
];

/// Whether a sentence tells its reader to do something: "Run …", "To …, run …", "You can …", "Use …".
fn instructs(text: &str) -> bool {
    let text = text.to_lowercase();
    let first = text.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    INSTRUCTIONS.contains(&first)
        || ["to ", "you can ", "you should ", "if you want "].iter().any(|opening| text.starts_with(opening))
}

/// Whether a sentence says what the thing that is asked about is: "A rotor is …", "`--brake` stops …".
fn defines(text: &str, asked: &Asked) -> bool {
    let verbs = [" is ", " are ", " means ", " refers to ", " describes ", " defines "];
    let verb = verbs.iter().filter_map(|verb| text.find(verb)).min();
    // The subject of a definition is short: article, name, an attribute.
    verb.is_some_and(|at| at <= 60 && asked.share(asked.held_by(&text[..at])) >= FITTING)
}
