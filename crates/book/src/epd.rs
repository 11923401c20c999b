//! A position a line: EPD and FEN, in any mixture.

use std::num::NonZeroU32;

use engine_core::{FenError, Position, PositionError, Setup};
use thiserror::Error;

/// Why a line is no position.
#[derive(Debug, Error)]
pub(crate) enum EpdError {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("`{opcode} {operand}` is no counter: expected a number from 0 to {max}")]
    Counter {
        opcode: &'static str,
        operand: String,
        max: u32,
    },
    #[error("`{0}` follows the position and is no EPD operation")]
    Operation(String),
}

/// Whether a line holds nothing: it is blank or a comment.
pub(crate) fn is_blank(line: &str) -> bool {
    let line = line.trim_ascii_start();
    line.is_empty() || line.starts_with('#')
}

/// Reads the position of a line.
///
/// After the four fields may come FEN's two counters, EPD's operations, or both. Of the operations
/// `hmvc` (half-move clock) and `fmvn` (move number) are read, and they win over the counters; all
/// others are skipped. A `;` too many or too few is forgiven.
pub(crate) fn read(line: &str) -> Result<Position, EpdError> {
    // Most lines are nothing but a FEN, and large books are made of them.
    if !line.as_bytes().contains(&b';')
        && let Ok(setup) = Setup::from_fen(line)
    {
        return Ok(Position::from_setup(&setup)?);
    }
    let (fields, operations) = split(line);
    let mut setup = Setup::from_fen(fields)?;
    operate(operations, &mut setup)?;
    Ok(Position::from_setup(&setup)?)
}

/// Carries out EPD's operations.
fn operate(operations: &str, setup: &mut Setup) -> Result<(), EpdError> {
    for operation in Operations(operations) {
        let (opcode, operand) = operation.split_once([' ', '\t']).unwrap_or((operation, ""));
        let operand = operand.trim_ascii();
        match opcode {
            "hmvc" => setup.halfmove_clock = counter("hmvc", operand, u16::MAX.into())? as u16,
            "fmvn" => {
                let number = counter("fmvn", operand, u32::MAX)?;
                // As with FEN: some programs count from 0.
                setup.fullmove_number = NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
            }
            _ if opcode.starts_with(|first: char| first.is_ascii_alphabetic()) => {}
            _ => return Err(EpdError::Operation(operation.to_owned())),
        }
    }
    Ok(())
}

fn counter(opcode: &'static str, operand: &str, max: u32) -> Result<u32, EpdError> {
    let number = operand.parse().ok().filter(|&number| number <= max);
    number.ok_or_else(|| EpdError::Counter {
        opcode,
        operand: operand.to_owned(),
        max,
    })
}

/// The fields of the position, counters included, and what follows them.
fn split(line: &str) -> (&str, &str) {
    let bytes = line.as_bytes();
    let find = |from: usize, is: fn(&u8) -> bool| {
        bytes[from..]
            .iter()
            .position(is)
            .map_or(bytes.len(), |offset| from + offset)
    };
    let mut end = 0;
    for field in 0..6 {
        let word = find(end, |byte| !byte.is_ascii_whitespace());
        let word_end = find(word, |byte| byte.is_ascii_whitespace() || *byte == b';');
        let is_counter = || bytes[word..word_end].iter().all(u8::is_ascii_digit);
        if word == word_end || (field >= 4 && !is_counter()) {
            break;
        }
        end = word_end;
    }
    line.split_at(end)
}

/// The operations of an EPD: separated by `;`, but not by those in quotes.
struct Operations<'a>(&'a str);

impl<'a> Iterator for Operations<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            if self.0.is_empty() {
                return None;
            }
            let mut quoted = false;
            let end = self.0.bytes().position(|byte| {
                quoted ^= byte == b'"';
                byte == b';' && !quoted
            });
            let (operation, rest) = match end {
                Some(end) => (&self.0[..end], &self.0[end + 1..]),
                None => (self.0, ""),
            };
            self.0 = rest;
            let operation = operation.trim_ascii();
            if !operation.is_empty() {
                return Some(operation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BOARD: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

    /// What a line means, as FEN without the board, or a part of the complaint.
    #[track_caller]
    fn check(rest: &str, want: Result<&str, &str>) {
        let got = read(&format!("{BOARD}{rest}"));
        match (got, want) {
            (Ok(position), Ok(want)) => assert_eq!(position.fen(), format!("{BOARD}{want}")),
            (Err(error), Err(want)) => {
                let text = error.to_string();
                assert!(text.contains(want), "`{text}` does not say `{want}`");
            }
            (got, want) => panic!("{rest}: got {got:?}, want {want:?}"),
        }
    }

    #[test]
    fn counters_come_from_the_fen_from_the_operations_or_from_nowhere() {
        check(" w KQkq - 2 3", Ok(" w KQkq - 2 3"));
        check(" w KQkq - hmvc 2; fmvn 3;", Ok(" w KQkq - 2 3"));
        check(" w KQkq - fmvn 3; hmvc 2;", Ok(" w KQkq - 2 3"));
        check(" w KQkq -", Ok(" w KQkq - 0 1"));
        check(" w KQkq - 2", Ok(" w KQkq - 2 1"));
    }

    #[test]
    fn counters_and_operations_may_stand_together_and_the_operations_win() {
        check(" w KQkq - 2 3 bm Bb5; id \"mixed.1\";", Ok(" w KQkq - 2 3"));
        check(" w KQkq - 0 1 fmvn 9;", Ok(" w KQkq - 0 9"));
    }

    #[test]
    fn semicolons_may_be_missing_or_too_many() {
        check(" w KQkq - 0 1;", Ok(" w KQkq - 0 1"));
        check(" w KQkq -;", Ok(" w KQkq - 0 1"));
        check(" w KQkq - 2 3 ; ;", Ok(" w KQkq - 2 3"));
        check(" w KQkq - 4 3;D1 21;D2 419", Ok(" w KQkq - 4 3"));
        check(" w KQkq - hmvc 2; fmvn 3", Ok(" w KQkq - 2 3"));
    }

    #[test]
    fn a_semicolon_in_quotes_separates_nothing() {
        check(
            " w KQkq - id \"a; hmvc x; b\"; fmvn 7;",
            Ok(" w KQkq - 0 7"),
        );
    }

    #[test]
    fn what_is_no_position_is_said() {
        check(" w KQkq - hmvc many;", Err("`hmvc many`"));
        check(" w KQkq - 0 1 2", Err("`2`"));
        check(" x KQkq -", Err("`x`"));
        check("", Err("side to move"));
    }

    proptest! {
        #[test]
        fn whatever_stands_behind_a_position_is_read_or_refused(rest in "[ -~]{0,60}") {
            let line = format!("{BOARD} w KQkq - {rest}");
            if let Ok(position) = read(&line) {
                prop_assert!(position.fen().starts_with(BOARD));
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in ".{0,80}") {
            let _either_is_fine = read(&text).is_ok() || is_blank(&text);
        }
    }
}
