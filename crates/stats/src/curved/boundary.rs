//! Moving bounds of a sequential test.

use thiserror::Error;

/// Bounds of the LLR that move with the information gathered, linear between nodes, and the
/// decision at the end.
///
/// Information is measured in τ = results · δ², δ the distance of the hypotheses in standard
/// deviations of one result, so that the LLR is Brownian motion of variance τ whose drift is −½
/// under H0 and +½ under H1 (*drift* θ = (elo − (elo0 + elo1)/2) / (elo1 − elo0)). One set of bounds
/// serves every pair of hypotheses and every book.
///
/// # Invariant
///
/// There are at least two nodes; `tau` rises from 0; `lower < upper` at each, and the threshold lies
/// between the last two.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    nodes: Vec<Node>,
    threshold: f64,
}

/// The bounds at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// Information so far.
    pub tau: f64,
    /// H0 is accepted at or below.
    pub lower: f64,
    /// H1 is accepted at or above.
    pub upper: f64,
}

/// Why nodes are not a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum BoundaryError {
    /// Fewer than two nodes.
    #[error("`{0}` nodes: a boundary has at least 2")]
    Short(
        /// How many nodes there are.
        usize,
    ),
    /// Times that do not rise from 0.
    #[error("`tau` is {tau} at node {node}: times rise from 0")]
    Time {
        /// Index of the node.
        node: usize,
        /// Its time.
        tau: f64,
    },
    /// Bounds that leave no room.
    #[error("bounds are {lower} and {upper} at node {node}: the lower one is below the upper one")]
    Order {
        /// Index of the node.
        node: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// A final threshold that is not between the last bounds.
    #[error("threshold {threshold}: it lies between the last bounds, {lower} and {upper}")]
    Threshold {
        /// The threshold.
        threshold: f64,
        /// The last lower bound.
        lower: f64,
        /// The last upper bound.
        upper: f64,
    },
}

impl Boundary {
    /// The boundary through `nodes`; at the last one H1 is accepted if the LLR is at least
    /// `threshold`, else H0.
    ///
    /// # Errors
    ///
    /// [`BoundaryError`] unless the invariant of the type holds.
    pub fn new(nodes: Vec<Node>, threshold: f64) -> Result<Self, BoundaryError> {
        if nodes.len() < 2 {
            return Err(BoundaryError::Short(nodes.len()));
        }
        let mut last = None;
        for (node, &Node { tau, lower, upper }) in nodes.iter().enumerate() {
            if !(last.map_or(tau == 0.0, |last| last < tau) && tau.is_finite()) {
                return Err(BoundaryError::Time { node, tau });
            }
            if !(lower < upper && (upper - lower).is_finite()) {
                return Err(BoundaryError::Order { node, lower, upper });
            }
            last = Some(tau);
        }
        let Node { lower, upper, .. } = nodes[nodes.len() - 1];
        if !(lower < threshold && threshold < upper) {
            return Err(BoundaryError::Threshold {
                threshold,
                lower,
                upper,
            });
        }
        Ok(Self { nodes, threshold })
    }

    /// The nodes.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// At the end H1 is accepted at or above this LLR.
    #[must_use]
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    /// The information at which the test ends whatever the LLR.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.nodes[self.nodes.len() - 1].tau
    }

    /// The bounds at `tau`; after the end those of the end.
    #[must_use]
    pub fn at(&self, tau: f64) -> Node {
        let after = self
            .nodes
            .partition_point(|node| node.tau <= tau)
            .clamp(1, self.nodes.len() - 1);
        let (a, b) = (self.nodes[after - 1], self.nodes[after]);
        let share = ((tau - a.tau) / (b.tau - a.tau)).clamp(0.0, 1.0);
        let between = |from: f64, to: f64| from + share * (to - from);
        Node {
            tau,
            lower: between(a.lower, b.lower),
            upper: between(a.upper, b.upper),
        }
    }
}
