//! What follows from what hosts find.

use std::time::Duration;

use fleet_core::timestamp::Timestamp;
use fleet_core::trial::{FOREVER, Finding, Judgement, Trial, judge};
use proptest::prelude::*;

fn bench(found: u64) -> Finding {
    Finding::Bench {
        engine: "new".to_owned(),
        expected: 7,
        found,
    }
}

fn build() -> Finding {
    Finding::Build {
        engine: "new".to_owned(),
    }
}

fn trial(findings: &[Finding]) -> Trial {
    let start = Trial::default();
    (findings.iter().cloned()).fold(start, |trial, found| trial.after(Timestamp(0), found))
}

fn judged(hosts: &[(&str, &[Finding])]) -> Judgement {
    let trials: Vec<(String, Trial)> = hosts
        .iter()
        .map(|(host, findings)| ((*host).to_owned(), trial(findings)))
        .collect();
    judge(&trials, false)
}

#[test]
fn one_host_proves_nothing_and_two_that_agree_with_nobody_stop_the_test() {
    assert_eq!(judged(&[("attic", &[bench(8)])]), Judgement::GoOn);
    let Judgement::Stop(reason) = judged(&[("attic", &[bench(8)]), ("cellar", &[bench(9)])]) else {
        panic!("two hosts count otherwise");
    };
    assert_eq!(
        reason,
        "the bench of `new` should count 7 nodes, and `attic` counts 8, `cellar` counts 9; no host agrees"
    );
    let same_host: [(&str, &[Finding]); 2] = [("attic", &[bench(8)]), ("attic", &[bench(8)])];
    assert_eq!(
        judged(&same_host),
        Judgement::GoOn,
        "two workers on one machine"
    );
    let one_agrees: [(&str, &[Finding]); 3] = [
        ("attic", &[bench(8)]),
        ("cellar", &[bench(9)]),
        ("barn", &[Finding::Ready, Finding::Other]),
    ];
    assert_eq!(judged(&one_agrees), Judgement::GoOn);
    assert!(matches!(
        judged(&[("attic", &[build()]), ("cellar", &[build()])]),
        Judgement::Pause(_)
    ));
}

#[test]
fn a_host_is_asked_again_later_and_later_and_never_after_another_bench() {
    let minute = 60_000;
    let until = |failures: usize| trial(&vec![build(); failures]).until;
    assert_eq!(until(1), Timestamp(10 * minute));
    assert_eq!(until(2), Timestamp(20 * minute));
    assert_eq!(until(3), Timestamp(40 * minute));
    assert_eq!(until(99), Timestamp(24 * 60 * minute));
    assert_eq!(trial(&[build(), Finding::Ready]).until, Timestamp(0));
    assert_eq!(trial(&[bench(8)]).until, FOREVER);
    let quarantined = trial(&[Finding::Ready, bench(8), build(), Finding::Other]);
    assert_eq!(quarantined.until, FOREVER);
}

fn finding() -> impl Strategy<Value = Finding> {
    prop_oneof![
        Just(Finding::Ready),
        (0..3_u64).prop_map(bench),
        Just(build()),
        Just(Finding::Other),
    ]
}

proptest! {
    #[test]
    fn whoever_agreed_once_speaks_for_the_test_for_ever(
        hosts in prop::collection::vec((0..4_u8, prop::collection::vec(finding(), 0..6)), 0..6)
    ) {
        let trials: Vec<(String, Trial)> = hosts
            .iter()
            .map(|(host, findings)| (host.to_string(), trial(findings)))
            .collect();
        let agreed = hosts.iter().any(|(_, findings)| findings.contains(&Finding::Ready));
        let judgement = judge(&trials, false);
        if agreed {
            prop_assert_eq!(&judgement, &Judgement::GoOn);
        }
        prop_assert_eq!(judge(&trials, true), Judgement::GoOn);
        let disputing: std::collections::BTreeSet<u8> = hosts
            .iter()
            .filter(|(_, findings)| matches!(findings.last(), Some(Finding::Bench { .. })))
            .map(|(host, _)| *host)
            .collect();
        prop_assert_eq!(
            matches!(judgement, Judgement::Stop(_)),
            !agreed && disputing.len() > 1
        );
    }

    #[test]
    fn a_failure_never_brings_the_next_lease_nearer(
        findings in prop::collection::vec((finding(), 0..1_000_000_u64), 1..20)
    ) {
        let mut trial = Trial::default();
        let mut now = Timestamp(0);
        for (finding, wait) in findings {
            now = now + Duration::from_millis(wait);
            let next = trial.after(now, finding.clone());
            if finding != Finding::Ready {
                prop_assert!(next.until >= trial.until && next.until > now);
            }
            trial = next;
        }
    }
}
