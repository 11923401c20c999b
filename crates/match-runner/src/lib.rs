//! Plays contests here and now: engine processes, slots, the real clock, books, tablebases, reporters.
