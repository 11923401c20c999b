//! From facts to findings.
//!
//! Engines are compared under equal conditions, so what slows both alike costs games and falsifies
//! nothing: that is a warning. Bad is what makes engines lose on time, or play on time that they never
//! had, for reasons that are not theirs.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::facts::{Facts, Memory, WakeUps};
use super::{Diagnosis, Finding, Mark};
use crate::cores::honest_slots;
use crate::descriptors;

/// Others take one CPU's time in twenty: games are played beside a guest.
const BUSY_WARN: f64 = 0.05;
/// In every fifth moment somebody else has the CPU that an engine needs.
const BUSY_BAD: f64 = 0.25;
/// A hypervisor that takes one part in a hundred takes it in slices of milliseconds.
const STOLEN_WARN: f64 = 0.01;
const STOLEN_BAD: f64 = 0.05;
const PRESSURE_WARN: f64 = 0.10;
/// A hundredth of the 0.1 s that a move takes at 8+0.08.
const LATE_WARN: Duration = Duration::from_millis(1);
/// The margin that engines keep for what is not theirs is about this.
const LATE_BAD: Duration = Duration::from_millis(10);
/// A coarser clock cannot charge moves of a millisecond.
const RESOLUTION_BAD: Duration = Duration::from_millis(1);
/// A system call instead of a read of a register.
const CLOCK_COST_WARN: Duration = Duration::from_nanos(500);
/// Two engines with small hash tables and a network each.
const MEMORY_BY_SLOT: u64 = 256 << 20;
const MEMORY_BAD: u64 = 128 << 20;

/// Judges a machine on which engines with so many `threads` are to play.
pub fn judge(facts: &Facts, threads: NonZeroUsize) -> Diagnosis {
    let concurrency = honest_slots(&facts.topology, threads.get());
    let findings: Vec<Finding> = [
        cores(facts),
        limits(facts, threads),
        frequency(facts),
        boost(facts),
        load(facts),
        stolen(facts),
        wake_ups(facts),
        jitter(facts),
        clock(facts),
        memory(facts, concurrency),
        files(facts, concurrency),
        Some(witness(facts)),
        Some(sandbox(facts)),
    ]
    .into_iter()
    .flatten()
    .collect();
    Diagnosis {
        fit: findings.iter().all(|finding| finding.mark != Mark::Bad),
        concurrency,
        findings,
    }
}

fn finding(mark: Mark, topic: &'static str, text: String, advice: &str) -> Option<Finding> {
    Some(Finding {
        mark,
        topic,
        text,
        advice: (mark != Mark::Ok).then(|| advice.to_owned()),
    })
}

fn cores(facts: &Facts) -> Option<Finding> {
    let machine = &facts.topology;
    let (cores, cpus) = (machine.cores.len(), machine.allowed.len());
    let mut text = format!(
        "{} on {}",
        count(cores, "core"),
        count(machine.packages(), "socket")
    );
    if cpus > cores {
        text += &format!(", {cpus} hardware threads");
    }
    text += &format!(" (CPUs {})", machine.allowed);
    if let Some(model) = &facts.model {
        text += &format!(", {model}");
    }
    if facts.is_virtual {
        text += ", virtual";
    }
    if machine.kinds() > 1 {
        text += &format!(", of {} kinds", machine.kinds());
        let advice = "`--cpus` with the cores of one kind lets all games have the same speed";
        return finding(Mark::Warn, "cores", text, advice);
    }
    finding(Mark::Ok, "cores", text, "")
}

