//! The anchors of a document's headings, as the site that shows the document makes them.
//!
//! In: a style and the headings of one file. Out: for each heading the fragment a link should use, and the other
//! fragments that lead there. Every rule follows what its generator does, not what its manual says; the doc
//! comments name the function it was read from. This module does not read links, decode percent signs or find
//! out which generator a repository uses.

use std::collections::{HashMap, HashSet};

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::Heading;

/// The anchor rule of the place where the docs are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiteStyle {
    /// GitHub's file view, as `github-slugger` describes it.
    #[default]
    Github,
    /// GitLab's file view (17.0 and later).
    Gitlab,
    /// mdBook.
    Mdbook,
    /// Docusaurus.
    Docusaurus,
    /// VitePress.
    Vitepress,
    /// MkDocs, with Python-Markdown's `toc` and `attr_list`.
    Mkdocs,
    /// No generator's rule: lower-case ASCII words joined by single hyphens.
    Collapsed,
}

impl SiteStyle {
    /// Every style, the default first.
    pub const ALL: [Self; 7] =
        [Self::Github, Self::Gitlab, Self::Mdbook, Self::Docusaurus, Self::Vitepress, Self::Mkdocs, Self::Collapsed];

    /// The name used in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Github => "github",
            Self::Gitlab => "gitlab",
            Self::Mdbook => "mdbook",
            Self::Docusaurus => "docusaurus",
            Self::Vitepress => "vitepress",
            Self::Mkdocs => "mkdocs",
            Self::Collapsed => "collapsed",
        }
    }

    /// The style called `name`, in lower case as [`SiteStyle::name`] gives it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }

    /// Paths of config files, relative to the repository, the docs tree or its parent, that tell the style.
    ///
    /// Empty for the styles that no file tells for certain: a `.gitlab-ci.yml` also stands in repositories whose
    /// docs are read on GitHub.
    pub fn markers(self) -> &'static [&'static str] {
        match self {
            Self::Github | Self::Gitlab | Self::Collapsed => &[],
            Self::Mdbook => &["book.toml"],
            Self::Docusaurus => &[
                "docusaurus.config.js",
                "docusaurus.config.ts",
                "docusaurus.config.mjs",
                "docusaurus.config.mts",
                "docusaurus.config.cjs",
                "docusaurus.config.cts",
            ],
            Self::Vitepress => &[
                ".vitepress/config.js",
                ".vitepress/config.ts",
                ".vitepress/config.mjs",
                ".vitepress/config.mts",
                ".vitepress/config/index.js",
                ".vitepress/config/index.ts",
                ".vitepress/config/index.mjs",
                ".vitepress/config/index.mts",
            ],
            Self::Mkdocs => &["mkdocs.yml", "mkdocs.yaml"],
        }
    }

    /// Whether the generator gives a heading the id that its author wrote instead of a slug.
    fn keeps_written_ids(self) -> bool {
        match self {
            Self::Github | Self::Gitlab | Self::Collapsed => false,
            Self::Mdbook | Self::Docusaurus | Self::Vitepress | Self::Mkdocs => true,
        }
    }

    /// Whether the generator numbers slugs around the ids written with `{#id}`.
    ///
    /// `markdown-it-anchor` counts such an id as used, Python-Markdown's `toc` collects them before the first
    /// slug; mdBook's `add_header_links` and Docusaurus' `headings` plugin do not look at them at all.
    fn numbers_around_written_ids(self) -> bool {
        matches!(self, Self::Vitepress | Self::Mkdocs)
    }

    fn suffix(self) -> Suffix {
        match self {
            Self::Github | Self::Gitlab | Self::Mdbook | Self::Docusaurus | Self::Vitepress | Self::Collapsed => {
                Suffix::Appended
            }
            Self::Mkdocs => Suffix::CountedUp,
        }
    }
}

/// The fragments that lead to one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Anchors {
    /// What a link uses. Unique in the file.
    ///
    /// Empty where the rule leaves nothing of the title (`## ???` on GitHub; the second such heading gets `-1`):
    /// no link reaches that heading, so a citation names its file only.
    pub printed: String,
    /// Other valid fragments, never empty ones.
    ///
    /// No fragment stands twice in a file: what is printed for some heading is listed for none, and of two
    /// headings the earlier one has it.
    pub also: Vec<String>,
}

