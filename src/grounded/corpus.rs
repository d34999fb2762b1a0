//! JSON or a folder of Markdown → the sources that an answer may quote.
