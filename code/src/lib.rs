//! What a repository's source code says, now and before.
//!
//! Names and where they stand ([`scan`]), definitions ([`outline`]), and what git knows of the past ([`git`],
//! [`history`]). This crate has never heard of Markdown, docs, claims or verdicts, and it is the only one that may
//! name tree-sitter or start git.

pub mod git;
pub mod history;
pub mod language;
pub mod outline;
pub mod scan;
