//! What a test will cost, before it is played.

mod characteristic;
mod law;
mod optimum;
mod pipeline;
mod simplex;
mod simulation;

pub use characteristic::{Characteristic, Plan, PlanError};
pub use law::{Law, LawError};
pub use pipeline::{Pipeline, PipelineCost, Stage};
pub use simulation::{Measured, Simulated, SimulatedRates, Simulation};
