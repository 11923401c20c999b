//! Reading a SAN move from the front of a text.

use crate::{CastlingSide, File, Rank, Role, San, Square};

/// The move at the front of `text` and how many bytes it takes; check marks, glyphs and whatever
/// else follows are not looked at.
#[inline]
pub(crate) fn scan(text: &[u8]) -> Option<(San, usize)> {
    let (role, start) = match text.first()? {
        b'a'..=b'h' => (Role::Pawn, 0),
        b'N' => (Role::Knight, 1),
        b'B' => (Role::Bishop, 1),
        b'R' => (Role::Rook, 1),
        b'Q' => (Role::Queen, 1),
        b'K' => (Role::King, 1),
        b'P' => (Role::Pawn, 1),
        b'O' | b'0' | b'o' => return castling(text),
        _ => return None,
    };
    let squares = squares(text, start)?;
    let mut san = San::Piece {
        role,
        from_file: squares.from_file,
        from_rank: squares.from_rank,
        capture: squares.capture,
        to: squares.to,
        promotion: None,
    };
    let mut end = squares.end;
    // Coordinates name no piece, so only the rank tells whether this may be a pawn.
    if role == Role::Pawn
        && matches!(squares.to.rank(), Rank::First | Rank::Eighth)
        && let Some((becomes, len)) = promotion(&text[end..])
    {
        end += len;
        if let San::Piece { promotion, .. } = &mut san {
            *promotion = Some(becomes);
        }
    }
    Some((san, end))
}

struct Squares {
    from_file: Option<File>,
    from_rank: Option<Rank>,
    capture: bool,
    to: Square,
    end: usize,
}

/// Files, ranks and capture marks up to the last square: the square the move goes to.
#[inline(always)]
fn squares(text: &[u8], start: usize) -> Option<Squares> {
    let mut capture = false;
    let mut from_file = None;
    let mut from_rank = None;
    let mut file = None;
    let mut rank = None;
    let mut at = start;
    // Where the square that may be the last one ends: a file directly followed by a rank.
    let mut end = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'a'..=b'h' => {
                // Beyond a whole square and its origin a `b` begins something else: `axb8b`.
                if from_file.is_some() || (byte == b'b' && end == at && promotes(rank, text, at)) {
                    break;
                }
                from_file = file;
                file = Some(byte);
            }
            b'1'..=b'8' => {
                if from_rank.is_some() {
                    break;
                }
                from_rank = rank;
                rank = Some(byte);
                if at > start && matches!(text[at - 1], b'a'..=b'h') {
                    end = at + 1;
                }
            }
            b'x' | b':' => capture = true,
            b'-' if at > start => {}
            _ => break,
        }
        at += 1;
    }
    // The last thing read must be the end of a square.
    if end == 0 || end != at {
        return None;
    }
    let (file, rank) = (file?, rank?);
    Some(Squares {
        from_file: from_file.map(file_of),
        from_rank: from_rank.map(rank_of),
        capture,
        to: Square::new(file_of(file), rank_of(rank)),
        end,
    })
}

/// Whether a `b` at `at`, behind a whole square, is a bishop that a pawn becomes and not a file.
fn promotes(rank: Option<u8>, text: &[u8], at: usize) -> bool {
    matches!(rank, Some(b'1' | b'8')) && !matches!(text.get(at + 1), Some(b'1'..=b'8'))
}

#[inline(always)]
fn file_of(letter: u8) -> File {
    File::ALL[usize::from(letter.wrapping_sub(b'a') & 7)]
}

#[inline(always)]
fn rank_of(digit: u8) -> Rank {
    Rank::ALL[usize::from(digit.wrapping_sub(b'1') & 7)]
}

/// `=Q`, `Q`, `=q`, `q`, `(Q)` or `/Q` at the front of `text`, and how long it is.
fn promotion(text: &[u8]) -> Option<(Role, usize)> {
    let role = |letter: &u8| {
        Role::from_char(char::from(*letter)).filter(|role| Role::PROMOTIONS.contains(role))
    };
    match text {
        [b'(', letter, b')', ..] => Some((role(letter)?, 3)),
        [b'=' | b'/', letter, ..] => Some((role(letter)?, 2)),
        [letter, ..] => Some((role(letter)?, 1)),
        [] => None,
    }
}

fn castling(text: &[u8]) -> Option<(San, usize)> {
    let is_o = |at: usize| matches!(text.get(at), Some(b'O' | b'0' | b'o'));
    let is_dash = |at: usize| text.get(at) == Some(&b'-');
    if !(is_o(0) && is_dash(1) && is_o(2)) {
        return None;
    }
    Some(if is_dash(3) && is_o(4) {
        (San::Castling(CastlingSide::AFile), 5)
    } else {
        (San::Castling(CastlingSide::HFile), 3)
    })
}

/// Whether a word is one of the ways in which programs write a move that moves nothing.
pub(crate) fn is_null_move(word: &[u8]) -> bool {
    matches!(
        word,
        b"--" | b"Z0" | b"null" | b"NULL" | b"pass" | b"@@@@" | b"0000"
    )
}

/// Whether a word says that the move before it was a capture en passant.
pub(crate) fn is_en_passant_mark(word: &[u8]) -> bool {
    let glyphs = word
        .iter()
        .rposition(|byte| !b"+#!?".contains(byte))
        .map_or(0, |last| last + 1);
    matches!(&word[..glyphs], b"e.p." | b"e.p" | b"ep" | b"ep.")
}
