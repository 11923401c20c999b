//! Who is in a process group.

use std::fs;

/// What is known of a process: its state, as the kernel's letter, and its group.
pub(crate) fn entry(process: u32) -> Option<(char, u32)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may hold anything; state, parent and group follow it.
    let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    let state = fields.next()?.chars().next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((state, group))
}

/// How many processes of a group have not ended.
pub(crate) fn living_in(group: u32) -> usize {
    let Ok(processes) = fs::read_dir("/proc") else {
        return 0;
    };
    processes
        .flatten()
        .filter_map(|process| entry(process.file_name().to_str()?.parse().ok()?))
        .filter(|&(state, of)| of == group && !matches!(state, 'Z' | 'X'))
        .count()
}
