//! Text → tokens: words, identifiers whole and in parts, versions, flags, `C++`, CJK bigrams, folded accents.
//!
//! The same rules read documents and questions, so what a question shares with a text is found by equality. There
//! is no stemming here: word forms are joined when a question is read (`expand`), so the index holds what was
//! written and a quoted word can mean itself.
//!
//! Rules, each with its reason:
//! - Case is folded everywhere (`GENSCRIPT` = `genscript`).
//! - A compound (`frozen-lockfile`, `src/store.ts`, `readPackage`, `std::vec`) gives its parts and, at the position
//!   of the first part, its joined forms: the whole and each `/`, `:`, `.` or `@` separated component, without
//!   connectors. So `--frozen-lockfile`, `frozenLockfile` and `frozen_lockfile` are one word.
//! - Digits around a dot stay together in the joined form (`2026.4.10`), so that a version is not its neighbour.
//! - A leading `--` also gives a token with the dashes: the flag `--watch` is more than the word `watch`.
//! - `C++`, `C#` and `.NET` are words of their own; the bare letter of the first two is not emitted.
//! - An apostrophe joins (`don't` = `dont`) and a possessive `'s` is dropped, straight or curly.
//! - Han, Kana and Hangul runs give bigrams; a run of one gives itself. No dictionary, no language choice.
//! - A word with accents also gives its folded form.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longest token that is kept, in bytes; longer ones are hashes or data and nobody types them.
const TOKEN_LIMIT: usize = 96;

/// What a token is to the text it was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A word that stands alone.
    Word,
    /// One part of a compound.
    Part,
    /// A compound, or a component of one, joined; also flags with their dashes and versions.
    Whole,
    /// The accent-free form of the word at the same position.
    Folded,
    /// Two neighbouring characters of a script that is written without spaces.
    Bigram,
}

/// A token of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The token, case folded.
    pub text: String,
    /// Its place in the text, counted in words and parts from 0; forms of one word share it.
    pub position: u32,
    /// What it is to the text.
    pub kind: Kind,
}

/// The tokens of `text`, in order.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    tokenize(text, &mut |token, position, kind| {
        found.push(Token { text: token.to_owned(), position, kind });
    });
    found
}

/// Reads `text` and hands each token, its position and its kind to `sink`, positions never descending.
pub fn tokenize(text: &str, sink: &mut dyn FnMut(&str, u32, Kind)) {
    let mut reader = Reader { position: 0, lower: String::new(), whole: String::new(), sink };
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| class(c) != Class::Separator) {
        rest = &rest[start..];
        let cjk = rest.chars().next().is_some_and(|c| class(c) == Class::Cjk);
        let end = if cjk { end_of(rest, is_cjk) } else { end_of(rest, is_technical) };
        let (run, after) = rest.split_at(end);
        if cjk {
            reader.bigrams(run)
        } else {
            reader.run(run)
        }
        rest = after;
    }
}

/// What a character is to the tokenizer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Letters, marks, digits, underscore.
    Word,
    /// Characters that hold compounds together and are dropped at the ends of one.
    Connector,
    /// A character of a script written without spaces, read in bigrams.
    Cjk,
    /// Everything else.
    Separator,
}

fn class(c: char) -> Class {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Class::Word,
            '\'' | '-' | '.' | ':' | '/' | '@' | '+' | '#' => Class::Connector,
            _ => Class::Separator,
        };
    }
    match c {
        '\u{2019}' => Class::Connector,
        // Hiragana, Katakana, CJK ideographs with extensions and compatibility forms, Hangul syllables.
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Class::Cjk,
        _ if c.is_alphanumeric() || is_combining_mark(c) => Class::Word,
        _ => Class::Separator,
    }
}

fn is_cjk(c: char) -> bool {
    class(c) == Class::Cjk
}

fn is_technical(c: char) -> bool {
    matches!(class(c), Class::Word | Class::Connector)
}

/// The offset of the first character of `text` that does not satisfy `inside`.
fn end_of(text: &str, inside: impl Fn(char) -> bool) -> usize {
    text.find(|c: char| !inside(c)).unwrap_or(text.len())
}

struct Reader<'a> {
    position: u32,
    lower: String,
    whole: String,
    sink: &'a mut dyn FnMut(&str, u32, Kind),
}

