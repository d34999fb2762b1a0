//! What kind of answer a question asks for, told by its English grammar alone.
//!
//! A question in another language, or one that is a list of words, wants [`Wants::Other`]: then only the words count.

/// The kind of statement that answers a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wants {
    /// What to do: a command, an instruction, steps ("how do I …", "can I …").
    Steps,
    /// What a thing is or does ("what is …", "what does … do").
    Meaning,
    /// Several names ("which … are there", "what are the …").
    Names,
    /// A number ("how long …", "how many …").
    Amount,
    /// The value that holds unless another is set ("what is the default …").
    Default,
    /// Anything else.
    Other,
}

/// Words of a question that are looked at.
const WORDS: usize = 48;
/// A question with more words tells a story, and "default" is part of it.
const SHORT: usize = 16;

const AMOUNTS: [&str; 12] =
    ["long", "many", "much", "often", "large", "big", "fast", "far", "high", "old", "soon", "frequently"];
const HELPERS: [&str; 11] = ["do", "can", "to", "should", "could", "would", "might", "does", "must", "may", "shall"];
const WAYS: [&str; 9] = [
    "is there a way",
    "is there an option",
    "is there a command",
    "is it possible to",
    "a way to",
    "a command that",
    "an option that",
    "can i ",
    "can we ",
];

/// Tells what a question wants.
pub fn wants(question: &str) -> Wants {
    let words: Vec<String> =
        question.split_whitespace().take(WORDS).map(word).filter(|word| !word.is_empty()).collect();
    let pairs = || words.windows(2).map(|pair| (pair[0].as_str(), pair[1].as_str()));
    let first = words.first().map_or("", String::as_str);
    let asks = |word: &str| words.iter().any(|known| known == word);
    let is_question = question.trim_end().ends_with('?') || ["what", "which", "whats"].contains(&first);
    if (asks("default") || asks("defaults")) && is_question && words.len() <= SHORT {
        return Wants::Default;
    }
    if pairs().any(|(how, amount)| how == "how" && AMOUNTS.contains(&amount)) {
        return Wants::Amount;
    }
    if pairs().any(|(how, helper)| how == "how" && HELPERS.contains(&helper)) {
        return Wants::Steps;
    }
    if is_question
        && (asks("steps")
            || starts_with(&words, &["in", "what", "order"])
            || starts_with(&words, &["in", "which", "order"]))
    {
        return Wants::Steps;
    }
    if asks_for_names(&words) {
        return Wants::Names;
    }
    let spaced = format!("{} ", words.join(" "));
    if WAYS.iter().any(|way| spaced.contains(way)) {
        return Wants::Steps;
    }
    let is_meaning = matches!((first, words.get(1).map(String::as_str)), ("what", Some("is" | "does" | "do" | "are")));
    if is_meaning || ["whats", "define", "explain"].contains(&first) { Wants::Meaning } else { Wants::Other }
}

fn starts_with(words: &[String], opening: &[&str]) -> bool {
    words.iter().map(String::as_str).take(opening.len()).eq(opening.iter().copied())
}

/// Whether a question opens with "which" or "what" and a plural: one that a plural's verb follows, or nothing. In
/// "which brake stops the rotor" it is the verb that ends in `s`.
fn asks_for_names(words: &[String]) -> bool {
    let opens = words.first().is_some_and(|first| first == "which" || first == "what");
    let is_plural =
        |word: &str| word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    let goes_on = |next: Option<&String>| next.is_none_or(|next| PLURAL_VERBS.contains(&next.as_str()));
    opens && (1..words.len().min(6)).any(|at| is_plural(&words[at]) && goes_on(words.get(at + 1)))
}

const PLURAL_VERBS: [&str; 14] =
    ["are", "do", "can", "have", "should", "were", "will", "exist", "may", "must", "for", "of", "in", "there"];

/// A word in lower case without the marks around it and its apostrophes.
fn word(text: &str) -> String {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    text.chars().filter(|c| !matches!(c, '\'' | '\u{2019}')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_of_a_question_tells_what_it_wants() {
        for (question, expected) in [
            ("How do I brake?", Wants::Steps),
            ("how to brake the rotor", Wants::Steps),
            ("Can I brake by hand?", Wants::Steps),
            ("Is there a way to brake?", Wants::Steps),
            ("In what order are they checked?", Wants::Steps),
            ("What is a rotor?", Wants::Meaning),
            ("What's a rotor?", Wants::Meaning),
            ("What does --brake do?", Wants::Meaning),
            ("Which modes are there?", Wants::Names),
            ("What are the brake options?", Wants::Names),
            ("How long does braking take?", Wants::Amount),
            ("What is the default brake force?", Wants::Default),
            ("Why does the rotor stop?", Wants::Other),
            ("Which brake stops the rotor?", Wants::Other),
            ("rotor brake", Wants::Other),
            ("", Wants::Other),
        ] {
            assert_eq!(wants(question), expected, "{question}");
        }
    }
}
