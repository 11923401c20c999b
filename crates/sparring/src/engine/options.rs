//! What the engine lets one set.

use engine_core::CastlingStyle;
use uci::{OptionDecl, OptionKind};

use super::{Engine, Mind};
use crate::dice::Dice;
use crate::level::Level;

/// Megabytes; enough for what the levels search, little enough for many engines at a time.
pub(super) const HASH_DEFAULT: i64 = 16;
const HASH_MAX: i64 = 4_096;

impl Engine {
    /// The options, as they are declared.
    pub(super) fn options(&self) -> Vec<OptionDecl> {
        let option = |name: &str, kind| OptionDecl {
            name: name.to_owned(),
            kind,
        };
        let spin = |name, default, min, max| {
            option(
                name,
                OptionKind::Spin {
                    default: Some(default),
                    min,
                    max,
                },
            )
        };
        let mut options = vec![
            spin("Hash", HASH_DEFAULT, 1, HASH_MAX),
            spin("Threads", 1, 1, 1),
            spin(
                "Level",
                self.level.number().into(),
                Level::MIN.number().into(),
                Level::MAX.number().into(),
            ),
            spin(
                "Seed",
                i64::try_from(self.seed).unwrap_or(i64::MAX),
                0,
                i64::MAX,
            ),
        ];
        if self.conduct.knows_chess960() {
            options.push(option(
                "UCI_Chess960",
                OptionKind::Check {
                    default: Some(false),
                },
            ));
        }
        options
    }

    /// Sets an option; a name or value that was not offered is not heard.
    pub(super) fn set_option(&mut self, name: &str, value: &str) {
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        let number = value.parse::<u64>().ok();
        if is("UCI_Chess960") && self.conduct.knows_chess960() {
            let on = value.eq_ignore_ascii_case("true");
            self.style = if on {
                CastlingStyle::Chess960
            } else {
                CastlingStyle::Standard
            };
        } else if is("Hash")
            && let Some(megabytes) = number
        {
            if let Mind::Search { hash, searcher } = &mut self.mind {
                *hash = megabytes.clamp(1, HASH_MAX as u64) as usize;
                *searcher = None;
            }
        } else if is("Level")
            && let Some(level) = number.and_then(Level::new)
        {
            self.level = level;
        } else if is("Seed")
            && let Some(seed) = number
        {
            self.seed = seed;
            if let Mind::Random(dice) = &mut self.mind {
                *dice = Dice::new(seed);
            }
        }
    }
}
