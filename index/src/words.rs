//! Words that say little in a question.

/// Words of grammar: they are dropped from a question that has others.
pub(crate) fn is_stop(word: &str) -> bool {
    STOP.binary_search(&word).is_ok()
}

/// Words of conversation about software: they count little, because people use them whatever they ask.
pub(crate) fn is_weak(word: &str) -> bool {
    WEAK.binary_search(&word).is_ok()
}

/// Words that ask for a number behind "how".
pub(crate) fn asks_for_measure(word: &str) -> bool {
    MEASURES.binary_search(&word).is_ok()
}

/// Words that ask for the past or for what changed: then changelogs and release notes are an answer.
pub(crate) fn asks_for_history(word: &str) -> bool {
    HISTORY.binary_search(&word).is_ok()
}

const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "arent", "as", "at", "be",
    "because", "been", "before", "being", "between", "both", "but", "by", "can", "cannot", "cant", "could", "couldnt",
    "did", "didnt", "do", "does", "doesnt", "doing", "dont", "during", "each", "either", "every", "for", "from",
    "further", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i", "id", "if",
    "ill", "im", "in", "into", "is", "isnt", "it", "its", "itself", "ive", "just", "me", "more", "most", "my",
    "myself", "no", "nor", "not", "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over",
    "own", "really", "same", "she", "should", "shouldnt", "so", "some", "still", "such", "than", "that", "thats",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too", "under",
    "until", "up", "upon", "us", "very", "was", "wasnt", "we", "were", "werent", "what", "whats", "when", "where",
    "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "without", "wont", "would", "wouldnt",
    "you", "your", "yours",
];

const WEAK: &[&str] = &[
    "able",
    "actually",
    "allow",
    "allowed",
    "allows",
    "already",
    "always",
    "another",
    "anybody",
    "anyone",
    "anything",
    "anyway",
    "best",
    "better",
    "cases",
    "certain",
    "come",
    "comes",
    "correct",
    "correctly",
    "different",
    "easy",
    "eg",
    "else",
    "etc",
    "even",
    "everything",
    "exactly",
    "example",
    "exist",
    "exists",
    "explain",
    "find",
    "get",
    "gets",
    "getting",
    "give",
    "go",
    "going",
    "good",
    "got",
    "happen",
    "happens",
    "hasnt",
    "help",
    "ie",
    "instead",
    "issue",
    "keep",
    "keeps",
    "kind",
    "know",
    "let",
    "lets",
    "like",
    "look",
    "lot",
    "make",
    "making",
    "many",
    "maybe",
    "mean",
    "means",
    "much",
    "need",
    "needs",
    "nothing",
    "okay",
    "ones",
    "per",
    "please",
    "possible",
    "possibly",
    "problem",
    "properly",
    "question",
    "recommended",
    "right",
    "see",
    "seem",
    "seems",
    "since",
    "somehow",
    "someone",
    "something",
    "sometimes",
    "supported",
    "take",
    "takes",
    "tell",
    "thanks",
    "there",
    "thing",
    "things",
    "though",
    "try",
    "trying",
    "turn",
    "turned",
    "turning",
    "understand",
    "unless",
    "use",
    "used",
    "using",
    "want",
    "wanted",
    "wants",
    "way",
    "weird",
    "work",
    "works",
    "wrong",
    "yet",
];

const HISTORY: &[&str] = &[
    "added",
    "breaking",
    "changed",
    "changelog",
    "changes",
    "history",
    "introduced",
    "migrate",
    "migration",
    "new",
    "release",
    "released",
    "removed",
];

const MEASURES: &[&str] = &["big", "deep", "far", "fast", "large", "long", "many", "much", "often", "old", "soon"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_to_be_searched() {
        assert!(STOP.is_sorted());
        assert!(WEAK.is_sorted());
        assert!(HISTORY.is_sorted());
        assert!(MEASURES.is_sorted());
    }

    #[test]
    fn a_word_is_in_its_list() {
        assert!(is_stop("the") && !is_stop("cache"));
        assert!(is_weak("possible") && !is_weak("cache"));
        assert!(asks_for_history("changelog") && !asks_for_history("cache"));
    }
}
