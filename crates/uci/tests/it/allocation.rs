//! Engines print thousands of lines a move, and none of them may cost memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use uci::{Command, Go, Heard, Session};

/// Counts the allocations of each thread, so that tests that run beside do not matter.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[expect(
    unsafe_code,
    reason = "an allocator is the only way to count allocations; it only forwards"
)]
// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _thread_is_ending = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps to the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` came from `alloc` above with this layout.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[test]
fn a_line_of_a_search_allocates_nothing() {
    let mut session = Session::new().capturing_pv(true);
    let mut out = Vec::new();
    session.send(&Command::Uci, &mut out).unwrap();
    session.receive(b"uciok").unwrap();
    session.send(&Command::Go(Go::default()), &mut out).unwrap();
    let long = format!(
        "info depth 30 score cp 12 nodes 12345 nps 678 pv {}",
        "e2e4 e7e5 ".repeat(60)
    );
    session.receive(long.as_bytes()).unwrap();

    let before = ALLOCATIONS.get();
    for _ in 0..1000 {
        for line in [
            long.as_str(),
            "info depth 31 currmove e2e4 currmovenumber 3",
            "info multipv 2 score cp -5 pv a2a3",
            "info string score cp 5",
            "info score cp 99999999999999999999 nodes -1",
            "debug output of no meaning",
        ] {
            assert_eq!(session.receive(line.as_bytes()), Ok(Heard::Nothing));
        }
        assert!(session.receive(b"readyok").is_err());
    }
    assert_eq!(ALLOCATIONS.get() - before, 0);
}
