//! Bounds that move with the information gathered.

mod bayes;
mod boundary;
mod design;
mod passage;

pub use bayes::Prior;
pub use boundary::{Boundary, BoundaryError, Node};
pub use design::Design;
pub use passage::{Passage, Start};
