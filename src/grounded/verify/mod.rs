//! Answers that somebody wrote → what is wrong with them (contracts D and E).
