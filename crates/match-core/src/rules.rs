//! What holds for every game of a contest.

use std::sync::Arc;

use engine_core::{CastlingStyle, FlagPolicy};

use crate::adjudication::{Adjudication, Tablebase};
use crate::spec::{Patience, Spec, Variant};

/// What a referee needs to know of a contest.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The laws about castling.
    pub variant: Variant,
    /// When the referee ends games.
    pub adjudication: Adjudication,
    /// Who wins when a flag falls.
    pub flag_policy: FlagPolicy,
    /// How long to wait for engines outside their clocks.
    pub patience: Patience,
    /// The tables for `adjudication.syzygy`.
    pub tablebase: Option<Arc<dyn Tablebase>>,
}

impl Rules {
    /// Those of `spec`, with the tables that it names.
    pub fn new(spec: &Spec, tablebase: Option<Arc<dyn Tablebase>>) -> Self {
        Self {
            variant: spec.variant,
            adjudication: spec.adjudication.clone(),
            flag_policy: spec.flag_policy,
            patience: spec.patience,
            tablebase,
        }
    }

    pub(crate) const fn castling_style(&self) -> CastlingStyle {
        match self.variant {
            Variant::Standard => CastlingStyle::Standard,
            Variant::Chess960 => CastlingStyle::Chess960,
        }
    }
}
