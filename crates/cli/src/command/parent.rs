//! The program that has started this one.

/// The program that has started this one.
#[cfg(unix)]
pub(crate) struct Parent(nix::unistd::Pid);

/// How often to look whether it is still there.
#[cfg(unix)]
const LOOK_AGAIN: std::time::Duration = std::time::Duration::from_secs(1);

#[cfg(unix)]
impl Parent {
    /// The one there is now.
    pub(crate) fn now() -> Self {
        Self(nix::unistd::getppid())
    }

    /// Returns when it has ended: the system then gives this process another parent. A signal at its end,
    /// as Linux has, comes also when only the thread ends that started this process.
    pub(crate) async fn ended(&self) {
        while nix::unistd::getppid() == self.0 {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }
}

/// The program that has started this one; it is not known whether it is still there.
#[cfg(not(unix))]
pub(crate) struct Parent;

#[cfg(not(unix))]
impl Parent {
    /// Nothing to look up.
    pub(crate) fn now() -> Self {
        Self
    }

    /// Never returns.
    pub(crate) async fn ended(&self) {
        std::future::pending().await
    }
}
