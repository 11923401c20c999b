//! What results say about strength, for people: labels and texts. A value that is not defined says
//! why.

use std::fmt::Display;

use match_core::summary::{Measured, SprtSummary};
use stats::{Estimate, Fixed, Progress, Results, Rule, SPRT_ELO_MAX, Sprt, State, Undefined};

/// A label and what it is about.
pub(crate) type Line = (&'static str, String);

/// Strength if the number of games was fixed beforehand, and the counts that it follows from.
pub(crate) fn of_results(results: Results) -> Vec<Line> {
    vec![
        ("elo", with_error(results.elo())),
        ("nelo", with_error(results.nelo())),
        ("los", or_why(results.los().map(percent))),
        counts(results),
    ]
}

/// The state of a sequential test, what it asks, and what it says about strength.
pub(crate) fn of_test(test: &SprtSummary) -> Vec<Line> {
    let state = match test.progress().state {
        State::Running => "running",
        State::AcceptH0 => "H0 accepted",
        State::AcceptH1 => "H1 accepted",
    };
    // Tests of single games look at those.
    let (unit, per_pair, count) = match test.progress().results {
        Some(Results::Games(games)) => ("game", 2.0, games.games()),
        Some(Results::Pairs(_)) | None => ("pair", 1.0, test.pairs()),
    };
    let remaining = (test.expected_remaining_pairs())
        .map(|pairs| format!(", about {} more expected", rounded(per_pair * pairs, 2)));
    let estimate = test.estimate().map(|estimate| {
        let [value, low, high] =
            [estimate.value, estimate.ci95.low, estimate.ci95.high].map(test_elo);
        let los = percent(estimate.los);
        format!("elo {value} [{low}, {high}], los {los}, the early stop allowed for")
    });
    vec![
        (
            "sprt",
            format!(
                "{state}, {} after {count} {unit}{}{}",
                llr(test),
                if count == 1 { "" } else { "s" },
                remaining.unwrap_or_default()
            ),
        ),
        ("question", question(test.sprt())),
        ("estimate", or_why(estimate)),
    ]
}

/// The Elo of a test's estimate, whose scale has ends that stand for all beyond.
fn test_elo(elo: f64) -> String {
    if elo >= SPRT_ELO_MAX {
        format!("over {SPRT_ELO_MAX}")
    } else if elo <= -SPRT_ELO_MAX {
        format!("under {}", -SPRT_ELO_MAX)
    } else {
        Fixed(elo, 2).to_string()
    }
}

/// `LLR 1.20 [-2.94, 2.94]`.
pub(crate) fn llr(test: &SprtSummary) -> String {
    let Progress {
        llr, lower, upper, ..
    } = test.progress();
    let [llr, lower, upper] = [llr, lower, upper].map(|value| Fixed(value, 2));
    format!("LLR {llr} [{lower}, {upper}]")
}

/// `12.20 ± 15.20`; without an interval the number alone, and nothing for nothing.
pub(crate) fn measured(measured: &Measured) -> Option<String> {
    let value = Fixed(measured.value?, 2);
    Some(match measured.ci95 {
        Some([low, high]) => format!("{value} ± {}", Fixed((high - low) / 2.0, 2)),
        None => value.to_string(),
    })
}

/// A count that is an estimate, such as `45000`, of which so many digits mean something.
pub(crate) fn rounded(count: f64, digits: i32) -> Fixed {
    let first = count.max(1.0).log10().floor() as i32;
    let unit = 10_f64.powi((first + 1 - digits).max(0));
    Fixed((count / unit).round() * unit, 0)
}

/// `normalized elo0 0, elo1 2, alpha 0.05, beta 0.05, curved bounds (general)`.
pub(crate) fn question(sprt: &Sprt) -> String {
    let (hypotheses, rates) = (sprt.hypotheses(), sprt.rates());
    let bounds = match sprt.rule() {
        Rule::Wald => "constant bounds (wald)".to_owned(),
        Rule::Curved(preset) => format!("curved bounds ({preset})"),
    };
    format!(
        "{} elo0 {}, elo1 {}, alpha {}, beta {}, {bounds}",
        hypotheses.model(),
        hypotheses.elo0(),
        hypotheses.elo1(),
        rates.alpha(),
        rates.beta(),
    )
}

fn counts(results: Results) -> Line {
    match results {
        Results::Pairs(pairs) => {
            let mut text = format!("{:?}", pairs.0);
            if 0 < pairs.pairs() {
                let drawn = or_why(pairs.draw_ratio().map(percent));
                let ratio = or_why(pairs.pairs_ratio().map(|ratio| Fixed(ratio, 2)));
                text += &format!(", draw ratio {drawn}, pairs ratio {ratio}");
            }
            ("pentanomial", text)
        }
        Results::Games(games) => {
            let text = format!("+{} -{} ={}", games.wins, games.losses, games.draws);
            ("wdl", text)
        }
    }
}

fn with_error(estimate: Result<Estimate, Undefined>) -> String {
    or_why(estimate.map(|Estimate { value, ci95 }| {
        let value = Fixed(value, 2);
        match ci95 {
            Ok(interval) => format!("{value} ± {}", Fixed(interval.half_width(), 2)),
            Err(undefined) => format!("{value}, error undefined: {undefined}"),
        }
    }))
}

fn or_why(value: Result<impl Display, Undefined>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(undefined) => format!("undefined: {undefined}"),
    }
}

fn percent(share: f64) -> String {
    format!("{} %", Fixed(100.0 * share, 1))
}
