//! What the parts of a score weigh.

/// The weights of ranking. The default is what inkwell ranks with; other values are for measuring what a part is
/// worth.
///
/// The values are round on purpose: they were looked at on question sets from many repositories, and the scores of
/// neighbouring values differ by less than chance does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// A term frequency in a heading, where one in a text counts 1.
    pub heading: f32,
    /// A term frequency in a page's title.
    pub title: f32,
    /// A term as it was asked for, where another form of it counts 1.
    pub exact: f32,
    /// A term in another spelling, see [`Kinship::Same`](crate::Kinship).
    pub same: f32,
    /// A term of about the same meaning, see [`Kinship::Near`](crate::Kinship).
    pub near: f32,
    /// A word of conversation, where any other word of a question counts 1.
    pub conversation: f32,
    /// How far a unit counts more where headings and titles are about it.
    pub topic: f32,
    /// The whole page's score beside the section's.
    pub page: f32,
    /// A heading that is made of the question's words.
    pub heading_fit: f32,
    /// How far a title made of the question's words lifts its page.
    pub title_fit: f32,
    /// How far links to a section lift it, times the logarithm of their number.
    pub links: f32,
    /// The words that the best passages have in common, see [`feed_back`](crate::feed_back).
    pub feedback: f32,
    /// What a changelog keeps of its score when nobody asked for the past.
    pub changelog: f32,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            heading: 2.0,
            title: 2.0,
            exact: 2.0,
            same: 0.5,
            near: 0.25,
            conversation: 0.3,
            topic: 0.5,
            page: 0.3,
            heading_fit: 0.2,
            title_fit: 0.2,
            links: 0.07,
            feedback: 1.5,
            changelog: 0.7,
        }
    }
}
