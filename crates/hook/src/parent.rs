//! The program that has started this one.

/// The program that has started this one.
#[cfg(unix)]
pub(crate) struct Parent(nix::unistd::Pid);

#[cfg(unix)]
impl Parent {
    /// The one there is now.
    pub(crate) fn now() -> Self {
        Self(nix::unistd::getppid())
    }

    /// Whether it has ended: the system then gives this process another parent. A signal at its end, as
    /// Linux has, comes also when only the thread ends that started this process.
    pub(crate) fn has_ended(&self) -> bool {
        nix::unistd::getppid() != self.0
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

    /// Not known.
    pub(crate) fn has_ended(&self) -> bool {
        false
    }
}
