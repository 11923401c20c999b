//! Reading a SAN move from the front of a text.

use crate::{CastlingSide, File, Rank, Role, San, Square};

use super::PieceMove;

/// The move at the front of `text`, if it is one of the plain kind with a blank, line end or zero
/// behind it: perhaps a piece, at most one file or rank, perhaps an `x`, a square, perhaps one check
/// mark. Comes back with how many bytes it takes.
///
/// All but the rarest moves are of this kind. They are taken apart from their end, almost without a
/// branch, for which kind comes next cannot be predicted.
#[inline(always)]
pub(crate) fn scan_plain(text: &[u8; 8]) -> Option<(San, usize)> {
    // The mask changes nothing for text that passes the checks below; it saves bounds checks.
    let byte = |at: usize| text[at & 7];
    let blanks = bytes_below(u64::from_le_bytes(*text), b' ' + 1);
    let len = blanks.trailing_zeros() as usize / 8;
    let check = matches!(byte(len.wrapping_sub(1)), b'+' | b'#');
    let end = len.wrapping_sub(usize::from(check));
    let lead = LEADS[usize::from(byte(0))];
    // Where the square begins, and how much stands between it and the piece.
    let square = end.wrapping_sub(2);
    let between = square.wrapping_sub(usize::from(lead.is_letter));
    let capture = between != 0 && byte(square.wrapping_sub(1)) == b'x';
    let hints = between.wrapping_sub(usize::from(capture));
    if blanks == 0 || hints > 1 {
        return None;
    }
    let hint = if hints == 1 {
        byte(usize::from(lead.is_letter))
    } else {
        0
    };
    let (from_file, from_rank) = (FILES[usize::from(hint)], RANKS[usize::from(hint)]);
    if hints == 1 && from_file.is_none() && from_rank.is_none() {
        return None;
    }
    let to = Square::new(
        FILES[usize::from(byte(square))]?,
        RANKS[usize::from(byte(square + 1))]?,
    );
    let mv = PieceMove {
        role: lead.role?,
        from_file,
        from_rank,
        capture,
        to,
        promotion: None,
    };
    Some((San::Piece(mv), len))
}

/// What the first byte of a move says.
#[derive(Clone, Copy)]
struct Lead {
    role: Option<Role>,
    /// Whether it is a piece's letter, or else already part of a square.
    is_letter: bool,
}

static LEADS: [Lead; 256] = {
    let mut leads = [Lead {
        role: None,
        is_letter: false,
    }; 256];
    let mut file = b'a';
    while file <= b'h' {
        leads[file as usize].role = Some(Role::Pawn);
        file += 1;
    }
    let mut index = 1;
    while index < Role::ALL.len() {
        let role = Role::ALL[index];
        leads[role.upper_char() as usize] = Lead {
            role: Some(role),
            is_letter: true,
        };
        index += 1;
    }
    leads
};

static FILES: [Option<File>; 256] = {
    let mut files = [None; 256];
    let mut index = 0;
    while index < 8 {
        files[b'a' as usize + index] = Some(File::ALL[index]);
        index += 1;
    }
    files
};

static RANKS: [Option<Rank>; 256] = {
    let mut ranks = [None; 256];
    let mut index = 0;
    while index < 8 {
        ranks[b'1' as usize + index] = Some(Rank::ALL[index]);
        index += 1;
    }
    ranks
};

/// Marks bytes below `limit` with their highest bit. Above the lowest mark there may be false ones.
#[inline(always)]
fn bytes_below(word: u64, limit: u8) -> u64 {
    const ONES: u64 = u64::MAX / 0xFF;
    word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7)
}

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
    let (mut mv, mut end) = squares(text, start)?;
    mv.role = role;
    // Coordinates name no piece, so only the rank tells whether this may be a pawn.
    if mv.promotes()
        && let Some((becomes, len)) = promotion(&text[end..])
    {
        end += len;
        mv.promotion = Some(becomes);
    }
    Some((San::Piece(mv), end))
}

/// Files, ranks and capture marks up to the last square, the one a pawn or whatever goes to; and where
/// they end.
fn squares(text: &[u8], start: usize) -> Option<(PieceMove, usize)> {
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
    let mv = PieceMove {
        role: Role::Pawn,
        from_file: from_file.map(file_of),
        from_rank: from_rank.map(rank_of),
        capture,
        to: Square::new(file_of(file), rank_of(rank)),
        promotion: None,
    };
    Some((mv, end))
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
        b"--" | b"Z0" | b"<>" | b"null" | b"NULL" | b"pass" | b"@@@@" | b"0000"
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
