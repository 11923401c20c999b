//! The report at the end of a contest: what `summary.json` says, for people. A label begins each
//! line, so that a script can pick one out.

use std::cmp::Reverse;

use match_core::event::StopReason;
use match_core::spec::Spec;
use match_core::summary::{EngineSummary, Summary};
use stats::{Fixed, Pentanomial};

use super::tally;
use crate::{strength, table};

/// The report, lines without a last line end.
pub(crate) fn of(spec: &Spec, summary: &Summary, stopped: Option<&StopReason>) -> String {
    let mut report = Report(Vec::new());
    report.games(summary);
    if 0 < summary.games {
        match summary.engines.as_slice() {
            [first, second] => report.duel(first, second, summary),
            engines => report.field(engines, summary),
        }
        if let Some(sprt) = &summary.sprt {
            report.lines(strength::of_test(sprt));
        }
        report.line("endings", endings(summary));
    }
    report.line("faults", all_faults(spec, summary));
    if 0 < summary.void_games {
        report.line(
            "void",
            format!(
                "{} games spoilt by the host, which do not count",
                summary.void_games
            ),
        );
    }
    if let Some(stopped) = stopped {
        report.line("stopped", why(spec, stopped));
    }
    report.0.join("\n")
}

struct Report(Vec<String>);

impl Report {
    fn line(&mut self, label: &str, text: impl AsRef<str>) {
        self.0.push(table::labelled(label, text.as_ref()));
    }

    fn lines(&mut self, lines: impl IntoIterator<Item = strength::Line>) {
        for (label, text) in lines {
            self.line(label, text);
        }
    }

    fn games(&mut self, summary: &Summary) {
        let Summary {
            games,
            pairs,
            plies,
            wall_seconds,
            ..
        } = summary;
        let wall = Fixed(*wall_seconds, 1);
        self.line(
            "games",
            format!("{games}, {pairs} complete pairs, {plies} plies in {wall} s"),
        );
    }

    /// What two engines did against each other.
    fn duel(&mut self, first: &EngineSummary, second: &EngineSummary, summary: &Summary) {
        let games = tally::games(first);
        let points = tally::points(first.wins, first.draws);
        self.line(
            "score",
            format!(
                "{} against {}: {}, {} of {games} points, {} %",
                first.name,
                second.name,
                tally::wins_losses_draws(first),
                Fixed(points, 1),
                tally::percent(points, games),
            ),
        );
        self.lines(strength::of_results(
            Pentanomial(summary.pentanomial).into(),
        ));
    }

    /// What many engines did: their ranks, and who did what against whom.
    fn field(&mut self, engines: &[EngineSummary], summary: &Summary) {
        let mut ranked: Vec<&EngineSummary> = engines.iter().collect();
        ranked.sort_by_key(|engine| Reverse(thousandths(engine)));
        self.0.push(String::new());
        self.0.extend(table::aligned(&standings(&ranked)));
        self.0.push(String::new());
        self.0.extend(table::aligned(&crosstable(&ranked, summary)));
        self.0.push(String::new());
    }
}

/// The share of points, fine enough to rank by and without the trouble of comparing floats.
fn thousandths(engine: &EngineSummary) -> u128 {
    let half_points = u128::from(2 * engine.wins + engine.draws);
    half_points * 1_000_000_000_000 / u128::from(tally::games(engine).max(1))
}

fn standings(ranked: &[&EngineSummary]) -> Vec<Vec<String>> {
    let head = [
        "standings",
        "games",
        "points",
        "%",
        "elo",
        "wins",
        "losses",
        "draws",
    ];
    let row = |(i, engine): (usize, &&EngineSummary)| {
        let games = tally::games(engine);
        let points = tally::points(engine.wins, engine.draws);
        let elo = engine
            .elo_against_field
            .as_ref()
            .and_then(strength::measured);
        vec![
            format!("{} {}", i + 1, engine.name),
            games.to_string(),
            Fixed(points, 1).to_string(),
            tally::percent(points, games).to_string(),
            elo.unwrap_or_else(|| "undefined".to_owned()),
            engine.wins.to_string(),
            engine.losses.to_string(),
            engine.draws.to_string(),
        ]
    };
    let head = head.map(str::to_owned).to_vec();
    std::iter::once(head)
        .chain(ranked.iter().enumerate().map(row))
        .collect()
}

