//! Passwords: kept as argon2id, with the defaults of its authors (19 MiB, two passes).

use std::sync::LazyLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use fleet_api::Secret;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::secret;

/// Hashes under way at a time: each takes 19 MiB and a core for some 20 ms.
static AT_WORK: Semaphore = Semaphore::const_new(2);

/// Those who wait for one at most.
static IN_LINE: Semaphore = Semaphore::const_new(64);

/// Too many hash at the moment.
#[derive(Debug, Error)]
#[error("too many passwords are being looked at")]
pub(crate) struct Busy;

/// What is kept of `password`.
pub(crate) async fn hash(password: Secret) -> Result<String, Busy> {
    work(move || hashed(password.as_bytes())).await
}

/// Whether `password` is the one of which `kept` was kept. Without `kept` it is not, and that takes as
/// long: nobody learns who exists.
pub(crate) async fn is_right(password: Secret, kept: Option<String>) -> Result<bool, Busy> {
    static NOBODYS: LazyLock<String> = LazyLock::new(|| hashed(secret::token().as_bytes()));
    work(move || {
        let known = kept.is_some();
        let kept = kept.unwrap_or_else(|| NOBODYS.clone());
        let right = PasswordHash::new(&kept).is_ok_and(|kept| {
            Argon2::default()
                .verify_password(password.as_bytes(), &kept)
                .is_ok()
        });
        right && known
    })
    .await
}

fn hashed(password: &[u8]) -> String {
    Argon2::default()
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
