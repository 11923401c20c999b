//! The same on a real PostgreSQL, and with two coordinators that share it.

use end_to_end::Postgres;

use crate::house::{House, pairs};
use crate::malformed::every_value_in_every_place;
use crate::work::SCENARIOS;

#[test]
fn everything_is_the_same_on_postgresql() {
    let Some(postgres) = Postgres::start() else {
        return;
    };
    for (i, (_name, scenario)) in SCENARIOS.iter().enumerate() {
        scenario(House::on(Some(postgres.database(&format!("scenario{i}")))));
    }
    every_value_in_every_place(House::on(Some(postgres.database("malformed"))));
    two_coordinators_are_one(House::on(Some(postgres.database("two"))));
}

/// Four workers, each talking to one coordinator and then to the other.
fn two_coordinators_are_one(house: House) {
    const PAIRS: u64 = 60;
    let sibling = house.sibling();
    let test = house.admin().submit(&pairs(PAIRS));
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let doors = [house.admin(), sibling.admin()];
            scope.spawn(move || {
                for turn in 0usize.. {
                    let (here, there) = (&doors[turn % 2], &doors[(turn + 1) % 2]);
                    let claim = format!("{worker}-{turn}");
                    let Some(grant) = here.claim(&format!("w{worker}"), &claim) else {
                        break;
                    };
                    let range: Vec<u64> =
                        (grant.first_pair..grant.first_pair + grant.pairs).collect();
                    there.report(&grant.lease, &range);
                    here.report(&grant.lease, &range);
                }
            });
        }
    });
    for door in [house.admin(), sibling.admin()] {
        let shown = door.show(&test);
        assert_eq!(
            (&shown["pairs"], &shown["state"]),
            (&PAIRS.into(), &"finished".into())
        );
    }
}