/// Points of the engine of the row against that of the column.
fn crosstable(ranked: &[&EngineSummary], summary: &Summary) -> Vec<Vec<String>> {
    let numbers = (1..=ranked.len()).map(|rank| rank.to_string());
    let head = std::iter::once("points against".to_owned())
        .chain(numbers)
        .collect();
    let row = |(i, engine): (usize, &&EngineSummary)| {
        let cells = ranked
            .iter()
            .map(|opponent| encounter(engine, opponent, summary));
        let name = format!("{} {}", i + 1, engine.name);
        std::iter::once(name).chain(cells).collect()
    };
    std::iter::once(head)
        .chain(ranked.iter().enumerate().map(row))
        .collect()
}

fn encounter(engine: &EngineSummary, opponent: &EngineSummary, summary: &Summary) -> String {
    let points = summary.crosstable.iter().find_map(|met| {
        let (wins, losses) = if met.engine == engine.name && met.opponent == opponent.name {
            (met.wins, met.losses)
        } else if met.engine == opponent.name && met.opponent == engine.name {
            (met.losses, met.wins)
        } else {
            return None;
        };
        let points = Fixed(tally::points(wins, met.draws), 1);
        Some(format!("{points}/{}", wins + losses + met.draws))
    });
    points.unwrap_or_else(|| "-".to_owned())
}

/// The most frequent first.
fn endings(summary: &Summary) -> String {
    let mut endings: Vec<_> = summary.terminations.iter().collect();
    endings.sort_by_key(|&(name, &count)| (Reverse(count), *name));
    let words = endings
        .into_iter()
        .map(|(name, count)| format!("{name} {count}"));
    words.collect::<Vec<_>>().join(", ")
}

fn all_faults(spec: &Spec, summary: &Summary) -> String {
    let of = |engine: &EngineSummary| {
        tally::faults(engine).map(|faults| format!("{}: {faults}", engine.name))
    };
    let faults: Vec<String> = summary.engines.iter().filter_map(of).collect();
    if faults.is_empty() {
        "none".to_owned()
    } else {
        let folder = spec.output.faults.as_ref();
        let place = folder.map(|folder| format!(" (see `{}`)", folder.display()));
        faults.join("; ") + &place.unwrap_or_default()
    }
}

