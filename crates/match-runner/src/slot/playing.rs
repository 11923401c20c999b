//! Drives the game machine: carries out what it asks for and tells it what happened, and when.

use std::sync::atomic::{AtomicU64, Ordering};

use engine_core::{ByColor, Color};
use match_core::game::{Game, Input, Output};
use match_core::moment::Moment;

use super::watch::{EngineReady, Wait, Watch};
use super::witness::Witness;
use crate::orders::Orders;
use crate::process::{Filled, LINE_BYTES_MAX, Process, Sent};
use crate::wall::Wall;

/// Reads that are made at most from an engine that has ended: more than a full pipe. Whoever still
/// writes into it is not the engine.
const LAST_READS_MAX: usize = 64;

/// A game under way.
pub(super) struct Playing<'a, 'w> {
    game: &'a mut Game,
    processes: &'a mut ByColor<Process>,
    orders: &'a Orders,
    watch: &'a mut Watch,
    wall: Wall,
    witness: Option<&'a mut Witness<'w>>,
    warn: &'a mut dyn FnMut(Option<Color>, String),
    progress: ByColor<Progress>,
    /// Plies of this game that are among those of all games.
    counted: u64,
    over: bool,
}

/// How far we are with an engine.
#[derive(Clone, Copy, Debug, Default)]
struct Progress {
    /// Bytes of the outbox that are on their way.
    sent: usize,
    /// The rest of the outbox waits for room in the pipe.
    has_unsent: bool,
    /// A line was too long, and that has been said.
    told_of_cut: bool,
    /// Its end has been told.
    is_closed: bool,
}

impl<'a, 'w> Playing<'a, 'w> {
    /// The processes are in the watch.
    pub(super) fn new(
        game: &'a mut Game,
        processes: &'a mut ByColor<Process>,
        orders: &'a Orders,
        watch: &'a mut Watch,
        wall: Wall,
        witness: Option<&'a mut Witness<'w>>,
        warn: &'a mut dyn FnMut(Option<Color>, String),
    ) -> Self {
        let progress = ByColor::new_with(|_| Progress::default());
        Self {
            game,
            processes,
            orders,
            watch,
            wall,
            witness,
            warn,
            progress,
            counted: 0,
            over: false,
        }
    }

    /// Plays until the game is over, and counts its plies among those of all games.
    pub(super) fn run(mut self, plies: &AtomicU64) {
        self.carry_out();
        while !self.over {
            let due = self.game.wake_at();
            let look = self.look_at();
            let has_more = Color::ALL
                .iter()
                .any(|&color| self.processes[color].has_more());
            let wait = if has_more {
                Wait::Never
            } else {
                Wait::Until(look.or(due))
            };
            let ready = self.watch.wait(wait, self.wall);
            let read_at = self.attend(ready.engines);
            if ready.bell
                && let Some(reason) = self.orders.take_cancel()
            {
                self.tell(self.wall.now(), Input::Cancel(reason));
            }
            // Whatever was there when the alarm was due has been heard by now, with its own stamp. If
            // that has put the alarm off, the machine knows.
            let now = read_at.unwrap_or_else(|| self.wall.now());
            if look.is_some_and(|look| look <= now) && !self.over {
                self.look(now);
            }
            if due.is_some_and(|due| due <= now) {
                self.tell(now, Input::Alarm);
            }
            self.count(plies);
            self.look_for_lateness(now);
        }
    }

    /// Long games show that they are alive.
    fn count(&mut self, all: &AtomicU64) {
        let plies = self.game.plies();
        if self.counted < plies {
            all.fetch_add(plies - self.counted, Ordering::Relaxed);
            self.counted = plies;
        }
    }

    /// When the witness wants to look at the engine that thinks; that is before it is late.
    fn look_at(&mut self) -> Option<Moment> {
        let witness = self.witness.as_mut()?;
        witness.look_at(self.game.thinking()?)
    }

    fn look(&mut self, now: Moment) {
        if let Some(witness) = &mut self.witness {
            witness.look(now);
        }
    }

    fn look_for_lateness(&mut self, now: Moment) {
        if let Some(witness) = &mut self.witness
            && let Some(has_moved) = self.game.late_move()
        {
            witness.found_late(now, has_moved);
        }
    }

