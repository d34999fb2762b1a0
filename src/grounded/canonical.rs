//! JSON → the digest of a corpus: the same for the same values, however they are written (contracts B).
//!
//! The form that is digested is compact JSON in UTF-8 without needless escapes, its strings and fractions written as
//! RFC 8785 has them. It differs from that standard where the contract does: keys are in the order of their bytes and
//! not of UTF-16 units, integers are exact beyond 2^53, and a whole number is written as an integer whatever its size.

use std::io::{self, Write};

use serde_json::Number;
use sha2::{Digest, Sha256};

use super::json::Json;

/// What every digest starts with.
pub const PREFIX: &str = "sha256:";

/// The digest of a value: [`PREFIX`] and 64 lower-case hexadecimal digits.
pub fn digest(value: &Json<'_>) -> String {
    let mut hasher = Hasher(Sha256::new());
    write(value, &mut hasher).expect("a hasher takes everything");
    let digits: String = hasher.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{PREFIX}{digits}")
}

/// Whether a text has the form of a digest.
pub fn is_digest(text: &str) -> bool {
    let is_digit = |c: char| matches!(c, '0'..='9' | 'a'..='f');
    text.strip_prefix(PREFIX).is_some_and(|digits| digits.len() == 64 && digits.chars().all(is_digit))
}

/// Takes what is written into the digest, so that no second copy of a corpus is made.
struct Hasher(Sha256);

impl Write for Hasher {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write(value: &Json<'_>, out: &mut impl Write) -> io::Result<()> {
    match value {
        Json::Null => out.write_all(b"null"),
        Json::Bool(true) => out.write_all(b"true"),
        Json::Bool(false) => out.write_all(b"false"),
        Json::Number(number) => write_number(number, out),
        Json::Text(text) => write_text(text, out),
        Json::Array(items) => {
            out.write_all(b"[")?;
            for (index, item) in items.iter().enumerate() {
                write_comma(index, out)?;
                write(item, out)?;
            }
            out.write_all(b"]")
        }
        Json::Object(fields) => {
            out.write_all(b"{")?;
            for (index, (name, value)) in fields.iter().enumerate() {
                write_comma(index, out)?;
                write_text(name, out)?;
                out.write_all(b":")?;
                write(value, out)?;
            }
            out.write_all(b"}")
        }
    }
}

fn write_comma(index: usize, out: &mut impl Write) -> io::Result<()> {
    if index > 0 { out.write_all(b",") } else { Ok(()) }
}

/// serde_json escapes exactly what RFC 8785 (3.2.2.2) does, in the same way.
fn write_text(text: &str, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

fn write_number(number: &Number, out: &mut impl Write) -> io::Result<()> {
    match number.as_f64().filter(|_| number.is_f64()) {
        None => write!(out, "{number}"),
        // Minus zero is zero, as in RFC 8785.
        Some(0.0) => out.write_all(b"0"),
        // The shortest digits that are this double, filled up with zeros.
        Some(whole) if whole.fract() == 0.0 => write!(out, "{whole}"),
        Some(fraction) => out.write_all(ryu_js::Buffer::new().format_finite(fraction).as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::read;
    use super::*;

    fn canonical(json: &str) -> String {
        let mut out = Vec::new();
        write(&read(json.as_bytes()).expect("JSON"), &mut out).expect("memory");
        String::from_utf8(out).expect("UTF-8")
    }

    fn check(cases: &[(&str, &str)]) {
        for (json, expected) in cases {
            assert_eq!(canonical(json), *expected, "{json}");
        }
    }

    #[test]
    fn white_space_is_dropped_and_the_order_of_arrays_kept() {
        check(&[
            (" null ", "null"),
            ("[ true , false ]", "[true,false]"),
            ("[3, 1, 2]", "[3,1,2]"),
            ("[]", "[]"),
            ("{ }", "{}"),
            ("[{\"b\": [], \"a\": {}}]", "[{\"a\":{},\"b\":[]}]"),
        ]);
    }

    #[test]
    fn strings_have_no_needless_escapes() {
        check(&[
            (r#""\u0061\/\u00e9\ud83d\ude00""#, "\"a/é😀\""),
            (r#""\u0008\t\n\f\r\"\\\u0000\u001f""#, r#""\b\t\n\f\r\"\\\u0000\u001f""#),
            ("\"\u{7f}\u{2028}\"", "\"\u{7f}\u{2028}\""),
        ]);
    }

    #[test]
    fn keys_go_by_their_bytes_and_not_by_utf_16_units() {
        // RFC 8785 has the emoji first: its first unit, a surrogate, is less than U+FB33.
        check(&[("{\"\u{1f600}\": 1, \"\u{fb33}\": 2}", "{\"\u{fb33}\":2,\"\u{1f600}\":1}")]);
        check(&[(r#"{"b":1,"a":2,"B":3,"10":4,"9":5,"":6}"#, r#"{"":6,"10":4,"9":5,"B":3,"a":2,"b":1}"#)]);
    }

    #[test]
    fn whole_numbers_are_integers_of_any_size() {
        // RFC 8785 has 1e+21 and 1e+23 for the last but one and the one before.
        check(&[
            ("1.0", "1"),
            ("-0.0", "0"),
            ("-0", "0"),
            ("1e2", "100"),
            ("-12.5e1", "-125"),
            ("1e21", "1000000000000000000000"),
            ("1e23", "100000000000000000000000"),
            ("18446744073709551616", "18446744073709552000"),
        ]);
    }

    #[test]
    fn integers_are_exact() {
        // RFC 8785 has 9007199254740992 for the first.
        let exact = ["9007199254740993", "-9223372036854775808", "18446744073709551615"];
        exact.iter().for_each(|integer| assert_eq!(canonical(integer), *integer));
    }

    #[test]
    fn fractions_are_written_as_the_standard_has_them() {
        // From appendix B of RFC 8785.
        check(&[
            ("5e-324", "5e-324"),
            ("9.999999999999997e-7", "9.999999999999997e-7"),
            ("0.000001", "0.000001"),
            ("333333333.3333332", "333333333.3333332"),
            ("333333333.33333325", "333333333.33333325"),
            ("-0.0000033333333333333333", "-0.0000033333333333333333"),
            ("1424953923781206.2", "1424953923781206.2"),
            ("1E-7", "1e-7"),
        ]);
    }

    #[test]
    fn a_digest_is_named_after_its_algorithm() {
        // printf '[{"id":"a","text":"b","title":"c"}]' | sha256sum
        let expected = "sha256:3e474d7160a9fb55994e040de50904ee174fcc97f0cd503b3286be24e40be293";
        let value = read(br#"[{"title": "c", "text": "b", "id": "a"}]"#).expect("JSON");
        assert_eq!(digest(&value), expected);
        assert!(is_digest(expected));
    }

    #[test]
    fn a_digest_has_64_lower_case_digits() {
        let digits = "0123456789abcdef".repeat(4);
        assert!(is_digest(&format!("sha256:{digits}")));
        for wrong in [
            digits.clone(),
            format!("SHA256:{digits}"),
            format!("sha256:{}", digits.to_uppercase()),
            format!("sha256:{digits}0"),
            format!("sha256:{}", &digits[1..]),
            format!("sha256: {}", &digits[1..]),
            format!("sha512:{digits}"),
            String::new(),
        ] {
            assert!(!is_digest(&wrong), "{wrong}");
        }
    }
}
