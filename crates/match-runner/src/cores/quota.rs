//! How much CPU time our control group may use.

use std::path::{Path, PathBuf};

/// Gives the text of a file by its path.
type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The tightest quota of our control group and those above it, in CPUs. `read` gives the text of a file
/// by its path.
pub(super) fn quota(read: Read<'_>) -> Option<f64> {
    let groups = read("/proc/self/cgroup")?;
    let mounts = Path::new("/sys/fs/cgroup");
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        if controllers.is_empty() {
            tightest(mounts, path, |folder| quota_v2(read, folder))
        } else if controllers.split(',').any(|name| name == "cpu") {
            tightest(&mounts.join(controllers), path, |folder| {
                quota_v1(read, folder)
            })
        } else {
            None
        }
    });
    limits.min_by(f64::total_cmp)
}

/// The least of what `find` finds from `path` up to the mount. Inside a container the path may be that
/// of the host, which is not there; the mount itself then is our group.
fn tightest(mount: &Path, path: &str, find: impl Fn(&Path) -> Option<f64>) -> Option<f64> {
    let folders = Path::new(path).ancestors().map(|folder| mount.join(folder));
    folders
        .filter_map(|folder: PathBuf| find(&folder))
        .min_by(f64::total_cmp)
}

fn quota_v2(read: Read<'_>, folder: &Path) -> Option<f64> {
    let text = read(folder.join("cpu.max").to_str()?)?;
    let (quota, period) = text.trim().split_once(' ')?;
    ratio(quota, period)
}

fn quota_v1(read: Read<'_>, folder: &Path) -> Option<f64> {
    let file = |name| read(folder.join(name).to_str()?);
    ratio(&file("cpu.cfs_quota_us")?, &file("cpu.cfs_period_us")?)
}

/// `max` and `-1` mean that there is no quota.
fn ratio(quota: &str, period: &str) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|&value| value > 0.0);
    Some(number(quota)? / number(period)?)
}
