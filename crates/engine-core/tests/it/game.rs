//! Repetition, the endings and their order.

use engine_core::{CastlingStyle, Color, Ending, FlagPolicy, Game, Outcome, Position, flag_fall};
use serde_json::Value;

use crate::shared;

fn game(fen: &str) -> Game {
    Game::new(fen.parse().expect("a legal position"))
}

#[track_caller]
fn play(game: &mut Game, sans: &str) {
    for san in sans.split_whitespace() {
        let mv = game.position().parse_san(san).expect(san);
        game.play(mv).expect("a legal move");
    }
}

/// The game after these moves in SAN ends like this.
#[track_caller]
fn check(fen: &str, sans: &str, ending: Option<Ending>) {
    let mut game = game(fen);
    play(&mut game, sans);
    assert_eq!(game.ending(), ending, "{:?}", game.position());
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn the_cases_about_games_have_the_right_answer() {
    let Some(cases) = shared::read("cases/rules.jsonl") else {
        return;
    };
    let mut asked = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a line of JSON");
        let id = case["id"].as_str().expect("an id").to_owned();
        if check_case(&id, &case["data"]) {
            asked.push(id);
        }
    }
    let wanted = ["A01", "A18", "A22", "A27", "A29", "A30", "A31"];
    assert_eq!(asked, wanted);
}

fn check_case(id: &str, data: &Value) -> bool {
    let fen = data["fen"].as_str().unwrap_or(START);
    let after = |uci: &Value| {
        let mut game = game(fen);
        let mv = game
            .position()
            .parse_uci(uci.as_str().expect("a move"), CastlingStyle::Standard)
            .expect("a legal move");
        game.play(mv).expect("a legal move");
        game
    };
    match id {
        "A01" => {
            let position: Position = fen.parse().expect("legal");
            let castling = position
                .parse_uci(
                    data["move"].as_str().expect("a move"),
                    CastlingStyle::Chess960,
                )
                .expect("castling");
            assert_eq!(position.san(castling), data["san"].as_str().expect("SAN"));
        }
        "A18" => {
            let sans = data["san"].as_str().expect("moves");
            assert_eq!(
                first_threefold(fen, sans),
                data["first_threefold_ply"].as_u64()
            );
        }
        "A22" => {
            let sans = SHUFFLE.repeat(2);
            assert_eq!(
                first_threefold(fen, &sans),
                data["first_threefold_ply"].as_u64()
            );
        }
        "A27" => {
            let ending = after(&data["move"]).ending().expect("an end");
            assert_eq!(ending, Ending::InsufficientMaterial);
            assert_eq!(
                ending.outcome().as_pgn(),
                data["result"].as_str().expect("a result")
            );
        }
        "A29" => {
            let ending = after(&data["move"]).ending().expect("an end");
            assert_eq!(
                ending.outcome().as_pgn(),
                data["result"].as_str().expect("a result")
            );
        }
        "A30" => {
            for uci in data["moves"].as_array().expect("moves") {
                assert_eq!(after(uci).ending(), Some(Ending::FiftyMoveRule));
            }
        }
        "A31" => assert_eq!(game(fen).ending(), None),
        _ => return false,
    }
    true
}

/// The first ply after which the game ends by threefold repetition.
fn first_threefold(fen: &str, sans: &str) -> Option<u64> {
    let mut game = game(fen);
    for (index, san) in sans.split_whitespace().enumerate() {
        play(&mut game, san);
        if game.ending() == Some(Ending::ThreefoldRepetition) {
            return Some(index as u64 + 1);
        }
    }
    None
}

#[test]
fn the_start_position_is_the_first_occurrence() {
    check(START, SHUFFLE, None);
    check(START, &SHUFFLE.repeat(2), Some(Ending::ThreefoldRepetition));
    check(START, &SHUFFLE.repeat(3), Some(Ending::ThreefoldRepetition));
    check(START, &SHUFFLE.repeat(4), Some(Ending::FivefoldRepetition));
}

#[test]
fn only_fivefold_repetition_and_seventy_five_moves_need_no_claim() {
    let mut repeated = Game::default();
    play(&mut repeated, &SHUFFLE.repeat(3));
    assert_eq!(repeated.forced_ending(), None);
    play(&mut repeated, SHUFFLE);
    assert_eq!(repeated.forced_ending(), Some(Ending::FivefoldRepetition));

    let fifty = game("8/8/8/8/8/4k3/8/R3K3 w - - 100 90");
    assert_eq!(fifty.ending(), Some(Ending::FiftyMoveRule));
    assert_eq!(fifty.forced_ending(), None);
    let seventy_five = game("8/8/8/8/8/4k3/8/R3K3 w - - 150 90");
    assert_eq!(seventy_five.ending(), Some(Ending::SeventyFiveMoveRule));
    assert_eq!(
        seventy_five.forced_ending(),
        Some(Ending::SeventyFiveMoveRule)
    );
}

