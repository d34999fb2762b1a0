//! Question → units to look for. A question is data: nothing in it is syntax, so nothing in it can fail.

use crate::expand::Language;
use crate::thesaurus::{StandIn, stand_ins};
use crate::tokenize::{Kind, Token, tokens};
use crate::weights::Weights;
use crate::words::{asks_for_history, asks_for_measure, is_stop, is_weak};

/// Units past this number are ignored: a pasted log is answered by its first lines.
pub const UNIT_LIMIT: usize = 64;

/// Weight of a word joined with its particle.
const JOIN: f32 = 1.0;

/// One thing that a question asks for: a word with its forms, an identifier, a part of one.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The token, case folded.
    pub text: String,
    /// Its place in the question, counted in tokens from 0.
    pub position: u32,
    /// How much it counts before rarity is known, 1 for a plain word.
    pub weight: f32,
    /// Which terms of the index stand for it.
    pub matching: Match,
    /// The unit that this one joins with its particle: where the join is found, the bare verb says little.
    pub absorbs: Option<usize>,
    /// Whether the unit is content: neither conversation nor a part of a unit that is there whole.
    pub is_content: bool,
    /// Other words that may stand for it, none of which the question says itself.
    pub stand_ins: Vec<StandIn>,
}

/// Which terms of the index stand for a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The term itself.
    Exact,
    /// The term and other forms of the word.
    Forms,
    /// Every term that starts so.
    Prefix,
}

/// A question, read.
#[derive(Clone)]
pub struct Query {
    /// What to look for, in the order of the question, each once.
    pub units: Vec<Unit>,
    /// Passages in quotation marks, as tokens: sections that hold one verbatim come first.
    pub phrases: Vec<Vec<String>>,
    /// Whether the question asks for the past, so that changelogs are as good as any page.
    pub is_historical: bool,
    /// What the parts of a score weigh.
    pub weights: Weights,
    pub(crate) language: Language,
    /// The words of the question without grammar, run together as a file's name would have them.
    name: String,
}

impl Query {
    /// Reads a question. Any text is a question; one without words has no units.
    pub fn question(text: &str, language: Language) -> Self {
        Self::weighed(text, language, Weights::default())
    }

    /// Reads a question to be ranked by other weights than the usual ones.
    pub fn weighed(text: &str, language: Language, weights: Weights) -> Self {
        let weight = |token: &Token| weight(token, &weights);
        let unit = |token: &Token| Unit { weight: weight(token), ..unit(token) };
        let found = without_measures(tokens(text));
        let is_content = |token: &Token| token.kind != Kind::Word || !is_stop(&token.text);
        let has_content = found.iter().any(is_content);
        let mut units: Vec<Unit> = Vec::new();
        for token in found.iter().filter(|token| !has_content || is_content(token)) {
            let known = units.iter().position(|unit| unit.text == token.text);
            match known {
                // Asking twice is asking louder, up to a limit.
                Some(index) => units[index].weight = (units[index].weight * 1.5).min(weight(token) * 2.0),
                None if units.len() < UNIT_LIMIT => units.push(unit(token)),
                None => {}
            }
        }
        units.extend(joined(&found, &units));
        if language.is_english() {
            add_stand_ins(&mut units, &language);
        }
        let is_historical = found.iter().any(|token| asks_for_history(&token.text));
        let name = phrase(text).into_iter().filter(|word| !is_stop(word)).collect();
        Self { units, phrases: quoted(text), is_historical, weights, language, name }
    }

    /// Whether the file at `path` is named after the question: the same words, grammar aside, and no others. Words
    /// are compared run together, since names are (`i2c.md`, `backup.md`) where people write `I2C` and "back up".
    pub(crate) fn is_name_of(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        !self.name.is_empty() && phrase(stem).concat() == self.name
    }

    /// Adds a word that is matched in its own way.
    pub(crate) fn add(&mut self, text: &str, matching: Match) {
        let room = UNIT_LIMIT.saturating_sub(self.units.len());
        self.units.extend(tokens(text).iter().take(room).map(|token| Unit {
            matching,
            weight: weight(token, &self.weights),
            ..unit(token)
        }));
    }
}

/// Drops the word of measure in "how long", "how many": it asks for a number and is not looked for.
fn without_measures(found: Vec<Token>) -> Vec<Token> {
    let is_measure = |index: usize, token: &Token| {
        index.checked_sub(1).is_some_and(|before| found[before].text == "how") && asks_for_measure(&token.text)
    };
    found
        .iter()
        .enumerate()
        .filter(|(index, token)| !is_measure(*index, token))
        .map(|(_, token)| token.clone())
        .collect()
}

