//! What a bad engine says of its search.

use std::io;

use super::Conduct;
use crate::vice::Vice;
use crate::voice::Voice;

impl Conduct {
    /// Whether the engine says something else of its search than what it found.
    pub(crate) fn makes_claims(&self) -> bool {
        const CLAIMS: [Vice; 12] = [
            Vice::NoInfo,
            Vice::NoScore,
            Vice::Score,
            Vice::Mate,
            Vice::Mate0,
            Vice::MultiPv,
            Vice::BoundsOnly,
            Vice::BoundLast,
            Vice::MateBound,
            Vice::HugeScore,
            Vice::FloatScore,
            Vice::PvMid,
        ];
        CLAIMS.into_iter().any(|vice| self.has(vice))
    }

    /// `info` lines in place of the true ones, before the bestmove `mv`.
    pub(super) fn make_claims(&self, mv: &str, voice: &mut Voice) {
        let mut say = |vice: Vice, lines: &[&str]| {
            if let Some(argument) = self.vices.text(vice) {
                for line in lines {
                    voice.say(line.replace("MV", mv).replace("ARG", argument));
                }
            }
        };
        say(Vice::NoScore, &["info depth 5 nodes 1000 time 1 pv MV"]);
        say(
            Vice::Score,
            &["info depth 9 seldepth 12 score cp ARG nodes 1000 nps 1000000 time 1 pv MV"],
        );
        say(
            Vice::Mate,
            &["info depth 9 seldepth 12 score mate ARG nodes 1000 time 1 pv MV"],
        );
        say(
            Vice::Mate0,
            &["info depth 5 score mate 0 nodes 1000 time 1 pv MV"],
        );
        say(
            Vice::MultiPv,
            &[
                "info depth 5 multipv 1 score cp 20 nodes 1000 pv MV",
                "info depth 5 multipv 2 score cp -700 nodes 1000 pv MV",
            ],
        );
        say(
            Vice::BoundsOnly,
            &[
                "info depth 5 score cp 900 lowerbound pv MV",
                "info depth 6 score cp -900 upperbound pv MV",
            ],
        );
        say(
            Vice::MateBound,
            &[
                "info depth 5 score mate 4 lowerbound nodes 1000 pv MV",
                "info depth 6 score mate -4 upperbound nodes 1000 pv MV",
            ],
        );
        say(
            Vice::BoundLast,
            &[
                "info depth 5 score cp 10 pv MV",
                "info depth 6 score cp 900 lowerbound pv MV",
            ],
        );
        say(
            Vice::HugeScore,
            &[
                "info depth 99999999999999999999 score cp 99999999999999999999 nodes 18446744073709551616 time 99999999999999999999 pv MV",
            ],
        );
        say(
            Vice::FloatScore,
            &["info depth 5 score cp 0.37 nodes 1000 time -5 pv MV"],
        );
        say(
            Vice::PvMid,
            &["info depth 5 pv MV  nps 30000 score cp 17 hashfull 0 tbhits 0"],
        );
    }

    /// All that is said before the bestmove `mv` and should not be.
    pub(super) fn flood(&self, mv: &str, voice: &mut Voice) -> io::Result<()> {
        self.talk_nonsense(voice);
        if self.has(Vice::Latin1) {
            voice.say(b"info string d\xFCstere Aussichten \xB7 \xFF\xFE");
            voice.say([b"info depth 5 score cp 10 pv ", mv.as_bytes(), b" \xE4\xF6"].concat());
        }
        if self.has(Vice::Nul) {
            voice.say(b"info string a\0b\0");
            voice.say(b"info depth 5\0 score cp 10 \0");
        }
        for depth in 1..=self.vices.number(Vice::Flood).unwrap_or(0) {
            voice.say(format!(
                "info depth {} score cp 10 nodes {depth} pv {mv}",
                depth / 1000 + 1
            ));
            if depth % 1000 == 0 {
                voice.flush()?;
            }
        }
        if let Some(bytes) = self.vices.number(Vice::LongLine) {
            let moves = usize::try_from(bytes).unwrap_or(0) / (mv.len() + 1);
            voice.say(format!(
                "info depth 5 score cp 10 pv {}",
                format!("{mv} ").repeat(moves)
            ));
        }
        self.make_claims(mv, voice);
        Ok(())
    }

    /// Lines that look like something and are nothing.
    pub(super) fn talk_nonsense(&self, voice: &mut Voice) {
        const NONSENSE: [&str; 9] = [
            "",
            "   ",
            "Hash table of 16 MB allocated",
            "info",
            "info string bestmove a1a1",
            "info string readyok uciok",
            "infodepth 5 score cp 5000",
            "bestmoves are rare",
            "info currmove e2e4 currmovenumber 1 refutation cpuload 7",
        ];
        if self.has(Vice::Noise) {
            NONSENSE.iter().for_each(|line| voice.say(line));
        }
    }
}
