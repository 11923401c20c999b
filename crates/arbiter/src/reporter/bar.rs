//! The bar on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use match_core::spec::Spec;
use match_core::summary::{EngineSummary, Summary};

use super::strength;

/// Redraws a second at most: more only costs processor time that the engines want.
const REDRAWS: u8 = 10;

/// How often the time is counted when no game ends.
const TICK: Duration = Duration::from_secs(1);

/// Games done, score, strength and the time left, in one line on standard error.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar that does not show yet.
    pub(super) fn new() -> Self {
        Self(ProgressBar::hidden())
    }

    pub(super) fn start(&mut self, spec: &Spec, games: u64) {
        let (length, template) = if spec.is_open_ended() {
            (None, "{spinner} {pos} games, {elapsed}  {wide_msg}")
        } else {
            (Some(games), "{bar:10} {pos}/{len}, {eta} left  {wide_msg}")
        };
        let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
        let style = ProgressStyle::with_template(template).expect("the templates above are right");
        self.0 = ProgressBar::with_draw_target(length, target).with_style(style);
        self.0.enable_steady_tick(TICK);
    }

    pub(super) fn update(&self, summary: &Summary) {
        self.0.set_message(standing(summary));
        self.0.set_position(summary.games);
    }

    /// Takes the bar off the screen while somebody else writes there.
    pub(super) fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }

    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// `+5 -3 =4  Elo 12.20 ± 15.20  LLR 1.20 [-2.94, 2.94]  [0, 1, 3, 2, 0]`, what matters most first,
/// because narrow terminals cut the end off; with many engines who leads.
fn standing(summary: &Summary) -> String {
    let Some((first, [_])) = summary.engines.split_first() else {
        return leader(summary);
    };
    let mut parts = vec![strength::wins_losses_draws(first)];
    parts.extend(strength::measured(&summary.elo).map(|elo| format!("Elo {elo}")));
    parts.extend(summary.sprt.as_ref().map(strength::llr));
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
        let points = strength::points(leader.wins, leader.draws);
        format!("{} leads with {points} points", leader.name)
    })
}
