//! The arrows and never-arrows of `ARCHITECTURE.md`, read off `cargo metadata` and the sources.

mod arrows;
mod purity;
mod source;
mod tidiness;
