//! The full-text index behind inkwell.
//!
//! It knows fields, tokens, queries and snapshots. It has never heard of Markdown, files, claims or JSON: what goes
//! in are [`Entry`] values made by somebody else, what comes out are [`Hit`] values that name them again. This is
//! the only code that may name tantivy.
//!
//! A word of the question meets a word of a text by equality of tokens ([`tokens`]), where the question's words
//! bring their other forms along ([`Language`]). Scores are our own sums over tantivy's postings, so that they depend
//! on what is indexed and not on how it got there ([`search`]).

mod cache;
mod entry;
mod error;
mod expand;
mod feedback;
mod grammar;
mod manifest;
mod phrase;
mod query;
mod schema;
mod search;
mod snapshot;
mod store;
mod terms;
mod thesaurus;
mod tokenize;
mod touch;
mod weights;
mod words;

pub use cache::{Cache, Packed};
pub use entry::{Entry, count_tokens};
pub use error::Error;
pub use expand::Language;
pub use feedback::{PASSAGES as FEEDBACK_PASSAGES, feed_back};
pub use grammar::{Search, filtered};
pub use manifest::{FileRecord, Manifest, Stamp};
pub use query::{Match, Query, UNIT_LIMIT, Unit};
pub use schema::{Field, Tokens};
pub use search::{Found, Hit, Parts, Rarity, Slip, search};
pub use snapshot::Snapshot;
pub use store::{Lock, Store, Writer};
pub use thesaurus::{Kinship, StandIn};
pub use tokenize::{Kind, Token, tokens};
pub use weights::Weights;