    /// Reads and writes whatever is ready. Returns the time of the last read, if there was one.
    fn attend(&mut self, ready: ByColor<EngineReady>) -> Option<Moment> {
        // Both are read, and the clock after each, before anything else is done: nobody is charged for
        // what the other's lines cost us.
        let mut read_at = None;
        let reads = ByColor::new_with(|color| {
            let process = &mut self.processes[color];
            (ready[color].output || process.has_more()).then(|| {
                let filled = process.read_output();
                let at = self.wall.now();
                read_at = Some(at);
                (filled, at)
            })
        });
        for color in Color::ALL {
            if let Some((filled, at)) = reads[color] {
                self.hear(color, filled, at);
            }
            if ready[color].ended {
                self.hear_the_last(color);
            }
            if ready[color].errors {
                self.processes[color].read_errors();
            }
            if ready[color].input {
                self.write(color);
            }
        }
        read_at
    }

    /// Hands over what a read brought.
    fn hear(&mut self, color: Color, filled: Filled, at: Moment) {
        while !self.over
            && let Some(line) = self.processes[color].next_line(at)
        {
            self.game.handle(at, Input::Line(color, line));
            self.carry_out();
        }
        let was_cut = self.processes[color].take_cut() > 0;
        if was_cut && !std::mem::replace(&mut self.progress[color].told_of_cut, true) {
            (self.warn)(
                Some(color),
                format!(
                    "sent a line of more than {LINE_BYTES_MAX} bytes; the rest of it is dropped"
                ),
            );
        }
        if filled == Filled::End {
            self.close(color, at);
        }
    }

    /// The process has ended. What it wrote before is in the pipe; that the pipe stays open means that
    /// somebody else holds it.
    fn hear_the_last(&mut self, color: Color) {
        for _ in 0..LAST_READS_MAX {
            let filled = self.processes[color].read_output();
            let at = self.wall.now();
            self.hear(color, filled, at);
            if !matches!(filled, Filled::All | Filled::Part) {
                break;
            }
        }
        self.close(color, self.wall.now());
    }

    /// Nothing more will come. A last line without a newline is a line.
    fn close(&mut self, color: Color, at: Moment) {
        self.processes[color].close_output();
        if self.over || std::mem::replace(&mut self.progress[color].is_closed, true) {
            return;
        }
        if let Some(line) = self.processes[color].last_line(at) {
            self.game.handle(at, Input::Line(color, line));
            self.carry_out();
        }
        self.tell(at, Input::Closed(color));
    }

    fn tell(&mut self, at: Moment, input: Input<'_>) {
        if !self.over {
            self.game.handle(at, input);
            self.carry_out();
        }
    }

    /// Does all that the machine asks for.
    fn carry_out(&mut self) {
        while let Some(output) = self.game.poll() {
            match output {
                Output::Write(color) => self.write(color),
                Output::Warned { about, text } => (self.warn)(about, text),
                Output::Over => self.over = true,
            }
        }
    }

    /// Writes what the pipe takes. The clock starts with the write that puts the last byte in: looked
    /// at after it, the clock would be late by all that an engine on the same CPU does before the write
    /// returns, which was whole searches.
    fn write(&mut self, color: Color) {
        if let Some(witness) = &mut self.witness
            && let Some(has) = self.game.about_to_think()
        {
            witness.before_go(has, self.wall);
        }
        let progress = &mut self.progress[color];
        let process = &mut self.processes[color];
        let unsent = &self.game.outbox(color)[progress.sent..];
        let at = self.wall.now();
        let sent = process.send(unsent);
        match sent {
            Sent::Partly(more) => {
                if 0 < more {
                    process.note_sent(at, &unsent[..more]);
                }
                progress.sent += more;
                self.await_room(color, true);
            }
            // To an engine that does not listen any more everything is sent: its end comes by itself.
            Sent::All | Sent::Broken => {
                process.note_sent(at, unsent);
                progress.sent = 0;
                self.game.handle(at, Input::Flushed(color));
                self.await_room(color, false);
            }
        }
    }

    /// Whether to come back when the pipe to an engine has room.
    fn await_room(&mut self, color: Color, has_unsent: bool) {
        if std::mem::replace(&mut self.progress[color].has_unsent, has_unsent) != has_unsent
            && let Err(error) = self
                .watch
                .watch_input(color, &self.processes[color], has_unsent)
        {
            // Its clock or our patience runs on, so that even this comes to an end.
            (self.warn)(Some(color), format!("cannot be waited for: {error}"));
        }
    }
}
