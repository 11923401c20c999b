//! A set of CPUs as the kernel and `taskset` write it: `0-3,8`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// CPUs by their numbers, which begin at 0; may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CpuList(BTreeSet<usize>);

/// The highest number that is read. Linux has at most 8192 CPUs.
pub const CPU_MAX: usize = 8191;

/// A text that is no list of CPUs.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{0}` is no list of CPUs: numbers from 0 to {CPU_MAX} and ranges of them are allowed, as in `0-3,8`"
)]
pub struct CpuListError(
    /// All of it.
    pub String,
);

impl CpuList {
    /// The CPUs in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `cpu` is among them.
    pub fn contains(&self, cpu: usize) -> bool {
        self.0.contains(&cpu)
    }
}

impl FromIterator<usize> for CpuList {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Self(cpus.into_iter().collect())
    }
}

impl FromStr for CpuList {
    type Err = CpuListError;

    /// Reads at least one CPU; blanks around numbers do no harm.
    fn from_str(text: &str) -> Result<Self, CpuListError> {
        let wrong = || CpuListError(text.to_owned());
        let number = |word: &str| -> Result<usize, CpuListError> {
            let number = word.trim().parse().map_err(|_| wrong())?;
            if number > CPU_MAX {
                return Err(wrong());
            }
            Ok(number)
        };
        let mut cpus = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(part)?, number(part)?),
            };
            if last < first {
                return Err(wrong());
            }
            cpus.extend(first..=last);
        }
        Ok(Self(cpus))
    }
}

impl fmt::Display for CpuList {
    /// Neighbours as ranges, as the kernel does it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = rest.next() {
            let mut last = first;
            while rest.next_if_eq(&(last + 1)).is_some() {
                last += 1;
            }
            if first == last {
                write!(f, "{separator}{first}")?;
            } else {
                write!(f, "{separator}{first}-{last}")?;
            }
            separator = ",";
        }
        Ok(())
    }
}
