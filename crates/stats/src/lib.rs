//! What the results of engine tests say: pairs, Elo, sequential tests, intervals, planning,
//! ratings.
//!
//! Numbers in, numbers out: no clock, no file, no randomness but what a caller's seed gives. Counts
//! come in as [`Pentanomial`] (pairs of games, the unit of statistics) or [`Trinomial`] (single
//! games); both become [`Results`], and from there every question has one door:
//!
//! ```
//! use stats::{Pentanomial, Results};
//!
//! let results = Results::from(Pentanomial([12, 150, 300, 170, 18]));
//! let elo = results.elo()?;
//! assert_eq!(format!("{:.2}", elo.value), "8.55");
//! assert_eq!(format!("{:.2}", elo.ci95?.half_width()), "10.98");
//! # Ok::<(), stats::Undefined>(())
//! ```
//!
//! What has no value (the Elo of a perfect score, the interval of a single pair) is an
//! [`Undefined`] with its reason; no function of this crate returns NaN, an infinity or a negative
//! zero.

mod brownian;
mod curved;
mod elo;
mod estimate;
mod heterogeneity;
mod llr;
mod normal;
mod openings;
mod pentanomial;
mod plan;
mod random;
mod rating;
mod results;
mod root;
mod sprt;
mod tail;
mod trinomial;

pub use brownian::Absorbed;
pub use curved::{Boundary, BoundaryError, Design, Node, Passage, Prior, Start};
pub use elo::{ELO_MAX, NELO_PER_T, elo_of_score, score_of_elo};
pub use estimate::{Estimate, Fixed, Interval, Undefined};
pub use heterogeneity::{
    FLAGGED_GAMES_MIN, FLAGGED_PAIRS_MIN, Faulty, Flags, Heterogeneity, Overdispersion, PairTests,
    Residuals, WorkerFinding, WorkerTally, benjamini_hochberg, fault_excess, residuals,
};
pub use llr::{
    BayesElo, DrawElo, ELO_BOUND_MAX, LlrError, Model, UnknownModel, approximate_llr, llr,
};
pub use openings::{DECISIVE_RATE_BEST, DECISIVE_RATE_MIN, Decisiveness, TooEven};
pub use pentanomial::{ParsePentanomialError, Pentanomial};
pub use plan::{
    Characteristic, Law, LawError, Measured, Pipeline, PipelineCost, Plan, PlanError, Simulated,
    SimulatedRates, Simulation, Stage,
};
pub use rating::{
    Anchor, Class, Encounter, Errors, Island, PLAYERS_MAX, PRIOR_DRAWS, RatingError, Ratings,
    few_results_factor,
};
pub use results::{REGULARISATION, Regularised, Results};
pub use sprt::{
    DynamicOvershoot, ErrorRates, Exit, Fallback, Hypotheses, Ladder, Ladders, Preset, Progress,
    Rule, SPRT_ELO_MAX, Sprt, SprtError, SprtEstimate, State, UnknownPreset, UnknownRule,
};
pub use trinomial::{ParseTrinomialError, Trinomial};