impl Reader<'_> {
    /// Emits the bigrams of a run of CJK characters, or the one character of a run of one.
    fn bigrams(&mut self, run: &str) {
        let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
        let width = if starts.len() > 2 { 2 } else { 1 };
        for window in starts.windows(width + 1) {
            (self.sink)(&run[window[0]..window[width]], self.position, Kind::Bigram);
            self.position += 1;
        }
        self.position += 1;
    }

    /// Emits the tokens of a run of word characters and connectors.
    fn run(&mut self, run: &str) {
        if run.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return self.word(run, Kind::Word);
        }
        let core = run.trim_matches(|c| class(c) != Class::Word);
        if core.is_empty() {
            return;
        }
        let start = run.find(core).unwrap_or(0);
        let (before, after) = (&run[..start], &run[start + core.len()..]);
        if self.symbolic(before, core, after) {
            return;
        }
        let core = strip_possessive(core);
        if before.ends_with("--") {
            self.joined("--", core);
        }
        let is_marked = before.ends_with("--") || before == ".";
        self.compound(core, if is_marked { Kind::Part } else { Kind::Word });
    }

    /// Emits `c++`, `c#`, `.net`: words whose punctuation is part of the name. Tells whether nothing is left to do.
    fn symbolic(&mut self, before: &str, core: &str, after: &str) -> bool {
        let suffix = match after {
            "++" => "++",
            "#" if core.len() == 1 => "#",
            _ => "",
        };
        let is_plain = core.chars().all(char::is_alphanumeric);
        if !suffix.is_empty() && is_plain {
            self.lower.clear();
            self.lower.extend(core.chars().flat_map(char::to_lowercase));
            self.lower.push_str(suffix);
            (self.sink)(&self.lower, self.position, Kind::Word);
            self.position += 1;
            return true;
        }
        if before == "." && is_plain {
            self.joined(".", core);
        }
        false
    }

    /// Emits `prefix` and the joined form of `core` at the current position, as a whole.
    fn joined(&mut self, prefix: &str, core: &str) {
        self.whole.clear();
        self.whole.push_str(prefix);
        join(core, &mut self.whole);
        if self.whole.len() <= TOKEN_LIMIT {
            (self.sink)(&self.whole, self.position, Kind::Whole);
        }
    }

    /// Emits a compound: its whole, its components' wholes, its parts. A word without parts is of the kind `alone`.
    fn compound(&mut self, core: &str, alone: Kind) {
        let parts = parts(core);
        let [first, .., last] = parts.as_slice() else {
            return self.word(core, alone);
        };
        let is_one = |component: &str| component.len() == core.len();
        if first.component != last.component || !is_one(first.component) {
            self.joined("", core);
        }
        for (index, part) in parts.iter().enumerate() {
            let opens = index == 0 || parts[index - 1].component != part.component;
            let has_more = parts.get(index + 1).is_some_and(|next| next.component == part.component);
            if opens && has_more {
                self.joined("", part.component);
            }
            self.word(part.text, Kind::Part);
        }
    }

    /// Emits one word or part, and its folded form where it has accents, and moves on.
    fn word(&mut self, word: &str, kind: Kind) {
        if word.is_ascii() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            if word.len() <= TOKEN_LIMIT {
                (self.sink)(word, self.position, kind);
            }
            self.position += 1;
            return;
        }
        self.lower.clear();
        join(word, &mut self.lower);
        if self.lower.is_empty() || self.lower.len() > TOKEN_LIMIT {
            self.position += 1;
            return;
        }
        (self.sink)(&self.lower, self.position, kind);
        if !self.lower.is_ascii() {
            self.whole.clear();
            self.whole.extend(self.lower.nfd().filter(|c| !is_combining_mark(*c)));
            if self.whole != self.lower && !self.whole.is_empty() {
                (self.sink)(&self.whole, self.position, Kind::Folded);
            }
        }
        self.position += 1;
    }
}

/// Cuts a possessive `'s` off.
fn strip_possessive(core: &str) -> &str {
    let bare = core.strip_suffix('s').or_else(|| core.strip_suffix('S'));
    bare.and_then(|bare| bare.strip_suffix(['\'', '\u{2019}'])).unwrap_or(core)
}

/// Appends `text` lower-cased, composed and without connectors; a dot between digits stays.
fn join(text: &str, out: &mut String) {
    let mut previous = ' ';
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_point = c == '.' && previous.is_ascii_digit() && rest.peek().is_some_and(char::is_ascii_digit);
        if is_point {
            out.push('.');
        } else if c.is_ascii() {
            if c.is_ascii_alphanumeric() {
                out.push(c.to_ascii_lowercase());
            }
        } else if class(c) == Class::Word {
            out.extend(c.to_lowercase());
        }
        previous = c;
    }
    if !out.is_ascii() {
        *out = out.nfc().collect();
    }
}