#[test]
fn lost_castling_rights_and_a_lost_en_passant_capture_make_another_position() {
    let rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let shuffle = "Ra2 Ra7 Ra1 Ra8 ";
    // The first occurrence had rights that are gone for ever after the first move.
    check(rooks, &shuffle.repeat(2), None);
    check(rooks, &shuffle.repeat(3), Some(Ending::ThreefoldRepetition));

    let passed = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
    let shuffle = "Kd1 Kd8 Ke1 Ke8 ";
    check(passed, &shuffle.repeat(2), None);
    check(
        passed,
        &shuffle.repeat(3),
        Some(Ending::ThreefoldRepetition),
    );
}

#[test]
fn a_stalemate_or_bare_kings_come_before_the_counters() {
    // King takes the last pawn with the clock far gone: the capture resets it.
    check(
        "8/8/8/8/8/3k4/3p4/3K4 w - - 99 90",
        "",
        Some(Ending::Stalemate),
    );
    check(
        "7k/8/6K1/8/8/8/8/5Q2 w - - 99 120",
        "Qf7",
        Some(Ending::Stalemate),
    );
    check(
        "7k/8/6K1/8/8/8/8/8 w - - 99 120",
        "Kf6",
        Some(Ending::InsufficientMaterial),
    );
}

#[test]
fn a_game_goes_on_until_something_ends_it() {
    check(START, "e4 e5 Qh5 Nc6 Bc4 Nf6", None);
    check(
        START,
        "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7",
        Some(Ending::Checkmate {
            winner: Color::White,
        }),
    );
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game = Game::default();
    let before = game.clone();
    let knight = game.position().parse_san("Nf3").expect("legal");
    game.play(knight).expect("legal");
    game.play(knight).expect_err("the knight has left");
    assert_eq!(game.plies(), 1);
    game.restart(Position::startpos());
    assert_eq!(game, before);
}

#[test]
fn every_ending_has_its_score_and_its_name() {
    let white = Outcome::win(Color::White);
    let endings = [
        (
            Ending::Checkmate {
                winner: Color::White,
            },
            white,
            "checkmate",
        ),
        (Ending::Stalemate, Outcome::Draw, "stalemate"),
        (
            Ending::ThreefoldRepetition,
            Outcome::Draw,
            "threefold repetition",
        ),
        (
            Ending::FivefoldRepetition,
            Outcome::Draw,
            "fivefold repetition",
        ),
        (Ending::FiftyMoveRule, Outcome::Draw, "fifty-move rule"),
        (
            Ending::SeventyFiveMoveRule,
            Outcome::Draw,
            "seventy-five-move rule",
        ),
        (
            Ending::InsufficientMaterial,
            Outcome::Draw,
            "insufficient material",
        ),
        (
            Ending::Resignation {
                loser: Color::Black,
            },
            white,
            "resignation",
        ),
        (Ending::Agreement, Outcome::Draw, "agreement"),
        (
            Ending::TimeForfeit {
                loser: Color::Black,
                outcome: white,
            },
            white,
            "time loss",
        ),
    ];
    for (ending, outcome, name) in endings {
        assert_eq!((ending.outcome(), ending.name()), (outcome, name));
    }
    assert_eq!(white.winner(), Some(Color::White));
    assert_eq!(white.to_string(), "1-0");
}

#[test]
fn a_flag_fall_is_a_draw_against_who_cannot_win() {
    use FlagPolicy::{BareKing, CannotMate, Loss};
    let check = |fen: &str, policy, expected: &str| {
        let position = fen.parse().expect("a legal position");
        let outcome = flag_fall(&position, Color::White, policy);
        assert_eq!(outcome.as_pgn(), expected, "{fen} {policy}");
    };
    let bare = "3k4/8/8/8/8/8/4Q3/4K3 w - - 0 1";
    check(bare, BareKing, "1/2-1/2");
    check(bare, CannotMate, "1/2-1/2");
    check(bare, Loss, "0-1");
    // A lone knight mates only with the help of something but a queen.
    let against_queen = "3k2n1/8/8/8/8/8/4Q3/4K3 w - - 0 1";
    check(against_queen, BareKing, "0-1");
    check(against_queen, CannotMate, "1/2-1/2");
    let against_pawn = "4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1";
    check(against_pawn, CannotMate, "0-1");
    let two_knights = "3k2nn/8/8/8/8/8/4Q3/4K3 w - - 0 1";
    check(two_knights, CannotMate, "0-1");
}

#[test]
fn flag_policies_are_named_in_options() {
    for policy in FlagPolicy::ALL {
        assert_eq!(policy.to_string().parse(), Ok(policy));
    }
    let error = "bare king".parse::<FlagPolicy>().expect_err("no hyphen");
    assert_eq!(
        error.to_string(),
        "a flag policy is `bare-king`, `cannot-mate` or `loss`"
    );
}
