//! People with passwords, and what their tokens are worth.

use fleet_api::{
    AuditEntry, ChangePassword, ChangeUser, LoggedIn, Login, NewUser, Scope, Secret, TokenView,
    UserView, Whoami, routes,
};

use crate::house::{House, Said, Visitor};

const PASSWORD: &str = "correct horse";

fn ada() -> NewUser {
    NewUser {
        name: "ada".to_owned(),
        password: Secret(PASSWORD.to_owned()),
        scopes: vec![Scope::Submit, Scope::Worker],
    }
}

fn try_login(house: &House, name: &str, password: &str) -> Said {
    let login = Login {
        name: name.to_owned(),
        password: Secret(password.to_owned()),
    };
    house.visitor("").post(routes::LOGIN, &login)
}

#[track_caller]
fn login(house: &House, password: &str) -> (LoggedIn, Visitor) {
    let login: LoggedIn = try_login(house, "ada", password).json();
    let visitor = house.visitor(&login.token);
    (login, visitor)
}

#[test]
fn a_user_logs_in_works_and_is_locked_out() {
    the_life_of_a_user(House::new());
}

/// On SQLite and on PostgreSQL.
pub(crate) fn the_life_of_a_user(house: House) {
    let admin = house.admin();
    let made: UserView = admin.post(routes::USERS, &ada()).json();
    assert_eq!((made.name.as_str(), made.disabled), ("ada", false));
    assert_eq!(admin.post(routes::USERS, &ada()).code(), "conflict");
    assert_eq!(try_login(&house, "ada", "wrong horse").status, 401);
    assert_eq!(
        try_login(&house, "ada", "wrong horse").body,
        try_login(&house, "bob", PASSWORD).body,
        "nobody learns who exists"
    );
    let (logged_in, visitor) = login(&house, PASSWORD);
    let me: Whoami = visitor.get(routes::WHOAMI).json();
    assert_eq!(
        (me.name.as_str(), &me.token, me.expires_ms),
        ("ada", &logged_in.id, Some(logged_in.expires_ms))
    );
    assert_eq!(me.scopes, ada().scopes);
    // Scopes that are taken away are taken from the tokens that there are.
    set(
        &admin,
        ChangeUser {
            scopes: Some(vec![Scope::Submit]),
            ..ChangeUser::default()
        },
    );
    let me: Whoami = visitor.get(routes::WHOAMI).json();
    assert_eq!(me.scopes, [Scope::Submit]);
    // A new password ends other logins.
    let (_, other) = login(&house, PASSWORD);
    let change = |old: &str, new: &str| ChangePassword {
        old: Secret(old.to_owned()),
        new: Secret(new.to_owned()),
    };
    let wrong = change("not this one", "new password");
    assert_eq!(visitor.post(routes::PASSWORD, &wrong).code(), "forbidden");
    let short = change(PASSWORD, "short");
    assert_eq!(visitor.post(routes::PASSWORD, &short).code(), "refused");
    let right = change(PASSWORD, "new password");
    assert_eq!(visitor.post(routes::PASSWORD, &right).status, 200);
    assert_eq!(other.get(routes::WHOAMI).status, 401);
    assert_eq!(visitor.get(routes::WHOAMI).status, 200);
    assert_eq!(try_login(&house, "ada", PASSWORD).status, 401);
    // Who is disabled is nobody.
    let disabled = |disabled| ChangeUser {
        disabled: Some(disabled),
        ..ChangeUser::default()
    };
    set(&admin, disabled(true));
    assert_eq!(visitor.get(routes::WHOAMI).status, 401);
    assert_eq!(try_login(&house, "ada", "new password").status, 401);
    set(&admin, disabled(false));
    assert_eq!(visitor.get(routes::WHOAMI).status, 200);
    let audit: Vec<AuditEntry> = admin.get(routes::AUDIT).json();
    let told: Vec<_> = audit
        .iter()
        .map(|entry| (entry.who.as_str(), entry.action.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("arbiter", "make token"),
            ("admin", "add user"),
            ("ada", "log in"),
            ("admin", "set scopes"),
            ("ada", "log in"),
            ("ada", "set password"),
            ("admin", "disable"),
            ("admin", "enable"),
        ]
    );
    assert!(audit.iter().all(|entry| entry.at_ms > 0));
}

#[track_caller]
fn set(admin: &Visitor, change: ChangeUser) {
    let body = serde_json::to_vec(&change).expect("JSON");
    let said = admin.send("PATCH", &routes::user("ada"), &body);
    assert_eq!(said.status, 200, "{said:?}");
}

#[test]
fn tokens_are_listed_and_revoked_by_their_owner_without_secrets() {
    let house = House::new();
    let ada = house.user("ada", &[Scope::Read]);
    let bob = house.user("bob", &[Scope::Submit]);
    let mine: Vec<TokenView> = ada.get(routes::TOKENS).json();
    assert_eq!(mine.len(), 1);
    assert_eq!(mine[0].user, "ada");
    let all = house.admin().get(routes::TOKENS);
    assert_eq!(all.json::<Vec<TokenView>>().len(), 3);
    assert!(!all.body.contains("arb_"), "{}", all.body);
    let path = routes::token(&mine[0].id);
    assert_eq!(bob.send("DELETE", &path, b"").status, 404);
    assert_eq!(ada.send("DELETE", &path, b"").status, 200);
    assert_eq!(ada.get(routes::TOKENS).status, 401);
}

#[test]
fn guessing_passwords_is_slow() {
    let house = House::new();
    house.admin().post(routes::USERS, &ada());
    let told: Vec<u16> = (0..12)
        .map(|_| try_login(&house, "ada", "a guess").status)
        .collect();
    assert_eq!(told[..10], [401; 10]);
    assert_eq!(told[10..], [429; 2]);
    assert_eq!(
        try_login(&house, "ada", PASSWORD).status,
        429,
        "and the right one tells nothing then"
    );
}

#[test]
fn a_token_allows_no_more_than_its_user() {
    let house = House::new();
    house.admin().post(routes::USERS, &ada());
    let wanted = |scope| fleet_api::NewToken {
        user: "ada".to_owned(),
        scopes: vec![scope],
        expires_in_days: None,
    };
    let admin = house.admin();
    assert_eq!(
        admin.post(routes::TOKENS, &wanted(Scope::Admin)).code(),
        "refused"
    );
    assert_eq!(
        admin.post(routes::TOKENS, &wanted(Scope::Worker)).status,
        200
    );
}

#[test]
fn passwords_are_kept_as_argon2id() {
    let house = House::new();
    house.admin().post(routes::USERS, &ada());
    login(&house, PASSWORD);
    let mut kept = std::fs::read(house.data.join("arbiter.db")).expect("the database");
    kept.extend(std::fs::read(house.data.join("arbiter.db-wal")).unwrap_or_default());
    let has = |text: &str| {
        let mut windows = kept.windows(text.len());
        windows.any(|window| window == text.as_bytes())
    };
    assert!(has("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert!(!has(PASSWORD));
}
