//! The Universal Chess Interface: its words and the order in which they may come, both sides of it.
