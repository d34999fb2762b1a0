//! Text with marks → sentences, the marks in them, and marks put in.
//!
//! What prints an answer and what checks one cut it the same way, so that what is printed is accepted. A text is
//! Markdown: what stands in code is neither the end of a sentence nor a mark.

use std::collections::HashMap;
use std::ops::Range;

use crate::statement::ends_in_abbreviation;

/// Characters of a chunk's id in a mark (contracts E).
const ID_LENGTH: std::ops::RangeInclusive<usize> = 4..=64;
/// Characters from which a sentence can state something (contracts E).
const STATES_FROM: usize = 16;

/// Which marks a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Ids of chunks: `[` four to 64 of `a-z A-Z 0-9 _ -` `]` (contracts E).
    Chunks,
    /// Ids of spans: `[S1]` (contracts D).
    Spans,
}

/// A mark in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark<'a> {
    /// The bytes of the mark, brackets included.
    pub range: Range<usize>,
    /// What stands in the brackets.
    pub id: &'a str,
}

/// The sentences of a text, as byte ranges without white space at the ends.
///
/// A sentence ends at white space after `.`, `!` or `?` with the quotes and brackets that close there, whatever word
/// follows, but not after an abbreviation or an initial; at `。`, `！`, `？` anywhere; and before each item of a list, unless
/// a colon introduces it. Never inside a code span.
pub fn sentences(text: &str) -> Vec<Range<usize>> {
    let code = code_spans(text);
    let mut code = code.iter().peekable();
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        while code.next_if(|code| code.end <= at).is_some() {}
        let is_code = code.peek().is_some_and(|code| code.start <= at);
        if c == '\n' && !is_code && opens_item(&text[at + 1..]) && !text[start..at].trim_end().ends_with(':') {
            found.extend(trimmed(text, start..at));
            start = at;
        }
        if !is_terminator(c) || is_code {
            continue;
        }
        let mut end = at + c.len_utf8();
        let mut is_wide = is_wide(c);
        while let Some((next, closing)) = chars.next_if(|(_, c)| is_terminator(*c) || is_closing(*c)) {
            end = next + closing.len_utf8();
            is_wide |= self::is_wide(closing);
        }
        let at_space = chars.peek().is_none_or(|(_, c)| c.is_whitespace());
        if is_wide || (at_space && !ends_in_abbreviation(&text[start..end])) {
            found.extend(trimmed(text, start..end));
            start = end;
        }
    }
    found.extend(trimmed(text, start..text.len()));
    found
}

/// Whether a line begins with the mark of a list: a bullet, or a number with a full stop or a bracket.
fn opens_item(line: &str) -> bool {
    let line = line.trim_start_matches([' ', '\t']);
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark = match line.len() - number.len() {
        0 => line.strip_prefix(['-', '*', '+']),
        1..=9 => number.strip_prefix(['.', ')']),
        _ => None,
    };
    mark.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// The marks in a text, in order. What stands in code and what is a Markdown link's text are none.
pub fn marks(text: &str, kind: Marks) -> Vec<Mark<'_>> {
    let code = code_spans(text);
    let mut code = code.iter().peekable();
    let is_mark = |mark: &Mark<'_>| {
        while code.next_if(|code| code.end <= mark.range.start).is_some() {}
        let is_code = code.peek().is_some_and(|code| code.start <= mark.range.start);
        !is_code && !text[mark.range.end..].starts_with('(')
    };
    bracketed(text, kind).filter(is_mark).collect()
}

