//! Evidence as text: what happened, where, and the talk of both engines along one time.

use std::fmt::{self, Write};

use engine_core::{CastlingStyle, Color};

use super::{Evidence, Speaker, Testimony, Utterance};
use crate::limits::Limits;
use crate::spec::{Spec, Variant};
use crate::verdict::Verdict;

impl Evidence {
    /// All of it, for a game of the contest of `spec`. Whatever an engine wrote is escaped: a
    /// terminal acts on none of it, and no line of it can pass for one of ours.
    pub fn text(&self, spec: &Spec) -> String {
        let mut text = String::new();
        self.write(spec, &mut text).expect("a string takes all");
        text
    }

    fn write(&self, spec: &Spec, out: &mut String) -> fmt::Result {
        let fixture = &self.record.fixture;
        let name = |color: Color| spec.engines[fixture.players[color].0].name.as_str();
        writeln!(
            out,
            "game       {}, pair {}, opening {}: {} (white) against {} (black)",
            fixture.number,
            fixture.number.pair(),
            fixture.opening.0 + 1,
            name(Color::White),
            name(Color::Black),
        )?;
        if let Verdict::Forfeit {
            loser,
            fault,
            outcome,
        } = &self.record.verdict
        {
            writeln!(
                out,
                "fault      {} ({}): {fault}",
                name(*loser),
                side(*loser)
            )?;
            writeln!(out, "result     {}", outcome.as_pgn())?;
        }
        self.write_position(spec, out)?;
        for color in Color::ALL {
            let limits = &spec.engines[fixture.players[color].0].limits;
            write!(out, "{:<10} {}: ", side(color), name(color))?;
            write_limits(limits, out)?;
            let last = self.plies_of(color).last();
            if let Some(left) = last.and_then(|ply| ply.left) {
                write!(
                    out,
                    ", {:.3} s left after its last move",
                    left.as_secs_f64()
                )?;
            }
            let end = self.engines[color].end.as_deref();
            writeln!(out, "; {}", end.unwrap_or("the process runs on"))?;
        }
        for color in Color::ALL {
            write_errors(&self.engines[color], name(color), out)?;
        }
        self.write_talk(name, out)
    }

    /// The position in which it happened, and the command that leads there.
    fn write_position(&self, spec: &Spec, out: &mut String) -> fmt::Result {
        let style = match spec.variant {
            Variant::Standard => CastlingStyle::Standard,
            Variant::Chess960 => CastlingStyle::Chess960,
        };
        let fen = |position: &engine_core::Position| match spec.variant {
            Variant::Standard => position.fen(),
            Variant::Chess960 => position.fen_shredder(),
        };
        let opening = &self.record.opening;
        let mut position = opening.start;
        let mut command = format!("position fen {}", fen(&position));
        let played = self.record.plies.iter().map(|ply| ply.mv);
        let moves = opening.moves.iter().copied().chain(played);
        for (ply, mv) in moves.enumerate() {
            command.push_str(if ply == 0 { " moves " } else { " " });
            command.push_str(&position.uci(mv, style));
            position.play_unchecked(mv);
        }
        writeln!(out, "position   {}", fen(&position))?;
        writeln!(out, "as UCI     {command}")
    }

    fn plies_of(&self, color: Color) -> impl Iterator<Item = &crate::record::PlyRecord> {
        let first = self.record.opening.moves.len();
        let start = self.record.opening.start.turn();
        let is_ours = move |ply: usize| ply.is_multiple_of(2) == (start == color);
        let plies = self.record.plies.iter().enumerate();
        plies.filter_map(move |(ply, record)| is_ours(first + ply).then_some(record))
    }

    /// Both engines' lines in the order of their stamps.
    fn write_talk<'a>(&self, name: impl Fn(Color) -> &'a str, out: &mut String) -> fmt::Result {
        writeln!(
            out,
            "\ntalk       seconds since the start; `>` is what an engine was told, `<` what it said"
        )?;
        let width = Color::ALL
            .map(|color| name(color).chars().count())
            .into_iter()
            .max();
        let mut talk: Vec<(Color, &Utterance)> = Color::ALL
            .into_iter()
            .flat_map(|color| {
                self.engines[color]
                    .talk
                    .iter()
                    .map(move |line| (color, line))
            })
            .collect();
        talk.sort_by_key(|(_, line)| line.at);
        for (color, line) in talk {
            let seconds = std::time::Duration::from_nanos(line.at.as_nanos()).as_secs_f64();
            let direction = match line.by {
                Speaker::Engine => '<',
                Speaker::Referee => '>',
            };
            let width = width.unwrap_or_default();
            write!(out, "{seconds:>14.6} {:<width$} {direction} ", name(color))?;
            escape(&line.head, out)?;
            if 0 < line.left_out {
                write!(out, " [{} bytes left out] ", line.left_out)?;
            }
            escape(&line.tail, out)?;
            out.push('\n');
        }
        Ok(())
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// As the words of a spec write them.
fn write_limits(limits: &Limits, out: &mut String) -> fmt::Result {
    let mut words = Vec::new();
    words.extend(limits.clock.map(|clock| format!("tc={clock}")));
    words.extend(
        limits
            .move_time
            .map(|time| format!("st={}", time.as_secs_f64())),
    );
    words.extend(limits.nodes.map(|nodes| format!("nodes={nodes}")));
    words.extend(limits.depth.map(|depth| format!("depth={depth}")));
    if !limits.margin.is_zero() {
        words.push(format!("timemargin={}", limits.margin.as_millis()));
    }
    out.write_str(&words.join(" "))
}

fn write_errors(engine: &Testimony, name: &str, out: &mut String) -> fmt::Result {
    let text = engine.errors.trim_ascii_end();
    if text.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nstderr     the end of what {name} wrote")?;
    for line in text.split(|&byte| byte == b'\n') {
        out.push_str("  | ");
        escape(line, out)?;
        out.push('\n');
    }
    Ok(())
}

/// Letters and digits of all scripts and the signs of ASCII as they are; all else as `\n`, `\xff` or
/// `\u{202e}`.
fn escape(bytes: &[u8], out: &mut String) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '\\' => out.push_str("\\\\"),
                ' '..='~' => out.push(letter),
                _ if letter.is_alphanumeric() => out.push(letter),
                '\0'..='\x7f' => write!(out, "{}", (letter as u8).escape_ascii())?,
                _ => write!(out, "{}", letter.escape_unicode())?,
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], want: &str) {
        let mut out = String::new();
        escape(bytes, &mut out).expect("a string takes all");
        assert_eq!(out, want);
    }

    #[test]
    fn what_a_terminal_would_act_on_is_escaped() {
        check(b"info depth 1 score cp -3\r", r"info depth 1 score cp -3\r");
        check(b"\x1b[2J\x07\0\t\x7f", r"\x1b[2J\x07\x00\t\x7f");
        check(
            "Bj\u{f6}rn \u{202e}\u{9b}".as_bytes(),
            r"Björn \u{202e}\u{9b}",
        );
        check(b"Bj\xf6rn\xff\xe2\x82", r"Bj\xf6rn\xff\xe2\x82");
        check(br"C:\engines", r"C:\\engines");
    }
}
