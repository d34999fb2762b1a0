//! Values as docs write them, brought to one measure so that `60 seconds` and `1 minute` agree.

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number of something: the measure's smallest unit, or the unit as written; empty for a bare number.
    Amount {
        /// How much, in `unit`.
        amount: f64,
        /// `ms`, `B`, `%`, another word in the singular, or nothing.
        unit: String,
    },
    /// On or off.
    Switch(bool),
    /// A version, as its numbers.
    Version(Vec<u32>),
}

impl Value {
    /// Reads a text that is a value and nothing else. Plain words are not compared: too many mean the same.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['"', '\'']).to_lowercase();
        switch(&text).or_else(|| version(&text)).or_else(|| amount(&text))
    }

    /// Whether both are of one kind and not the same.
    pub fn differs(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Amount { amount: a, unit: of_a }, Self::Amount { amount: b, unit: of_b }) => {
                of_a == of_b && (a - b).abs() > tolerance(of_a) * a.abs().max(b.abs())
            }
            (Self::Switch(a), Self::Switch(b)) => a != b,
            // "3.12" leaves open what "3.12.1" says.
            (Self::Version(a), Self::Version(b)) => a.iter().zip(b).any(|(a, b)| a != b),
            _ => false,
        }
    }
}

/// How far two amounts of a measure may lie apart and be one: `1000 MB` is `1 GB` to some.
fn tolerance(unit: &str) -> f64 {
    if unit == "B" { 0.08 } else { 1e-9 }
}

fn switch(text: &str) -> Option<Value> {
    match text {
        "true" | "on" | "yes" | "enabled" => Some(Value::Switch(true)),
        "false" | "off" | "no" | "disabled" => Some(Value::Switch(false)),
        _ => None,
    }
}

/// A version has a `v` before it or two dots in it; else it is a number.
fn version(text: &str) -> Option<Value> {
    let numbers = text.strip_prefix("version ").or_else(|| text.strip_prefix('v')).unwrap_or(text);
    let is_marked = numbers.len() < text.len() || numbers.matches('.').count() > 1;
    let numbers: Result<Vec<u32>, _> = numbers.split('.').map(str::parse).collect();
    numbers.ok().filter(|_| is_marked).map(Value::Version)
}

fn amount(text: &str) -> Option<Value> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim().trim_start_matches('-'));
    let is_unit = unit == "%" || unit.chars().all(char::is_alphabetic);
    let number: f64 = number.parse().ok().filter(|_| is_unit)?;
    let (factor, unit) = measure(unit);
    Some(Value::Amount { amount: number * factor, unit: unit.to_owned() })
}

/// The factor to a measure's smallest unit. Docs write `MB` for both of its meanings, so they are one.
fn measure(unit: &str) -> (f64, &str) {
    match unit {
        "ms" | "millisecond" | "milliseconds" => (1.0, "ms"),
        "s" | "sec" | "secs" | "second" | "seconds" => (1e3, "ms"),
        "min" | "mins" | "minute" | "minutes" => (6e4, "ms"),
        "h" | "hr" | "hour" | "hours" => (3.6e6, "ms"),
        "d" | "day" | "days" => (8.64e7, "ms"),
        "week" | "weeks" => (6.048e8, "ms"),
        "b" | "byte" | "bytes" => (1.0, "B"),
        "kb" | "kib" | "kilobytes" => (1024.0, "B"),
        "mb" | "mib" | "megabytes" => (1_048_576.0, "B"),
        "gb" | "gib" | "gigabytes" => (1_073_741_824.0, "B"),
        "%" | "percent" => (1.0, "%"),
        other => (1.0, other.strip_suffix('s').unwrap_or(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, differs: bool) {
        let (Some(left), Some(right)) = (Value::read(a), Value::read(b)) else {
            panic!("{a} or {b} is no value");
        };
        assert_eq!((left.differs(&right), right.differs(&left)), (differs, differs), "{a} and {b}");
    }

    #[test]
    fn values_of_one_kind_are_compared() {
        check("30 seconds", "60 seconds", true);
        check("60 seconds", "1 minute", false);
        check("10 MB", "10 MiB", false);
        check("10 MB", "20 MB", true);
        check("true", "off", true);
        check("on", "enabled", false);
        check("v3.12", "3.12.1", false);
        check("v3.12", "v3.11", true);
        check("5%", "5 percent", false);
    }

    #[test]
    fn values_of_two_kinds_are_not() {
        check("30", "30 seconds", false);
        check("true", "30", false);
        check("3 retries", "5 seconds", false);
    }

    #[test]
    fn only_values_are_values() {
        for text in ["none", "30 seconds or so", "~/.config", "a b", "", "1 to 5"] {
            assert_eq!(Value::read(text), None, "{text}");
        }
        assert_eq!(Value::read("info"), None);
    }
}
