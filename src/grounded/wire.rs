//! JSON as it is printed.

use serde::Serialize;

/// A wire type as indented JSON with a line end.
pub(super) fn pretty<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string_pretty(value).expect("wire types have string keys and finite numbers");
    format!("{text}\n")
}
