use proptest::prelude::*;
use stats::{Pentanomial, Trinomial, Undefined};

#[test]
fn games_are_twice_the_pairs() {
    let pentanomial = Pentanomial([18, 5172, 15_167, 5043, 16]);
    assert_eq!(pentanomial.pairs(), 25_416);
    assert_eq!(pentanomial.games(), 50_832);
}

#[test]
fn ratios_are_shares_of_pairs() {
    let pentanomial = Pentanomial([1, 3, 10, 4, 2]);
    assert_eq!(pentanomial.draw_ratio(), Ok(0.5));
    assert_eq!(pentanomial.pairs_ratio(), Ok(1.5));
    assert_eq!(Pentanomial::default().draw_ratio(), Err(Undefined::NoGames));
    assert_eq!(
        Pentanomial::default().pairs_ratio(),
        Err(Undefined::NoGames)
    );
    assert_eq!(
        Pentanomial([0, 0, 0, 0, 40]).pairs_ratio(),
        Err(Undefined::NoLostPairs)
    );
}

#[test]
fn counts_are_read_with_or_without_brackets() {
    let want = Pentanomial([39, 8843, 26_675, 9240, 44]);
    assert_eq!("39,8843,26675,9240,44".parse(), Ok(want));
    assert_eq!(" [39, 8843, 26675, 9240, 44] ".parse(), Ok(want));
    assert_eq!(
        "5,3,2".parse(),
        Ok(Trinomial {
            wins: 5,
            draws: 3,
            losses: 2
        })
    );
}

#[test]
fn bad_counts_are_refused_with_the_reason() {
    let refusal = |text: &str| text.parse::<Pentanomial>().unwrap_err().to_string();
    assert_eq!(
        refusal("1,2,3"),
        "`1,2,3` has 3 counts: a pentanomial has 5, LL,LD,DD+WL,WD,WW"
    );
    for (text, part) in [
        ("1,2,-3,4,5", "-3"),
        ("1,2,x,4,5", "x"),
        ("1,2,,4,5", ""),
        ("1,2,3,4,5e9", "5e9"),
    ] {
        assert_eq!(
            refusal(text),
            format!(
                "`{part}` is not a count of pairs: allowed are whole numbers from 0 to 1000000000000"
            )
        );
    }
    assert!(
        "1,2"
            .parse::<Trinomial>()
            .unwrap_err()
            .to_string()
            .contains("W,D,L")
    );
    assert!("99999999999999999999,2,3".parse::<Trinomial>().is_err());
}

proptest! {
    #[test]
    fn what_is_shown_can_be_read(counts in prop::array::uniform5(0u64..=1_000_000_000_000)) {
        prop_assert_eq!(Pentanomial(counts).to_string().parse(), Ok(Pentanomial(counts)));
    }

    #[test]
    fn counting_is_adding(before in prop::array::uniform5(0u64..1000), half_points in 0usize..5) {
        let mut one = Pentanomial::default();
        one.count(half_points);
        let mut counted = Pentanomial(before);
        counted.count(half_points);
        prop_assert_eq!(counted, Pentanomial(before) + one);
    }
}
