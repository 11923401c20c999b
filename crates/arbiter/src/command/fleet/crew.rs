//! The workers of a test as a person sees them.

use fleet_api::{Crew, CrewMember, Overdispersion};

use super::picture::safe;
use crate::table;

/// Below it a rate says nothing.
const GAMES_MIN: u64 = 64;

/// A table of workers, and what is remarkable about them, in lines.
pub(super) fn of(crew: &Crew) -> Vec<String> {
    if crew.workers.is_empty() {
        return Vec::new();
    }
    let head = [
        "worker",
        "platform",
        "pairs",
        "share",
        "score",
        "time losses",
        "crashes",
        "p mean",
        "p decisive",
        "p losses",
        "p crashes",
        "stands out by",
    ];
    let mut lines = vec![String::new()];
    lines.extend(table::headed(head, crew.workers.iter().map(row)));
    let found = &crew.heterogeneity;
    let parts = [
        ("workers", found.overall),
        ("within platforms", found.within_platforms),
        ("between platforms", found.between_platforms),
    ];
    for (what, part) in parts {
        if let Some(part) = part {
            lines.push(differ(what, part));
        }
    }
    for worker in crew.workers.iter().filter(|worker| worker.is_share_large) {
        lines.push(format!(
            "{} has played {:.0} % of the pairs: above 25 % the luck of one machine is the test's",
            safe(&worker.name),
            100.0 * worker.share
        ));
    }
    for worker in &crew.workers {
        if let Some(barred) = &worker.barred {
            lines.push(format!(
                "{} gets no more pairs ({} by {}): {}",
                safe(&worker.name),
                safe(&barred.kind),
                safe(&barred.who),
                safe(&barred.why)
            ));
        }
    }
    lines
}

fn row(worker: &CrewMember) -> Vec<String> {
    let games = 2 * worker.pairs;
    let faults = |count: u64| match games >= GAMES_MIN && count > 0 {
        true => format!("{count} ({:.1} %)", 100.0 * count as f64 / games as f64),
        false => count.to_string(),
    };
    let p = |p: Option<f64>| p.map_or_else(|| "-".to_owned(), probability);
    let pairs = match worker.pairs_aside {
        0 => worker.pairs.to_string(),
        aside => format!("{} ({aside} aside)", worker.pairs),
    };
    vec![
        safe(&worker.name),
        safe(&worker.platform),
        pairs,
        format!("{:.0} %", 100.0 * worker.share),
        worker
            .score
            .map_or_else(|| "-".to_owned(), |score| format!("{score:.3}")),
        faults(worker.time_losses),
        faults(worker.crashes),
        p(worker.p.mean),
        p(worker.p.decisiveness),
        p(worker.p.time_losses),
        p(worker.p.crashes),
        safe(&worker.flags.join(", ")),
    ]
}

fn probability(p: f64) -> String {
    match p < 0.001 {
        true => format!("{p:.0e}"),
        false => format!("{p:.3}"),
    }
}

fn differ(what: &str, part: Overdispersion) -> String {
    let Overdispersion { q, dof, p, phi } = part;
    format!(
        "{what} differ by Q = {q:.1}, where chance gives {dof} (p = {}, phi = {phi:.2})",
        probability(p)
    )
}
