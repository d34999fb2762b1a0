//! Question and corpus → the sentences that share most words with the question (contracts C).
