//! Which of many are to be listed: what stands behind the `?` of an address.

use serde::{Deserialize, Serialize};

use crate::State;
use crate::routes::segment;

/// Which tests are listed, newest first: all against which nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct WhichTests {
    /// Those in this state.
    #[serde(default)]
    pub state: Option<State>,
    /// Those of this owner.
    #[serde(default)]
    pub owner: Option<String>,
    /// So many at most, 1 to 1000; all if it is not said.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Those that follow this one in the list: the last of the page before.
    #[serde(default)]
    pub after: Option<String>,
}

/// Which workers are listed, those heard of last first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::IntoParams))]
#[cfg_attr(feature = "openapi", into_params(parameter_in = Query))]
pub struct WhichWorkers {
    /// So many at most, 1 to 1000; 100 if it is not said.
    #[serde(default)]
    pub limit: Option<u32>,
    /// Those that follow this one in the list: the last of the page before.
    #[serde(default)]
    pub after: Option<String>,
}

impl WhichTests {
    /// The address with all that is said.
    pub fn at(&self, path: &str) -> String {
        address(
            path,
            [
                ("state", self.state.map(|state| state.name().to_owned())),
                ("owner", self.owner.clone()),
                ("limit", self.limit.map(|limit| limit.to_string())),
                ("after", self.after.clone()),
            ],
        )
    }
}

impl WhichWorkers {
    /// The address with all that is said.
    pub fn at(&self, path: &str) -> String {
        address(
            path,
            [
                ("limit", self.limit.map(|limit| limit.to_string())),
                ("after", self.after.clone()),
            ],
        )
    }
}

fn address<const N: usize>(path: &str, said: [(&str, Option<String>); N]) -> String {
    let mut address = path.to_owned();
    for (name, value) in said {
        let Some(value) = value else { continue };
        address.push(if address.len() == path.len() {
            '?'
        } else {
            '&'
        });
        address.push_str(name);
        address.push('=');
        address.push_str(&segment(&value));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_is_said_and_nothing_else() {
        assert_eq!(WhichTests::default().at("/tests"), "/tests");
        let which = WhichTests {
            state: Some(State::Queued),
            owner: Some("Ada & Bob".to_owned()),
            limit: None,
            after: None,
        };
        assert_eq!(
            which.at("/tests"),
            "/tests?state=queued&owner=Ada%20%26%20Bob"
        );
    }
}
