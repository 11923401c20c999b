//! Users and their tokens: who is who, and what it may.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use fleet_api::{
    AuditEntry, ChangePassword, ChangeUser, Code, LoggedIn, Login, NewToken, NewUser, Problem,
    Scope, Secret, TokenMade, TokenView, UserView, Whoami,
};
use fleet_core::timestamp::Timestamp;
use uuid::Uuid;

use super::{Office, User, problem};
use crate::password::{self, Busy};
use crate::secret;
use crate::signing_secret::SigningSecret;
use crate::store::tokens::{self, TokenRow};
use crate::store::users::{self, UserRow};
use crate::store::{StoreError, audit};

/// How long a login lasts.
const LOGIN: Duration = Duration::from_secs(30 * DAY);

/// Seconds.
const DAY: u64 = 24 * 60 * 60;

/// The longest name of a user, in bytes.
const NAME_MAX: usize = 64;

/// How many bytes a password has.
const PASSWORD: std::ops::RangeInclusive<usize> = 8..=1024;

/// Who the house itself is in audits.
pub(super) const HOUSE: &str = "arbiter";

/// Whose the tokens are that a coordinator makes for who runs it and for the worker beside it.
pub(crate) const ADMIN: &str = "admin";
pub(crate) const WORKER: &str = "worker";

/// Days that a token can last, if it is to end.
const DAYS: std::ops::RangeInclusive<u32> = 1..=36_500;

/// What audits of users and tokens are kept under, instead of a test.
pub(super) const NO_TEST: &str = "";

impl Office {
    /// Makes a token for somebody. The secret is in the answer and nowhere else.
    pub(crate) async fn give_token(
        &self,
        admin: &User,
        wanted: NewToken,
    ) -> Result<TokenMade, Problem> {
        let name = wanted.user.as_str();
        if name.trim().is_empty() || name.len() > NAME_MAX || name.contains(char::is_control) {
            let text = format!("a user has a name of one line, of at most {NAME_MAX} bytes");
            return Err(problem(Code::Refused, text));
        }
        if name.trim() == HOUSE {
            let text = format!("`{HOUSE}` is what the house itself is called in audits");
            return Err(problem(Code::Refused, text));
        }
        if let Some(days) = wanted.expires_in_days
            && !DAYS.contains(&days)
        {
            let (least, most) = (DAYS.start(), DAYS.end());
            let text = format!("a token lasts {least} to {most} days, and not {days}");
            return Err(problem(Code::Refused, text));
        }
        some_scopes(&wanted.scopes)?;
        if let Some(user) = self.store().user(&wanted.user).await? {
            let mut wanted = wanted.scopes.iter();
            if let Some(scope) = wanted.find(|scope| !may(&user.scopes, **scope)) {
                let text =
                    format!("a token allows no more than its user may, and that is not `{scope}`");
                return Err(problem(Code::Refused, text));
            }
        }
        let (at, day) = (self.now(), Duration::from_secs(DAY));
        let expires = wanted.expires_in_days.map(|days| at + day * days);
        let (token, row) = new_token(wanted.user, wanted.scopes, expires, false);
        let id = row.id.clone();
        self.keep_token(at, &admin.name, "make token", row).await?;
        Ok(TokenMade { id, token })
    }

    pub(super) async fn keep_token(
        &self,
        at: Timestamp,
        who: &str,
        action: &'static str,
        row: TokenRow,
    ) -> Result<(), StoreError> {
        let who = who.to_owned();
        self.store()
            .write(move |tx| {
                let (who, row) = (who.clone(), row.clone());
                Box::pin(async move {
                    tokens::add(tx, at, &row).await?;
                    let names: Vec<&str> = row.scopes.iter().map(|scope| scope.name()).collect();
                    let detail = format!("{} for {}: {}", row.id, row.owner, names.join(" "));
                    audit::note(tx, at, NO_TEST, &who, action, &detail).await
                })
            })
            .await
    }

    /// Takes a token's worth away: one's own, or anybody's by who administrates.
    pub(crate) async fn revoke(&self, user: &User, id: &str) -> Result<(), Problem> {
        let at = self.now();
        let owner = user.must(Scope::Admin).is_err().then(|| user.name.clone());
        let (who, id) = (user.name.clone(), id.to_owned());
        let revoked = self
            .store()
            .write(move |tx| {
                let (who, id, owner) = (who.clone(), id.clone(), owner.clone());
                Box::pin(async move {
                    let done = tokens::revoke(tx, at, &id, owner.as_deref()).await?;
                    if done {
                        audit::note(tx, at, NO_TEST, &who, "revoke token", &id).await?;
                    }
                    Ok(done)
                })
            })
            .await?;
        self.0.visitors.forget();
        match revoked {
            true => Ok(()),
            false => Err(problem(Code::NotFound, "there is no such token")),
        }
    }

