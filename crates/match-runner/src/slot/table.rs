//! The engines of a slot: who sits down to a game, who stays for the next, who is sent away.

use std::sync::Arc;

use engine_core::{ByColor, Color, Position};
use match_core::contest::{Input, Retry};
use match_core::evidence::Evidence;
use match_core::fault::Fault;
use match_core::fixture::{EngineId, Fixture};
use match_core::game::{Afterwards, Finished, Game, StartFailure};
use match_core::greeting::Unstarted;
use match_core::opening::Opening;
use match_core::record::GameRecord;
use match_core::seat::Seat;
use match_core::spec::EngineSpec;
use match_core::verdict::{Verdict, VoidReason};

use super::playing::Playing;
use super::watch::{Wait, Watch};
use super::witness::{Watched, Witness};
use crate::arena::{Arena, Engine};
use crate::chain::chain;
use crate::dispatch::Dispatch;
use crate::orders::Orders;
use crate::process::{Farewell, Process, end_all};

/// What a slot's thread works with.
#[derive(Debug)]
pub(super) struct Table {
    number: usize,
    arena: Arc<Arena>,
    dispatch: Arc<Dispatch>,
    watch: Watch,
    /// Those of the last game, by their colours in it.
    engines: ByColor<Option<Engine>>,
    /// Those whose game was cancelled; they end with the slot, all slots at the same time.
    leaving: Vec<Process>,
}

/// A process that is not kept, and why.
struct Dismissed {
    id: EngineId,
    color: Color,
    process: Process,
    fault: Option<Fault>,
}

impl Table {
    pub(super) fn new(
        number: usize,
        arena: Arc<Arena>,
        dispatch: Arc<Dispatch>,
        watch: Watch,
    ) -> Self {
        Self {
            number,
            arena,
            dispatch,
            watch,
            engines: ByColor::new_with(|_| None),
            leaving: Vec::new(),
        }
    }

    /// Plays a game and reports how it ended.
    pub(super) fn play(&mut self, fixture: Fixture, orders: &Orders) {
        let opening = match self.arena.book.opening(fixture.opening) {
            Ok(opening) => opening,
            Err(error) => return self.give_up(fixture, chain(&error)),
        };
        let engines = match self.sit_down(fixture, orders) {
            Ok(engines) => engines,
            Err((engine, text)) => {
                return self.tell(Input::StartFailed {
                    slot: self.number,
                    engine,
                    text,
                    retry: Retry::MayHelp,
                });
            }
        };
        for color in Color::ALL {
            if let Err(error) = self.watch.add(color, &engines[color].process) {
                return self.give_up(fixture, format!("an engine cannot be watched: {error}"));
            }
        }
        let ((white, whites), (black, blacks)) =
            (self.seat(engines.white), self.seat(engines.black));
        let mut processes = ByColor { white, black };
        let seats = ByColor {
            white: whites,
            black: blacks,
        };
        let (wall, rules) = (self.arena.wall, Arc::clone(&self.arena.rules));
        let mut game = Game::new(wall.now(), fixture, opening, seats, rules);
        let dispatch = &self.dispatch;
        let mut warn = |about: Option<Color>, text| {
            let engine = about.map(|color| fixture.players[color]);
            dispatch.tell(Input::Warned {
                game: Some(fixture.number),
                engine,
                text,
            });
        };
        let mut witness = self.arena.pulse.as_ref().map(|pulse| {
            let engines = ByColor::new_with(|color| Watched {
                process: processes[color].id(),
                cpus: self.arena.engine(fixture.players[color]).threads(),
            });
            Witness::new(wall.now(), pulse, engines)
        });
        Playing::new(
            &mut game,
            &mut processes,
            orders,
            &mut self.watch,
            wall,
            witness.as_mut(),
            &mut warn,
        )
        .run(&self.arena.plies);
        let mut finished = game.finish();
        if let Some(witness) = witness {
            self.hear_witness(witness, &mut finished);
        }
        self.stand_up(fixture, finished, processes, orders);
    }

    /// A game that the host has spoilt is nobody's loss.
    fn hear_witness(&self, witness: Witness<'_>, finished: &mut Finished) {
        let now = self.arena.wall.now();
        if let Ok(record) = &mut finished.game
            && let Verdict::Forfeit { loser, fault, .. } = &record.verdict
            && let Some(excuse) = witness.excuse(now, *loser, fault)
        {
            let engine = self.arena.engine(record.fixture.players[*loser]);
            let text = format!("{}: {excuse}", engine.name);
            record.verdict = Verdict::Void(VoidReason::Host(text));
        }
    }

    fn seat(&self, engine: Engine) -> (Process, Seat) {
        let EngineSpec {
            limits, options, ..
        } = self.arena.engine(engine.id);
        let seat = Seat {
            session: engine.session,
            limits: limits.clone(),
            options: options.clone(),
        };
        (engine.process, seat)
    }

