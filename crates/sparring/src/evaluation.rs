//! What a position is worth: material and where it stands, blended from middlegame to endgame.

use engine_core::{Bitboard, Color, File, Position, Rank, Role, Square};

mod squares;

use squares::{Tapered, WORTH, tapered};

/// The right to move next is worth something, in centipawns.
const TEMPO: i32 = 10;

/// Two bishops cover squares of both colours.
const BISHOP_PAIR: Tapered = tapered(25, 45);

/// A pawn that no enemy pawn can stop, by its rank as its own side counts.
const PASSED: [Tapered; 8] = [
    tapered(0, 0),
    tapered(0, 5),
    tapered(0, 10),
    tapered(5, 25),
    tapered(20, 50),
    tapered(40, 85),
    tapered(60, 130),
    tapered(0, 0),
];

/// How much of the middlegame each piece carries, pawn to king; 24 in all at the start.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
const PHASE_MAX: i32 = 24;

/// The worth of a position in centipawns, from the side to move's point of view.
pub fn evaluate(position: &Position) -> i32 {
    let mut balance = tapered(0, 0);
    let mut phase = 0;
    for role in Role::ALL {
        let index = role.index();
        for square in position.pieces(Color::White, role) {
            balance = balance + WORTH[index][square.index()];
            phase += PHASE[index];
        }
        for square in position.pieces(Color::Black, role) {
            balance = balance - WORTH[index][flipped(square)];
            phase += PHASE[index];
        }
    }
    balance = balance + structure(position, Color::White) - structure(position, Color::Black);

    let phase = phase.min(PHASE_MAX);
    let white = (balance.middle * phase + balance.end * (PHASE_MAX - phase)) / PHASE_MAX
        + chase(position, Color::White)
        - chase(position, Color::Black);
    TEMPO
        + match position.turn() {
            Color::White => white,
            Color::Black => -white,
        }
}

/// What pieces are worth together.
fn structure(position: &Position, color: Color) -> Tapered {
    let mut sum = tapered(0, 0);
    if position.pieces(color, Role::Bishop).several() {
        sum = sum + BISHOP_PAIR;
    }
    let enemy_pawns = position.pieces(!color, Role::Pawn);
    for pawn in position.pieces(color, Role::Pawn) {
        if (enemy_pawns & in_the_way(color, pawn)).is_empty() {
            sum = sum + PASSED[pawn.rank().relative_to(color).index()];
        }
    }
    sum
}

/// Against a bare king the own king must come near and drive it to the edge.
fn chase(position: &Position, color: Color) -> i32 {
    let hunted = position.king(!color);
    let alone = position.colored(!color) == Bitboard::from(hunted);
    if !alone || position.colored(color).count() == 1 {
        return 0;
    }
    let [file, rank] = [hunted.file().index(), hunted.rank().index()].map(|line| line as i32);
    let from_centre = (2 * file - 7).abs() + (2 * rank - 7).abs();
    let hunter = position.king(color);
    let apart =
        (hunter.file().index() as i32 - file).abs() + (hunter.rank().index() as i32 - rank).abs();
    10 * from_centre + 5 * (14 - apart)
}

/// The squares on which an enemy pawn could stop or capture a pawn of `color` on `square`.
fn in_the_way(color: Color, square: Square) -> Bitboard {
    let file = square.file().index();
    let files = File::ALL[file.saturating_sub(1)..=(file + 1).min(7)]
        .iter()
        .fold(Bitboard::EMPTY, |files, &file| {
            files | Bitboard::from_file(file)
        });
    files & ahead(color, square.rank())
}

/// The ranks in front of `rank` as `color` sees it.
const fn ahead(color: Color, rank: Rank) -> Bitboard {
    let rank = rank.index();
    Bitboard(match color {
        Color::White => !(u64::MAX >> (56 - 8 * rank)),
        Color::Black => !(u64::MAX << (8 * rank)),
    })
}

/// The number of the square that Black sees where White sees `square`.
const fn flipped(square: Square) -> usize {
    square.index() ^ 56
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(fen: &str) -> i32 {
        evaluate(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn both_sides_see_the_same_worth_with_opposite_sign() {
        let fen = "r1bq1rk1/ppp2ppp/5n2/2bp4/2NPP3/2P5/PP3PPP/RNBQK2R";
        let white = worth(&format!("{fen} w - - 0 9")) - TEMPO;
        let black = worth(&format!("{fen} b - - 0 9")) - TEMPO;
        assert_eq!(white, -black);
        assert_eq!(evaluate(&Position::startpos()), TEMPO);
    }

    #[test]
    fn a_position_seen_in_a_mirror_is_worth_the_same() {
        let white = worth("8/5k2/3p4/1p1P4/1P3K2/8/8/2B5 w - - 0 1");
        let black = worth("2b5/8/8/1p3k2/1P1p4/3P4/5K2/8 b - - 0 1");
        assert_eq!(white, black);
    }

    #[test]
    fn a_passed_pawn_is_worth_more_the_nearer_it_is_to_its_queen() {
        let far = worth("7k/8/8/8/8/P7/8/7K w - - 0 1");
        let near = worth("7k/8/P7/8/8/8/8/7K w - - 0 1");
        let stopped = worth("7k/1p6/P7/8/8/8/8/7K w - - 0 1");
        assert!(near > far + 50, "{near} {far}");
        assert!(stopped < far, "{stopped} {far}");
    }

    #[test]
    fn the_hunted_king_is_worth_least_in_the_corner() {
        let corner = worth("k7/8/2K5/8/8/8/8/7R w - - 0 1");
        let centre = worth("8/8/8/3k4/8/8/8/K6R w - - 0 1");
        assert!(corner > centre + 50, "{corner} {centre}");
    }
}