fn why(spec: &Spec, stopped: &StopReason) -> String {
    match stopped {
        StopReason::Decided => "the test is decided".to_owned(),
        StopReason::TooManyFaults(why) => why.clone(),
        StopReason::EngineUnusable(_) => "an engine cannot be started".to_owned(),
        StopReason::HostUnfit(_) => "the host spoilt too many games".to_owned(),
        StopReason::ReporterFailed(_) => "a result could not be written".to_owned(),
        StopReason::Interrupted | StopReason::Killed if spec.is_open_ended() => {
            "interrupted before the test was decided".to_owned()
        }
        StopReason::Interrupted | StopReason::Killed => "interrupted".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use match_core::spec::raw::{RawEngine, RawSpec};
    use match_core::summary::{Encounter, Measured, SprtSummary};
    use stats::{ErrorRates, Hypotheses, Model, Rule, Sprt};

    use super::*;

    fn engine(name: &str, [wins, losses, draws]: [u64; 3]) -> EngineSummary {
        EngineSummary {
            name: name.to_owned(),
            wins,
            losses,
            draws,
            time_losses: 0,
            crashes: 0,
            stalls: 0,
            illegal_moves: 0,
            score: None,
            elo_against_field: None,
        }
    }

    fn summary(engines: Vec<EngineSummary>) -> Summary {
        Summary {
            games: 200,
            pairs: 100,
            plies: 14210,
            wall_seconds: 21.44,
            engines,
            pentanomial: [3, 20, 50, 22, 5],
            elo: Measured::default(),
            nelo: Measured::default(),
            los: None,
            sprt: None,
            terminations: [("checkmate", 90), ("stalemate", 20), ("crash", 90)].into(),
            void_games: 0,
            crosstable: Vec::new(),
        }
    }

    #[track_caller]
    fn check(summary: &Summary, stopped: Option<&StopReason>, expected: &str) {
        let mut raw = RawSpec::default();
        for name in ["new", "old"] {
            let words = format!("cmd=x name={name} nodes=1");
            raw.engine
                .push(RawEngine::from_words("--engine", &words).unwrap());
        }
        let (spec, _) = raw.resolve().unwrap();
        assert_eq!(of(&spec, summary, stopped), expected);
    }

    /// A test that has looked at the pairs of [`summary`].
    fn running_test() -> SprtSummary {
        let hypotheses = Hypotheses::new(Model::Normalized, 0.0, 2.5).unwrap();
        let sprt = Sprt::new(hypotheses, ErrorRates::default(), Rule::Wald);
        let pairs = Pentanomial([3, 20, 50, 22, 5]);
        let progress = sprt.look(sprt.start(), pairs).unwrap();
        SprtSummary::new(Arc::new(sprt), progress)
    }

    #[test]
    fn a_duel_is_told_from_the_first_engines_side() {
        let mut old = engine("old", [40, 60, 100]);
        (old.crashes, old.time_losses) = (1, 2);
        let mut summary = summary(vec![engine("new", [60, 40, 100]), old]);
        summary.void_games = 2;
        summary.sprt = Some(running_test());
        check(
            &summary,
            Some(&StopReason::Interrupted),
            "\
games        200, 100 complete pairs, 14210 plies in 21.4 s
score        new against old: +60 -40 =100, 110.0 of 200 points, 55.0 %
elo          10.43 ± 29.31
nelo         17.18 ± 48.15
los          75.8 %
pentanomial  [3, 20, 50, 22, 5], draw ratio 50.0 %, pairs ratio 1.17
sprt         running, LLR 0.07 [-2.94, 2.94] after 100 pairs, about 45000 more expected
question     normalized elo0 0, elo1 2.5, alpha 0.05, beta 0.05, constant bounds (wald)
estimate     elo 10.43 [-18.81, 39.81], los 75.8 %, the early stop allowed for
endings      checkmate 90, crash 90, stalemate 20
faults       old: 2 time losses, 1 crash
void         2 games spoilt by the host, which do not count
stopped      interrupted",
        );
    }

    #[test]
    fn what_is_not_defined_says_why() {
        let mut summary = summary(vec![engine("new", [2, 0, 0]), engine("old", [0, 2, 0])]);
        (summary.games, summary.pairs, summary.pentanomial) = (2, 1, [0, 0, 0, 0, 1]);
        check(
            &summary,
            None,
            "\
games        2, 1 complete pairs, 14210 plies in 21.4 s
score        new against old: +2 -0 =0, 2.0 of 2 points, 100.0 %
elo          undefined: perfect score
nelo         undefined: all results are the same
los          undefined: all results are the same
pentanomial  [0, 0, 0, 0, 1], draw ratio 0.0 %, pairs ratio undefined: no lost pairs
endings      checkmate 90, crash 90, stalemate 20
faults       none",
        );
    }

    #[test]
    fn without_games_there_is_no_score() {
        let mut summary = summary(vec![engine("new", [0; 3]), engine("old", [0; 3])]);
        (summary.games, summary.pairs, summary.plies) = (0, 0, 0);
        check(
            &summary,
            Some(&StopReason::Killed),
            "\
games        0, 0 complete pairs, 0 plies in 21.4 s
faults       none
stopped      interrupted",
        );
    }

    #[test]
    fn many_engines_are_ranked_by_their_share_of_points() {
        // b played half of a's games, as in a gauntlet.
        let mut engines = vec![
            engine("a", [3, 5, 0]),
            engine("b", [3, 1, 0]),
            engine("c", [2, 2, 0]),
        ];
        engines[1].elo_against_field = Some(Measured {
            value: Some(190.85),
            ci95: None,
        });
        let mut summary = summary(engines);
        let met = |opponent: &str, wins, losses| Encounter {
            engine: "a".to_owned(),
            opponent: opponent.to_owned(),
            wins,
            losses,
            draws: 0,
            pentanomial: [0; 5],
        };
        summary.crosstable = vec![met("b", 1, 3), met("c", 2, 2)];
        check(
            &summary,
            None,
            "\
games        200, 100 complete pairs, 14210 plies in 21.4 s

standings  games  points     %        elo  wins  losses  draws
1 b            4     3.0  75.0     190.85     3       1      0
2 c            4     2.0  50.0  undefined     2       2      0
3 a            8     3.0  37.5  undefined     3       5      0

points against      1      2      3
1 b                 -      -  3.0/4
2 c                 -      -  2.0/4
3 a             1.0/4  2.0/4      -

endings      checkmate 90, crash 90, stalemate 20
faults       none",
        );
    }
}
