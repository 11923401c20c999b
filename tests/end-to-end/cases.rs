//! Faults that users of other programs met, each with its right answer here: where each of the shared
//! cases is tested, and the tests of those that are about the whole program.

use std::collections::BTreeMap;
use std::fs;

use end_to_end::{Run, Stage, repository, shared};

mod adjudication;
mod books;
mod fleet;
mod process;
mod time;
mod uci;

/// Which test of which file answers a case.
const TESTED: &[(&str, &str, &str)] = &[
    (
        "A32",
        BOOKS,
        "a32_a_start_at_the_hundredth_ply_is_not_played",
    ),
    ("B31", UCI, "b31_the_last_comment_says_why_behind_a_comma"),
    ("B40", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    (
        "B40",
        VICES,
        "only_a_true_exact_score_of_the_best_line_is_believed",
    ),
    (
        "C01",
        "crates/match-core/tests/it/cases.rs",
        "c01_a_null_move_loses_with_moves_on_the_board",
    ),
    (
        "C01",
        VICES,
        "an_engine_that_plays_no_move_or_an_illegal_one_loses_by_it",
    ),
    (
        "C02",
        "crates/match-core/tests/it/cases.rs",
        "c02_a_promotion_in_upper_case_is_read",
    ),
    (
        "C02",
        GAME_FAULTS,
        "a_promotion_may_be_in_upper_case_and_is_passed_on_in_lower",
    ),
    ("C03", UCI, "c03_odd_options_spoil_no_good_one"),
    ("C05", UCI, "c05_only_a_button_is_set_without_a_value"),
    ("C06", UCI, "c06_talk_before_uci_is_no_answer_to_it"),
    ("C07", UCI, "c07_bytes_that_are_no_text_spoil_no_file"),
    (
        "C09",
        UCI,
        "c09_a_glued_readyok_is_none_and_waited_for_as_long_as_was_said",
    ),
    ("C10", UCI, "c10_a_bestmove_in_pieces_is_joined"),
    (
        "C10",
        FAULTS,
        "a_last_move_without_a_newline_counts_and_the_end_is_judged_at_the_next_turn",
    ),
    (
        "C13",
        "crates/uci/tests/it/cases.rs",
        "lines_that_others_misread_give_the_right_score_and_line",
    ),
    ("C13", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    (
        "C14",
        "crates/uci/tests/it/cases.rs",
        "lines_that_others_misread_give_the_right_score_and_line",
    ),
    (
        "C14",
        VICES,
        "only_a_true_exact_score_of_the_best_line_is_believed",
    ),
    ("C15", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    (
        "C15",
        RULINGS,
        "being_mated_is_lost_and_mate_nought_says_nothing",
    ),
    ("C16", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    ("C16", RULINGS, "a_missing_score_breaks_a_streak"),
    ("C17", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    (
        "C17",
        VICES,
        "only_a_true_exact_score_of_the_best_line_is_believed",
    ),
    ("C18", UCI, "c13_to_c18_scores_are_those_that_were_meant"),
    ("C19", UCI, "c19_getting_ready_is_on_no_clock"),
    ("C24", TIME, "c24_a_time_of_zero_is_refused_and_never_sent"),
    (
        "C25",
        "tests/end-to-end/wire.rs",
        "a_book_of_moves_is_told_in_one_position",
    ),
    ("C26", UCI, "c26_chess960_is_only_for_those_who_know_it"),
    ("C27", UCI, "c27_start_and_moves_are_in_step"),
    ("C28", UCI, "c28_a_flood_takes_no_memory"),
    ("C28", FAULTS, "a_line_of_a_megabyte_is_cut_and_named"),
    (
        "C29",
        UCI,
        "c29_stderr_is_drained_and_never_taken_for_an_answer",
    ),
    (
        "C29",
        VICES,
        "the_words_of_an_illegal_move_and_of_a_dying_engine_are_kept",
    ),
    (
        "C30",
        UCI,
        "c30_uci_is_said_once_and_isready_never_during_a_search",
    ),
    (
        "C31",
        UCI,
        "c31_an_engine_that_does_not_quit_changes_nothing",
    ),
    ("C32", UCI, "c32_an_end_is_seen_at_once_without_a_clock_too"),
    (
        "D01",
        "crates/match-core/tests/it/cases.rs",
        "d01_an_overrun_within_the_margin_leaves_the_increment",
    ),
    (
        "D01",
        TIME,
        "d01_an_overrun_within_the_margin_sends_no_negative_clock",
    ),
    (
        "D02",
        "crates/match-core/tests/it/cases.rs",
        "d02_moves_to_go_count_down_and_begin_again",
    ),
    ("D02", TIME, "d02_moves_to_go_begin_again_with_new_time"),
    ("D04", TIME, "d04_the_first_go_has_the_increment_in_it"),
    (
        "D09",
        TIME,
        "d01_an_overrun_within_the_margin_sends_no_negative_clock",
    ),
    (
        "D10",
        "tests/end-to-end/wire.rs",
        "all_limits_go_out_in_one_line",
    ),
    (
        "D10",
        "crates/match-core/tests/it/game_clocks.rs",
        "all_limits_go_out_together_and_the_clock_still_counts",
    ),
    (
        "D11",
        "tests/end-to-end/wire.rs",
        "clocks_are_always_told_both_and_are_never_zero",
    ),
    ("D12", TIME, "d12_several_stages_are_refused"),
    (
        "D14",
        "crates/match-core/tests/it/game_clocks.rs",
        "moves_to_go_are_the_movers_own",
    ),
    (
        "D14",
        "crates/match-core/tests/it/clock.rs",
        "the_flag_is_judged_before_a_new_period_brings_its_time",
    ),
    (
        "D15",
        "tests/end-to-end/host.rs",
        "a_game_in_which_everything_stood_still_is_void_and_played_again",
    ),
    ("E01", RULES, "e01_one_side_gives_up_unless_both_must_agree"),
    (
        "E04",
        RULES,
        "e04_a_draw_comes_at_the_same_move_whatever_the_book_is_of",
    ),
    (
        "E04",
        RULINGS,
        "a_book_of_moves_and_a_book_of_positions_are_ruled_alike",
    ),
    ("E07", RULES, "e07_a_mate_is_lost_and_no_draw"),
    ("E09", RULINGS, "tablebases_rule_what_they_know"),
    (
        "E09",
        RULINGS,
        "tablebases_are_asked_only_where_they_cannot_be_wrong",
    ),
    (
        "E09",
        RULES,
        "e09_a_win_that_the_fifty_move_rule_may_spoil_is_played_on",
    ),
    (
        "E11",
        RULES,
        "e11_results_that_are_not_wanted_are_played_on",
    ),
    ("E12", RULES, "e12_two_mates_against_each_other_are_told"),
    ("F01", BOOKS, "f01_f02_counters_are_read_in_either_form"),
    ("F02", BOOKS, "f01_f02_counters_are_read_in_either_form"),
    (
        "F03",
        BOOKS,
        "f03_blank_lines_comments_and_line_ends_make_no_difference",
    ),
    (
        "F03",
        BOOK,
        "a_book_with_nothing_in_it_is_an_error_that_says_why",
    ),
    ("F04", BOOKS, "f04_the_seed_decides_the_order"),
    (
        "F05",
        BOOKS,
        "f05_a_short_book_begins_again_and_that_is_said",
    ),
    (
        "F06",
        "crates/match-core/tests/it/schedule.rs",
        "workers_with_their_own_start_share_no_opening",
    ),
    (
        "F08",
        BOOKS,
        "f08_a_pair_has_its_opening_whoever_is_done_first",
    ),
    (
        "F09",
        BOOKS,
        "f09_without_a_book_chess960_has_all_its_starts",
    ),
    (
        "F10",
        BOOKS,
        "f10_memory_grows_with_neither_rounds_nor_book",
    ),
    ("F11", BOOKS, "f11_all_pairings_meet_in_the_same_openings"),
    (
        "F12",
        BOOKS,
        "f12_repetitions_in_a_book_are_counted_and_played",
    ),
    ("F13", BOOKS, "f13_a_game_without_moves_is_a_start"),
    (
        "F14",
        BOOKS,
        "f14_a_chess960_line_in_a_standard_book_is_not_played",
    ),
    (
        "H01",
        "tests/end-to-end/interrupts.rs",
        "engines_do_not_survive_the_sudden_death_of_arbiter",
    ),
    (
        "H03",
        "tests/end-to-end/interrupts.rs",
        "ctrl_c_ends_a_contest_within_a_second_though_the_engines_think",
    ),
    (
        "H03",
        "tests/end-to-end/resume.rs",
        "a_contest_of_thinkers_is_interrupted_at_once_and_can_be_resumed",
    ),
    (
        "H04",
        "tests/end-to-end/resume.rs",
        "after_ctrl_c_a_contest_is_resumed_with_all_its_settings",
    ),
    (
        "H05",
        "tests/end-to-end/paths.rs",
        "a_program_and_its_folder_may_have_blanks_in_their_names",
    ),
    (
        "H05",
        "tests/end-to-end/paths.rs",
        "a_relative_program_is_found_in_its_folder_and_runs_there",
    ),
    (
        "H05",
        "tests/end-to-end/paths.rs",
        "a_bare_name_is_looked_up_in_the_path",
    ),
    (
        "H05",
        "tests/end-to-end/paths.rs",
        "results_may_go_to_files_with_blanks_in_their_names",
    ),
    (
        "H07",
        "crates/match-runner/tests/it/cores.rs",
        "an_arm_server_without_ids_has_as_many_cores_as_cpus",
    ),
    (
        "H08",
        "tests/end-to-end/placement.rs",
        "only_cpus_that_are_ours_are_used",
    ),
    (
        "H08",
        "crates/match-runner/tests/it/cores.rs",
        "a_container_uses_its_own_cpus_only",
    ),
    (
        "H09",
        "tests/end-to-end/growth.rs",
        "thousands_of_games_of_one_ply_take_no_more_memory_than_hundreds",
    ),
    (
        "H10",
        PROCESS,
        "h10_a_contest_that_was_not_played_to_its_end_does_not_end_with_0",
    ),
    ("H12", PROCESS, "h12_lines_of_many_slots_are_whole"),
    (
        "H13",
        PROCESS,
        "h13_who_crashed_is_started_again_and_nobody_else",
    ),
    (
        "H14",
        "tests/end-to-end/matches.rs",
        "everybody_meets_everybody_or_the_first_meets_the_others",
    ),
];

const UCI: &str = "tests/end-to-end/cases/uci.rs";
const TIME: &str = "tests/end-to-end/cases/time.rs";
const RULES: &str = "tests/end-to-end/cases/adjudication.rs";
const BOOKS: &str = "tests/end-to-end/cases/books.rs";
const PROCESS: &str = "tests/end-to-end/cases/process.rs";
const VICES: &str = "tests/end-to-end/vices.rs";
const FAULTS: &str = "crates/match-runner/tests/it/faults.rs";
const GAME_FAULTS: &str = "crates/match-core/tests/it/game_faults.rs";
const RULINGS: &str = "crates/match-core/tests/it/adjudication.rs";
const BOOK: &str = "crates/book/tests/it/books.rs";

/// The files of cases that are listed above; those of the laws, of PGN and of statistics are gone
/// through as a whole by the tests of their crates.
const FILES: [&str; 6] = ["uci", "time", "adjudication", "books", "process", "fleet"];

#[test]
fn every_case_is_tested() {
    let mut tests: BTreeMap<&str, usize> = BTreeMap::new();
    for &(id, file, test) in TESTED.iter().chain(fleet::TESTED) {
        let text = fs::read_to_string(repository().join(file));
        let text = text.unwrap_or_else(|error| panic!("`{file}`: {error}"));
        let test = format!("\nfn {test}() {{\n");
        assert!(text.contains(&test), "{id}: no `{test}` in `{file}`");
        *tests.entry(id).or_default() += 1;
    }
    for name in FILES {
        let Some(path) = shared(&format!("cases/{name}.jsonl")) else {
            return;
        };
        for line in fs::read_to_string(path).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let id = case["id"].as_str().unwrap();
            assert!(tests.contains_key(id), "{id} is tested nowhere: {line}");
        }
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A contest at one slot of a random mover with arguments (such as vices) and words (such as a
/// limit), which writes down what it is told, against a good one.
fn contest(stage: &Stage, args: &str, engine: &str, words: &[&str]) -> Run {
    let program = stage.write_script("listener", "tee -a heard | arbiter sparring \"$@\"");
    let odd = format!("--engine=name=odd {engine} cmd={program} args='--random {args}'");
    let good = "--engine=name=good cmd=sparring args='--random --seed=4'";
    let always = [&odd, good, "--each=tc=60+1", "--concurrency=1"];
    stage.play(&[&always, words].concat())
}

/// What the listener was told.
fn heard(stage: &Stage) -> Vec<String> {
    stage.read("heard").lines().map(str::to_owned).collect()
}

/// The number after `key` in a line.
fn number(line: &str, key: &str) -> Option<i64> {
    let mut words = line.split(' ').skip_while(|&word| word != key);
    words.nth(1)?.parse().ok()
}

/// All faults of both engines.
#[track_caller]
fn expect_no_fault(stage: &Stage) {
    let summary = stage.summary();
    for engine in summary["engines"].as_array().unwrap() {
        for fault in ["time_losses", "crashes", "stalls", "illegal_moves"] {
            assert_eq!(engine[fault], 0, "{summary}");
        }
    }
    stage.arbiter(&["pgn", "check", "games.pgn"]).expect(0);
}
