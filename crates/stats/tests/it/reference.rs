//! That no reference value is left out.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::shared;

/// The kinds of vectors, how many there are of each, and the module whose test checks every one.
/// `spsa_fishtest` waits for tuning.
const VECTORS: [(&str, usize, &str); 17] = [
    ("LLR_alt2_logistic (times N)", 8, "estimate"),
    ("LLR_logistic", 37, "llr"),
    ("LLR_normalized", 62, "llr"),
    ("LLR_normalized_alt", 11, "estimate"),
    ("bayeselo_bounds", 13, "llr"),
    ("brownian_outcome_cdf", 20, "brownian"),
    ("curved_design_oc", 2, "curved"),
    ("curved_outcome", 2, "estimate"),
    ("draw_elo", 5, "llr"),
    ("elo_report", 17, "elo"),
    ("elo_to_bayeselo", 4, "llr"),
    ("get_chi2", 6, "heterogeneity"),
    ("rating_fit", 5, "rating"),
    ("sprt_analytics", 14, "estimate"),
    ("spsa_fishtest", 4, "waits"),
    ("update_SPRT_sequence", 7, "overshoot"),
    ("worker_test", 4, "heterogeneity"),
];

#[test]
fn every_kind_of_vector_has_its_test_and_none_is_new() {
    let Some(text) = shared::read("vectors/stats.json") else {
        return;
    };
    let all: Value = serde_json::from_str(&text).unwrap();
    let mut found = BTreeMap::new();
    for case in all["cases"].as_array().unwrap() {
        *found.entry(case["function"].as_str().unwrap()).or_insert(0) += 1;
    }
    let wanted = VECTORS.map(|(function, count, _)| (function, count));
    assert_eq!(found, BTreeMap::from(wanted));
    // What a module says it checks it names in its source.
    for (function, _, module) in VECTORS {
        if module != "waits" {
            let path = format!("{}/tests/it/{module}.rs", env!("CARGO_MANIFEST_DIR"));
            let source = std::fs::read_to_string(&path).unwrap();
            assert!(
                source.contains(&format!("{function:?}")),
                "{function} in {path}"
            );
        }
    }
}
