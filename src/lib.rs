//! inkwell answers questions from a repository's docs.
//!
//! One way for data: [`walk`] lists files, [`parse`] reads them, [`section`] cuts them into sections, [`sync`] keeps
//! the index true, [`retrieve`] finds passages, [`answer`] picks what to say, [`render`] makes text of it. [`engine`]
//! is the only module that knows this order; nothing here prints.
//!
//! ```
//! use inkwell::config::{Environment, Overrides};
//! use inkwell::engine::Engine;
//! use inkwell::sync::Mode;
//! use inkwell::walk::Root;
//!
//! let dir = tempfile::tempdir()?;
//! std::fs::create_dir(dir.path().join("docs"))?;
//! std::fs::write(dir.path().join("docs/cache.md"), "# Cache\n\nEntries live for ten minutes.\n")?;
//!
//! let root = Root::open(dir.path())?;
//! let index = Overrides { index_dir: Some(dir.path().join("index")), ..Overrides::default() };
//! let engine = Engine::open(root, &Environment::default(), &index)?;
//! let mut state = engine.refresh(Mode::Update, &|_, _| {})?;
//! let response = engine.query(&mut state, "how long do cache entries live?", 5)?;
//! assert_eq!(response.answer, "Entries live for ten minutes. (docs/cache.md#cache)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod answer;
pub mod asked;
pub mod check;
pub mod cite;
pub mod claim;
pub mod codebase;
pub mod command;
pub mod config;
pub mod conflict;
pub mod corroborate;
pub mod digest;
pub mod engine;
pub mod entries;
pub mod error;
pub mod excerpt;
pub mod finding;
pub mod grounded;
pub mod judge;
pub mod link;
pub mod mcp;
pub mod page;
pub mod parse;
pub mod render;
pub mod response;
pub mod retrieve;
pub mod section;
pub mod span;
pub mod statement;
pub mod sync;
pub mod synth;
pub mod walk;
