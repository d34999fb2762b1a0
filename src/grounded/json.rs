//! JSON text → a value that borrows its strings from the text, so that a corpus stands in memory once.
//!
//! What JSON itself leaves open is settled here: of equal keys the last one counts, and keys are in byte order.
//! Whether a value has the right shape is for those who read it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::text::trimmed;

/// A JSON value, nested at most 127 deep.
#[derive(Clone, Debug, PartialEq)]
pub enum Json<'a> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number: an integer of up to 64 bits exactly, any other as the nearest double.
    Number(Number),
    /// A string.
    Text(Cow<'a, str>),
    /// An array.
    Array(Vec<Json<'a>>),
    /// An object.
    Object(BTreeMap<Cow<'a, str>, Json<'a>>),
}

/// Reads one JSON value; a byte order mark before it is passed over.
///
/// # Errors
/// What is wrong, with the 1-based line and the column (in bytes) where it was noticed.
pub fn read(bytes: &[u8]) -> Result<Json<'_>, String> {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

impl<'a> Json<'a> {
    /// The field of an object; `None` where it is missing, and of any other value.
    pub fn field(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(fields) => fields.get(name),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Array(_) => None,
        }
    }

    /// The string without white space at its ends; `None` where nothing is left, and of any other value.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(trimmed(text)).filter(|text| !text.is_empty()),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// The items of an array; of any other value none.
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Object(_) => &[],
        }
    }

    /// The names of an object's fields in byte order; of any other value none.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let fields = match self {
            Self::Object(fields) => Some(fields),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Array(_) => None,
        };
        fields.into_iter().flatten().map(|(name, _)| &**name)
    }

    /// Sets a field. What is no object becomes one.
    pub fn set(&mut self, name: &'static str, value: Self) {
        if !matches!(self, Self::Object(_)) {
            *self = Self::Object(BTreeMap::new());
        }
        if let Self::Object(fields) = self {
            fields.insert(name.into(), value);
        }
    }
}

/// A string, or a key, borrowed where it has no escapes.
struct Borrowed<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Borrowed<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Borrowed<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Borrowed(text.into()))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Borrowed(text.to_owned().into()))
            }
        }
        deserializer.deserialize_str(Reader)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Json::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        // The parser refuses numbers that no double can hold.
        Ok(Number::from_f64(value).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Json::Text(text.to_owned().into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Json::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
        let mut fields = BTreeMap::new();
        while let Some((Borrowed(name), value)) = access.next_entry()? {
            fields.insert(name, value);
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_borrowed_unless_they_have_escapes() {
        let value = read(br#"{"plain": "a\u0062"}"#).expect("JSON");
        let Json::Object(fields) = &value else { panic!("an object") };
        let (name, text) = fields.first_key_value().expect("a field");
        assert!(matches!(name, Cow::Borrowed("plain")));
        assert!(matches!(text, Json::Text(Cow::Owned(text)) if text == "ab"));
        assert!(matches!(read(b"\"a\""), Ok(Json::Text(Cow::Borrowed("a")))));
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        assert_eq!(read(br#"{"a": 1, "b": 2, "a": 3}"#), read(br#"{"b": 2, "a": 3}"#));
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_once() {
        assert_eq!(read("\u{feff}null".as_bytes()), Ok(Json::Null));
        assert_eq!(read("\u{feff}\u{feff}null".as_bytes()), Err("expected value at line 1 column 1".to_owned()));
    }

    #[test]
    fn what_is_no_json_is_named_with_its_place() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(read(bytes), Err(expected.to_owned()));
        check(b"", "EOF while parsing a value at line 1 column 0");
        check(b"{\n  \"a\": 1,\n}", "trailing comma at line 3 column 1");
        check(b"{} x", "trailing characters at line 1 column 4");
        check(b"[1e999]", "number out of range at line 1 column 6");
        check(b"[\"a\nb\"]", "control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0");
        check(b"[\"\\ud800\"]", "unexpected end of hex escape at line 1 column 9");
        check(b"[\n\"\xff\"]", "invalid unicode code point at line 2 column 2");
        check(&[b'['; 100_000], "recursion limit exceeded at line 1 column 128");
    }

    #[test]
    fn values_of_another_kind_have_no_fields_no_items_and_no_text() {
        for value in ["null", "true", "1", "\" \\n\\ufeff \""] {
            let value = read(value.as_bytes()).expect("JSON");
            assert_eq!((value.field("a"), value.items(), value.text()), (None, &[][..], None));
            assert_eq!(value.names().count(), 0);
        }
    }
}
