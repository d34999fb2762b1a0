//! Texts compared as a reader would: what copying and retyping change is folded away, and can be found again.

use std::ops::Range;

use memchr::memmem;

use super::super::text::is_space;

/// Something that two texts can differ in without saying anything else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Spaces and line breaks.
    WhiteSpace,
    /// Capital letters.
    Case,
    /// Typographic quotation marks and apostrophes.
    QuotationMarks,
    /// Hyphens and dashes of every length.
    Dashes,
    /// `…` for three dots.
    Ellipses,
    /// Markdown's backticks and asterisks.
    Markup,
}

impl Difference {
    /// All of them, in the order in which they are named.
    pub const ALL: [Self; 6] =
        [Self::WhiteSpace, Self::Case, Self::QuotationMarks, Self::Dashes, Self::Ellipses, Self::Markup];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::WhiteSpace => "white space",
            Self::Case => "case",
            Self::QuotationMarks => "quotation marks",
            Self::Dashes => "dashes",
            Self::Ellipses => "ellipses",
            Self::Markup => "markup",
        }
    }
}

/// A text with all differences folded away, to look passages up in.
pub struct Folded<'a> {
    text: &'a str,
    folded: String,
}

impl<'a> Folded<'a> {
    /// Folds a text.
    pub fn of(text: &'a str) -> Self {
        Self { text, folded: folded(text, &Difference::ALL) }
    }

    /// The first passage of the text that is equal to `quote` when both are folded.
    pub fn find(&self, quote: &str) -> Option<&'a str> {
        let quote = folded(quote, &Difference::ALL);
        let at = memmem::find(self.folded.as_bytes(), quote.trim().as_bytes())?;
        let wanted = at..at + quote.trim().len();
        let mut end = 0;
        let mut inside = units(self.text, &Difference::ALL).filter(|unit| {
            let start = end;
            end += unit.folded.clone().map(char::len_utf8).sum::<usize>();
            start < wanted.end && end > wanted.start
        });
        let first = inside.next()?.span;
        let last = inside.last().map_or(first.end, |unit| unit.span.end);
        self.text.get(first.start..last)
    }
}

/// In what two texts differ that are equal when they are folded.
pub fn differences(a: &str, b: &str) -> Vec<Difference> {
    let tells = |difference: &Difference| {
        let others: Vec<Difference> = Difference::ALL.into_iter().filter(|other| other != difference).collect();
        folded(a, &others) != folded(b, &others)
    };
    Difference::ALL.into_iter().filter(tells).collect()
}

/// A text without some differences.
fn folded(text: &str, away: &[Difference]) -> String {
    units(text, away).flat_map(|unit| unit.folded).collect()
}

/// A character, or a run of white space, and what it is folded to.
struct Unit {
    span: Range<usize>,
    folded: Letters,
}

/// Up to three characters: so many has Unicode's lower case at most, and the ellipsis.
type Letters = std::iter::Take<std::array::IntoIter<char, 3>>;

fn units<'a>(text: &'a str, away: &'a [Difference]) -> impl Iterator<Item = Unit> + 'a {
    let is_away = |difference| away.contains(&difference);
    let [space, case] = [Difference::WhiteSpace, Difference::Case].map(is_away);
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, c) = rest.next()?;
        let mut end = start + c.len_utf8();
        if space && is_space(c) {
            while let Some((at, next)) = rest.next_if(|(_, c)| is_space(*c)) {
                end = at + next.len_utf8();
            }
            return Some(Unit { span: start..end, folded: letters([' ']) });
        }
        let folded = match plain(c) {
            Some((difference, plain)) if away.contains(&difference) => letters(plain.chars()),
            Some(_) | None if case => letters(c.to_lowercase()),
            Some(_) | None => letters([c]),
        };
        Some(Unit { span: start..end, folded })
    })
}

fn letters(from: impl IntoIterator<Item = char>) -> Letters {
    let mut letters = ['\0'; 3];
    let mut count = 0;
    for (place, c) in letters.iter_mut().zip(from) {
        *place = c;
        count += 1;
    }
    letters.into_iter().take(count)
}

/// What stands for a character on a keyboard, and the difference that this makes.
fn plain(c: char) -> Option<(Difference, &'static str)> {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{201b}' | '\u{2032}' | '\u{2039}' | '\u{203a}' => {
            Some((Difference::QuotationMarks, "'"))
        }
        '\u{201c}'..='\u{201f}' | '\u{2033}' | '\u{ab}' | '\u{bb}' => Some((Difference::QuotationMarks, "\"")),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some((Difference::Dashes, "-")),
        '\u{2026}' => Some((Difference::Ellipses, "...")),
        '`' | '*' => Some((Difference::Markup, "")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Difference::{Case, Dashes, Ellipses, Markup, QuotationMarks, WhiteSpace};

    /// Checks which passage a quote finds and in what it differs.
    fn check(text: &str, quote: &str, passage: &str, expected: &[Difference]) {
        let found = Folded::of(text).find(quote).unwrap_or_default();
        assert_eq!(found, passage, "{quote:?} in {text:?}");
        assert_eq!(differences(found, quote), expected, "{quote:?} in {text:?}");
    }

    #[test]
    fn each_difference_is_told() {
        check("It keeps\n  ten days. Then", "keeps ten days.", "keeps\n  ten days.", &[WhiteSpace]);
        check("It Keeps ten", "keeps Ten", "Keeps ten", &[Case]);
        check("İ says “don’t”!", "\"don't\"", "“don’t”", &[QuotationMarks]);
        check("ten – twenty", "ten - twenty", "ten – twenty", &[Dashes]);
        check("and so on… or not", "so on...", "so on…", &[Ellipses]);
        check("Set `port` to **1**.", "Set port to 1.", "Set `port` to **1**.", &[Markup]);
        check("Ten\u{a0}days – max", "ten days - max", "Ten\u{a0}days – max", &[WhiteSpace, Case, Dashes]);
    }

    #[test]
    fn equal_texts_differ_in_nothing() {
        check("It keeps ten days.", "keeps ten", "keeps ten", &[]);
    }

    #[test]
    fn what_says_something_else_is_not_found() {
        for quote in ["keeps 10 days", "keep ten days", "**", "…"] {
            check("It keeps ten days.", quote, "", &differences("", quote));
        }
    }
}
