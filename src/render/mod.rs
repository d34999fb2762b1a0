//! Values → text. Renderers are pure: they neither search nor read files nor print.

pub mod json;
pub mod markdown;
pub mod report;
pub mod text;
