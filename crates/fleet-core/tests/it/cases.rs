//! Faults that users of other fleets met, each with its right answer here.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use fleet_core::allotment::Allotment;
use fleet_core::standing::Standing;
use fleet_core::test_spec::TestSpec;
use match_core::fixture::PairNumber;

#[test]
fn i17_no_opening_comes_again_before_the_book_is_exhausted() {
    // As large as in the report: batches of 50 pairs, each drawn by chance, repeated openings.
    const BOOK: u64 = 50_000;
    const BATCHES: u64 = 200;
    let hash = "ab".repeat(32);
    let text = format!(
        "pairs = {BOOK}\nseed = 7\n[each]\nnodes = 100\n[[engine]]\ncmd = \"sparring:1\"\n[[engine]]\n\
         cmd = \"sparring:2\"\n[openings]\nfile = \"b.epd\"\norder = \"random\"\n[fleet.artifacts]\n\
         \"b.epd\" = \"{hash}\"\n"
    );
    let test = TestSpec::parse(&text).expect("a test");
    let standing = Standing::new(&test.spec, NonZeroU64::new(BOOK).expect("not 0"));
    let schedule = standing.schedule();
    let mut allotment = Allotment::new(0, BOOK, Vec::new());
    let mut drawn = BTreeSet::new();
    for batch in 0..BATCHES {
        let mut range = allotment.lend(50).expect("there are more");
        // Some come back, and are lent again.
        if batch % 7 == 0 {
            allotment = Allotment::new(range.end(), BOOK, vec![range]);
            range = allotment.lend(50).expect("there are more");
        }
        for pair in range.first..range.end() {
            let [first, second] = PairNumber(pair).games();
            let opening = schedule.fixture(first).opening;
            assert_eq!(opening, schedule.fixture(second).opening);
            assert!(drawn.insert(opening), "pair {pair} has an opening that was");
        }
    }
    assert_eq!(drawn.len() as u64, 50 * BATCHES);
}
