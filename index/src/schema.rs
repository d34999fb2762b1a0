//! The fields of the index and how token streams get into them.
//!
//! One entry is one passage: a section, or a piece of a very long one. Text is not stored, only indexed; what is
//! shown is read from the file it stands in. Tokens are made where the text is at hand and handed to tantivy in a
//! plain encoding that its side only has to split.

use tantivy::schema::{FAST, NumericOptions};
use tantivy::schema::{
    Field as Column, IndexRecordOption, STORED, STRING, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};

use crate::tokenize::tokenize;

/// The name under which the splitter is registered with tantivy.
const SPLITTER: &str = "split";

/// The searchable parts of an entry, each with its own weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The section's own heading.
    Heading,
    /// The title of the page.
    Title,
    /// What the section stands under: ancestor headings, path words, tags.
    Trail,
    /// Running text.
    Prose,
    /// Code blocks.
    Code,
}

impl Field {
    /// Every field, in the order of the schema.
    pub const ALL: [Self; 5] = [Self::Heading, Self::Title, Self::Trail, Self::Prose, Self::Code];

    fn name(self) -> &'static str {
        match self {
            Self::Heading => "heading",
            Self::Title => "title",
            Self::Trail => "trail",
            Self::Prose => "prose",
            Self::Code => "code",
        }
    }

    /// Phrases are looked for where text runs; a trail is a bag of words.
    fn record(self) -> IndexRecordOption {
        match self {
            Self::Heading | Self::Title | Self::Prose | Self::Code => IndexRecordOption::WithFreqsAndPositions,
            Self::Trail => IndexRecordOption::WithFreqs,
        }
    }
}

/// The schema and its columns.
#[derive(Clone)]
pub(crate) struct Columns {
    pub schema: Schema,
    /// The file's path, the key that updates go by.
    pub path: Column,
    /// Lower-cased tags of the page, whole.
    pub tag: Column,
    /// Section ordinal in the file and passage ordinal in the section, see [`place`].
    pub place: Column,
    /// What links to the section call it.
    pub name: Column,
    /// The names of the sections that the entry links to.
    pub link: Column,
    /// A hash of the path, to bring sections of one page together.
    pub page: Column,
    text: [Column; Field::ALL.len()],
}

impl Columns {
    pub fn new() -> Self {
        let mut builder = SchemaBuilder::new();
        let path = builder.add_text_field("path", STRING | STORED);
        let tag = builder.add_text_field("tag", STRING);
        let name = builder.add_text_field("name", STORED);
        let link = builder.add_text_field("link", STRING);
        let place = builder.add_u64_field("place", NumericOptions::from(STORED));
        let page = builder.add_u64_field("page", NumericOptions::from(FAST));
        let text = Field::ALL.map(|field| {
            let indexing = TextFieldIndexing::default().set_tokenizer(SPLITTER).set_index_option(field.record());
            builder.add_text_field(field.name(), TextOptions::default().set_indexing_options(indexing))
        });
        Self { schema: builder.build(), path, tag, name, link, place, page, text }
    }

    pub fn text(&self, field: Field) -> Column {
        self.text[field as usize]
    }
}

/// The tokenizers that an index of this schema needs.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::default();
    manager.register(SPLITTER, TextAnalyzer::builder(Splitter::default()).build());
    manager
}

/// Packs a section ordinal and a passage ordinal into one number that sorts like the pair.
pub(crate) fn place(section: u32, passage: u32) -> u64 {
    u64::from(section) << 32 | u64::from(passage)
}

/// Undoes [`place`].
pub(crate) fn unpack(place: u64) -> (u32, u32) {
    ((place >> 32) as u32, (place & u64::from(u32::MAX)) as u32)
}

/// The tokens of one field of one entry, encoded for the index.
///
/// Each token is a marker and its text: `NEXT` for a token at the next position, `SAME` for another form at the
/// position before it, `APART` for the first token of another text, so that no phrase runs over from one to the
/// other. No token holds a control character, so all are free.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tokens {
    pub(crate) encoded: String,
    pub(crate) count: u32,
}

const NEXT: char = '\u{1}';
const SAME: char = '\u{2}';
const APART: char = '\u{3}';
/// Positions between two texts of one field.
const GAP: usize = 16;

impl Tokens {
    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Reads `text` after what was read before.
    pub fn push(&mut self, text: &str) {
        let mut last = None;
        let Self { encoded, count } = self;
        tokenize(text, &mut |token, position, _| {
            encoded.push(match last {
                Some(last) if last == position => SAME,
                None if *count > 0 => APART,
                Some(_) | None => NEXT,
            });
            encoded.push_str(token);
            *count += 1;
            last = Some(position);
        });
    }
}

/// Splits what [`Tokens`] encoded.
#[derive(Clone, Default)]
struct Splitter {
    token: Token,
}

struct SplitterStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl Tokenizer for Splitter {
    type TokenStream<'a> = SplitterStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> SplitterStream<'a> {
        self.token.reset();
        SplitterStream { rest: text, token: &mut self.token }
    }
}

impl TokenStream for SplitterStream<'_> {
    fn advance(&mut self) -> bool {
        let mut chars = self.rest.chars();
        let Some(marker) = chars.next() else {
            return false;
        };
        let after = chars.as_str();
        let end = after.find([NEXT, SAME, APART]).unwrap_or(after.len());
        let step = match marker {
            SAME => 0,
            APART => GAP,
            _ => 1,
        };
        // The position before the first token is `usize::MAX`, so that the first one stands at 0.
        self.token.position = self.token.position.wrapping_add(step);
        self.token.text.clear();
        self.token.text.push_str(&after[..end]);
        self.rest = &after[end..];
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(String, usize)> {
        let mut tokens = Tokens::default();
        tokens.push(text);
        let mut splitter = Splitter::default();
        let mut stream = splitter.token_stream(&tokens.encoded);
        let mut found = Vec::new();
        while stream.advance() {
            found.push((stream.token().text.clone(), stream.token().position));
        }
        assert_eq!(found.len(), tokens.count as usize);
        found
    }

    #[test]
    fn the_splitter_gives_back_what_was_encoded() {
        let expected = [("use", 0), ("--dryrun", 1), ("dryrun", 1), ("dry", 1), ("run", 2), ("now", 3)];
        assert_eq!(split("Use --dry-run now"), expected.map(|(text, at)| (text.to_owned(), at)));
    }

    #[test]
    fn two_texts_of_a_field_stand_apart() {
        let mut tokens = Tokens::default();
        ["one two", "three"].iter().for_each(|text| tokens.push(text));
        let mut splitter = Splitter::default();
        let mut stream = splitter.token_stream(&tokens.encoded);
        let mut positions = Vec::new();
        stream.process(&mut |token| positions.push(token.position));
        assert_eq!(positions, [0, 1, 17]);
    }

    #[test]
    fn an_empty_text_has_no_tokens() {
        assert_eq!(split(""), []);
    }

    #[test]
    fn places_sort_like_pairs() {
        assert_eq!(unpack(place(7, 3)), (7, 3));
        assert!(place(1, 9) < place(2, 0));
    }
}
