//! The tool `read`.

use super::arguments::Arguments;
use super::budget::{beginning, tokens};
use super::call::{inside, near_page, notes};
use super::reply::{Aside, Next, Refusal, Reply};
use super::schema::unit;
use super::tool::Tool;
use crate::engine::{Engine, State};
use crate::excerpt::{Around, Excerpt, NotFound, excerpt};
use crate::render::json;

/// Pages that are named where no name is near.
const NAMED: usize = 12;

/// Gives the text of a section.
///
/// # Errors
/// When the target leads out of the project, or names nothing or several things.
pub fn answer(engine: &Engine, state: &State, arguments: &Arguments) -> Result<Reply, Refusal> {
    let target = inside(engine, arguments.text("target"))?;
    let around = Around { children: true, ..Around::default() };
    let whole = excerpt(engine, state, target, around).map_err(|reason| not_found(state, reason, arguments))?;
    let Window { excerpt: shown, lines: all, left_out, is_cut } = window(&whole, arguments)?;
    let (first, last) = shown.lines;
    let mut next = Vec::new();
    if left_out > 0 {
        next.push(arguments.reading(&shown.citation).with("from_line", (last + 1).into()));
    }
    let mut said = notes(state);
    said.extend(is_cut.then(|| format!("line {last} is too long for the budget: it is cut")));
    let aside = Aside { left_out, unit: unit(Tool::Read), notes: said, next };
    let head = format!("{}, lines {first} to {last} of {all}:", shown.citation.label());
    Ok(Reply::new(&json::excerpt(&shown), &format!("{head}\n\n{}", shown.text), &aside))
}

/// A part of a section's text.
struct Window {
    excerpt: Excerpt,
    /// The last line of the whole, 1-based.
    lines: usize,
    /// Lines that are left out at the end.
    left_out: usize,
    /// Whether the one line that is shown is cut.
    is_cut: bool,
}

/// As many whole lines as the budget allows, from the line that is asked for; of the first, if it is too long alone, as
/// much as fits.
fn window(whole: &Excerpt, arguments: &Arguments) -> Result<Window, Refusal> {
    let (start, end) = whole.lines;
    let from = arguments.number("from_line").unwrap_or(start);
    let lines: Vec<&str> = whole.text.split_inclusive('\n').collect();
    let Some(rest) =
        from.checked_sub(start).and_then(|skip| lines.get(skip..)).filter(|rest| !rest.is_empty() || from == start)
    else {
        let message = format!("`{}` has the lines {start} to {end}", whole.citation.label());
        return Err(Refusal { message, next: vec![arguments.reading(&whole.citation)] });
    };
    let mut budget = arguments.budget();
    let mut kept = 0;
    let mut text = String::new();
    for line in rest {
        let size = tokens(line);
        if size > budget {
            break;
        }
        budget -= size;
        kept += 1;
        text.push_str(line);
    }
    let is_cut = kept == 0 && !rest.is_empty();
    if is_cut {
        text = beginning(rest[0], budget).to_owned();
        kept = 1;
    }
    let left_out = rest.len() - kept.min(rest.len());
    let last = if left_out == 0 { end } else { from + kept - 1 };
    let excerpt = Excerpt { lines: (from, last), text, is_truncated: is_cut || left_out > 0, ..whole.clone() };
    Ok(Window { excerpt, lines: end, left_out, is_cut })
}

/// Names what there is: the names that are near, else the pages, else a search for the words of the name.
fn not_found(state: &State, reason: NotFound, arguments: &Arguments) -> Refusal {
    let read = |name: &String| arguments.next(Tool::Read, [("target", name.as_str().into())]);
    let file = arguments.text("target").split('#').next().unwrap_or_default();
    let near = || near_page(&state.listing, file).filter(|near| *near != file).map(str::to_owned).into_iter().collect();
    let offers = if reason.offers.is_empty() { near() } else { reason.offers };
    let mut next: Vec<Next> = offers.iter().map(read).collect();
    let mut message = reason.message;
    if next.is_empty() {
        let files = &state.listing.files;
        let named: Vec<String> = files.iter().take(NAMED).map(|file| format!("`{}`", file.path)).collect();
        let more = files.len() - named.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        message.push_str(&format!("\nthe pages are {}{rest}", named.join(", ")));
        next.push(arguments.next(Tool::Search, [("text", words(arguments.text("target")).into())]));
    }
    Refusal { message, next }
}

/// The words of a name, to search for.
fn words(target: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() { c } else { ' ' };
    let words: String = target.chars().map(plain).collect();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cite::Citation;

    /// Lines 3 to 6 of a page, read with a budget of at least 200 tokens.
    fn read(lines: [&str; 4], from_line: Option<usize>) -> Result<Window, Refusal> {
        let whole = Excerpt {
            citation: Citation { path: "a.md".into(), anchor: "b".into() },
            heading: "B".into(),
            trail: Vec::new(),
            lines: (3, 6),
            text: lines.map(|line| format!("{line}\n")).concat(),
            is_truncated: false,
        };
        let given = json!({ "target": "a.md#b", "budget": 200, "from_line": from_line });
        let given = given.as_object().expect("an object").clone();
        window(&whole, &Arguments::read(Tool::Read, given).expect("they are right"))
    }

    fn check(lines: [&str; 4], from_line: Option<usize>, expected: ((usize, usize), usize, usize, bool)) {
        let window = read(lines, from_line).expect("there are such lines");
        let shown = window.excerpt;
        assert_eq!((shown.lines, shown.text.len(), window.left_out, shown.is_truncated), expected);
    }

    #[test]
    fn whole_lines_are_shown_as_far_as_the_budget_goes() {
        let long = "x".repeat(399);
        check(["a", "b", "c", "d"], None, ((3, 6), 8, 0, false));
        check(["a", "b", "c", "d"], Some(5), ((5, 6), 4, 0, false));
        check([&long, &long, &long, "d"], None, ((3, 4), 800, 2, true));
        check([&long, &long, &long, "d"], Some(5), ((5, 6), 402, 0, false));
    }

    #[test]
    fn a_line_that_is_too_long_is_cut() {
        let long = "x".repeat(5000);
        check([&long, "b", "c", "d"], None, ((3, 3), 800, 3, true));
        check(["a", "b", "c", &long], Some(6), ((6, 6), 800, 0, true));
    }

    #[test]
    fn lines_that_are_elsewhere_are_refused() {
        for from_line in [1, 7] {
            let refusal = read(["a", "b", "c", "d"], Some(from_line)).err().expect("no such line");
            let expected = "`a.md#b` has the lines 3 to 6\nNext: read {\"target\":\"a.md#b\"}";
            assert_eq!(refusal.text(), expected);
        }
    }

    #[test]
    fn a_name_has_words() {
        assert_eq!(words("docs/set-up.md#the-key"), "docs set up md the key");
    }
}
