//! The worker's thread: tells the agent what happened, and does what it asks.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use fleet_api::{Claim, Code, Heartbeat, HostFacts, PairReport, PairStatus, Report};
use fleet_client::{CallError, Client, Trouble};
use fleet_core::agent::{Agent, CallFailure, Habits, Input, Output, SegmentId};
use match_core::adjudication::{Syzygy, TablebaseRulings};
use match_core::moment::Moment;
use match_core::spec::raw::RawSandboxSettings;
use match_core::spec::{Concurrency, PlacementSpec};
use match_runner::cores::{Placement, PlacementError, Wish};
use match_runner::{Host, SyzygyTables, TablebaseError, cores, sandbox};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use thiserror::Error;

use crate::cache::Cache;
use crate::facts;
use crate::home::Home;
use crate::player::Player;
use crate::prepare::Workshop;
use crate::rules::Rules;
use crate::speed::Speeds;
use crate::spool::Spool;
use crate::talk::Talk;

/// Engines that are killed are gone in less.
const KILL_GRACE: Duration = Duration::from_secs(2);

/// How a worker is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// The coordinator, with a token that allows work.
    pub client: Client,
    /// The folder for everything that outlives the process.
    pub data: PathBuf,
    /// What people call this machine; its host name if nothing is said.
    pub name: Option<String>,
    /// CPUs to lend, at most as many as there are; all physical cores if nothing is said.
    pub slots: Option<NonZeroUsize>,
    /// Folders of Syzygy tablebases, for tests whose referee wants them.
    pub syzygy: Vec<PathBuf>,
    /// On which CPUs everything runs, whatever tests say.
    pub placement: PlacementSpec,
    /// Everything runs in a sandbox that has these bounds at least; without it, tests decide.
    pub sandbox: Option<RawSandboxSettings>,
    /// Ends after one lease, or when there is none.
    pub once: bool,
    /// About how much of the disk may be used for what was fetched and built, in bytes.
    pub cache_bytes: u64,
    /// How engines are started.
    pub host: Host,
    /// Where lines for people go.
    pub talk: Talk,
}

