//! JSON → the digest of a corpus.
