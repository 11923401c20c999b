//! What others call things: short, and nothing that a terminal obeys or an index cannot hold.

use fleet_api::{Claim, Code, Problem};

use super::problem;

/// The longest name, in bytes.
const NAME_MAX: usize = 128;

/// Tools that a machine may have; those that recipes ask for are two dozen.
const TOOLS_MAX: usize = 256;

/// Lives of a worker of which none had an answer.
const LIVES_MAX: usize = 64;

/// The longest reason, in bytes.
const REASON_MAX: usize = 4096;

/// Refuses a name that is empty, too long, or of more than one line. `what` says whose it is.
pub(super) fn check(what: &str, name: &str) -> Result<(), Problem> {
    if !name.trim().is_empty() && name.len() <= NAME_MAX && !name.contains(char::is_control) {
        return Ok(());
    }
    let text = format!("`{what}` is a name of one line, of 1 to {NAME_MAX} bytes");
    Err(problem(Code::Refused, text))
}

/// The same for all that a claim names.
pub(super) fn check_claim(claim: &Claim) -> Result<(), Problem> {
    check("worker", &claim.worker)?;
    check("claim", &claim.claim)?;
    // What people call their machine may have anything in it, for it is nobody's key.
    let name = &claim.host.name;
    if name.trim().is_empty() || name.len() > NAME_MAX {
        let text = format!("`host.name` has 1 to {NAME_MAX} bytes");
        return Err(problem(Code::Refused, text));
    }
    check("host.version", &claim.host.version)?;
    check("host.platform", &claim.host.platform)?;
    if let Some(life) = &claim.life {
        if life.before.len() > LIVES_MAX {
            let text = format!("`life.before` has at most {LIVES_MAX} names");
            return Err(problem(Code::Refused, text));
        }
        check("life.id", &life.id)?;
        life.before
            .iter()
            .try_for_each(|it| check("life.before", it))?;
    }
    let tools = &claim.host.toolchains;
    if tools.len() > TOOLS_MAX {
        let text = format!("`host.toolchains` has at most {TOOLS_MAX} names");
        return Err(problem(Code::Refused, text));
    }
    tools
        .iter()
        .try_for_each(|tool| check("host.toolchains", tool))
}

/// Refuses a reason that is too long or not text.
pub(super) fn check_reason(reason: &str) -> Result<(), Problem> {
    let is_odd = |c: char| c.is_control() && c != '\n';
    if reason.len() <= REASON_MAX && !reason.contains(is_odd) {
        return Ok(());
    }
    let text = format!("a reason has at most {REASON_MAX} bytes of text");
    Err(problem(Code::Refused, text))
}