    /// Waits for orders while the engines idle. Whatever they say meanwhile is nobody's business.
    pub(super) fn rest(&mut self) {
        let has_more =
            |engine: &Option<Engine>| engine.as_ref().is_some_and(|one| one.process.has_more());
        let wait = if has_more(&self.engines.white) || has_more(&self.engines.black) {
            Wait::Never
        } else {
            Wait::Until(None)
        };
        let ready = self.watch.wait(wait, self.arena.wall);
        for color in Color::ALL {
            let ready = ready.engines[color];
            let Some(Engine { process, .. }) = &mut self.engines[color] else {
                continue;
            };
            if ready.output || process.has_more() {
                process.discard_output();
            }
            if ready.errors {
                process.read_errors();
            }
            if ready.ended {
                process.close_output();
            }
        }
    }

    /// Ends everything.
    pub(super) fn retire(&mut self, farewell: Farewell, orders: &Orders) {
        let seated = [&mut self.engines.white, &mut self.engines.black]
            .into_iter()
            .flatten();
        let processes = seated
            .map(|engine| &mut engine.process)
            .chain(&mut self.leaving)
            .collect();
        end_all(processes, farewell, Some(orders.bell()));
    }

    /// The engines of a game: those of the last one if they play again, the pre-flight's, or new ones.
    fn sit_down(
        &mut self,
        fixture: Fixture,
        orders: &Orders,
    ) -> Result<ByColor<Engine>, (EngineId, String)> {
        let mut sat = [self.engines.white.take(), self.engines.black.take()];
        let mut seated = ByColor::new_with(|color| {
            let plays = |engine: &Option<Engine>| {
                engine
                    .as_ref()
                    .is_some_and(|engine| engine.id == fixture.players[color])
            };
            sat.iter_mut()
                .find(|engine| plays(engine))
                .and_then(Option::take)
        });
        self.say_goodbye(
            sat.into_iter().flatten().map(|engine| engine.process),
            orders,
        );
        for color in Color::ALL {
            let id = fixture.players[color];
            let sitting = match seated[color].take() {
                Some(engine) => Some(Ok(engine)),
                None => self.arena.take_ready(id, self.number),
            };
            let candidate = match sitting {
                Some(Ok(engine)) => self.still_there(engine, fixture, color),
                Some(Err(error)) => {
                    Err(format!("cannot be moved to the CPUs of its slot: {error}"))
                }
                None => self.fresh(id),
            };
            match candidate {
                Ok(mut engine) => {
                    engine.process.discard_lines();
                    seated[color] = Some(engine);
                }
                Err(text) => {
                    self.put_back(seated);
                    return Err((id, text));
                }
            }
        }
        Ok(seated.map(|engine| engine.expect("both colours have sat down")))
    }

    /// Those who sat down to a game that is not played.
    fn put_back(&mut self, engines: ByColor<Option<Engine>>) {
        self.engines = engines;
        for color in Color::ALL {
            if let Some(engine) = &self.engines[color] {
                // Unwatched it can block itself, and its next game will say that it cannot be watched.
                let _it_is_not_needed_now = self.watch.add(color, &engine.process);
            }
        }
    }

    fn fresh(&self, id: EngineId) -> Result<Engine, String> {
        let program = self.arena.starts[id.0].program.display();
        self.arena
            .spawn(id, self.number)
            .map_err(|error| format!("failed to start `{program}`: {error}"))
    }

    /// The engine, or a fresh one if it ended while no game was played; then that costs nobody a game.
    fn still_there(
        &self,
        mut engine: Engine,
        fixture: Fixture,
        color: Color,
    ) -> Result<Engine, String> {
        if engine.process.is_usable() {
            return Ok(engine);
        }
        let id = engine.id;
        let text = format!(
            "between two games: {}",
            engine.process.obituary(&Fault::Crash)
        );
        self.tell(Input::Warned {
            game: Some(fixture.number),
            engine: Some(id),
            text,
        });
        self.tell(Input::EngineRestarted {
            slot: self.number,
            engine: id,
            color,
            fault: None,
        });
        self.fresh(id)
    }