    /// Who has `token`.
    pub(crate) async fn user(&self, token: &str) -> Result<User, Problem> {
        let (hash, at) = (secret::hash(token), self.now());
        if let Some(user) = self.0.visitors.get(&hash, at) {
            return Ok(user);
        }
        let worth = self.store().token(at, &hash).await?.ok_or_else(|| {
            let text = "this token is not known here, has expired or was revoked";
            problem(Code::Unauthenticated, text)
        })?;
        let user = User {
            name: worth.owner,
            scopes: worth.scopes,
            token: worth.id,
            expires: worth.expires,
        };
        self.0.visitors.keep(hash, &user, at);
        Ok(user)
    }

    /// The tokens that `user` may know of.
    pub(crate) async fn tokens(&self, user: &User) -> Result<Vec<TokenView>, Problem> {
        let owner = user.must(Scope::Admin).is_err().then_some(&*user.name);
        Ok(self.store().tokens(self.now(), owner).await?)
    }

    /// A token for a password.
    pub(crate) async fn log_in(&self, login: Login, from: IpAddr) -> Result<LoggedIn, Problem> {
        let now = Instant::now();
        self.0.guesses.one_more(&login.name, from, now)?;
        let user = self.check(&login.name, login.password).await?;
        let at = self.now();
        let expires = at + LOGIN;
        let (token, row) = new_token(user.name, user.scopes.clone(), Some(expires), true);
        let (id, name) = (row.id.clone(), row.owner.clone());
        self.keep_token(at, &name, "log in", row).await?;
        Ok(LoggedIn {
            id,
            token,
            scopes: user.scopes,
            expires_ms: expires.0,
        })
    }

    /// The user, if the password is right. Who asks learns nothing else, whatever was wrong.
    async fn check(&self, name: &str, password: Secret) -> Result<UserRow, Problem> {
        let user = match is_name(name) {
            true => self.store().user(name).await?,
            false => None,
        };
        let user = user.filter(|user| user.disabled.is_none());
        let kept = user.as_ref().map(|user| user.password.clone());
        let right = password::is_right(self.secret(), password, kept).await?;
        user.filter(|_| right).ok_or_else(|| {
            let text = "there is no such user, or this is not the password";
            problem(Code::Unauthenticated, text)
        })
    }

    /// Makes a user.
    pub(crate) async fn add_user(&self, admin: &User, new: NewUser) -> Result<UserView, Problem> {
        if !is_name(&new.name) {
            let text =
                format!("a user is called by at most {NAME_MAX} letters, digits, `-`, `_` and `.`");
            return Err(problem(Code::Refused, text));
        }
        if [HOUSE, ADMIN, WORKER].contains(&new.name.as_str()) {
            let text = format!("`{}` is the house's own name", new.name);
            return Err(problem(Code::Refused, text));
        }
        some_scopes(&new.scopes)?;
        let at = self.now();
        let row = UserRow {
            name: new.name,
            password: hashed(self.secret(), new.password).await?,
            scopes: new.scopes,
            created: at,
            disabled: None,
        };
        let (who, user) = (admin.name.clone(), row.clone());
        let added = self
            .store()
            .write(move |tx| {
                let (who, user) = (who.clone(), user.clone());
                Box::pin(async move {
                    // A token allows no more than its user may: a user of this name would take it away.
                    let held = tokens::held_by(tx, at, &user.name).await?;
                    if let Some(scope) = held.iter().find(|scope| !may(&user.scopes, **scope)) {
                        return Ok(Err(format!(
                            "tokens of this name have the scope `{scope}`, which this user would not \
                             have: revoke them, or give the user that scope"
                        )));
                    }
                    if !users::add(tx, &user).await? {
                        return Ok(Err("there is a user of this name".to_owned()));
                    }
                    audit::note(tx, at, NO_TEST, &who, "add user", &user.name).await?;
                    Ok(Ok(()))
                })
            })
            .await?;
        self.0.visitors.forget();
        added.map_err(|text| problem(Code::Conflict, text))?;
        Ok(row.view())
    }

    /// All users.
    pub(crate) async fn users(&self) -> Result<Vec<UserView>, Problem> {
        let users = self.store().users().await?;
        Ok(users.into_iter().map(UserRow::view).collect())
    }

    /// Changes a user.
    pub(crate) async fn change_user(
        &self,
        admin: &User,
        name: &str,
        change: ChangeUser,
    ) -> Result<UserView, Problem> {
        if let Some(scopes) = &change.scopes {
            some_scopes(scopes)?;
        }
        let password = match change.password {
            Some(password) => Some(hashed(self.secret(), password).await?),
            None => None,
        };
        let change = Change {
            password,
            scopes: change.scopes,
            disabled: change.disabled,
            kept: String::new(),
        };
        let changed = self.change(&admin.name, name, change).await?;
        changed.map(UserRow::view).ok_or_else(|| {
            let text = "there is no such user";
            problem(Code::NotFound, text)
        })
    }

