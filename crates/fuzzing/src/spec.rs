//! Contests as people write them: what is refused says why, and what is accepted is a contest.

use std::num::NonZeroU64;
use std::path::Path;

use match_core::fixture::GameNumber;
use match_core::limits::parse_tc;
use match_core::schedule::Schedule;
use match_core::spec::SpecError;
use match_core::spec::raw::{
    RawDraw, RawEngine, RawOpenings, RawPatience, RawPgn, RawResign, RawSpec, RawSprt,
};

/// Files, words and time controls.
pub const SEEDS: &[&[u8]] = &[
    b"pairs = 20000\nconcurrency = \"auto\"\nseed = 1\n\n[each]\ntc = \"8+0.08\"\noptions = { Hash = 16 }\n\n[[engine]]\nname = \"new\"\ncmd = \"./new\"\n\n[[engine]]\ncmd = \"sparring:5\"\n\n[openings]\nfile = \"UHO.epd\"\norder = \"random\"\nstart = 3\n\n[sprt]\nelo0 = 0.0\nelo1 = 2.0\n\n[adjudication]\nresign = { score = 600, count = 3, twosided = true }\ndraw = { score = 20, count = 8, move = 34 }\nsyzygy = { paths = [\"syzygy\"], pieces = 6 }\n\n[patience]\nquit = 2.5\n\n[output]\npgn = \"games.pgn\"\nfaults = \"off\"\n",
    b"tournament = 'gauntlet'\nvariant = 'frc'\nmax-faults = 3\n[[engine]]\ncmd = 'a'\nnodes = 5000\nst = 0.1\n[[engine]]\ncmd = 'b'\ndepth = 9\nenv.A = 'b'\n[[engine]]\ncmd = 'c'\ntc = '40/2:30+1'\n",
    b"cmd=./new name=new args='--x \"y z\"' dir=/path env.KEY=value option.Hash=16 restart=on tc=8+0.08 st=1 nodes=5 depth=3 timemargin=20",
    b"elo0=0 elo1=2 alpha=0.05 beta=0.05 model=normalized rule=curved preset=gain",
    b"file=UHO.epd format=epd order=random start=1 plies=8",
    b"count=3 score=600 twosided=true move=34",
    b"startup=10 ping=60 watchdog=60 settle=1 quit=2 start-failures=3",
    b"games.pgn nodes=true pv=on",
    b"40/1:02:03.5+0.08",
];

/// Reads text as a file, as the words of each flag, and as a time control.
///
/// # Panics
/// If something does not hold.
pub fn body(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    match RawSpec::from_toml(Path::new("contest.toml"), text) {
        Ok(raw) => resolve(raw),
        Err(error) => tell(&error),
    }
    if let Some(engine) = told(RawEngine::from_words("--engine", text)) {
        let each = RawEngine::from_words("--each", "tc=1+1").expect("good words");
        let other = RawEngine::from_words("--engine", "cmd=x name=other").expect("good words");
        let engine = vec![engine, other];
        resolve(RawSpec {
            each,
            engine,
            ..RawSpec::default()
        });
    }
    let _ = told(RawOpenings::from_words("--openings", text));
    let _ = told(RawSprt::from_words("--sprt", text));
    let _ = told(RawResign::from_words("--resign", text));
    let _ = told(RawDraw::from_words("--draw", text));
    let _ = told(RawPatience::from_words("--patience", text));
    let _ = told(RawPgn::from_words("--pgn", text));
    if let Ok(Some(control)) = parse_tc(text) {
        assert_eq!(
            parse_tc(&control.to_string()).as_ref(),
            Ok(&Some(control)),
            "{text}"
        );
        assert!(!(control.base.is_zero() && control.increment.is_zero()));
    }
}

fn told<T>(result: Result<T, SpecError>) -> Option<T> {
    result.inspect_err(tell).ok()
}

/// A mistake is told in words, of a length that can be read.
fn tell(error: &SpecError) {
    assert!(!error.to_string().trim().is_empty());
    let _there_may_be_none = error.hint();
}

/// A contest has at least two engines with limits, and games.
fn resolve(raw: RawSpec) {
    let (spec, notices) = match raw.resolve() {
        Ok(resolved) => resolved,
        Err(error) => return tell(&error),
    };
    notices
        .iter()
        .for_each(|notice| assert!(!notice.to_string().is_empty()));
    assert!(spec.engines.len() >= 2);
    assert!(
        spec.engines
            .iter()
            .all(|engine| !engine.limits.is_unbounded())
    );
    let schedule = Schedule::new(&spec, NonZeroU64::new(7).expect("not 0"));
    for number in [0, 1, schedule.games() - 1] {
        let fixture = schedule.fixture(GameNumber(number));
        assert_ne!(fixture.players.white, fixture.players.black);
    }
}
