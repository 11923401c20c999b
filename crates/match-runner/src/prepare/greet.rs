//! Starts every engine once, all at the same time, and sees whether it can play.

use std::time::Duration;

use match_core::fixture::EngineId;
use match_core::greeting::{Greeting, GreetingInput, GreetingOutput, Unstarted};
use match_core::moment::Moment;
use rustix::event::{PollFd, PollFlags, poll};

use super::{PrepareError, Warning};
use crate::arena::{Arena, Engine};
use crate::interrupt::Interrupts;
use crate::process::{Filled, Process, Sent};
use crate::wall::timespec;

/// How often it is looked whether somebody wants us to stop.
const LOOK_UP: Duration = Duration::from_millis(50);

/// An engine that is being greeted.
struct Guest {
    id: EngineId,
    process: Process,
    greeting: Greeting,
    sent: usize,
    has_unsent: bool,
    over: bool,
}

/// Greets all engines of the spec; those that play are ready for their first games.
pub(super) fn all(
    arena: &Arena,
    interrupts: &Interrupts,
    warnings: &mut Vec<Warning>,
) -> Result<(), PrepareError> {
    let mut guests = Vec::with_capacity(arena.starts.len());
    for id in (0..arena.starts.len()).map(EngineId) {
        let mut guest = Guest::invite(arena, id)?;
        guest.carry_out(arena, warnings);
        guests.push(guest);
    }
    while guests.iter().any(|guest| !guest.over) {
        if interrupts.count() > 0 {
            return Err(PrepareError::Interrupted);
        }
        wait(arena, &guests);
        for guest in guests.iter_mut().filter(|guest| !guest.over) {
            guest.attend(arena, warnings);
        }
    }
    for guest in &guests {
        let refused = arena.refused(guest.id, &guest.process).into_iter();
        warnings.extend(refused.map(|text| Warning {
            engine: Some(guest.id),
            text,
        }));
    }
    let ready: Result<Vec<Engine>, PrepareError> =
        guests.into_iter().map(|guest| guest.seat(arena)).collect();
    arena.put_ready(ready?);
    Ok(())
}

/// Waits until anything can be read or written, somebody's patience is over, or it is time to look up.
fn wait(arena: &Arena, guests: &[Guest]) {
    let mut fds = Vec::new();
    let mut timeout = LOOK_UP;
    for guest in guests.iter().filter(|guest| !guest.over) {
        let readable = [
            guest.process.output_fd(),
            guest.process.errors_fd(),
            guest.process.end_fd(),
        ];
        fds.extend(
            readable
                .into_iter()
                .flatten()
                .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
        );
        if guest.has_unsent {
            let writable = guest.process.input_fd();
            fds.extend(writable.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::OUT)));
        }
        if let Some(due) = guest.greeting.wake_at() {
            timeout = timeout.min(arena.wall.until(due));
        }
    }
    let _everything_is_tried_anyway = poll(&mut fds, Some(&timespec(timeout)));
}

impl Guest {
    fn invite(arena: &Arena, id: EngineId) -> Result<Self, PrepareError> {
        let spec = arena.engine(id);
        let Engine {
            id,
            process,
            session,
        } = arena.spawn(id, arena.first_slot(id)).map_err(|error| {
            let program = arena.starts[id.0].program.display();
            let why = format!("cannot be started: `{program}`: {error}");
            PrepareError::Unstarted {
                engine: spec.name.clone(),
                why,
            }
        })?;
        let (variant, patience) = (arena.spec.variant, &arena.spec.patience);
        let greeting = Greeting::new(
            arena.wall.now(),
            session,
            spec.options.clone(),
            variant,
            patience,
        );
        Ok(Self {
            id,
            process,
            greeting,
            sent: 0,
            has_unsent: false,
            over: false,
        })
    }

    /// Reads and writes what can be read and written.
    fn attend(&mut self, arena: &Arena, warnings: &mut Vec<Warning>) {
        self.process.read_errors();
        let filled = self.process.read_output();
        let at = arena.wall.now();
        while !self.over
            && let Some(line) = self.process.next_line(at)
        {
            self.greeting.handle(at, GreetingInput::Line(line));
            self.carry_out(arena, warnings);
        }
        // Ended, with a child of it still holding the pipe, is as good as closed.
        let ended = filled == Filled::Nothing && self.process.has_ended();
        if filled == Filled::End || ended {
            self.tell(at, GreetingInput::Closed, arena, warnings);
        }
        if self.has_unsent {
            self.write(arena);
        }
        self.tell(at, GreetingInput::Alarm, arena, warnings);
    }

    fn tell(
        &mut self,
        at: Moment,
        input: GreetingInput<'_>,
        arena: &Arena,
        warnings: &mut Vec<Warning>,
    ) {
        if !self.over {
            self.greeting.handle(at, input);
            self.carry_out(arena, warnings);
        }
    }

    fn carry_out(&mut self, arena: &Arena, warnings: &mut Vec<Warning>) {
        while let Some(output) = self.greeting.poll() {
            match output {
                GreetingOutput::Write => self.write(arena),
                GreetingOutput::Warned(text) => warnings.push(Warning {
                    engine: Some(self.id),
                    text,
                }),
                GreetingOutput::Over => self.over = true,
            }
        }
    }

    fn write(&mut self, arena: &Arena) {
        let unsent = &self.greeting.outbox()[self.sent..];
        let sent = self.process.send(unsent);
        let at = arena.wall.now();
        match sent {
            Sent::Partly(more) => {
                if 0 < more {
                    self.process.note_sent(at, &unsent[..more]);
                }
                self.sent += more;
                self.has_unsent = true;
            }
            Sent::All | Sent::Broken => {
                self.process.note_sent(at, unsent);
                self.sent = 0;
                self.has_unsent = false;
                self.greeting.handle(at, GreetingInput::Flushed);
            }
        }
    }

    /// The engine, if it can play.
    fn seat(mut self, arena: &Arena) -> Result<Engine, PrepareError> {
        let engine = arena.engine(self.id).name.clone();
        match self.greeting.finish() {
            Ok(session) => Ok(Engine {
                id: self.id,
                process: self.process,
                session,
            }),
            Err(unfit @ Unstarted::Unfit(_)) => Err(PrepareError::Unfit {
                engine,
                why: unfit.to_string(),
            }),
            Err(Unstarted::Faulty(fault)) => {
                let why = self.process.obituary(&fault);
                Err(PrepareError::Unstarted {
                    engine,
                    why: format!("did not start: {why}"),
                })
            }
        }
    }
}