    /// Changes one's own password.
    pub(crate) async fn change_password(
        &self,
        user: &User,
        change: ChangePassword,
        from: IpAddr,
    ) -> Result<(), Problem> {
        let now = Instant::now();
        self.0.guesses.one_more(&user.name, from, now)?;
        let known = self.check(&user.name, change.old).await;
        let known = known.map_err(|error| match error.code {
            Code::Unauthenticated => {
                problem(Code::Forbidden, "this is not your password until now")
            }
            _ => error,
        })?;
        let change = Change {
            password: Some(hashed(self.secret(), change.new).await?),
            scopes: None,
            disabled: None,
            kept: user.token.clone(),
        };
        self.change(&known.name, &known.name, change).await?;
        Ok(())
    }

    async fn change(
        &self,
        who: &str,
        name: &str,
        change: Change,
    ) -> Result<Option<UserRow>, StoreError> {
        let at = self.now();
        let (who, name) = (who.to_owned(), name.to_owned());
        let changed = self
            .store()
            .write(move |tx| {
                let (who, name, change) = (who.clone(), name.clone(), change.clone());
                Box::pin(async move {
                    let Some(mut user) = users::locked(tx, &name).await? else {
                        return Ok(None);
                    };
                    let done = change.apply(&mut user, at);
                    users::update(tx, &user).await?;
                    if change.password.is_some() {
                        users::log_out(tx, at, &name, &change.kept).await?;
                    }
                    for action in done {
                        audit::note(tx, at, NO_TEST, &who, action, &name).await?;
                    }
                    Ok(Some(user))
                })
            })
            .await?;
        self.0.visitors.forget();
        Ok(changed)
    }

    /// What was done to users and tokens, oldest first.
    pub(crate) async fn audit_of_users(&self) -> Result<Vec<AuditEntry>, Problem> {
        Ok(self.store().audit(NO_TEST).await?)
    }
}

/// What of a user is to be another one.
#[derive(Clone, Debug, Default)]
struct Change {
    /// Its hash.
    password: Option<String>,
    scopes: Option<Vec<Scope>>,
    disabled: Option<bool>,
    /// The token that a new password does not end.
    kept: String,
}

impl Change {
    /// Makes it and says what was done.
    fn apply(&self, user: &mut UserRow, at: Timestamp) -> Vec<&'static str> {
        let mut done = Vec::new();
        if let Some(password) = &self.password {
            user.password.clone_from(password);
            done.push("set password");
        }
        if let Some(scopes) = &self.scopes {
            user.scopes.clone_from(scopes);
            done.push("set scopes");
        }
        if let Some(disabled) = self.disabled {
            user.disabled = disabled.then_some(at);
            done.push(if disabled { "disable" } else { "enable" });
        }
        done
    }
}

impl User {
    /// What it is told of itself.
    pub(crate) fn view(self) -> Whoami {
        Whoami {
            name: self.name,
            token: self.token,
            scopes: self.scopes,
            expires_ms: self.expires.map(|at| at.0),
        }
    }
}

impl From<Busy> for Problem {
    fn from(busy: Busy) -> Self {
        problem(Code::Unavailable, busy.to_string())
    }
}

pub(super) fn new_token(
    owner: String,
    scopes: Vec<Scope>,
    expires: Option<Timestamp>,
    by_login: bool,
) -> (Secret, TokenRow) {
    let token = secret::token();
    let row = TokenRow {
        id: Uuid::now_v7().to_string(),
        owner,
        hash: secret::hash(&token),
        scopes,
        expires,
        by_login,
    };
    (Secret(token), row)
}

async fn hashed(secret: SigningSecret, password: Secret) -> Result<String, Problem> {
    if !PASSWORD.contains(&password.len()) {
        let text = format!(
            "a password has {} to {} bytes",
            PASSWORD.start(),
            PASSWORD.end()
        );
        return Err(problem(Code::Refused, text));
    }
    Ok(password::hash(secret, password).await?)
}

fn some_scopes(scopes: &[Scope]) -> Result<(), Problem> {
    if scopes.is_empty() || scopes.len() > Scope::ALL.len() {
        let text = "without scopes nothing is allowed: at least one is needed, and each once";
        return Err(problem(Code::Refused, text));
    }
    Ok(())
}

/// Whether who has these scopes may what `wanted` allows.
pub(super) fn may(held: &[Scope], wanted: Scope) -> bool {
    held.iter().any(|held| held.allows(wanted))
}

/// Whether a user can be called so.
pub(super) fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && name.len() <= NAME_MAX && name.bytes().all(is_plain)
}
