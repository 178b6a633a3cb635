//! What Landlock lets be read, run and written: a list of grants. There is no rule that takes away.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use nix::errno::Errno;
use nix::fcntl::{AT_FDCWD, OFlag, OpenHow, ResolveFlag, openat2};
use nix::sys::stat::fstat;

/// The versions whose rights this program asks for, newest first. Version 7 and 8 add no rights.
const VERSIONS: [(u32, ABI); 6] = [(6, ABI::V6), (5, ABI::V5), (4, ABI::V4), (3, ABI::V3), (2, ABI::V2), (1, ABI::V1)];

/// Opens what a rule is for. All paths are real ones: a link on the way was put there since, by whoever is at work in a
/// project at the same time.
fn open(path: &Path) -> nix::Result<OwnedFd> {
    let how = OpenHow::new().flags(OFlag::O_PATH | OFlag::O_CLOEXEC).resolve(ResolveFlag::RESOLVE_NO_SYMLINKS);
    openat2(AT_FDCWD, path, how)
}

/// What is granted, by real paths.
#[derive(Debug, Default)]
pub(super) struct Grants {
    /// Read and run, whole trees.
    pub(super) read: Vec<PathBuf>,
    /// List, whole trees.
    pub(super) list: Vec<PathBuf>,
    /// Everything but making devices and links and moving something to another folder, whole trees: `links.rs` does what of it
    /// may be.
    pub(super) write: Vec<PathBuf>,
    /// Devices and folders of devices.
    pub(super) devices: Vec<PathBuf>,
}

/// Why the rules could not be put up.
#[derive(Debug, thiserror::Error)]
pub(super) enum LandlockError {
    /// A right or rule that the kernel does not take.
    #[error(transparent)]
    Rule(#[from] RulesetError),
    /// What is to be written cannot be opened.
    #[error("{}: {source}", .path.display())]
    Path {
        /// What.
        path: PathBuf,
        /// What the system says.
        source: Errno,
    },
    /// The kernel has put up less than it was told to.
    #[error("the kernel enforces only a part of the rules")]
    Partly,
}

/// The newest version whose rights this kernel takes in full; 0 without Landlock.
pub(super) fn newest() -> u32 {
    VERSIONS
        .iter()
        .find(|(_, abi)| ruleset(*abi, true).and_then(Ruleset::create).is_ok())
        .map_or(0, |(number, _)| *number)
}

/// Everything that this version can guard; TCP only if `network`.
fn ruleset(abi: ABI, network: bool) -> Result<Ruleset, RulesetError> {
    let mut set =
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement).handle_access(AccessFs::from_all(abi))?;
    if network && !AccessNet::from_all(abi).is_empty() {
        set = set.handle_access(AccessNet::from_all(abi))?;
    }
    if !Scope::from_all(abi).is_empty() {
        set = set.scope(Scope::from_all(abi))?;
    }
    Ok(set)
}

/// Puts the rules around this process. No port is granted: where the network is guarded, TCP is refused whole.
///
/// # Errors
/// When the kernel does not take a rule in full, or a writable place is not there.
pub(super) fn enforce(version: u32, grants: &Grants, network: bool) -> Result<(), LandlockError> {
    let abi = VERSIONS.iter().find(|(number, _)| *number <= version).map_or(ABI::V1, |(_, abi)| *abi);
    let all = AccessFs::from_all(abi);
    let device = (AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::ReadDir | AccessFs::IoctlDev) & all;
    let mut set = ruleset(abi, network)?.create()?;
    // Files, folders, pipes and sockets may be made.
    let write = all & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::MakeSym | AccessFs::Refer);
    for path in &grants.write {
        let place = open(path).map_err(|source| LandlockError::Path { path: path.clone(), source })?;
        set = set.add_rule(PathBeneath::new(&place, for_kind(&place, write, abi)))?;
    }
    set = grant(set, &grants.read, AccessFs::from_read(abi), abi)?;
    set = grant(set, &grants.list, AccessFs::ReadDir.into(), abi)?;
    set = grant(set, &grants.devices, device, abi)?;
    match set.restrict_self()?.ruleset {
        RulesetStatus::FullyEnforced => Ok(()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::NotEnforced => Err(LandlockError::Partly),
    }
}

/// Grants `access` to those of `paths` that are there: what is not there is not granted.
fn grant(
    mut set: RulesetCreated,
    paths: &[PathBuf],
    access: BitFlags<AccessFs>,
    abi: ABI,
) -> Result<RulesetCreated, RulesetError> {
    for path in paths {
        if let Ok(place) = open(path) {
            set = set.add_rule(PathBeneath::new(&place, for_kind(&place, access, abi)))?;
        }
    }
    Ok(set)
}

/// A rule for a file must not name rights that only folders have.
fn for_kind(place: &OwnedFd, access: BitFlags<AccessFs>, abi: ABI) -> BitFlags<AccessFs> {
    let is_folder = fstat(place).is_ok_and(|found| found.st_mode & libc::S_IFMT == libc::S_IFDIR);
    if is_folder { access } else { access & AccessFs::from_file(abi) }
}