/// A text with ` [id]` for all ids before the final punctuation of each of its sentences; a sentence without any gets
/// a full stop after them. What reads as a mark already is escaped, code that holds one becomes plain text.
pub fn marked(text: &str, ids: &[String], kind: Marks) -> String {
    let text = escaped(text, kind);
    let marks: String = ids.iter().map(|id| format!("[{id}]")).collect();
    let mut out = String::with_capacity(text.len() + marks.len());
    let mut at = 0;
    for sentence in sentences(&text) {
        let end = sentence.start + final_punctuation(&text[sentence.clone()]);
        out.push_str(&text[at..end]);
        if !marks.is_empty() {
            out.push(' ');
            out.push_str(&marks);
        }
        if end == sentence.end {
            out.push('.');
        }
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

/// A text without its marks and the space before each.
pub fn unmarked(text: &str, kind: Marks) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for mark in marks(text, kind) {
        let before = &text[at..mark.range.start];
        out.push_str(before.strip_suffix(' ').unwrap_or(before));
        at = mark.range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Whether a sentence says something that needs a source: it has 16 characters or more, and a digit, a capitalised
/// word or a quotation mark among them (contracts E).
pub fn states(sentence: &str) -> bool {
    let is_telling = |c: char| c.is_numeric() || matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
    sentence.chars().nth(STATES_FROM - 1).is_some() && (sentence.contains(is_telling) || has_capitalised_word(sentence))
}

/// Whether somewhere an upper-case letter is followed by two lower-case ones.
fn has_capitalised_word(text: &str) -> bool {
    let mut small = None;
    for c in text.chars() {
        small = match small {
            _ if c.is_uppercase() => Some(0),
            Some(1) if c.is_lowercase() => return true,
            Some(count) if c.is_lowercase() => Some(count + 1),
            _ => None,
        };
    }
    false
}

/// A text in which nothing reads as a mark any more, in code or outside.
fn escaped(text: &str, kind: Marks) -> String {
    let code = code_spans(text);
    let mut code = code.iter().peekable();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for mark in bracketed(text, kind) {
        if mark.range.start < at {
            // Inside code that was taken as a whole.
            continue;
        }
        while code.next_if(|code| code.end <= mark.range.start).is_some() {}
        match code.next_if(|code| code.start <= mark.range.start) {
            Some(code) => {
                out.push_str(&text[at..code.start]);
                escape_code(&text[code.clone()], &mut out);
                at = code.end;
            }
            None => {
                out.push_str(&text[at..mark.range.start]);
                let open = if is_escaped(&out) { "[" } else { "\\[" };
                out.extend([open, mark.id, "\\]"]);
                at = mark.range.end;
            }
        }
    }
    out.push_str(&text[at..]);
    out
}

/// Writes what a code span holds as text that shows the same.
fn escape_code(code: &str, out: &mut String) {
    let inside = code.trim_matches('`');
    let padded = inside.strip_prefix(' ').and_then(|inside| inside.strip_suffix(' '));
    for c in padded.unwrap_or(inside).chars() {
        match c {
            // A backtick with a backslash before it can still close code that opens before it.
            '`' => out.push_str("&#96;"),
            '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '|' => out.extend(['\\', c]),
            _ => out.push(c),
        }
    }
}

/// Whether a character that follows a text has a backslash before it that is not one itself.
fn is_escaped(before: &str) -> bool {
    before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// Where the final punctuation of a sentence begins: the first full stop in the run of such and of closing marks at
/// its end; the sentence's length where there is none.
fn final_punctuation(sentence: &str) -> usize {
    let is_inside = |c: char| !(is_terminator(c) || is_closing(c) || c == '\\');
    let run = sentence.rfind(is_inside).map_or(0, |at| at + sentence[at..].chars().next().map_or(0, char::len_utf8));
    let Some(first) = sentence[run..].find(is_terminator).map(|at| run + at) else {
        return sentence.len();
    };
    // A mark between a backslash and what it escapes would change both.
    if is_escaped(&sentence[..first]) { first - 1 } else { first }
}

/// Everything in brackets that has the form of a mark, in code and links too.
fn bracketed(text: &str, kind: Marks) -> impl Iterator<Item = Mark<'_>> {
    text.match_indices('[').filter_map(move |(start, _)| {
        let rest = &text[start + 1..];
        let id = &rest[..rest.bytes().take(ID_LENGTH.end() + 1).take_while(|byte| is_id_byte(*byte)).count()];
        let is_mark = rest[id.len()..].starts_with(']') && kind.admits(id);
        is_mark.then_some(Mark { range: start..start + id.len() + 2, id })
    })
}

impl Marks {
    /// Whether an id may stand in such a mark.
    pub fn admits(self, id: &str) -> bool {
        match self {
            Self::Chunks => ID_LENGTH.contains(&id.len()) && id.bytes().all(is_id_byte),
            Self::Spans => id.strip_prefix('S').is_some_and(|number| {
                !number.is_empty() && id.len() <= *ID_LENGTH.end() && number.bytes().all(|byte| byte.is_ascii_digit())
            }),
        }
    }
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?') || is_wide(c)
}

fn is_wide(c: char) -> bool {
    matches!(c, '。' | '！' | '？')
}

/// Quotes and brackets that may stand after a full stop.
fn is_closing(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '"' | '\'' | '”' | '’' | '»' | '›' | '」' | '』' | '）' | '】' | '］')
}

fn trimmed(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let piece = &text[range.clone()];
    let start = range.start + piece.len() - piece.trim_start().len();
    let end = start + piece.trim().len();
    (start < end).then_some(start..end)
}

/// A run of backticks.
struct Ticks {
    range: Range<usize>,
    /// How many of them can open code: one less where a backslash takes the first.
    opening: usize,
    /// The paragraph that it stands in.
    paragraph: usize,
}

/// The code spans of a text in order, backticks included: from a run of backticks to the next as long in the same
/// paragraph; three or more may go on over blank lines, as a fence does.
fn code_spans(text: &str) -> Vec<Range<usize>> {
    let runs = runs_of_ticks(text);
    let mut by_length: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, run) in runs.iter().enumerate() {
        by_length.entry(run.range.len()).or_default().push(index);
    }
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(run) = runs.get(next) {
        let same = by_length.get(&run.opening).map_or(&[][..], Vec::as_slice);
        let close = same.get(same.partition_point(|index| *index <= next)).map(|index| (*index, &runs[*index]));
        match close.filter(|(_, close)| close.paragraph == run.paragraph || run.opening >= 3) {
            Some((index, close)) => {
                found.push(run.range.end - run.opening..close.range.end);
                next = index + 1;
            }
            None => next += 1,
        }
    }
    found
}

fn runs_of_ticks(text: &str) -> Vec<Ticks> {
    let mut runs: Vec<Ticks> = Vec::new();
    let mut paragraph = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        paragraph += usize::from(line.trim().is_empty());
        let mut rest = line;
        while let Some(found) = rest.find('`') {
            let start = at + line.len() - rest.len() + found;
            let len = rest[found..].bytes().take_while(|byte| *byte == b'`').count();
            let opening = len - usize::from(is_escaped(&rest[..found]));
            runs.push(Ticks { range: start..start + len, opening, paragraph });
            rest = &rest[found + len..];
        }
        at += line.len();
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check_sentences(text: &str, expected: &[&str]) {
        let found: Vec<&str> = sentences(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn sentences_end_at_white_space_after_full_stops() {
        check_sentences("Run it. then stop!  Done?", &["Run it.", "then stop!", "Done?"]);
        check_sentences("Version 1.2.3 is out.\nGet it", &["Version 1.2.3 is out.", "Get it"]);
        check_sentences(" \n ", &[]);
        check_sentences("Wait... What?! Yes.", &["Wait...", "What?!", "Yes."]);
    }

    #[test]
    fn closing_marks_belong_to_the_sentence() {
        check_sentences(
            "He said \"stop.\" (It did.) «Oui.» End.",
            &["He said \"stop.\"", "(It did.)", "«Oui.»", "End."],
        );
    }

    #[test]
    fn abbreviations_and_initials_do_not_end_sentences() {
        check_sentences("Use a tool, e.g. Docker. Ask J. Doe.", &["Use a tool, e.g. Docker.", "Ask J. Doe."]);
        check_sentences(
            "Files (logs, etc. and more) stay. So do I. Fine.",
            &["Files (logs, etc. and more) stay.", "So do I.", "Fine."],
        );
    }

    #[test]
    fn code_holds_no_end() {
        check_sentences("Run `a. B` now. Stop.", &["Run `a. B` now.", "Stop."]);
        check_sentences("Run ``a`. B`` now.", &["Run ``a`. B`` now."]);
        check_sentences("A ` alone. Then more.", &["A ` alone.", "Then more."]);
        check_sentences("Not \\`code. Here` it ends.", &["Not \\`code.", "Here` it ends."]);
        check_sentences("See this\n- one\n  more\n2) two `a\n- b`", &["See this", "- one\n  more", "2) two `a\n- b`"]);
        check_sentences("Open these:\n\n* one\n* two", &["Open these:\n\n* one", "* two"]);
        check_sentences("It is\n-5 or\n1.5 or\n2024 more", &["It is\n-5 or\n1.5 or\n2024 more"]);
        check_sentences("Not `code.\n\nHere` it ends.", &["Not `code.", "Here` it ends."]);
        check_sentences("Set:\n```\na. b\n\nc. d\n```\nEnd. Yes.", &["Set:\n```\na. b\n\nc. d\n```\nEnd.", "Yes."]);
    }

    #[test]
    fn wide_full_stops_need_no_space() {
        check_sentences("设置缓存。重启服务！好", &["设置缓存。", "重启服务！", "好"]);
        check_sentences("「好。」他说", &["「好。」", "他说"]);
    }

    fn check_marks(text: &str, kind: Marks, expected: &[&str]) {
        let found = marks(text, kind);
        assert!(found.iter().all(|mark| text[mark.range.clone()] == format!("[{}]", mark.id)), "{text}");
        assert_eq!(found.iter().map(|mark| mark.id).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn marks_of_chunks_have_four_to_64_characters() {
        check_marks("A [abc] b [abcd] c [a_B-9].", Marks::Chunks, &["abcd", "a_B-9"]);
        let (most, more) = ("x".repeat(64), "x".repeat(65));
        check_marks(&format!("[{most}][{more}]"), Marks::Chunks, &[&most]);
        check_marks("[id_1][id_2] [[id_3]] [é123] [a b c]", Marks::Chunks, &["id_1", "id_2", "id_3"]);
    }

    #[test]
    fn code_and_links_hold_no_marks() {
        check_marks("`[abcd]` [abcd](x) [efgh] (x) ``[` [ijkl]``", Marks::Chunks, &["efgh"]);
        check_marks("\\[abcd\\] \\`[efgh]`", Marks::Chunks, &["efgh"]);
    }

    #[test]
    fn marks_of_spans_are_numbered() {
        check_marks("[S1][S20] [S] [s1] [S1a] [T1] [S007]", Marks::Spans, &["S1", "S20", "S007"]);
    }

    fn check_marked(text: &str, expected: &str) {
        assert_eq!(marked(text, &["S1".into(), "S2".into()], Marks::Spans), expected);
    }

    #[test]
    fn marks_stand_before_the_final_punctuation() {
        check_marked("One. two!", "One [S1][S2]. two [S1][S2]!");
        check_marked("He said \"stop.\"", "He said \"stop [S1][S2].\"");
        check_marked("Run it (see `x`).", "Run it (see `x`) [S1][S2].");
        check_marked("设置缓存。", "设置缓存 [S1][S2]。");
        check_marked("", "");
    }

    #[test]
    fn a_sentence_without_punctuation_gets_a_full_stop() {
        check_marked("Run `x.`", "Run `x.` [S1][S2].");
        check_marked("Run it (or not)", "Run it (or not) [S1][S2].");
    }

    #[test]
    fn what_reads_as_a_mark_is_escaped() {
        check_marked("See [S3].", "See \\[S3\\] [S1][S2].");
        check_marked("See \\[S3].", "See \\[S3\\] [S1][S2].");
        check_marked("See `a*[S3]`.", "See a\\*\\[S3\\] [S1][S2].");
        check_marked("See `` `[S3] `` and `x`.", "See &#96;\\[S3\\] and `x` [S1][S2].");
        let chunks = marked("Under [dependencies] or `[package]`.", &["abcd".into()], Marks::Chunks);
        assert_eq!(chunks, "Under \\[dependencies\\] or \\[package\\] [abcd].");
    }

    #[test]
    fn marks_are_taken_out_with_the_space_before() {
        assert_eq!(unmarked("One [S1][S2]. Two [S1] [S3]! `[S1]`", Marks::Spans), "One. Two! `[S1]`");
        assert_eq!(unmarked("[S1] One[S2].", Marks::Spans), " One.");
    }

    #[test]
    fn a_statement_is_long_and_names_something() {
        for stating in [
            "it lasts 30 minutes",
            "we ask the Cache now",
            "it says \"no\" to all",
            "он спросил Ивана",
            "«non» dit le chat noir",
        ] {
            assert!(states(stating), "{stating}");
        }
        for silent in ["It is so Big", "it lasts a long while", "AB is not a Xy word", "a NASA of WHOm x"] {
            assert!(!states(silent), "{silent}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let ticks: String = (1..700).map(|len| "`".repeat(len) + " ").collect();
        for text in [ticks, "[".repeat(1 << 18), "`[abcd] ".repeat(1 << 15), ". ".repeat(1 << 17), "\\".repeat(1 << 18)]
        {
            let marked = marked(&text, &["abcd".into()], Marks::Chunks);
            assert!(!marks(&marked, Marks::Chunks).is_empty() || text.trim().is_empty());
        }
    }

    /// What the pattern alone sees, code or not.
    fn seen(text: &str, kind: Marks) -> usize {
        bracketed(text, kind).count()
    }

    fn check_law(text: &str, ids: &[String], kind: Marks) -> Result<(), TestCaseError> {
        let plain = escaped(text, kind);
        prop_assert_eq!(seen(&plain, kind), 0, "{}", plain);
        let marked = marked(text, ids, kind);
        let cut = sentences(&marked);
        prop_assert_eq!(cut.len(), sentences(&plain).len(), "{:?} {:?}", plain, marked);
        for sentence in &cut {
            let found: Vec<&str> = marks(&marked[sentence.clone()], kind).into_iter().map(|mark| mark.id).collect();
            prop_assert_eq!(&found, ids, "{:?}", &marked[sentence.clone()]);
        }
        let all = marks(&marked, kind).len();
        prop_assert_eq!(all, ids.len() * cut.len(), "{:?}", marked);
        prop_assert_eq!(all, seen(&marked, kind));
        let bare = unmarked(&marked, kind);
        prop_assert!(bare == plain || bare == with_full_stop(&plain), "{:?} {:?}", plain, bare);
        Ok(())
    }

    fn with_full_stop(text: &str) -> String {
        let end = text.trim_end().len();
        format!("{}.{}", &text[..end], &text[end..])
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_marked_is_read_back(
            text in "([.!?。\\]\\[)(\"'`\\\\ \n*Sa1é]|\\[S1\\]|e\\.g\\.|`[.\\[S2\\] ]{0,4}`|``|J\\.|word|\\[abcd\\]){0,24}",
        ) {
            check_law(&text, &["S1".to_owned(), "S12".to_owned()], Marks::Spans)?;
            check_law(&text, &["0a1b2c3d4e5f".to_owned()], Marks::Chunks)?;
        }

        #[test]
        fn any_text_can_be_marked(text in "\\PC*") {
            check_law(&text, &["S1".to_owned()], Marks::Spans)?;
        }
    }
}
