//! Answers that can be checked: a draft against its corpus, an answer against its sources, a receipt against the files.
//!
//! A model may draft; what is sealed, refused or accepted is decided here, by comparing text. Everything that other
//! programs read or write in these formats (contracts B to E) is spelt in this module and nowhere else.

pub mod canonical;
pub mod chunk;
pub mod citations;
pub mod corpus;
pub mod finalize;
pub mod ground;
pub mod json;
pub mod lexical;
pub mod ranked;
pub mod receipt;
pub mod sentence;
pub mod text;
pub mod verify;
mod wire;
