//! What a person should know about how a spec was filled in.

use std::fmt;
use std::num::NonZeroU64;

/// Nothing is wrong, but somebody may have meant something else. Displayed as one line.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// Nothing said how many pairs.
    PairsDefault(NonZeroU64),
    /// A name that was made from the command was taken.
    NameNumbered {
        /// Which engine, from 1.
        engine: usize,
        /// Its name now.
        name: String,
    },
    /// An error rate of the sequential test was not given.
    ErrorRateDefault {
        /// `alpha` or `beta`.
        key: &'static str,
        /// What it is now.
        value: f64,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PairsDefault(pairs) => {
                write!(f, "`pairs` is not given: {pairs} pairs are played")
            }
            Self::NameNumbered { engine, name } => {
                write!(
                    f,
                    "engine {engine} is called `{name}`: the name of its program is taken"
                )
            }
            Self::ErrorRateDefault { key, value } => {
                write!(
                    f,
                    "`{key}` of the sequential test is not given: it is {value}"
                )
            }
        }
    }
}