fn limits(facts: &Facts, threads: NonZeroUsize) -> Option<Finding> {
    let machine = &facts.topology;
    let kept_off = machine
        .online
        .iter()
        .filter(|&cpu| !machine.allowed.contains(cpu))
        .count();
    let mut text = Vec::new();
    if kept_off > 0 {
        text.push(format!(
            "{} may not be used (affinity or cpuset)",
            count(kept_off, "CPU")
        ));
    }
    let Some(quota) = machine.quota else {
        return (!text.is_empty()).then(|| Finding {
            mark: Mark::Ok,
            topic: "limits",
            text: text.concat(),
            advice: None,
        });
    };
    text.push(format!("the control group may use {quota} CPUs' time"));
    let mark = if quota < threads.get() as f64 {
        Mark::Bad
    } else if quota < machine.cores.len() as f64 {
        Mark::Warn
    } else {
        Mark::Ok
    };
    let advice = "a group that has used up its time is stopped for the rest of a period, some 50 ms; \
                  give it whole CPUs (`cpuset`) rather than a quota";
    finding(mark, "limits", text.join(", "), advice)
}

fn frequency(facts: &Facts) -> Option<Finding> {
    if facts.governors.is_empty() {
        return None;
    }
    let texts = facts
        .governors
        .iter()
        .map(|(governor, cpus)| format!("{governor} (CPUs {cpus})"));
    let text = format!("governor {}", texts.collect::<Vec<_>>().join(", "));
    let is_steady = facts
        .governors
        .iter()
        .all(|(governor, _)| governor == "performance");
    let mark = if is_steady { Mark::Ok } else { Mark::Warn };
    let advice = "each move begins at a low frequency: `cpupower frequency-set -g performance`";
    finding(mark, "frequency", text, advice)
}

fn boost(facts: &Facts) -> Option<Finding> {
    let (mark, text) = match facts.boost? {
        true => (Mark::Warn, "on: a core is faster while others rest"),
        false => (Mark::Ok, "off: all cores have the same speed all the time"),
    };
    let advice =
        "for equal conditions switch it off, or keep all slots busy (it does not favour an engine)";
    finding(mark, "boost", text.to_owned(), advice)
}

fn load(facts: &Facts) -> Option<Finding> {
    let mut text = Vec::new();
    let mut mark = Mark::Ok;
    if let Some(busy) = facts.busy {
        text.push(format!("others use {} of our CPUs' time", percent(busy)));
        mark = mark.max(grade(busy, BUSY_WARN, BUSY_BAD));
    }
    if let Some(load) = facts.load {
        text.push(format!("load {load:.2} in the last minute"));
    }
    if let Some(pressure) = facts.pressure {
        text.push(format!(
            "something waited for a CPU for {} of the last 10 s",
            percent(pressure)
        ));
        mark = mark.max(grade(pressure, PRESSURE_WARN, f64::INFINITY));
    }
    let advice = "stop what else runs here, or play on CPUs that are left alone (`--cpus`)";
    (!text.is_empty()).then(|| finding(mark, "load", text.join(", "), advice))?
}

fn stolen(facts: &Facts) -> Option<Finding> {
    let stolen = facts
        .stolen
        .filter(|&stolen| facts.is_virtual || stolen > 0.0)?;
    let text = format!("the hypervisor takes {} of our CPUs' time", percent(stolen));
    let advice = "other virtual machines share these CPUs: use a machine with CPUs of its own";
    finding(
        grade(stolen, STOLEN_WARN, STOLEN_BAD),
        "steal",
        text,
        advice,
    )
}

fn wake_ups(facts: &Facts) -> Option<Finding> {
    let late = worst(facts, |wake_ups| wake_ups.p99)?;
    let (median, max) = (
        worst(facts, |all| all.median)?,
        worst(facts, |all| all.max)?,
    );
    let text = format!(
        "late by {} in the median, {} in one of 100 cases, {} at most (CPU {})",
        micros(median.median),
        micros(late.p99),
        micros(max.max),
        late.cpu
    );
    let advice = "a clock is stopped so much too late; look for other work, power saving (C-states) and \
                  hypervisors, and give engines a `timemargin`";
    finding(
        grade(late.p99, LATE_WARN, LATE_BAD),
        "wake-up",
        text,
        advice,
    )
}