/// Assigns the anchors of a document's headings, which are in file order.
///
/// Where a generator would write one id twice, only the first heading can be reached by it; a later one is given
/// the next free number.
pub fn assign(style: SiteStyle, headings: &[Heading]) -> Vec<Anchors> {
    let slugs = number(style, headings, |heading| slug(style, heading.raw_title.trim()));
    let printed = settle(style, headings, &slugs);
    let readings = other_readings(style, headings);
    let mut claimed: HashSet<String> = printed.iter().cloned().collect();
    claimed.insert(String::new());
    let anchors = printed.into_iter().enumerate().map(|(index, printed)| {
        let heading = &headings[index];
        let mut found: Vec<String> = heading.attribute_id.iter().chain(&heading.html_ids).cloned().collect();
        found.push(slugs[index].clone());
        found.extend(readings.iter().map(|reading| reading[index].clone()));
        // GitHub keeps the emoji variation selector in an id, people write links without it.
        let bare: Vec<String> = found.iter().chain([&printed]).map(|id| id.replace('\u{fe0f}', "")).collect();
        let also = found.into_iter().chain(bare).filter(|id| claimed.insert(id.clone())).collect();
        Anchors { printed, also }
    });
    anchors.collect()
}

/// The slug of one text, without a number.
pub fn slug(style: SiteStyle, text: &str) -> String {
    match style {
        SiteStyle::Github | SiteStyle::Docusaurus => github(text),
        SiteStyle::Gitlab => gitlab(text),
        SiteStyle::Mdbook => mdbook(text),
        SiteStyle::Vitepress => vitepress(text),
        SiteStyle::Mkdocs => mkdocs(text),
        SiteStyle::Collapsed => slug::slugify(text),
    }
}

/// The slug of every heading, numbered through the file as the generator does it.
///
/// A heading whose own id the generator keeps takes no number.
fn number(style: SiteStyle, headings: &[Heading], slug_of: impl Fn(&Heading) -> String) -> Vec<String> {
    let mut numbering = Numbering::new(style);
    if style.numbers_around_written_ids() {
        for id in headings.iter().filter_map(|heading| heading.attribute_id.as_deref()) {
            numbering.reserve(id);
        }
    }
    let slugs = headings.iter().map(|heading| match &heading.attribute_id {
        Some(_) if style.keeps_written_ids() => slug_of(heading),
        _ => numbering.unique(slug_of(heading)),
    });
    slugs.collect()
}

/// The printed anchors: written ids before slugs where the generator keeps them, none twice.
fn settle(style: SiteStyle, headings: &[Heading], slugs: &[String]) -> Vec<String> {
    // On a forge a slug is real and a written id is not, so an id gives way to another heading's slug.
    let real: HashSet<&str> = slugs.iter().map(String::as_str).filter(|_| !style.keeps_written_ids()).collect();
    let wanted_by = |(heading, slug): (&'_ Heading, &'_ String)| {
        written_id(style, heading)
            .filter(|id| id == slug || !real.contains(id))
            .map(str::to_owned)
            .unwrap_or(slug.clone())
    };
    let wanted: Vec<String> = headings.iter().zip(slugs).map(wanted_by).collect();
    let mut numbering = Numbering::new(style);
    for id in &wanted {
        numbering.reserve(id);
    }
    let mut seen = HashSet::new();
    let printed = wanted.into_iter().map(|id| if seen.insert(id.clone()) { id } else { numbering.unique(id) });
    printed.collect()
}

/// The id that the author gave `heading`, where the generator keeps it.
///
/// An id of an HTML element counts too: a heading in HTML has no other id on these sites, and one inside a
/// Markdown heading is valid beside the slug.
///
/// A forge shows `{#id}` as text, so nothing that leaves it out works there; but who writes it reads the docs on a
/// site whose configuration is elsewhere, and the id is the one fragment that works on it.
fn written_id(style: SiteStyle, heading: &Heading) -> Option<&str> {
    if matches!(style, SiteStyle::Github | SiteStyle::Gitlab) {
        return heading.attribute_id.as_deref().filter(|id| !id.is_empty());
    }
    let mut ids = heading.attribute_id.iter().chain(&heading.html_ids).filter(|id| !id.is_empty());
    ids.next().filter(|_| style.keeps_written_ids()).map(String::as_str)
}

