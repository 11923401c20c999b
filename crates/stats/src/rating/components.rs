//! Which nodes of a graph can be reached from each other.

/// The strongly connected components of the graph in which `edges[i]` are the nodes that `i` points
/// at: each component and, of two that are linked, the one that points at the other first. Nodes of
/// a component are in ascending order.
///
/// Kosaraju's algorithm (Sharir 1981), with a stack of its own: chains of thousands of players are
/// deeper than a thread's stack is safe for.
pub(super) fn strongly_connected(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut reversed = vec![Vec::new(); edges.len()];
    for (from, targets) in edges.iter().enumerate() {
        for &to in targets {
            reversed[to].push(from);
        }
    }
    let mut is_seen = vec![false; edges.len()];
    let mut finished = Vec::with_capacity(edges.len());
    for node in 0..edges.len() {
        visit(node, edges, &mut is_seen, &mut finished);
    }
    let mut is_taken = vec![false; edges.len()];
    let mut components = Vec::new();
    for &node in finished.iter().rev() {
        let mut component = Vec::new();
        visit(node, &reversed, &mut is_taken, &mut component);
        if !component.is_empty() {
            component.sort_unstable();
            components.push(component);
        }
    }
    components
}

/// Goes to all that is reachable from `start` and not seen yet; adds nodes to `finished` in the
/// order in which they are left for good.
fn visit(start: usize, edges: &[Vec<usize>], is_seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut is_seen[start], true) {
        return;
    }
    let mut path = vec![(start, edges[start].iter())];
    while let Some((node, targets)) = path.last_mut() {
        match targets.find(|&&target| !is_seen[target]) {
            Some(&target) => {
                is_seen[target] = true;
                path.push((target, edges[target].iter()));
            }
            None => {
                finished.push(*node);
                path.pop();
            }
        }
    }
}
