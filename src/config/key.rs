//! The keys of a configuration file, and who may set them.

/// A key of a configuration file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Anchors,
    Docs,
    Historical,
    IndexDir,
    Judge,
    JudgeTimeout,
    Language,
    MaxFileSize,
    Planned,
    Synth,
}

impl Key {
    pub const ALL: [Self; 10] = [
        Self::Anchors,
        Self::Docs,
        Self::Historical,
        Self::IndexDir,
        Self::Judge,
        Self::JudgeTimeout,
        Self::Language,
        Self::MaxFileSize,
        Self::Planned,
        Self::Synth,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Anchors => "anchors",
            Self::Docs => "docs",
            Self::Historical => "historical",
            Self::Planned => "planned",
            Self::IndexDir => "index-dir",
            Self::Judge => "judge",
            Self::JudgeTimeout => "judge-timeout",
            Self::Language => "language",
            Self::MaxFileSize => "max-file-size",
            Self::Synth => "synth",
        }
    }

    /// Whether only the user may set it: it names a command to run or a place to write.
    pub fn is_user_only(self) -> bool {
        match self {
            Self::IndexDir | Self::Judge | Self::JudgeTimeout | Self::Synth => true,
            Self::Anchors | Self::Docs | Self::Historical | Self::Planned | Self::Language | Self::MaxFileSize => false,
        }
    }
}
