//! PGN, read as it is found and written as it should be.
//!
//! # Reading
//!
//! [`Reader`] takes bytes from anything that is [`std::io::Read`] and fills one [`RawGame`] after
//! the other: tags, moves as SAN describes them, and the result. Nothing is allocated per move, and
//! memory does not grow with the file. [`RawGame::replay`] then plays the moves under the laws of
//! chess. Tags alone are cheap ([`Reader::read_tags`]); comments are kept on demand
//! ([`Reader::with_comments`]).
//!
//! ```
//! use engine_core::pgn::{RawGame, Reader};
//!
//! let text = "[White \"Alpha\"]\n\n1. e4 {best by test} e5 (1... c5!?) 2. Qh5?! Ke7?? 3. Qxe5# 1-0";
//! let mut reader = Reader::new(text.as_bytes());
//! let mut raw = RawGame::new();
//! while reader.read_game(&mut raw)? {
//!     assert_eq!(raw.tags().get("White"), Some("Alpha"));
//!     let game = raw.replay()?;
//!     assert_eq!(game.plies(), 5);
//!     assert!(game.position().is_checkmate());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What is read without complaint: a byte order mark, CRLF and CR, Latin-1 (text that is not UTF-8),
//! control characters (as blanks), `;` comments, `%` lines, comments anywhere, nested variations,
//! NAGs and glyphs, move numbers in any form or none, blank lines too many or too few, unescaped
//! quotes in tag values, games without tags, without moves or without a result, and text between
//! games.
//!
//! What breaks a game, and that game alone: a word in the moves that is neither move nor number, an
//! illegal or ambiguous move, a null move, a comment or variation that is not closed, a tag that is
//! not closed, a FEN or variant that cannot be played, `SetUp "1"` without a FEN, more than
//! [`PLIES_MAX`] plies. [`PgnError`] names the game, the line and the reason. The moves before it
//! remain readable ([`RawGame::replay_into`]).
//!
//! Where a game begins: at a tag pair that follows a result or moves; at a tag that the game has
//! already, if it is `Event` or a blank line came before; at `Event` behind other tags and a blank
//! line, and there at any tag but `FEN`, `SetUp` and `Variant` if the game has both players and a
//! result; at `1.` after a result; at a move after a result and a blank line. A tag pair at the start
//! of a line after a blank line, and `[Event "` at the start of any line, also end a comment: the
//! brace was forgotten, and the games behind it shall not be lost with it.
//!
//! # Writing
//!
//! [`Writer`] appends one game to a `String`. [`check`] compares what a game says of its end with
//! the laws of chess.

pub mod check;
mod error;
mod raw_game;
mod reader;
mod replay;
mod result;
mod source;
mod tags;
mod writer;

pub use error::{PgnError, PgnErrorKind};
pub use raw_game::{Comment, RawGame};
pub use reader::Reader;
pub use replay::Start;
pub use result::{GameResult, GameResultError};
pub use tags::{ROSTER, Tags};
pub use writer::Writer;

/// How many plies of a game are read; longer games are broken.
///
/// Under the seventy-five-move rule no game is longer than 11,797 plies, and few tools keep to it.
pub const PLIES_MAX: usize = 1 << 16;
/// How much of the tags of a game is kept, in bytes of UTF-8. Beyond it only those survive that say
/// where the game starts and how it ended.
pub const TAGS_BYTES_MAX: usize = 1 << 20;
/// How many tags of a game are kept.
pub const TAGS_MAX: usize = 4096;
/// How much of a single tag's value is kept, in bytes.
pub const TAG_VALUE_BYTES_MAX: usize = 1 << 14;
/// How much of the comments of a game is kept, in bytes of UTF-8.
pub const COMMENTS_BYTES_MAX: usize = 1 << 20;
/// How many comments of a game are kept, and how many glyphs.
pub const COMMENTS_MAX: usize = 2 * PLIES_MAX;
