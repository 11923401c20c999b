//! From what people wrote to what will be played: defaults are filled in, contradictions refused.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use crate::spec::error::SpecError;
use crate::spec::notice::Notice;
use crate::spec::raw::{RawEngine, RawSpec};
use crate::spec::{
    Concurrency, EngineSpec, HostSpec, PAIRS_MAX, PlacementSpec, Spec, Tournament, Variant,
};

/// Pairs that are played when nothing says how many: enough to see a large difference (about ±35
/// Elo), few enough to be over soon.
const PAIRS_DEFAULT: NonZeroU64 = NonZeroU64::new(100).expect("not 0");

/// The same openings come in the same order until somebody asks for another one.
const SEED_DEFAULT: u64 = 1;

impl RawSpec {
    /// The whole description, and what a person should know about how it was filled in.
    ///
    /// # Errors
    ///
    /// Whatever makes no contest, as [`SpecError`] lists it.
    pub fn resolve(self) -> Result<(Spec, Vec<Notice>), SpecError> {
        let Self {
            event,
            site,
            tournament,
            pairs,
            seed,
            variant,
            max_faults,
            concurrency,
            cpus,
            pin,
            host_blame,
            max_voids,
            flag_policy,
            each,
            engine,
            openings,
            sprt,
            adjudication,
            patience,
            output,
            fleet: _,
        } = self;
        let mut notices = Vec::new();
        let engines = resolve_engines(each, engine, &mut notices)?;
        if sprt.is_some() && engines.len() != 2 {
            return Err(SpecError::SprtEngines {
                engines: engines.len(),
            });
        }
        let sprt = sprt.map(|sprt| sprt.resolve(&mut notices)).transpose()?;
        let spec = Spec {
            event: event.unwrap_or_else(|| "arbiter match".to_owned()),
            site: site.unwrap_or_else(|| "?".to_owned()),
            tournament: tournament.unwrap_or(Tournament::RoundRobin),
            pairs: resolve_pairs(pairs, sprt.is_some(), &mut notices)?,
            share: None,
            seed: seed.unwrap_or(SEED_DEFAULT),
            variant: variant.unwrap_or(Variant::Standard),
            openings: openings.resolve()?,
            adjudication: adjudication.resolve()?,
            flag_policy: flag_policy.unwrap_or_default(),
            max_faults,
            concurrency: concurrency.unwrap_or(Concurrency::Auto),
            placement: PlacementSpec {
                cpus,
                pin: pin.unwrap_or(true),
            },
            host: HostSpec {
                blame: host_blame.unwrap_or(true),
                max_voids: max_voids.unwrap_or_default(),
            },
            patience: patience.resolve(),
            output: output.resolve()?,
            engines,
            sprt,
        };
        Ok((spec, notices))
    }
}

fn resolve_pairs(
    pairs: Option<NonZeroU64>,
    sprt: bool,
    notices: &mut Vec<Notice>,
) -> Result<NonZeroU64, SpecError> {
    match pairs {
        Some(pairs) if pairs > PAIRS_MAX => Err(SpecError::PairsMany {
            found: pairs.get(),
            max: PAIRS_MAX.get(),
        }),
        Some(pairs) => Ok(pairs),
        None if sprt => Ok(PAIRS_MAX),
        None => {
            notices.push(Notice::PairsDefault(PAIRS_DEFAULT));
            Ok(PAIRS_DEFAULT)
        }
    }
}

fn resolve_engines(
    each: RawEngine,
    engines: Vec<RawEngine>,
    notices: &mut Vec<Notice>,
) -> Result<Vec<EngineSpec>, SpecError> {
    if let Some(name) = each.name {
        return Err(SpecError::NameForEach { name });
    }
    if engines.len() < 2 {
        return Err(SpecError::EnginesFew {
            found: engines.len(),
        });
    }
    let engines: Vec<RawEngine> = engines
        .into_iter()
        .map(|engine| each.clone().overlaid_with(engine))
        .collect();
    let names = resolve_names(&engines, notices)?;
    engines
        .into_iter()
        .zip(names)
        .map(|(engine, name)| engine.resolve(name))
        .collect()
}

/// Names that were given must differ. A name made from a command gets a number when it is taken:
/// two builds in two folders are commonly called the same.
fn resolve_names(
    engines: &[RawEngine],
    notices: &mut Vec<Notice>,
) -> Result<Vec<String>, SpecError> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (i, engine) in engines.iter().enumerate() {
        if let Some(name) = &engine.name
            && let Some(first) = taken.insert(name.clone(), i)
        {
            return Err(SpecError::NameTwice {
                name: name.clone(),
                first: first + 1,
                second: i + 1,
            });
        }
    }
    let mut names = Vec::with_capacity(engines.len());
    for (i, engine) in engines.iter().enumerate() {
        let name = match (&engine.name, &engine.cmd) {
            (Some(name), _) => name.clone(),
            (None, Some(cmd)) => {
                let plain = RawEngine::default_name(cmd);
                let name = (1..)
                    .map(|n| match n {
                        1 => plain.clone(),
                        _ => format!("{plain}-{n}"),
                    })
                    .find(|name| !taken.contains_key(name))
                    .expect("some number is free");
                if name != plain {
                    notices.push(Notice::NameNumbered {
                        engine: i + 1,
                        name: name.clone(),
                    });
                }
                taken.insert(name.clone(), i);
                name
            }
            (None, None) if engine.git.is_some() => {
                return Err(SpecError::GitHere {
                    engine: format!("engine {}", i + 1),
                });
            }
            (None, None) => {
                return Err(SpecError::CommandMissing {
                    engine: format!("engine {}", i + 1),
                });
            }
        };
        names.push(name);
    }
    Ok(names)
}
