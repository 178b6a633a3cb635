//! The program that has started this one.

/// The program that has started this one.
#[cfg(unix)]
pub(crate) struct Parent {
    id: nix::unistd::Pid,
    /// Can be read from when that has ended (pidfd_open(2), Linux 5.3); `None` where the system has no such thing, or
    /// where it runs in another container.
    #[cfg(target_os = "linux")]
    descriptor: Option<std::os::fd::OwnedFd>,
}

#[cfg(unix)]
impl Parent {
    /// The one there is now.
    pub(crate) fn now() -> Self {
        let id = nix::unistd::getppid();
        Self {
            id,
            #[cfg(target_os = "linux")]
            descriptor: {
                use rustix::process::{Pid, PidfdFlags, pidfd_open};
                // Where it has ended by now, this is another process, and `has_ended` says so.
                Pid::from_raw(id.as_raw()).and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok())
            },
        }
    }

    /// Whether it has ended: the system then gives this process another parent. A signal at its end, as
    /// Linux has, comes also when only the thread ends that started this process.
    pub(crate) fn has_ended(&self) -> bool {
        nix::unistd::getppid() != self.id
    }

    /// Can be read from when it has ended.
    pub(crate) fn descriptor(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        #[cfg(target_os = "linux")]
        return self.descriptor.as_ref().map(std::os::fd::AsFd::as_fd);
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Whether its end wakes whoever waits for its descriptor.
    pub(crate) fn tells_its_end(&self) -> bool {
        self.descriptor().is_some()
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

    /// Nor told.
    pub(crate) fn tells_its_end(&self) -> bool {
        false
    }
}
