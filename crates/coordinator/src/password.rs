//! Passwords: kept as argon2id, with the defaults of its authors (19 MiB, two passes) and a secret that
//! is not where the hashes are.

use std::sync::LazyLock;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use fleet_api::Secret;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::secret;
use crate::signing_secret::SigningSecret;

/// Hashes under way at a time: each takes 19 MiB and a core for some 20 ms.
static AT_WORK: Semaphore = Semaphore::const_new(2);

/// Those who wait for one at most.
static IN_LINE: Semaphore = Semaphore::const_new(64);

/// Too many hash at the moment.
#[derive(Debug, Error)]
#[error("too many passwords are being looked at")]
pub(crate) struct Busy;

/// What is kept of `password`.
pub(crate) async fn hash(secret: SigningSecret, password: Secret) -> Result<String, Busy> {
    work(move || hashed(&secret, password.as_bytes())).await
}

/// Whether `password` is the one of which `kept` was kept. Without `kept` it is not, and that takes as
/// long: nobody learns who exists.
pub(crate) async fn is_right(
    secret: SigningSecret,
    password: Secret,
    kept: Option<String>,
) -> Result<bool, Busy> {
    static NOBODYS: LazyLock<String> =
        LazyLock::new(|| hashed(&SigningSecret::new(), secret::token().as_bytes()));
    work(move || {
        let known = kept.is_some();
        let kept = kept.unwrap_or_else(|| NOBODYS.clone());
        let right = PasswordHash::new(&kept).is_ok_and(|kept| {
            keyed(&secret)
                .verify_password(password.as_bytes(), &kept)
                .is_ok()
        });
        right && known
    })
    .await
}

fn keyed(secret: &SigningSecret) -> Argon2<'_> {
    let secret = secret.as_bytes();
    Argon2::new_with_secret(
        secret,
        Algorithm::default(),
        Version::default(),
        Params::default(),
    )
    .expect("a secret of 64 bytes is no longer than allowed")
}

fn hashed(secret: &SigningSecret, password: &[u8]) -> String {
    keyed(secret)
        .hash_password(password)
        .expect("any bytes can be hashed, and the system gives random ones")
        .to_string()
}

/// Threads that may block are many; those that take 19 MiB each must not be.
async fn work<T: Send + 'static>(job: impl FnOnce() -> T + Send + 'static) -> Result<T, Busy> {
    let _place = IN_LINE.try_acquire().map_err(|_| Busy)?;
    let _turn = AT_WORK.acquire().await.map_err(|_| Busy)?;
    Ok(spawn_blocking(job).await.expect("a hash does not panic"))
}
