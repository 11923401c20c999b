//! Setting what an engine says can be set.

use uci::{OptionDecl, OptionKind};

use super::exercise::{Await, Exercise, Expect, Step};
use super::grading::Verdict;

/// Options that take a machine's memory and processors: they are set no higher than this.
const COSTLY: [(&str, i64); 2] = [("Hash", 64), ("Threads", 2)];

/// Of a list of values, so many are tried.
const VALUES_MAX: usize = 8;

/// Sets an option to its bounds and back; nothing for buttons, which do who knows what, and for texts,
/// which are mostly paths.
pub(super) fn exercise(option: &OptionDecl) -> Option<Exercise> {
    let mut steps = Vec::new();
    for value in values(option)? {
        let OptionDecl { name, .. } = option;
        steps.extend([
            Step::Say(format!("setoption name {name} value {value}\n")),
            Step::Say("isready\n".to_owned()),
            Step::Await(Await::ReadyOk, None),
        ]);
    }
    Some(Exercise {
        item: "options set",
        about: format!("`{}` ", option.name),
        gravity: Verdict::Fail,
        steps,
        board: None,
        expect: Expect::Answers,
    })
}

fn values(option: &OptionDecl) -> Option<Vec<String>> {
    match &option.kind {
        OptionKind::Check { default } => {
            let back = default.unwrap_or(false);
            Some(vec![(!back).to_string(), back.to_string()])
        }
        &OptionKind::Spin { default, min, max } => {
            // Who states no bounds has said nothing of what is allowed.
            let (default, true, true) = (default?, i64::MIN < min, max < i64::MAX) else {
                return None;
            };
            let costly = |(name, most): &(&str, i64)| {
                option.name.eq_ignore_ascii_case(name).then_some(*most)
            };
            let most = COSTLY.iter().find_map(costly).unwrap_or(max);
            let high = max.min(most).max(min);
            Some(
                [min, high, default.clamp(min, max)]
                    .map(|value| value.to_string())
                    .into(),
            )
        }
        OptionKind::Combo { default, vars } => {
            let mut values: Vec<String> = vars.iter().take(VALUES_MAX).cloned().collect();
            values.push(default.clone());
            values.retain(|value| !value.is_empty());
            Some(values)
        }
        OptionKind::Button | OptionKind::String { .. } => None,
    }
    .filter(|values| !values.is_empty())
}
