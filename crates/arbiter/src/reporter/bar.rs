//! The bar on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use match_core::spec::Spec;
use match_core::summary::{EngineSummary, SprtSummary, Summary};

use super::tally;
use crate::strength;

/// Redraws a second at most: more only costs processor time that the engines want.
const REDRAWS: u8 = 10;

/// How often the time is counted when no game ends.
const TICK: Duration = Duration::from_secs(1);

/// How often the end of a sequential test is estimated anew, which takes milliseconds.
const OUTLOOK_AGE: Duration = Duration::from_secs(2);

/// Games done, score, strength and the time left, in one line on standard error.
pub(super) struct Bar {
    bar: ProgressBar,
    outlook: Option<Outlook>,
}

/// How long a sequential test will go on.
struct Outlook {
    since: Instant,
    text: Option<String>,
}

impl Bar {
    /// A bar that does not show yet.
    pub(super) fn new() -> Self {
        Self {
            bar: ProgressBar::hidden(),
            outlook: None,
        }
    }

    pub(super) fn start(&mut self, spec: &Spec, games: u64) {
        let (length, template) = if spec.is_open_ended() {
            (None, "{spinner} {pos} games, {elapsed}  {wide_msg}")
        } else {
            (Some(games), "{bar:10} {pos}/{len}, {eta} left  {wide_msg}")
        };
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
        let style = ProgressStyle::with_template(template).expect("the templates above are right");
        self.bar = ProgressBar::with_draw_target(length, target).with_style(style);
        self.bar.enable_steady_tick(TICK);
    }

    pub(super) fn update(&mut self, summary: &Summary) {
        let outlook = summary.sprt.as_ref().and_then(|test| self.outlook(test));
        self.bar.set_message(standing(summary, outlook));
        self.bar.set_position(summary.games);
    }

    /// Takes the bar off the screen while somebody else writes there.
    pub(super) fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
    }

    fn outlook(&mut self, test: &SprtSummary) -> Option<String> {
        if (self.outlook.as_ref()).is_none_or(|outlook| OUTLOOK_AGE < outlook.since.elapsed()) {
            let pairs = test.expected_remaining_pairs();
            self.outlook = Some(Outlook {
                since: Instant::now(),
                text: pairs.map(|pairs| format!("~{} pairs to go", strength::rounded(pairs, 2))),
            });
        }
        self.outlook.as_ref()?.text.clone()
    }
}

/// `+5 -3 =4  Elo 12.20 ± 15.20  LLR 1.20 [-2.94, 2.94]  ~4500 pairs to go  [0, 1, 3, 2, 0]`, what
/// matters most first, because narrow terminals cut the end off; with many engines who leads.
fn standing(summary: &Summary, outlook: Option<String>) -> String {
    let Some((first, [_])) = summary.engines.split_first() else {
        return leader(summary);
    };
    let mut parts = vec![tally::wins_losses_draws(first)];
    parts.extend(strength::measured(&summary.elo).map(|elo| format!("Elo {elo}")));
    parts.extend(summary.sprt.as_ref().map(strength::llr));
    parts.extend(outlook);
    parts.push(format!("{:?}", summary.pentanomial));
    parts.join("  ")
}

fn leader(summary: &Summary) -> String {
    let score = |engine: &&EngineSummary| engine.score.unwrap_or_default();
    let leader = summary
        .engines
        .iter()
        .max_by(|a, b| score(a).total_cmp(&score(b)));
    leader.map_or_else(String::new, |leader| {
        let points = tally::points(leader.wins, leader.draws);
        format!("{} leads with {points} points", leader.name)
    })
}