/// A word and the particle behind it as one, since docs write "backup" and "login" where people ask how to "back
/// up" and "log in". A join that no text holds weighs nothing. Two words of content are not joined: on the
/// development set that only repeats what their parts say.
fn joined(found: &[Token], units: &[Unit]) -> Vec<Unit> {
    let is_short = |text: &str| text.len() < 2 || text.len() > 20 || !text.chars().all(char::is_alphabetic);
    let mut joins: Vec<Unit> = Vec::new();
    for pair in found.windows(2) {
        let [first, second] = pair else { continue };
        let are_words = first.kind == Kind::Word && second.kind == Kind::Word;
        let is_phrasal = are_words && !is_stop(&first.text) && is_stop(&second.text);
        if !is_phrasal || is_short(&first.text) || is_short(&second.text) {
            continue;
        }
        let text = format!("{}{}", first.text, second.text);
        let is_known = units.iter().chain(&joins).any(|unit| unit.text == text);
        if !is_known && units.len() + joins.len() < UNIT_LIMIT {
            joins.push(Unit {
                text,
                position: first.position,
                weight: JOIN,
                matching: Match::Forms,
                absorbs: units.iter().position(|unit| unit.text == first.text),
                is_content: false,
                stand_ins: Vec::new(),
            });
        }
    }
    joins
}

/// Gives words the words that may stand for them, other than what the question says anyway.
fn add_stand_ins(units: &mut [Unit], language: &Language) {
    let asked: Vec<String> = units.iter().map(|unit| language.stem(&unit.text)).collect();
    for unit in units.iter_mut().filter(|unit| unit.matching == Match::Forms) {
        let others = stand_ins(&unit.text).iter().copied();
        unit.stand_ins = others.filter(|other| !asked.contains(&language.stem(other.word))).collect();
    }
}

fn unit(token: &Token) -> Unit {
    let is_word = matches!(token.kind, Kind::Word | Kind::Part | Kind::Folded);
    Unit {
        text: token.text.clone(),
        position: token.position,
        weight: 1.0,
        absorbs: None,
        stand_ins: Vec::new(),
        matching: if is_word { Match::Forms } else { Match::Exact },
        is_content: token.kind != Kind::Part && token.kind != Kind::Folded && !is_weak(&token.text),
    }
}

/// What a token counts: parts of compounds half, conversation less.
fn weight(token: &Token, weights: &Weights) -> f32 {
    let by_kind = match token.kind {
        Kind::Part | Kind::Folded => 0.5,
        Kind::Word | Kind::Whole | Kind::Bigram => 1.0,
    };
    let by_list = if is_weak(&token.text) { weights.conversation } else { 1.0 };
    by_kind * by_list
}

/// The passages in double quotation marks, straight or typographic, that hold two or more words.
fn quoted(text: &str) -> Vec<Vec<String>> {
    let pieces: Vec<&str> = text.split(['"', '\u{201c}', '\u{201d}']).collect();
    // Pieces 1, 3, 5 … stand inside marks; the last one of an even count has no closing mark.
    let inside = pieces.iter().skip(1).step_by(2).take((pieces.len() - 1) / 2);
    inside.map(|piece| phrase(piece)).filter(|phrase| phrase.len() > 1).collect()
}

/// The words of a phrase, one per position: compounds by their parts, as a text that spells them out would.
pub(crate) fn phrase(text: &str) -> Vec<String> {
    let mut words: Vec<(u32, String)> = Vec::new();
    for token in tokens(text).into_iter().filter(|token| token.kind != Kind::Folded) {
        match words.last_mut().filter(|(position, _)| *position == token.position) {
            Some((_, word)) => *word = token.text,
            None => words.push((token.position, token.text)),
        }
    }
    words.into_iter().map(|(_, word)| word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &str) {
        let query = Query::question(question, Language::english());
        let shown = |unit: &Unit| format!("{}*{}", unit.text, unit.weight);
        let found: Vec<String> = query.units.iter().map(shown).collect();
        assert_eq!(found.join(" "), expected, "{question}");
    }

    #[test]
    fn grammar_is_dropped_and_conversation_counts_little() {
        check("How can I use the cache?", "use*0.3 cache*1 usethe*1");
    }

    #[test]
    fn a_measure_is_asked_for_and_not_looked_for() {
        check("how long do entries live", "entries*1 live*1");
        check("a long entry", "long*1 entry*1");
    }

    #[test]
    fn a_question_of_grammar_alone_still_asks() {
        check("after", "after*1");
        check("what is it", "what*1 is*1 it*1");
    }

    #[test]
    fn identifiers_count_whole_and_in_parts() {
        check("--frozen-lockfile", "--frozenlockfile*1 frozenlockfile*1 frozen*0.5 lockfile*0.5");
    }

    #[test]
    fn a_word_and_its_particle_are_also_one_word() {
        check("back up a lock file", "back*1 lock*1 file*1 backup*1");
    }

    #[test]
    fn repeated_words_count_more_to_a_limit() {
        check("cache, cache", "cache*1.5");
        check("cache. cache. cache. cache", "cache*2");
    }

    #[test]
    fn operators_are_words_or_nothing() {
        check("title:hello AND -a* /re/ {0} [1 TO", "titlehello*1 title*0.5 hello*0.5 re*1 0*1 1*1");
        check("\u{0}…!?", "");
        check("", "");
    }

    #[test]
    fn quoted_passages_are_phrases() {
        let phrases = |text: &str| Query::question(text, Language::english()).phrases;
        assert_eq!(phrases("say \"connecting pools\" now"), [["connecting", "pools"]]);
        assert_eq!(phrases("\u{201c}dry-run mode\u{201d}"), [["dry", "run", "mode"]]);
        assert_eq!(phrases("an \"unclosed mark"), Vec::<Vec<String>>::new());
        assert_eq!(phrases("\"one\""), Vec::<Vec<String>>::new());
    }
}
