//! Whose fault it is that an engine was late.

use std::num::NonZeroUsize;
use std::time::Duration;

use match_core::blame::{Evidence, ThreadTime, waited_behind, waited_for_others};
use match_core::fault::Fault;

const fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Threads by the milliseconds that each ran and waited; what is left of the waiting, with so many CPUs.
#[track_caller]
fn check_waited(cpus: usize, threads: &[(u64, u64)], want: u64) {
    let threads: Vec<ThreadTime> = threads
        .iter()
        .map(|&(ran, waited)| ThreadTime {
            ran: ms(ran),
            waited: ms(waited),
        })
        .collect();
    let cpus = NonZeroUsize::new(cpus).expect("not 0");
    assert_eq!(waited_for_others(&threads, cpus), ms(want), "{threads:?}");
}

#[test]
fn waiting_behind_others_counts_in_full() {
    check_waited(1, &[(500, 500)], 500);
    // A thread that reads commands and one that thinks.
    check_waited(1, &[(0, 3), (490, 510)], 510);
    // Four threads on four cores, one of which has a stranger on it.
    check_waited(
        4,
        &[(1000, 0), (1000, 0), (500, 500), (1000, 0), (1, 2)],
        499,
    );
    check_waited(4, &[(500, 500), (500, 500), (500, 500), (500, 500)], 500);
    // It was there and never ran.
    check_waited(1, &[(0, 1000)], 1000);
}

#[test]
fn waiting_that_an_engine_can_have_made_itself_does_not_count() {
    check_waited(1, &[], 0);
    check_waited(1, &[(1000, 0)], 0);
    // Two busy threads and `Threads` is 1.
    check_waited(1, &[(500, 500), (500, 500)], 0);
    // A hundred.
    check_waited(1, &[(10, 990); 100], 0);
    // They sleep half of the time.
    check_waited(1, &[(250, 250), (250, 250)], 0);
    // One that always gives way to the other.
    check_waited(1, &[(900, 0), (0, 900)], 0);
    // Eight busy threads on the four CPUs of an engine with four.
    check_waited(4, &[(500, 500); 8], 0);
    check_waited(2, &[(500, 500); 3], 0);
}

#[test]
fn waiting_longer_than_the_own_threads_ran_counts_for_the_rest() {
    check_waited(1, &[(100, 800), (100, 800)], 700);
    check_waited(2, &[(100, 800), (100, 800)], 800);
    let cpus = NonZeroUsize::MIN;
    assert_eq!(waited_behind(ms(20), vec![ms(1), ms(2)], cpus), ms(17));
    assert_eq!(waited_behind(ms(20), vec![ms(100)], cpus), ms(0));
    assert_eq!(waited_behind(ms(20), vec![], cpus), ms(20));
}

fn time_loss(over: u64) -> Fault {
    Fault::TimeLoss { over: ms(over) }
}

fn stall() -> Fault {
    Fault::Stall {
        unanswered: "go".to_owned(),
    }
}

#[track_caller]
fn check(fault: Fault, evidence: Evidence, want: Option<&str>) {
    assert_eq!(evidence.excuse(&fault).as_deref(), want, "{evidence:?}");
}

#[test]
fn a_host_is_to_blame_that_withheld_as_much_as_the_engine_was_late() {
    let waited = |waited| Evidence {
        had: ms(1000),
        waited: ms(waited),
        ..Evidence::default()
    };
    let told = "time loss by 40 ms, and meanwhile the engine waited 40 ms for a CPU";
    check(time_loss(40), waited(40), Some(told));
    check(time_loss(40), waited(39), None);
    check(time_loss(40), waited(0), None);
    check(time_loss(0), waited(0), None);
    let stopped = Evidence {
        had: ms(1000),
        waited: ms(30),
        delayed: ms(50),
        stood_still: ms(2000),
        ..Evidence::default()
    };
    let told = "time loss by 2050 ms, and meanwhile arbiter waited 50 ms for a CPU, arbiter or the \
                whole machine stood still for 2000 ms";
    check(time_loss(2050), stopped, Some(told));
    check(time_loss(2051), stopped, None);
}

#[test]
fn an_engine_that_hangs_is_not_excused_by_a_little_waiting() {
    let hung = Evidence {
        had: ms(1000),
        silent: ms(1000),
        waited: ms(30),
        ..Evidence::default()
    };
    check(time_loss(1), hung, None);
    check(stall(), hung, None);
    let starved = Evidence {
        waited: ms(1001),
        ..hung
    };
    let told = "time loss by 1 ms, and meanwhile the engine waited 1001 ms for a CPU";
    check(time_loss(1), starved, Some(told));
    let told = "stall, no answer to `go`, and meanwhile the engine waited 1001 ms for a CPU";
    check(stall(), starved, Some(told));
}

#[test]
fn what_is_no_question_of_time_is_never_excused() {
    let starved = Evidence {
        had: ms(1000),
        waited: ms(1000),
        stood_still: ms(1000),
        ..Evidence::default()
    };
    check(Fault::Crash, starved, None);
    let text = "e2e5".to_owned();
    check(Fault::IllegalMove { text }, starved, None);
}

#[test]
fn an_opponent_that_does_not_rest_is_named() {
    let robbed = Evidence {
        had: ms(1000),
        waited: ms(500),
        opponent_ran: ms(480),
        ..Evidence::default()
    };
    let told = "time loss by 9 ms, and meanwhile the engine waited 500 ms for a CPU, its opponent ran \
                for 480 ms though it was not its turn";
    check(time_loss(9), robbed, Some(told));
}
