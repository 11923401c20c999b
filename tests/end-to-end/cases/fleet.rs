//! Where the cases about fleets are tested: by the tests of the crates that a fleet is made of.

/// Which test of which file answers a case.
pub(super) const TESTED: &[(&str, &str, &str)] = &[
    (
        "I02",
        COORDINATOR,
        "i02_a_worker_that_comes_back_is_itself_and_not_its_double",
    ),
    (
        "I02",
        "crates/coordinator/tests/it/doors.rs",
        "a_workers_name_is_its_owners",
    ),
    ("I03", LEASE, "only_plies_extend_a_lease"),
    ("I03", LEASE, "who_crawls_has_a_last_day_too"),
    ("I05", RECIPES, "a_recipe_is_carried_out_once"),
    ("I05", AGENT, PATIENT),
    (
        "I06",
        WORK,
        "a_lease_is_fetched_played_and_reported_pair_by_pair",
    ),
    (
        "I06",
        WORK,
        "a_file_that_the_coordinator_does_not_have_is_told",
    ),
    (
        "I09",
        COORDINATOR,
        "i09_results_of_another_test_are_refused",
    ),
    (
        "I10",
        "crates/match-core/tests/it/ledger.rs",
        "faults_are_counted_against_the_engine_at_fault",
    ),
    (
        "I11",
        COORDINATOR,
        "i11_a_heartbeat_brings_the_order_to_stop_when_there_is_nothing_to_report",
    ),
    ("I11", WORK, "a_test_that_is_stopped_is_played_no_more"),
    // A worker does not update itself. Whatever else fails each time is tried less and less often.
    ("I12", AGENT, PATIENT),
    (
        "I13",
        WORK,
        "what_cannot_be_reported_is_kept_and_reported_by_the_next_life",
    ),
    (
        "I13",
        "tests/end-to-end/siege.rs",
        "on_sqlite_the_totals_are_those_of_the_workers_journals",
    ),
    (
        "I14",
        WORK,
        "an_engine_that_crashes_loses_its_games_and_its_last_words_are_told",
    ),
    (
        "I15",
        WORK,
        "told_to_end_it_gives_the_rest_of_its_lease_back",
    ),
    (
        "I17",
        "crates/fleet-core/tests/it/cases.rs",
        "i17_no_opening_comes_again_before_the_book_is_exhausted",
    ),
    (
        "I18",
        "crates/match-core/tests/it/contest.rs",
        "faults_are_counted_for_each_engine_by_itself",
    ),
];

const COORDINATOR: &str = "crates/coordinator/tests/it/cases.rs";
const LEASE: &str = "crates/fleet-core/tests/it/lease.rs";
const AGENT: &str = "crates/fleet-core/tests/it/agent.rs";
const RECIPES: &str = "crates/worker/tests/it/recipes.rs";
const WORK: &str = "crates/worker/tests/it/work.rs";

const PATIENT: &str =
    "what_cannot_be_prepared_is_given_back_with_the_reason_and_tried_less_and_less_often";
