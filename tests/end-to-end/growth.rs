//! However many games and slots: neither memory nor descriptors grow.

use std::fs;

use end_to_end::{Running, Stage};

/// Black to be mated by the one move that a search of depth 1 finds.
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -\n";

/// More than a page table and an allocator's mood; a leak of 1 kB a game would be ten times that.
const GROWTH_KB: u64 = 3072;

/// What waits to be written, of many slots on a crowded machine, before no more games are begun.
const WAITING_KB: u64 = 16 * 1024;

/// Kilobytes in memory, and open descriptors.
fn size(running: &Running<'_>) -> (u64, usize) {
    let process = format!("/proc/{}", running.pid());
    let status = fs::read_to_string(format!("{process}/status")).unwrap_or_default();
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = resident.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok());
    let descriptors = fs::read_dir(format!("{process}/fd")).map_or(0, Iterator::count);
    (kilobytes.expect("it runs"), descriptors)
}

/// How long the PGN is. (Its text would have to be read again and again, which is most of the work.)
fn written(stage: &Stage) -> u64 {
    fs::metadata(stage.path("games.pgn")).map_or(0, |metadata| metadata.len())
}

/// A game of one ply takes some bytes more than this.
const GAME_BYTES: u64 = 400;

/// Case H09.
#[test]
fn thousands_of_games_of_one_ply_take_no_more_memory_than_hundreds() {
    let stage = Stage::default();
    stage.write("mate.epd", MATE_IN_ONE);
    let running = stage.start_play(&[
        "--engine=name=a cmd=sparring",
        "--engine=name=b cmd=sparring",
        "--each=depth=1",
        "--openings=mate.epd",
        "--pairs=2000",
        "--concurrency=2",
        "--quiet",
    ]);
    stage.wait_until("hundreds of games", || written(&stage) >= 500 * GAME_BYTES);
    let (early, descriptors) = size(&running);
    stage.wait_until("thousands of games", || {
        written(&stage) >= 3500 * GAME_BYTES
    });
    let (late, descriptors_late) = size(&running);
    running.finish().expect(0);
    assert!(late < early + GROWTH_KB, "{early} kB became {late} kB");
    assert_eq!(descriptors_late, descriptors);
    let games = stage.games();
    assert_eq!(games.len(), 4000);
    assert!(games.iter().all(|game| game.moves() == ["Ra8#"]));
}

#[test]
fn many_slots_stay_as_large_as_they_are() {
    let stage = Stage::default();
    let running = stage.start_play(&[
        "--engine=name=a cmd=sparring args=--random",
        "--engine=name=b cmd=sparring args='--random --seed 2'",
        "--each=tc=600+10",
        "--patience=startup=120",
        "--pairs=100000",
        "--concurrency=30",
        "--quiet",
    ]);
    stage.wait_until("all slots to have played", || written(&stage) >= 4_000_000);
    let (early, descriptors) = size(&running);
    stage.wait_until("them to have played often", || {
        written(&stage) >= 10_000_000
    });
    let (late, descriptors_late) = size(&running);
    running.signal(rustix::process::Signal::INT);
    running.finish().expect(130);
    assert!(
        late < early + GROWTH_KB + WAITING_KB,
        "{early} kB became {late} kB"
    );
    assert!(
        descriptors_late <= descriptors + 4,
        "{descriptors} became {descriptors_late}"
    );
}