/// Why a worker cannot work.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// Its folder is no good.
    #[error("the worker's folder `{}` cannot be used", path.display())]
    Home {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is another one.
    #[error("a worker runs already in `{}`: each needs a folder of its own (`--data`)", path.display())]
    Busy {
        /// Where.
        path: PathBuf,
    },
    /// The CPUs that it is to use cannot be used.
    #[error("`--cpus` cannot be used")]
    Cpus(#[from] PlacementError),
    /// The tablebases that it is to have are not there.
    #[error(transparent)]
    Tablebases(#[from] TablebaseError),
    /// There is no sandbox to be had.
    #[error("a sandbox is asked for, and {0}")]
    Sandbox(
        /// What is missing.
        String,
    ),
    /// A path that its sandbox is to allow is not there.
    #[error("`{}`, which the sandbox is to allow, cannot be used", path.display())]
    Path {
        /// As it was written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The coordinator will not have it.
    #[error(transparent)]
    Unwanted(CallError),
    /// The machine lets us down.
    #[error("failed to {what}")]
    Machine {
        /// What was being done.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
}

/// A worker that can begin.
#[derive(Debug)]
pub struct Worker {
    config: Config,
    home: Home,
    inbox: Receiver<News>,
    news: Sender<News>,
}

/// Stops a worker. Clones stop the same one.
#[derive(Clone, Debug)]
pub struct Handle(Sender<News>);

/// What the worker's thread hears.
#[derive(Debug)]
enum News {
    /// For the agent.
    Input(Input),
    /// Somebody wants it to end.
    Stop,
    /// The coordinator will not have us, and never had.
    Unwanted(CallError),
}

impl Handle {
    /// The first call lets the worker report what is played, hand its lease back and end, within half
    /// a minute; the second ends it at once.
    pub fn stop(&self) {
        let _it_has_ended = self.0.send(News::Stop);
    }

    /// Lets SIGINT, SIGTERM and SIGHUP stop it, from now to the end of this process. Engines that end
    /// are ours to ask for their status, even if we were started with SIGCHLD ignored.
    ///
    /// # Errors
    /// When the operating system refuses the handlers or the thread that waits for them.
    pub fn catch_signals(&self) -> io::Result<()> {
        signal_hook::flag::register(SIGCHLD, Arc::default())?;
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        let handle = self.clone();
        thread::Builder::new()
            .name("signals".into())
            .spawn(move || signals.forever().for_each(|_| handle.stop()))?;
        Ok(())
    }
}

impl Worker {
    /// Opens the worker's folder. Nobody is called yet.
    ///
    /// # Errors
    /// [`WorkerError::Home`] and [`WorkerError::Busy`].
    pub fn new(config: Config) -> Result<Self, WorkerError> {
        let home = Home::open(&config.data, &config.talk)?;
        let (news, inbox) = mpsc::channel();
        Ok(Self {
            config,
            home,
            inbox,
            news,
        })
    }

    /// What stops it.
    pub fn handle(&self) -> Handle {
        Handle(self.news.clone())
    }

    /// Works until it is stopped.
    ///
    /// # Errors
    /// [`WorkerError`]. Whatever was played and not reported is in the folder, and the next worker
    /// there reports it.
    pub fn run(self) -> Result<(), WorkerError> {
        let Self {
            config,
            home,
            inbox,
            news,
        } = self;
        let talk = config.talk.clone();
        let path = config.data.clone();
        let failed = |source| WorkerError::Home {
            path: path.clone(),
            source,
        };
        let (spool, left) = Spool::open(&home, &talk).map_err(failed)?;
        if !left.is_empty() {
            let pairs: u64 = left.iter().map(|segment| segment.pairs).sum();
            talk.note(format_args!(
                "{pairs} pairs of an earlier life are not reported yet"
            ));
        }
        let cores = lent(&config)?;
        let mut facts = facts::of_this_machine(config.name.as_deref(), cores);
        facts.tablebases = men(&config.syzygy)?;
        talk.note(format_args!(
            "worker {} ({}) for {}: {cores} slots, data in `{}`",
            facts.name,
            home.worker(),
            config.client.server(),
            config.data.display()
        ));
        let workshop = Workshop {
            client: config.client.clone(),
            cache: Cache::open(&home, config.cache_bytes, talk.clone()).map_err(failed)?,
            scratch: home.folder("work"),
            rules: rules(&config, facts.memory_mib)?,
            speeds: Speeds::open(home.folder("speeds")).map_err(failed)?,
            syzygy: config.syzygy.clone(),
            host: config.host,
            cores,
            memory_mib: facts.memory_mib,
        };
        let shell = Shell {
            client: config.client,
            home: Arc::new(home),
            facts,
            workshop: Arc::new(workshop),
            spool: Arc::new(spool),
            news,
            line: Arc::new(Line {
                talk: talk.clone(),
                is_down: AtomicBool::new(false),
                was_welcome: AtomicBool::new(false),
            }),
            talk,
            player: None,
            unacknowledged: 0,
        };
        let habits = Habits {
            once: config.once,
            ..Habits::default()
        };
        let seed = getrandom::u64().map_err(|error| WorkerError::Machine {
            what: "get random numbers",
            source: io::Error::other(error),
        })?;
        shell.run(Agent::new(Moment::ZERO, habits, seed, left), &inbox)
    }
}

/// Does what the agent asks.
struct Shell {
    client: Client,
    home: Arc<Home>,
    facts: HostFacts,
    workshop: Arc<Workshop>,
    spool: Arc<Spool>,
    news: Sender<News>,
    line: Arc<Line>,
    talk: Talk,
    player: Option<Player>,
    /// Pairs that are played and not acknowledged.
    unacknowledged: u64,
}

/// The line to the coordinator: its troubles are told when they begin and when they end.
struct Line {
    talk: Talk,
    is_down: AtomicBool,
    /// A claim was answered: whatever is wrong now was right once, and may be again.
    was_welcome: AtomicBool,
}

impl Shell {
    fn run(mut self, mut agent: Agent, inbox: &Receiver<News>) -> Result<(), WorkerError> {
        let started = Instant::now();
        let mut stops = 0;
        loop {
            while let Some(output) = agent.poll() {
                if output == Output::Exit {
                    self.end();
                    let left = agent.unacknowledged();
                    if left > 0 {
                        self.talk.warn(format_args!(
                            "{left} pairs are not reported; the next worker here will do it"
                        ));
                    }
                    return Ok(());
                }
                self.unacknowledged = agent.unacknowledged();
                self.carry_out(output)?;
            }
            let due = agent.wake_at().map(|at| {
                let wait = Duration::from_nanos(at.as_nanos());
                wait.saturating_sub(started.elapsed())
            });
            let news = match due {
                Some(wait) => inbox.recv_timeout(wait),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let input = match news {
                Ok(News::Input(input)) => input,
                Ok(News::Stop) if stops == 0 => {
                    stops += 1;
                    self.talk.note("stopping: once more to end at once");
                    Input::Drain
                }
                Ok(News::Stop) => {
                    self.end();
                    return Ok(());
                }
                Ok(News::Unwanted(error)) => {
                    self.end();
                    return Err(WorkerError::Unwanted(error));
                }
                Err(RecvTimeoutError::Timeout) => Input::Alarm,
                Err(RecvTimeoutError::Disconnected) => unreachable!("we hold a sender"),
            };
            if let Input::Ended { trouble, .. } = &input {
                self.player = None;
                if !trouble.is_empty() {
                    self.talk.warn(trouble);
                }
            }
            agent.handle(now(started), input);
        }
    }

    fn carry_out(&mut self, output: Output) -> Result<(), WorkerError> {
        match output {
            Output::Claim { key } => self.claim(key),
            Output::Prepare(grant) => {
                self.talk.note(format_args!(
                    "test {}: pairs {} to {} (lease {})",
                    grant.test,
                    grant.first_pair + 1,
                    grant.first_pair + grant.pairs,
                    grant.lease
                ));
                let news = self.news.clone();
                let tell = move |input| drop(news.send(News::Input(input)));
                let (workshop, spool) = (Arc::clone(&self.workshop), Arc::clone(&self.spool));
                let player = Player::start(grant, workshop, spool, tell);
                self.player = Some(player.map_err(|source| WorkerError::Machine {
                    what: "start a thread",
                    source,
                })?);
            }
            Output::Play => self.player.iter().for_each(Player::play),
            Output::Cancel => {
                self.talk.note("play is stopped");
                self.player.iter().for_each(Player::stop);
            }
            Output::Report { lease, segments } => self.report(lease, segments),
            Output::Forget(segments) => {
                if let Err(error) = self.spool.forget(&segments) {
                    self.talk.warn(format_args!(
                        "what is reported cannot be deleted and will be reported again: {error}"
                    ));
                }
            }
            Output::SetAside(segments) => {
                for id in segments {
                    match self.spool.set_aside(id) {
                        Ok(path) => self.talk.warn(format_args!(
                            "the coordinator refuses results; they are in `{}`",
                            path.display()
                        )),
                        Err(error) => self
                            .talk
                            .warn(format_args!("refused results cannot be set aside: {error}")),
                    }
                }
            }
            Output::Heartbeat { lease } => {
                let beat = Heartbeat {
                    plies: self.player.as_ref().map_or(0, Player::plies),
                    spool: Some(self.unacknowledged),
                };
                self.call(move |client| (client.heartbeat(&lease, beat), Input::Beaten));
            }
            Output::GiveBack { lease, returned } => self.call(move |client| {
                let answer = client.give_back(&lease, &returned);
                (answer, Input::Returned)
            }),
            Output::Exit => unreachable!("it ends the loop"),
        }
        Ok(())
    }

    fn claim(&self, key: String) {
        if !self.spool.has_room() {
            let failure = CallFailure::Away { retry_after: None };
            return drop(self.news.send(News::Input(Input::Claimed(Err(failure)))));
        }
        let claim = Claim {
            worker: self.home.worker().to_owned(),
            host: self.facts.clone(),
            claim: key,
            life: self.home.life().cloned(),
        };
        let (client, news, home) = (
            self.client.clone(),
            self.news.clone(),
            Arc::clone(&self.home),
        );
        let line = Arc::clone(&self.line);
        thread::spawn(move || {
            let answer = client.claim(&claim);
            let was_welcome = line.was_welcome.load(Ordering::Relaxed);
            let answer = match answer {
                // Another worker goes by our name, and has the coordinator's ear.
                Err(error) if error.code() == Some(Code::Conflict) => {
                    return drop(news.send(News::Unwanted(error)));
                }
                Err(error) if !was_welcome && error.trouble() != Trouble::Away => {
                    return drop(news.send(News::Unwanted(error)));
                }
                answer => answer,
            };
            if answer.is_ok() && !was_welcome {
                line.was_welcome.store(true, Ordering::Relaxed);
                if let Err(error) = home.was_answered() {
                    line.talk.warn(format_args!(
                        "the worker's folder cannot be written: {error}"
                    ));
                }
            }
            drop(news.send(News::Input(Input::Claimed(line.heard(answer)))));
        });
    }

    fn report(&self, lease: String, segments: Vec<SegmentId>) {
        let spool = Arc::clone(&self.spool);
        let talk = self.talk.clone();
        self.call(move |client| {
            let mut pairs: Vec<PairReport> = Vec::new();
            for &id in &segments {
                match spool.read(id) {
                    Ok((_, stored)) => pairs.extend(stored),
                    Err(source) => {
                        let what = format!("read segment {} of the spool", id.0);
                        return (Err(CallError::File { what, source }), Input::Reported);
                    }
                }
            }
            let answer = client.report(&lease, &Report { pairs });
            let directive = answer.map(|answer| {
                for pair in &answer.pairs {
                    if pair.status == PairStatus::Refused {
                        talk.warn(format_args!(
                            "pair {} is not believed: {}",
                            pair.pair + 1,
                            pair.why.as_deref().unwrap_or("no reason is given")
                        ));
                    }
                }
                answer.directive
            });
            (directive, Input::Reported)
        });
    }

    /// Makes a call in a thread of its own, and tells the agent what came of it.
    fn call<T: 'static>(
        &self,
        make: impl FnOnce(&Client) -> (Result<T, CallError>, fn(Result<T, CallFailure>) -> Input)
        + Send
        + 'static,
    ) {
        let (client, news, line) = (
            self.client.clone(),
            self.news.clone(),
            Arc::clone(&self.line),
        );
        thread::spawn(move || {
            let (answer, input) = make(&client);
            drop(news.send(News::Input(input(line.heard(answer)))));
        });
    }

    /// Kills whatever still plays.
    fn end(&mut self) {
        let Some(player) = self.player.take() else {
            return;
        };
        player.stop();
        player.stop();
        let until = Instant::now() + KILL_GRACE;
        while !player.is_over() && Instant::now() < until {
            thread::park_timeout(Duration::from_millis(10));
        }
    }
}

impl Line {
    /// What the agent makes of an answer, and a line for people when the weather changes.
    fn heard<T>(&self, answer: Result<T, CallError>) -> Result<T, CallFailure> {
        let error = match answer {
            Ok(answer) => {
                if self.is_down.swap(false, Ordering::Relaxed) {
                    self.talk.note("the coordinator is back");
                }
                return Ok(answer);
            }
            Err(error) => error,
        };
        let failure = match error.trouble() {
            Trouble::Away | Trouble::Forbidden => CallFailure::Away {
                retry_after: error.retry_after(),
            },
            Trouble::Gone => CallFailure::Gone,
            Trouble::Refused => CallFailure::Refused,
        };
        match failure {
            CallFailure::Away { .. } => {
                if !self.is_down.swap(true, Ordering::Relaxed) {
                    let why = error.chain();
                    self.talk.warn(format_args!("{why}; it is tried again"));
                }
            }
            CallFailure::Gone => {}
            CallFailure::Refused => self.talk.warn(error.chain()),
        }
        Err(failure)
    }
}

/// How many CPUs are lent: not more than there are, or tests would be lent that cannot be played here.
fn lent(config: &Config) -> Result<NonZeroUsize, PlacementError> {
    let machine = cores::here();
    let wish = Wish {
        concurrency: config.slots.map_or(Concurrency::Auto, Concurrency::Slots),
        threads: NonZeroUsize::MIN,
        placement: &config.placement,
        taken: &[].into_iter().collect(),
    };
    let wanted = Placement::decide(&machine, wish)?.slots;
    let cpus = config.placement.cpus.as_ref().unwrap_or(&machine.allowed);
    let present = NonZeroUsize::new(cpus.len()).unwrap_or(NonZeroUsize::MIN);
    if wanted > present {
        config.talk.warn(format_args!(
            "{wanted} slots are asked for and {present} CPUs are there ({cpus}): {present} are lent"
        ));
    }
    Ok(wanted.min(present))
}

/// Men up to which there are tablebases; 0 if there are none.
fn men(folders: &[PathBuf]) -> Result<u32, TablebaseError> {
    if folders.is_empty() {
        return Ok(0);
    }
    let tables = SyzygyTables::open(&Syzygy {
        paths: folders.to_owned(),
        pieces: u32::MAX,
        fifty_move_rule: true,
        rulings: TablebaseRulings::All,
    })?;
    Ok(u32::try_from(tables.men_max()).unwrap_or(u32::MAX))
}

fn rules(config: &Config, memory_mib: u64) -> Result<Rules, WorkerError> {
    let placement = config.placement.clone();
    let Some(settings) = config.sandbox.clone() else {
        return Ok(Rules::lax(placement, config.host.binary.clone()));
    };
    if let Some(lacking) = sandbox::support().lacking() {
        return Err(WorkerError::Sandbox(format!("the kernel lacks {lacking}")));
    }
    let Some(binary) = config.host.binary.clone() else {
        let lacking = "this program has no launcher".to_owned();
        return Err(WorkerError::Sandbox(lacking));
    };
    let rules = Rules::strict(placement, binary, memory_mib, settings);
    rules.map_err(|(path, source)| WorkerError::Path { path, source })
}

fn now(started: Instant) -> Moment {
    Moment::ZERO + started.elapsed()
}