    /// After a game: reports it, keeps who can be kept and sends the others away.
    fn stand_up(
        &mut self,
        fixture: Fixture,
        finished: Finished,
        mut processes: ByColor<Process>,
        orders: &Orders,
    ) {
        let Finished { game, engines } = finished;
        let game = game.map(Arc::new);
        let evidence =
            (game.as_ref().ok()).and_then(|record| self.evidence(record, &mut processes, &engines));
        let was_cancelled = game.as_ref().is_ok_and(|record| {
            let why = &record.verdict;
            matches!(
                why,
                Verdict::Void(VoidReason::Cancelled | VoidReason::Unneeded)
            )
        });
        let mut dismissed = Vec::new();
        let ByColor { white, black } = processes;
        let after = [
            (Color::White, white, engines.white),
            (Color::Black, black, engines.black),
        ];
        for (color, process, afterwards) in after {
            let id = fixture.players[color];
            self.tell_refusals(fixture, id, &process);
            match afterwards {
                Afterwards::Keep(session) if !self.arena.engine(id).restart => {
                    self.engines[color] = Some(Engine {
                        id,
                        process,
                        session,
                    });
                }
                Afterwards::Keep(_) => dismissed.push(Dismissed {
                    id,
                    color,
                    process,
                    fault: None,
                }),
                Afterwards::Discard { .. } if was_cancelled => {
                    self.watch.remove(&process);
                    self.leaving.push(process);
                }
                Afterwards::Discard { fault } => dismissed.push(Dismissed {
                    id,
                    color,
                    process,
                    fault,
                }),
            }
        }
        let (faulty, fine): (Vec<_>, Vec<_>) =
            dismissed.into_iter().partition(|one| one.fault.is_some());
        // Before the game is reported, because the next order would put an end to all patience.
        self.say_goodbye(fine.into_iter().map(|one| one.process), orders);
        if let Some(text) = self
            .arena
            .tables
            .as_ref()
            .and_then(|tables| tables.take_complaint())
        {
            self.tell(Input::Warned {
                game: Some(fixture.number),
                engine: None,
                text,
            });
        }
        match game {
            Ok(record) => {
                faulty
                    .into_iter()
                    .for_each(|one| self.replace(fixture, one));
                if let Some(evidence) = evidence {
                    self.tell(Input::Faulted(Arc::new(evidence)));
                }
                self.tell(Input::GameOver {
                    slot: self.number,
                    record,
                });
            }
            Err(failure) => self.report_failure(fixture, &failure, faulty),
        }
    }

    /// What is known of a game that ended by a fault, if anybody wants to know.
    fn evidence(
        &self,
        record: &Arc<GameRecord>,
        processes: &mut ByColor<Process>,
        engines: &ByColor<Afterwards>,
    ) -> Option<Evidence> {
        let is_fault = matches!(record.verdict, Verdict::Forfeit { .. });
        (is_fault && self.arena.spec.output.faults.is_some()).then(|| Evidence {
            record: Arc::clone(record),
            engines: ByColor::new_with(|color| {
                let is_gone = matches!(engines[color], Afterwards::Discard { fault: Some(_) });
                processes[color].testimony(is_gone)
            }),
        })
    }

    fn tell_refusals(&self, fixture: Fixture, id: EngineId, process: &Process) {
        for text in self.arena.refused(id, process) {
            self.tell(Input::Warned {
                game: Some(fixture.number),
                engine: Some(id),
                text,
            });
        }
    }

    /// Kills a faulty engine and tells how it ended.
    fn replace(&self, fixture: Fixture, mut one: Dismissed) {
        let Some(fault) = one.fault.take() else {
            return;
        };
        let text = one.process.obituary(&fault);
        self.tell(Input::Warned {
            game: Some(fixture.number),
            engine: Some(one.id),
            text,
        });
        let (slot, engine, color) = (self.number, one.id, one.color);
        self.tell(Input::EngineRestarted {
            slot,
            engine,
            color,
            fault: Some(fault),
        });
    }

    fn report_failure(&self, fixture: Fixture, failure: &StartFailure, mut faulty: Vec<Dismissed>) {
        let culprit = faulty.iter_mut().find(|one| one.color == failure.color);
        let text = match (&failure.why, culprit) {
            (Unstarted::Faulty(fault), Some(one)) => {
                format!("did not start: {}", one.process.obituary(fault))
            }
            (why, _) => why.to_string(),
        };
        self.tell(Input::StartFailed {
            slot: self.number,
            engine: fixture.players[failure.color],
            text,
            retry: if failure.is_final() {
                Retry::IsUseless
            } else {
                Retry::MayHelp
            },
        });
    }

    /// The game cannot be played and no engine is to blame.
    fn give_up(&self, fixture: Fixture, text: String) {
        self.tell(Input::ReporterFailed(text.clone()));
        let record = GameRecord {
            fixture,
            opening: Opening {
                start: Position::startpos(),
                moves: Vec::new(),
            },
            plies: Vec::new(),
            verdict: Verdict::Void(VoidReason::Host(text)),
            duration: std::time::Duration::ZERO,
        };
        self.tell(Input::GameOver {
            slot: self.number,
            record: Arc::new(record),
        });
    }

    fn say_goodbye(&self, processes: impl Iterator<Item = Process>, orders: &Orders) {
        let mut processes: Vec<Process> = processes.collect();
        let farewell = Farewell::Quit(self.arena.spec.patience.quit);
        end_all(
            processes.iter_mut().collect(),
            farewell,
            Some(orders.bell()),
        );
    }

    fn tell(&self, input: Input) {
        self.dispatch.tell(input);
    }
}