/// A part of a compound and the component that holds it.
#[derive(Debug)]
struct Part<'a> {
    text: &'a str,
    component: &'a str,
}

/// Splits a compound at connectors and inside its components at `-`, `_` and changes of case.
fn parts(core: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    for component in core.split(['/', ':', '.', '@', '#', '+']).filter(|component| !component.is_empty()) {
        for piece in component.split(['-', '_']).filter(|piece| !piece.is_empty()) {
            humps(piece, |text| found.push(Part { text, component }));
        }
    }
    found
}

/// Splits a word at changes of case: before an upper-case letter that follows a lower-case letter or digit, and
/// before the last of several upper-case letters that a lower-case letter follows (`XMLHttp` → `XML`, `Http`).
fn humps<'a>(word: &'a str, mut sink: impl FnMut(&'a str)) {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut start = 0;
    for index in 1..chars.len() {
        let (at, c) = chars[index];
        let previous = chars[index - 1].1;
        let next_is_lower = chars.get(index + 1).is_some_and(|(_, next)| next.is_lowercase());
        let opens = c.is_uppercase() && (!previous.is_uppercase() || next_is_lower);
        if opens && class(previous) == Class::Word {
            sink(&word[start..at]);
            start = at;
        }
    }
    sink(&word[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> =
            tokens(text).iter().map(|token| format!("{}@{}", token.text, token.position)).collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn words_are_folded_and_counted() {
        check("Hello, wide World!", "hello@0 wide@1 world@2");
        check("GENSCRIPT", "genscript@0");
    }

    #[test]
    fn compounds_give_the_whole_and_the_parts() {
        check("frozen-lockfile", "frozenlockfile@0 frozen@0 lockfile@1");
        check("frozenLockfile", "frozenlockfile@0 frozen@0 lockfile@1");
        check("FROZEN_LOCKFILE", "frozenlockfile@0 frozen@0 lockfile@1");
        check("Msg_MultiStopParse", "msgmultistopparse@0 msg@0 multi@1 stop@2 parse@3");
        check("XMLHttpRequest", "xmlhttprequest@0 xml@0 http@1 request@2");
        check("src/store.ts", "srcstorets@0 src@0 store@1 ts@2");
        check("std::my_vec", "stdmyvec@0 std@0 myvec@1 my@1 vec@2");
        check("@scope/pkg", "scopepkg@0 scope@0 pkg@1");
        check("qmd://notes", "qmdnotes@0 qmd@0 notes@1");
        check("DEC-0054", "dec0054@0 dec@0 0054@1");
    }

    #[test]
    fn flags_keep_a_form_with_their_dashes() {
        check("--watch", "--watch@0 watch@0");
        check("--no-verify", "--noverify@0 noverify@0 no@0 verify@1");
        check("-a", "a@0");
    }

    #[test]
    fn versions_keep_their_dots() {
        check("2026.4.10", "2026.4.10@0 2026@0 4@1 10@2");
        check("v1.2", "v1.2@0 v1@0 2@1");
        check("end of 3.", "end@0 of@1 3@2");
    }

    #[test]
    fn names_with_punctuation_are_words() {
        check("C++ C# C .NET", "c++@0 c#@1 c@2 .net@3 net@3");
        check("notepad++", "notepad++@0");
    }

    #[test]
    fn apostrophes_join_and_possessives_go() {
        check("don't", "dont@0");
        check("don\u{2019}t the team's", "dont@0 the@1 team@2");
    }

    #[test]
    fn accents_are_folded_beside_the_word() {
        check("Déjà vu", "déjà@0 deja@0 vu@1");
        check("de\u{301}ja\u{300}", "déjà@0 deja@0");
    }

    #[test]
    fn scripts_without_spaces_give_bigrams() {
        check("云工开物 300 元", "云工@0 工开@1 开物@2 300@4 元@5");
        check("設定ファイルを", "設定@0 定フ@1 ファ@2 ァイ@3 イル@4 ルを@5");
    }

    #[test]
    fn punctuation_alone_is_nothing() {
        check("… — ' -- ++ # ::", "");
        check("", "");
    }
}