/// The slugs under other readings of the headings, each numbered through the file on its own.
fn other_readings(style: SiteStyle, headings: &[Heading]) -> Vec<Vec<String>> {
    let mut readings = Vec::new();
    if headings.iter().any(|heading| heading.raw_title != heading.title) {
        readings.push(number(style, headings, |heading| slug(style, &heading.raw_title)));
    }
    if !style.keeps_written_ids() && headings.iter().any(|heading| heading.attribute_id.is_some()) {
        readings.push(number(style, headings, |heading| slug(style, &title_with_id(heading))));
    }
    match style {
        SiteStyle::Gitlab => readings.push(number(style, headings, |heading| gitlab_before_17(&heading.title))),
        SiteStyle::Mkdocs => readings.push(number(style, headings, |heading| pymdownx(&heading.title))),
        SiteStyle::Github | SiteStyle::Mdbook | SiteStyle::Docusaurus | SiteStyle::Vitepress | SiteStyle::Collapsed => {
        }
    }
    readings
}

/// The title as a site shows it that has no `{#id}` syntax.
fn title_with_id(heading: &Heading) -> String {
    match &heading.attribute_id {
        Some(id) => format!("{} {{#{id}}}", heading.title),
        None => heading.title.clone(),
    }
}

/// The rule of `github-slugger`: letters, marks, numbers, connectors, hyphens and spaces stay.
///
/// The package is frozen at Unicode 13 and drops every character that is newer; letters, marks and digits of
/// later versions stay here. Over all other characters the two agree.
fn github(text: &str) -> String {
    hyphenate(text, |char| char.is_alphabetic() || is_mark(char) || is_github_number(char) || is_connector(char))
}

/// GitLab's rule since 17.0, that of `Anchorizer` in comrak: every number stays, no symbol does.
fn gitlab(text: &str) -> String {
    hyphenate(text, |char| is_letter_or_number(char) || is_mark(char) || is_connector(char))
}

/// GitLab's rule before 17.0 (`TableOfContentsFilter`), which made one hyphen of several.
fn gitlab_before_17(text: &str) -> String {
    single_hyphens(&gitlab(text))
}

/// The rule of `id_from_content` in mdBook 0.5, where a title without letters is called `section`.
fn mdbook(text: &str) -> String {
    let lower = text.trim().to_lowercase();
    let kept = lower.chars().filter_map(|char| match char {
        '_' | '-' => Some(char),
        _ if char.is_alphanumeric() => Some(char),
        _ => char.is_whitespace().then_some('-'),
    });
    let slug: String = kept.collect();
    if slug.is_empty() { "section".to_owned() } else { slug }
}

/// The rule of `slugify` in `@mdit-vue/shared`: accents go, runs of ASCII punctuation and white space are one hyphen.
fn vitepress(text: &str) -> String {
    let plain: String = text.nfkd().filter(|char| !matches!(char, '\u{300}'..='\u{36f}' | '\0'..='\u{1f}')).collect();
    let words: Vec<&str> = plain.split(is_vitepress_separator).filter(|word| !word.is_empty()).collect();
    let slug = words.join("-").to_lowercase();
    // An id that starts with a digit is no CSS selector.
    if slug.starts_with(|char: char| char.is_ascii_digit()) { format!("_{slug}") } else { slug }
}

