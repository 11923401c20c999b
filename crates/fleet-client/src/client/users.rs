//! Users and tokens.

use fleet_api::{
    AuditEntry, ChangePassword, ChangeUser, LoggedIn, Login, NewToken, NewUser, TokenMade,
    TokenView, UserView, Whoami, routes,
};

use super::{Client, json};
use crate::call_error::CallError;

impl Client {
    /// A token for a password.
    pub fn log_in(&self, login: &Login) -> Result<LoggedIn, CallError> {
        self.post(routes::LOGIN, login)
    }

    /// Who has our token.
    pub fn whoami(&self) -> Result<Whoami, CallError> {
        self.get(routes::WHOAMI)
    }

    /// Changes one's own password.
    pub fn change_password(&self, change: &ChangePassword) -> Result<(), CallError> {
        let request = self.words(self.agent.post(self.url(routes::PASSWORD)));
        self.received(request.send(json(change))).map(drop)
    }

    /// All users.
    pub fn users(&self) -> Result<Vec<UserView>, CallError> {
        self.get(routes::USERS)
    }

    /// Makes a user.
    pub fn add_user(&self, user: &NewUser) -> Result<UserView, CallError> {
        self.post(routes::USERS, user)
    }

    /// Changes a user.
    pub fn change_user(&self, name: &str, change: &ChangeUser) -> Result<UserView, CallError> {
        let request = self.words(self.agent.patch(self.url(&routes::user(name))));
        self.read(self.received(request.send(json(change)))?)
    }

    /// What was done to users and tokens.
    pub fn audit_of_users(&self) -> Result<Vec<AuditEntry>, CallError> {
        self.get(routes::AUDIT)
    }

    /// The tokens that we may know of.
    pub fn tokens(&self) -> Result<Vec<TokenView>, CallError> {
        self.get(routes::TOKENS)
    }

    /// Makes a token.
    pub fn make_token(&self, wanted: &NewToken) -> Result<TokenMade, CallError> {
        self.post(routes::TOKENS, wanted)
    }

    /// Takes a token's worth away.
    pub fn revoke_token(&self, id: &str) -> Result<(), CallError> {
        let request = self.words(self.agent.delete(self.url(&routes::token(id))));
        self.received(request.call()).map(drop)
    }
}
