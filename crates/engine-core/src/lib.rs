//! The laws of chess: board, legal moves, FEN, SAN, PGN, repetition, outcomes, perft.
