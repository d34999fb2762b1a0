//! Measures how long a draft takes to check, as a multiple of parsing the same JSON.
//!
//! `cargo run --release --example finalize [MEGABYTES=50] [QUOTES=1000]`

#![expect(clippy::print_stdout, reason = "this is a program for the terminal")]

use std::time::Instant;

use inkwell::grounded::finalize::{Rules, finalize, near};
use inkwell::grounded::json::read;
use serde_json::{Value, json};

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let size = numbers.first().copied().unwrap_or(50) << 20;
    let quotes = numbers.get(1).copied().unwrap_or(1000);

    let prose = prose(size);
    let lines: Vec<&str> = prose.lines().collect();
    let step = lines.len() / quotes;
    let present: Vec<String> = (0..quotes).map(|index| lines[index * step].to_owned()).collect();
    let absent: Vec<String> = present.iter().map(|quote| quote.replace("holds", "held")).collect();
    let letters = "a".repeat(size);
    let nested: Vec<String> = (0..quotes).map(|index| "a".repeat(index + 1)).collect();
    let nested_absent: Vec<String> = nested.iter().map(|quote| format!("b{quote}")).collect();

    let whole = [prose.as_str()];
    measure("one source, quotes present", &whole, &present);
    measure("one source, quotes absent", &whole, &absent);
    measure("one source of one letter, quotes of it", &[&letters], &nested);
    measure("one source of one letter, quotes with another", &[&letters], &nested_absent);
    let pieces: Vec<&str> = lines.chunks(step).map(|piece| &prose[range(&prose, piece)]).take(quotes).collect();
    measure("a source for each quote, quotes present", &pieces, &present);
}

/// Lines of about 80 bytes, no two alike.
fn prose(size: usize) -> String {
    let mut text = String::with_capacity(size + 100);
    let mut number = 0;
    while text.len() < size {
        let odd = number * 7919;
        text += &format!("Line {number} holds {odd} of the words that a manual is made of, \"quoted\" now and then.\n");
        number += 1;
    }
    text
}

/// Where some neighbouring lines stand in their text, in bytes.
fn range(text: &str, lines: &[&str]) -> std::ops::Range<usize> {
    let at = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    lines.first().map_or(0, |first| at(first))..lines.last().map_or(0, |last| at(last) + last.len())
}

/// Every quote names the source in its place, or the only one.
fn measure(name: &str, sources: &[&str], quotes: &[String]) {
    let source = |(index, text): (usize, &&str)| json!({"id": index.to_string(), "title": "T", "text": text});
    let corpus: Vec<Value> = sources.iter().enumerate().map(source).collect();
    let id = |index: usize| if sources.len() > 1 { index } else { 0 };
    let citation = |(index, quote)| json!({"source_id": id(index).to_string(), "quote": quote});
    let citations: Vec<Value> = quotes.iter().enumerate().map(citation).collect();
    let draft = json!({"decision": "answered", "answer": {"text": "x", "citations": citations}});
    let bytes = json!({"question": "q", "corpus": corpus, "answer_draft": draft}).to_string().into_bytes();
    drop(corpus);

    let start = Instant::now();
    let value: Value = serde_json::from_slice(&bytes).expect("JSON");
    let parsing = start.elapsed();
    drop(value);
    let start = Instant::now();
    let request = read(&bytes).expect("JSON");
    let reading = start.elapsed();
    let checked = finalize(&request, Rules::Contract);
    let whole = start.elapsed();
    let refused = &checked.refused[..checked.refused.len().min(10)];
    let hints = near(refused, &checked.corpus).len();
    println!(
        "{name}: {} refused; parsing alone {parsing:.0?}, reading {reading:.0?}, reading and check {whole:.0?} = {:.1} × parsing, \
         with {hints} hints {:.0?}",
        checked.refused.len(),
        whole.as_secs_f64() / parsing.as_secs_f64(),
        start.elapsed(),
    );
}
