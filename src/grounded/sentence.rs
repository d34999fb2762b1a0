//! Text with marks → sentences, the marks in them, and marks put in.
