//! Tokens that a coordinator makes without being asked: for who runs it, and for the worker beside it.

use std::iter;

use fleet_api::{Scope, Secret};

use super::Office;
use super::users::{self, HOUSE};
use crate::StoreError;
use crate::secret;
use crate::store::tokens::TokenRow;

impl Office {
    /// Whether somebody can administrate: there is a token for it, or a user who can log in.
    pub(crate) async fn has_admin(&self) -> Result<bool, StoreError> {
        self.store().has_admin(self.now()).await
    }

    /// Whether `token` is worth anything that asks for `scope`.
    pub(crate) async fn is_worth(&self, token: &str, scope: Scope) -> Result<bool, StoreError> {
        let worth = self.store().token(self.now(), &secret::hash(token)).await?;
        Ok(worth.is_some_and(|worth| users::may(&worth.scopes, scope)))
    }

    /// A token with `scope` for `owner`, worth nothing until it is kept.
    pub(crate) async fn new_own_token(
        &self,
        owner: &str,
        scope: Scope,
    ) -> Result<(Secret, TokenRow), StoreError> {
        // These names are kept from users today, but older houses may have users of them, and a
        // token allows no more than its user may.
        let others = (2..).map(|n| format!("{owner}-{n}"));
        for name in iter::once(owner.to_owned()).chain(others) {
            if self.store().user(&name).await?.is_none() {
                return Ok(users::new_token(name, vec![scope], None, false));
            }
        }
        unreachable!("there are names without end")
    }

    /// Makes it worth something.
    pub(crate) async fn keep_own_token(&self, row: TokenRow) -> Result<(), StoreError> {
        self.keep_token(self.now(), HOUSE, "make token", row).await
    }
}