fn jitter(facts: &Facts) -> Option<Finding> {
    let worst = worst(facts, |wake_ups| wake_ups.longest_gap)?;
    let text = format!(
        "a busy thread was held up for {} at most (CPU {})",
        micros(worst.longest_gap),
        worst.cpu
    );
    let advice =
        "an engine does not think in such a gap while its clock runs; give it a `timemargin`";
    finding(
        grade(worst.longest_gap, LATE_WARN, 2 * LATE_BAD),
        "jitter",
        text,
        advice,
    )
}

fn clock(facts: &Facts) -> Option<Finding> {
    let source = facts.clocksource.as_deref().unwrap_or("an unknown source");
    let text = format!(
        "{source}, steps of {} ns, {} ns to read",
        facts.resolution.as_nanos(),
        facts.clock_cost.as_nanos()
    );
    let mark = match facts.resolution >= RESOLUTION_BAD {
        true => Mark::Bad,
        false => grade(facts.clock_cost, CLOCK_COST_WARN, Duration::MAX),
    };
    let advice = "the fast clock (`tsc` on x86) was found unreliable, see `dmesg`; times are coarse or \
                  costly to take";
    finding(mark, "clock", text, advice)
}

fn memory(facts: &Facts, concurrency: NonZeroUsize) -> Option<Finding> {
    let Memory { total, available } = facts.memory?;
    let text = format!("{} of {} are free", gigabytes(available), gigabytes(total));
    let mark = if available < MEMORY_BAD {
        Mark::Bad
    } else if available < MEMORY_BY_SLOT * concurrency.get() as u64 {
        Mark::Warn
    } else {
        Mark::Ok
    };
    let advice =
        "two engines a game need their `Hash` and their networks; swapping is on their clocks";
    finding(mark, "memory", text, advice)
}

fn files(facts: &Facts, concurrency: NonZeroUsize) -> Option<Finding> {
    let needed = descriptors::needed(concurrency);
    let (now, most) = facts.open_files;
    let Some(most) = most.max(now.filter(|_| most.is_some())) else {
        return finding(Mark::Ok, "files", "no limit of open files".to_owned(), "");
    };
    let text = format!("{most} may be open at a time, {needed} are needed");
    let mark = if needed <= most { Mark::Ok } else { Mark::Warn };
    let advice = "fewer games are played at a time; raise the limit (`ulimit -Hn`)";
    finding(mark, "files", text, advice)
}

fn witness(facts: &Facts) -> Finding {
    let (mark, text) = match facts.tells_waiting {
        true => (
            Mark::Ok,
            "the kernel tells how long an engine waited for a CPU",
        ),
        false => (
            Mark::Warn,
            "the kernel does not tell how long an engine waited for a CPU",
        ),
    };
    let advice = "time losses that the host causes are not recognized (CONFIG_SCHED_INFO)";
    Finding {
        mark,
        topic: "blame",
        text: text.to_owned(),
        advice: (mark != Mark::Ok).then(|| advice.to_owned()),
    }
}

/// Nobody needs a sandbox to measure; who asks for one and cannot have it is told then.
fn sandbox(facts: &Facts) -> Finding {
    let lacking = facts.sandbox.lacking();
    let lacking = lacking.map(|what| format!("; `--sandbox` needs {what}"));
    Finding {
        mark: Mark::Ok,
        topic: "sandbox",
        text: format!("{}{}", facts.sandbox, lacking.unwrap_or_default()),
        advice: None,
    }
}

fn worst<T: Ord>(facts: &Facts, by: impl Fn(&WakeUps) -> T) -> Option<&WakeUps> {
    facts.wake_ups.iter().max_by_key(|wake_ups| by(wake_ups))
}

fn grade<T: PartialOrd>(value: T, warn: T, bad: T) -> Mark {
    if value >= bad {
        Mark::Bad
    } else if value >= warn {
        Mark::Warn
    } else {
        Mark::Ok
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

fn micros(time: Duration) -> String {
    match time.as_micros() {
        micros @ ..1000 => format!("{micros} us"),
        micros => format!("{:.1} ms", micros as f64 / 1000.0),
    }
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / f64::from(1_u32 << 30))
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
