//! Draft and corpus → a sealed answer, or a sealed refusal (contracts B).