/// The rule of `slugify` in Python-Markdown's `toc`: ASCII only, so a Greek title leaves nothing and is numbered.
fn mkdocs(text: &str) -> String {
    let ascii =
        text.nfkd().filter(|&char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-') || is_ascii_space(char));
    let kept: String = ascii.map(|char| char.to_ascii_lowercase()).collect();
    let hyphened: String =
        kept.trim_matches(is_ascii_space).chars().map(|char| if is_ascii_space(char) { '-' } else { char }).collect();
    single_hyphens(&hyphened)
}

/// The rule of `pymdownx.slugs.slugify(case="lower")`, which MkDocs sites in other scripts are configured with.
fn pymdownx(text: &str) -> String {
    let normal: String = text.nfc().collect();
    hyphenate(normal.trim(), |char| is_letter_or_number(char) || char == '_')
}

/// Lower-cases `text`, drops what is not `kept`, a hyphen or a space, and makes a hyphen of every single space.
fn hyphenate(text: &str, kept: impl Fn(char) -> bool) -> String {
    let lower = text.to_lowercase();
    let chars = lower.chars().filter_map(|char| match char {
        ' ' | '-' => Some('-'),
        _ => kept(char).then_some(char),
    });
    chars.collect()
}

/// `text` with every run of hyphens as one.
fn single_hyphens(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for char in text.chars() {
        if char != '-' || !slug.ends_with('-') {
            slug.push(char);
        }
    }
    slug
}

fn is_mark(char: char) -> bool {
    char.general_category_group() == GeneralCategoryGroup::Mark
}

fn is_connector(char: char) -> bool {
    char.general_category() == GeneralCategory::ConnectorPunctuation
}

/// Whether `char` is a decimal digit or a letter-like number (`Ⅻ`), not `½` or `²`.
fn is_github_number(char: char) -> bool {
    matches!(char.general_category(), GeneralCategory::DecimalNumber | GeneralCategory::LetterNumber)
}

fn is_letter_or_number(char: char) -> bool {
    matches!(char.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// The characters of `rSpecial` in `@mdit-vue/shared`; JavaScript's `\s` has U+FEFF and lacks U+0085.
fn is_vitepress_separator(char: char) -> bool {
    match char {
        '_' | '“' | '”' | '‘' | '’' | '\u{feff}' => true,
        '\u{85}' => false,
        _ => char.is_ascii_punctuation() || char.is_whitespace(),
    }
}

/// The ASCII part of Python's `\s`.
fn is_ascii_space(char: char) -> bool {
    matches!(char, ' ' | '\t'..='\r' | '\u{1c}'..='\u{1f}')
}

/// How a number is put behind an id that was used before.
#[derive(Clone, Copy)]
enum Suffix {
    /// `setup`, `setup-1`, `setup-2`; after `setup-1` comes `setup-1-1`.
    Appended,
    /// `setup`, `setup_1`, `setup_2`; after `setup_1` comes `setup_2`.
    CountedUp,
}

/// Gives each id of a file a number where it was used before.
struct Numbering {
    suffix: Suffix,
    /// The used ids, each with the first number that may still be free after it.
    used: HashMap<String, u64>,
}

impl Numbering {
    fn new(style: SiteStyle) -> Self {
        Self { suffix: style.suffix(), used: HashMap::new() }
    }

    /// Marks `id` as used.
    fn reserve(&mut self, id: &str) {
        let next = match self.suffix {
            Suffix::Appended => 1,
            Suffix::CountedUp => split_number(id).1 + 1,
        };
        self.used.entry(id.to_owned()).or_insert(next);
    }

    /// `id`, or its first numbered form that is free.
    fn unique(&mut self, id: String) -> String {
        match self.suffix {
            Suffix::Appended => self.appended(id),
            Suffix::CountedUp => self.counted_up(id),
        }
    }

    /// `id`, `id-1`, `id-2`, …
    ///
    /// `BananaSlug::slug` in `github-slugger`, `Anchorizer` in comrak, `unique_id` in mdBook and
    /// `uniqueSlug` in `markdown-it-anchor` all come to this.
    fn appended(&mut self, id: String) -> String {
        let Some(&first) = self.used.get(&id) else {
            self.used.insert(id.clone(), 1);
            return id;
        };
        let mut number = first;
        while self.used.contains_key(&format!("{id}-{number}")) {
            number += 1;
        }
        let free = format!("{id}-{number}");
        self.used.insert(id, number + 1);
        self.used.insert(free.clone(), 1);
        free
    }

    /// `id`, `id_1`, `id_2`, …, where `id_1` itself goes on to `id_2`, and nothing is an id (`unique` in
    /// Python-Markdown's `toc`).
    ///
    /// The ids on the way point past the number found, which keeps a file of equal headings linear.
    fn counted_up(&mut self, id: String) -> String {
        let (base, mut number) = split_number(&id);
        let base = base.to_owned();
        let mut free = id;
        let mut passed = Vec::new();
        while free.is_empty() || self.used.contains_key(&free) {
            number = self.used.get(&free).copied().unwrap_or(number + 1);
            passed.push(std::mem::replace(&mut free, format!("{base}_{number}")));
        }
        self.used.extend(passed.into_iter().map(|id| (id, number)));
        self.used.insert(free.clone(), number + 1);
        free
    }
}

/// Splits `setup_2` into `setup` and 2; an id without number is its own base and counts 0.
///
/// A number past `u32` is taken for part of the name.
fn split_number(id: &str) -> (&str, u64) {
    let split = id.rsplit_once('_').filter(|(_, digits)| digits.bytes().all(|byte| byte.is_ascii_digit()));
    match split.map(|(base, digits)| (base, digits.parse::<u32>())) {
        Some((base, Ok(number))) => (base, number.into()),
        _ => (id, 0),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::Span;

    fn heading(title: &str) -> Heading {
        Heading {
            level: 2,
            span: Span::default(),
            title: title.to_owned(),
            raw_title: title.to_owned(),
            attribute_id: None,
            html_ids: Vec::new(),
            code: Vec::new(),
        }
    }

    fn with_id(title: &str, id: &str) -> Heading {
        Heading { attribute_id: Some(id.to_owned()), ..heading(title) }
    }

    fn with_html_id(title: &str, id: &str) -> Heading {
        Heading { html_ids: vec![id.to_owned()], ..heading(title) }
    }

    fn printed(style: SiteStyle, headings: &[Heading]) -> Vec<String> {
        assign(style, headings).into_iter().map(|anchors| anchors.printed).collect()
    }

    fn check_printed(style: SiteStyle, titles: &[&str], expected: &[&str]) {
        let headings: Vec<Heading> = titles.iter().map(|title| heading(title)).collect();
        assert_eq!(printed(style, &headings), expected, "{}", style.name());
    }

    fn check_slugs(style: SiteStyle, expected: &[(&str, &str)]) {
        for (title, id) in expected {
            assert_eq!(slug(style, title), *id, "{} for {title:?}", style.name());
        }
    }

    fn check_also(style: SiteStyle, heading: Heading, printed: &str, also: &[&str]) {
        let expected = Anchors { printed: printed.into(), also: also.iter().map(ToString::to_string).collect() };
        assert_eq!(assign(style, &[heading]), [expected], "{}", style.name());
    }

    #[test]
    fn github_slugs_are_those_of_the_npm_package() {
        let (mut texts, mut documents) = (0, 0);
        for line in include_str!("../../tests/data/slugs.tsv").lines() {
            let (input, output) = line.split_once('\t').expect("two columns");
            if let Ok(titles) = serde_json::from_str::<Vec<String>>(input) {
                let expected: Vec<String> = serde_json::from_str(output).expect("a list of ids");
                let headings: Vec<Heading> = titles.iter().map(|title| heading(title)).collect();
                assert_eq!(printed(SiteStyle::Github, &headings), expected, "{input}");
                documents += 1;
            } else {
                let text: String = serde_json::from_str(input).expect("a title");
                let expected: String = serde_json::from_str(output).expect("an id");
                assert_eq!(slug(SiteStyle::Github, &text), expected, "{input}");
                texts += 1;
            }
        }
        assert!(texts >= 600 && documents >= 30, "{texts} texts, {documents} documents");
    }

    #[test]
    fn underscores_and_hyphens_at_the_end_stay_on_github() {
        let titles = ["test(", "test)", "test_", "test-", "test="];
        check_printed(SiteStyle::Github, &titles, &["test", "test-1", "test_", "test-", "test-2"]);
    }

    #[test]
    fn github_keeps_the_names_of_emoji_shortcodes_and_code() {
        check_slugs(
            SiteStyle::Github,
            &[
                (":tada: Release", "tada-release"),
                ("Implement the KvStore interface", "implement-the-kvstore-interface"),
                ("Estimator (MLE)", "estimator-mle"),
                ("Foo & Bar", "foo--bar"),
                ("Déjà vu", "déjà-vu"),
            ],
        );
    }

    #[test]
    fn an_emoji_heading_is_found_with_and_without_its_variation_selector() {
        check_also(SiteStyle::Github, heading("🛠\u{fe0f} Setup"), "\u{fe0f}-setup", &["-setup"]);
        check_also(SiteStyle::Vitepress, heading("🛠\u{fe0f} Setup"), "🛠\u{fe0f}-setup", &["🛠-setup"]);
    }

    #[test]
    fn repeated_titles_count_past_numbers_that_are_taken() {
        let appended = ["setup", "setup-1", "setup-1-1", "setup-2"];
        for style in [SiteStyle::Github, SiteStyle::Gitlab, SiteStyle::Docusaurus, SiteStyle::Collapsed] {
            check_printed(style, &["Setup", "Setup", "Setup-1", "Setup"], &appended);
            check_printed(style, &["foo-1", "foo", "foo"], &["foo-1", "foo", "foo-2"]);
        }
        check_printed(SiteStyle::Mkdocs, &["Foo", "Foo", "Foo_1", "Foo"], &["foo", "foo_1", "foo_2", "foo_3"]);
        check_printed(SiteStyle::Mkdocs, &["Foo_01", "Foo_01"], &["foo_01", "foo_2"]);
    }

    #[test]
    fn a_title_without_letters_has_an_empty_anchor_where_the_site_gives_it_none() {
        check_printed(SiteStyle::Github, &["???", "!!!", "A"], &["", "-1", "a"]);
        check_printed(SiteStyle::Vitepress, &["???", "!!!"], &["", "-1"]);
        check_printed(SiteStyle::Mdbook, &["???", "!!!"], &["section", "section-1"]);
        check_printed(SiteStyle::Mkdocs, &["???", "Глава"], &["_1", "_2"]);
        check_also(SiteStyle::Github, heading("🎉"), "", &[]);
    }

    #[test]
    fn gitlab_keeps_hyphens_and_every_number() {
        check_slugs(
            SiteStyle::Gitlab,
            &[
                (
                    "This heading has  multiple spaces and --- hyphens",
                    "this-heading-has--multiple-spaces-and-----hyphens",
                ),
                ("This heading has 3.5 in it (and parentheses)", "this-heading-has-35-in-it-and-parentheses"),
                ("½ cup of x² Ⓐ", "½-cup-of-x²-"),
            ],
        );
        check_also(SiteStyle::Gitlab, heading("a - b"), "a---b", &["a-b"]);
    }

    #[test]
    fn mdbook_slugs() {
        check_slugs(
            SiteStyle::Mdbook,
            &[
                ("`--passes`: add more rustdoc passes", "--passes-add-more-rustdoc-passes"),
                ("Method-call 🐙 expressions \u{1f47c}", "method-call--expressions-"),
                ("a\u{a0}b\tc", "a-b-c"),
                ("Über ½", "über-½"),
                ("क्षत्रिय", "कषतरिय"),
            ],
        );
    }

    #[test]
    fn vitepress_slugs() {
        check_slugs(
            SiteStyle::Vitepress,
            &[
                ("Foo & Bar", "foo-bar"),
                ("Déjà vu", "deja-vu"),
                ("1. Install", "_1-install"),
                ("a_b", "a-b"),
                ("--flag", "flag"),
                ("½ cup", "_1⁄2-cup"),
                ("“Quoted” – text", "quoted-–-text"),
                ("İstanbul", "istanbul"),
                ("a\u{a0}b\tc", "a-bc"),
            ],
        );
    }

    #[test]
    fn mkdocs_slugs() {
        check_slugs(
            SiteStyle::Mkdocs,
            &[
                ("Foo & Bar", "foo-bar"),
                ("Déjà vu", "deja-vu"),
                ("--flag", "-flag"),
                ("- a -", "-a-"),
                ("½ cup", "12-cup"),
                ("Straße", "strae"),
                ("foo.bar()", "foobar"),
            ],
        );
        check_also(SiteStyle::Mkdocs, heading("Привет, мир"), "_1", &["привет-мир"]);
        check_also(SiteStyle::Mkdocs, heading("a - b"), "a-b", &["a---b"]);
        check_also(SiteStyle::Mkdocs, heading("हिन्दी"), "_1", &["हनद"]);
    }

    #[test]
    fn collapsed_slugs() {
        let expected = [("Foo & Bar", "foo-bar"), ("--flag=x_y", "flag-x-y"), ("  Déjà vu! ", "deja-vu"), ("???", "")];
        check_slugs(SiteStyle::Collapsed, &expected);
    }

    #[test]
    fn a_written_id_is_printed_where_the_generator_keeps_it() {
        let heading = || with_id("Personal data", "pii");
        for style in [SiteStyle::Mdbook, SiteStyle::Docusaurus, SiteStyle::Vitepress, SiteStyle::Mkdocs] {
            check_also(style, heading(), "pii", &["personal-data"]);
        }
        for style in [SiteStyle::Github, SiteStyle::Gitlab] {
            check_also(style, heading(), "pii", &["personal-data", "personal-data-pii"]);
        }
        check_also(SiteStyle::Collapsed, heading(), "personal-data", &["pii", "personal-data-pii"]);
    }

    #[test]
    fn an_id_in_html_is_printed_where_the_generator_keeps_it() {
        for style in [SiteStyle::Mdbook, SiteStyle::Docusaurus, SiteStyle::Vitepress, SiteStyle::Mkdocs] {
            check_also(style, with_html_id("Foo", "bar"), "bar", &["foo"]);
        }
        for style in [SiteStyle::Github, SiteStyle::Gitlab, SiteStyle::Collapsed] {
            check_also(style, with_html_id("Foo", "bar"), "foo", &["bar"]);
        }
    }

    #[test]
    fn written_ids_move_the_numbers_only_where_the_generator_looks_at_them() {
        let headings = [heading("Foo"), with_id("Bar", "foo-1"), heading("Foo"), heading("Bar")];
        assert_eq!(printed(SiteStyle::Vitepress, &headings), ["foo", "foo-1", "foo-2", "bar"]);
        let headings = [heading("Foo"), with_id("Foo", "x"), heading("Foo")];
        for style in [SiteStyle::Mdbook, SiteStyle::Docusaurus, SiteStyle::Vitepress] {
            assert_eq!(printed(style, &headings), ["foo", "x", "foo-1"], "{}", style.name());
        }
        let headings = [heading("Foo"), with_id("Bar", "foo")];
        assert_eq!(printed(SiteStyle::Mkdocs, &headings), ["foo_1", "foo"]);
    }

    #[test]
    fn an_id_that_two_headings_have_is_printed_for_the_first() {
        let headings = [with_id("A", "foo"), heading("Foo"), heading("Foo"), with_id("B", "foo")];
        assert_eq!(printed(SiteStyle::Mdbook, &headings), ["foo", "foo-2", "foo-1", "foo-3"]);
    }

    #[test]
    fn what_removed_html_leaves_behind_is_another_reading() {
        let mut download = with_html_id("General Download", "x");
        download.raw_title = "General Download  ".to_owned();
        check_also(SiteStyle::Github, download, "general-download", &["x", "general-download--"]);
    }

    #[test]
    fn a_fragment_belongs_to_one_heading() {
        let anchors = assign(SiteStyle::Github, &[with_id("Old", "setup"), heading("Setup"), with_html_id("A", "old")]);
        assert_eq!((anchors[0].printed.as_str(), &anchors[0].also), ("old", &vec!["old-setup".to_owned()]));
        assert_eq!(anchors[1].printed, "setup");
        assert_eq!(anchors[2].also, Vec::<String>::new());
    }

    #[test]
    fn style_names_lead_back_to_their_style() {
        for style in SiteStyle::ALL {
            assert_eq!(SiteStyle::from_name(style.name()), Some(style));
        }
        assert_eq!(SiteStyle::from_name("jekyll"), None);
        assert_eq!(SiteStyle::default(), SiteStyle::ALL[0]);
    }

    /// Titles that collide often, and any text.
    fn titles() -> impl Strategy<Value = String> {
        prop_oneof!["(Foo|é|a|!)?[ _-]?(1|2|01|1-1|1_1|99999999999)?", any::<String>()]
    }

    fn headings() -> impl Strategy<Value = Vec<Heading>> {
        let ids = "(foo|a)?([_-][12])?";
        let one = (titles(), titles(), any::<bool>(), proptest::option::of(ids), proptest::collection::vec(ids, 0..2));
        let one = one.prop_map(|(title, raw, same, attribute_id, html_ids)| Heading {
            raw_title: if same { title.clone() } else { raw },
            attribute_id,
            html_ids,
            ..heading(&title)
        });
        proptest::collection::vec(one, 0..12)
    }

    proptest! {
        #[test]
        fn no_fragment_stands_twice_in_a_file(headings in headings()) {
            for style in SiteStyle::ALL {
                let assigned = assign(style, &headings);
                prop_assert_eq!(assigned.len(), headings.len());
                let mut seen = HashSet::new();
                for anchors in &assigned {
                    prop_assert!(seen.insert(&anchors.printed), "{} printed twice by {}", anchors.printed, style.name());
                }
                for id in assigned.iter().flat_map(|anchors| &anchors.also) {
                    prop_assert!(!id.is_empty());
                    prop_assert!(seen.insert(id), "{id} listed twice by {}", style.name());
                }
            }
        }
    }
}
