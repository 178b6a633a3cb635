//! What git would publish or lose.

use std::path::{Path, PathBuf};

use handraise_policy::project_code::GitSetting;
use handraise_policy::{GitAct, Target};

use super::files::{Hit, Standpoint, hit};
use super::told::{CommandConsequence, counted};
use crate::disk::Disk;
use crate::repository::{
    Commit, Ignored, KnownFiles, Lookup, NotTold, ObjectId, Repository, included_settings, is_repository,
};

/// Names that are told of files and commits.
const MAX_NAMES: usize = 50;
/// Digits of a commit that a person reads.
const SHORT: usize = 7;
/// Files that git does not know, and folders in folders.
const MAX_UNKNOWN: usize = 10_000;
const MAX_DEPTH: usize = 128;
/// Where a clone keeps what it knows of the branches of a remote: git-clone(1).
const USUAL_FETCH: (&str, &str) = ("refs/heads/", "refs/remotes/");

/// What `act` would do in the folder written as `folder`.
pub(super) fn told(place: &Standpoint<'_>, folder: &str, act: &GitAct) -> Lookup<Vec<CommandConsequence>> {
    let folder = place.path(folder)?.canonicalize().map_err(|_| NotTold)?;
    let mut repository = Repository::of(&folder, place.home, place.until).ok_or(NotTold)?;
    match act {
        GitAct::Push { remote, refspecs, force, delete } => {
            push(place, &mut repository, remote.as_deref(), refspecs, *force, *delete)
        }
        GitAct::Reset { to } => reset(&mut repository, to.as_deref()),
        GitAct::Restore { targets } => restore(place, &mut repository, targets).map(|told| vec![told]),
        GitAct::Clean { folders, ignored } => {
            clean(place, &repository, &folder, *folders, *ignored).map(|told| vec![told])
        }
        GitAct::DropStash { number } => stash(&repository, *number).map(|told| vec![told]),
        GitAct::DeleteBranches { names } => delete_branches(&mut repository, names),
    }
}

/// One branch or tag that would be pushed.
struct Pushed {
    source: Option<ObjectId>,
    /// The name at the remote, as `refs/heads/main`.
    target: String,
    force: bool,
}

fn push(
    place: &Standpoint<'_>,
    repository: &mut Repository,
    remote: Option<&str>,
    refspecs: &[String],
    force: bool,
    delete: bool,
) -> Lookup<Vec<CommandConsequence>> {
    let settings = all_settings(place, repository)?;
    let last = |name: String| {
        let found = settings.iter().rev().find(|setting| setting.name() == name);
        found.and_then(|setting| setting.value.clone())
    };
    let branch = repository.branch()?;
    let short = branch.as_deref().and_then(|branch| branch.strip_prefix("refs/heads/"));
    let of_branch = |key: &str| short.and_then(|short| last(format!("branch.{short}.{key}")));
    // git-config(1), `branch.<name>.pushRemote`.
    let remote = match remote {
        Some(remote) => remote.to_owned(),
        None => of_branch("pushremote")
            .or_else(|| last("remote.pushdefault".to_owned()))
            .or_else(|| of_branch("remote"))
            .unwrap_or_else(|| "origin".to_owned()),
    };
    let has = |key: &str| settings.iter().any(|setting| setting.name() == format!("remote.{remote}.{key}"));
    // What goes where is set for it, or it is no remote but an address.
    if !has("url") || has("mirror") || refspecs.is_empty() && has("push") {
        return Err(NotTold);
    }
    let usual = format!("+{}*:{}{remote}/*", USUAL_FETCH.0, USUAL_FETCH.1);
    if last(format!("remote.{remote}.fetch")).as_deref() != Some(&usual) {
        return Err(NotTold);
    }
    let pushed = if refspecs.is_empty() {
        let short = short.ok_or(NotTold)?;
        // git-config(1), `push.default`: "simple" pushes to the branch that it follows, under the same name.
        let follows = of_branch("merge").filter(|_| of_branch("remote").as_deref() == Some(&remote));
        let target = match (last("push.default".to_owned()).as_deref().unwrap_or("simple"), follows) {
            ("current", _) => format!("refs/heads/{short}"),
            ("upstream" | "tracking", Some(follows)) => follows,
            ("simple", Some(follows)) if follows == format!("refs/heads/{short}") => follows,
            ("simple", None) if of_branch("remote").is_some_and(|own| own != remote) => format!("refs/heads/{short}"),
            _ => return Err(NotTold),
        };
        let source = repository.named("HEAD")?;
        vec![Pushed { source: Some(source.ok_or(NotTold)?), target, force }]
    } else {
        let mut pushed = Vec::new();
        for refspec in refspecs {
            pushed.push(parsed(repository, refspec, branch.as_deref(), force, delete)?);
        }
        pushed
    };
    let known = repository.names(&format!("{}{remote}/", USUAL_FETCH.1))?;
    let is_rewritten = settings.iter().any(|setting| setting.section == "url");
    let host = last(format!("remote.{remote}.pushurl")).or_else(|| last(format!("remote.{remote}.url")));
    let host = host.filter(|_| !is_rewritten).and_then(|address| host_of_remote(&address));
    let at = host.map_or_else(|| remote.clone(), |host| format!("{remote} ({host})"));
    let mut told = Vec::new();
    for Pushed { source, target, force } in pushed {
        let name = target.strip_prefix("refs/heads/").ok_or(NotTold)?;
        let there = known.get(&format!("{}{remote}/{name}", USUAL_FETCH.1)).cloned();
        told.extend(pushed_branch(
            repository,
            source,
            there,
            &known.values().cloned().collect::<Vec<_>>(),
            name,
            &at,
            force,
        )?);
    }
    Ok(told)
}

/// What pushing `source` does to the branch `name` at `remote`, which was at `there` when it was last looked at.
fn pushed_branch(
    repository: &mut Repository,
    source: Option<ObjectId>,
    there: Option<ObjectId>,
    others: &[ObjectId],
    name: &str,
    remote: &str,
    force: bool,
) -> Lookup<Vec<CommandConsequence>> {
    let Some(source) = source else {
        let there = there.ok_or(NotTold)?;
        let lost: Vec<ObjectId> = others.iter().filter(|other| **other != there).cloned().collect();
        let lost = repository.commits(&[there], &lost)?;
        let clause = format!("Deletes the branch {name} on {remote}");
        return Ok(vec![commits(clause, &lost, "that no other branch there has", true)]);
    };
    let Some(there) = there else {
        let new = repository.commits(&[source], others)?;
        return Ok(vec![commits(format!("Makes the branch {name} on {remote}"), &new, "that are new there", false)]);
    };
    let new = repository.commits(std::slice::from_ref(&source), std::slice::from_ref(&there))?;
    let lost = repository.commits(&[there], &[source])?;
    if new.is_empty() && lost.is_empty() {
        let clause = format!("Changes nothing: {name} on {remote} has all of it already");
        return Ok(vec![CommandConsequence { clause, ..CommandConsequence::default() }]);
    }
    let count = counted(new.len(), "commit", "commits");
    let mut told = vec![commits(format!("Publishes {count} to {name} on {remote}"), &new, "", false)];
    if !lost.is_empty() {
        let count = counted(lost.len(), "commit", "commits");
        let clause = if force {
            format!("Takes {count} away from {name} on {remote}")
        } else {
            format!("{name} on {remote} was last seen with {count} that this lacks, so the push would be refused")
        };
        // What is lost stands first.
        told.insert(0, commits(clause, &lost, "", force));
    }
    Ok(told)
}

/// git-push(1), `<refspec>`.
fn parsed(
    repository: &mut Repository,
    refspec: &str,
    branch: Option<&str>,
    force: bool,
    delete: bool,
) -> Lookup<Pushed> {
    let (force, refspec) = refspec.strip_prefix('+').map_or((force, refspec), |rest| (true, rest));
    let (source, target) = refspec.split_once(':').unwrap_or((refspec, refspec));
    if refspec.contains('*') || target.is_empty() {
        return Err(NotTold);
    }
    let full = |name: &str| match name {
        "HEAD" => branch.map(str::to_owned),
        name if name.starts_with("refs/") => Some(name.to_owned()),
        name => Some(format!("refs/heads/{name}")),
    };
    let target = full(target).ok_or(NotTold)?;
    if delete || source.is_empty() {
        return Ok(Pushed { source: None, target, force });
    }
    // A name without a colon is one of this repository, and of the same kind there: `v1` may be a tag.
    let source = if refspec.contains(':') { repository.revision(source)? } else { repository.named(&target)? };
    Ok(Pushed { source: Some(source.ok_or(NotTold)?), target, force })
}

fn reset(repository: &mut Repository, to: Option<&str>) -> Lookup<Vec<CommandConsequence>> {
    let changed = repository.changed_files(&[Vec::new()], true)?;
    let mut told = vec![lost_changes(&changed)];
    if let Some(to) = to {
        let to = repository.revision(to)?.ok_or(NotTold)?;
        let head = repository.named("HEAD")?.ok_or(NotTold)?;
        let branch = repository.branch()?;
        let mut others = others(repository, &branch.into_iter().collect::<Vec<_>>())?;
        others.push(to);
        let lost = repository.commits(&[head], &others)?;
        if !lost.is_empty() {
            told.push(on_no_branch(&lost));
        }
    }
    Ok(told)
}

fn restore(place: &Standpoint<'_>, repository: &mut Repository, targets: &[Target]) -> Lookup<CommandConsequence> {
    let mut places = Vec::new();
    for path in place.found(targets)? {
        places.push(repository.below_top(&path).ok_or(NotTold)?.to_vec());
    }
    let changed = repository.changed_files(&places, false)?;
    Ok(lost_changes(&changed))
}

fn lost_changes(changed: &[Vec<u8>]) -> CommandConsequence {
    if changed.is_empty() {
        return CommandConsequence {
            clause: "No file has changes that it would take back".to_owned(),
            ..CommandConsequence::default()
        };
    }
    let clause = format!("Takes back changes to {} that are in no commit", counted(changed.len(), "file", "files"));
    let names = changed.iter().take(MAX_NAMES).map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    CommandConsequence { clause, loses: true, names, count: changed.len(), ..CommandConsequence::default() }
}

fn stash(repository: &Repository, number: Option<usize>) -> Lookup<CommandConsequence> {
    let stashes = repository.stashes()?;
    let names: Vec<String> = match number {
        None => stashes,
        Some(number) => stashes.into_iter().nth(number).into_iter().collect(),
    };
    if names.is_empty() {
        return Ok(CommandConsequence { clause: "There is no such stash".to_owned(), ..CommandConsequence::default() });
    }
    let clause = format!("Forgets {}", counted(names.len(), "stash", "stashes"));
    Ok(CommandConsequence { clause, loses: true, count: names.len(), names, ..CommandConsequence::default() })
}

fn delete_branches(repository: &mut Repository, names: &[String]) -> Lookup<Vec<CommandConsequence>> {
    let full: Vec<String> = names.iter().map(|name| format!("refs/heads/{name}")).collect();
    let mut tips = Vec::new();
    for name in &full {
        tips.push(repository.named(name)?.ok_or(NotTold)?);
    }
    let mut others = others(repository, &full)?;
    others.extend(repository.named("HEAD")?);
    let lost = repository.commits(&tips, &others)?;
    if lost.is_empty() {
        let clause = "Loses no commit: each is also on another branch or tag".to_owned();
        return Ok(vec![CommandConsequence { clause, ..CommandConsequence::default() }]);
    }
    Ok(vec![on_no_branch(&lost)])
}

/// What branches and tags stand for, those called `without` apart.
fn others(repository: &Repository, without: &[String]) -> Lookup<Vec<ObjectId>> {
    let mut found = Vec::new();
    for start in ["refs/heads/", "refs/remotes/", "refs/tags/"] {
        let names = repository.names(start)?.into_iter();
        found.extend(names.filter(|(name, _)| !without.contains(name)).map(|(_, id)| id));
    }
    found.sort();
    found.dedup();
    Ok(found)
}

fn on_no_branch(lost: &[Commit]) -> CommandConsequence {
    let count = counted(lost.len(), "commit", "commits");
    commits(format!("Leaves {count} on no branch or tag"), lost, "", true)
}

/// `clause` with the subjects of `all`, and how many these are where `which` says which.
fn commits(clause: String, all: &[Commit], which: &str, loses: bool) -> CommandConsequence {
    let clause = match (which, all.len()) {
        ("", _) | (_, 0) => clause,
        (which, count) => format!("{clause}, with {} {which}", counted(count, "commit", "commits")),
    };
    let named = |commit: &Commit| {
        let id = commit.id.hex();
        format!("{} {}", id.get(..SHORT).unwrap_or(&id), commit.subject)
    };
    let names = all.iter().take(MAX_NAMES).map(named).collect();
    CommandConsequence {
        clause,
        loses: loses && !all.is_empty(),
        names,
        count: all.len(),
        ..CommandConsequence::default()
    }
}

fn clean(
    place: &Standpoint<'_>,
    repository: &Repository,
    folder: &Path,
    folders: bool,
    ignored: bool,
) -> Lookup<CommandConsequence> {
    let known = repository.known_files()?;
    let excludes = excludes(place)?;
    let mut rules = Ignored::of(repository, excludes.as_deref(), place.home)?;
    // The folders above the one that it starts in have a say, too.
    let below = folder.strip_prefix(&repository.top).map_err(|_| NotTold)?;
    let mut above = repository.top.clone();
    rules.enter(&above)?;
    for part in below {
        above.push(part);
        if !ignored && rules.has(&above, true) {
            return Err(NotTold);
        }
        rules.enter(&above)?;
    }
    let mut found = Vec::new();
    let walk = Clean { place, repository, known: &known, folders, ignored };
    walk.look(folder, &mut rules, 0, &mut found)?;
    found.sort();
    let hit: Hit = hit(place, &found, false)?;
    if found.is_empty() {
        return Ok(CommandConsequence {
            clause: "Finds no file that it would delete".to_owned(),
            ..CommandConsequence::default()
        });
    }
    Ok(hit.told("Deletes", true))
}

struct Clean<'a> {
    place: &'a Standpoint<'a>,
    repository: &'a Repository,
    known: &'a KnownFiles,
    folders: bool,
    ignored: bool,
}

impl Clean<'_> {
    /// git-clean(1): files that git does not know, in folders that it knows or with `-d` in all. `rules` have entered
    /// `folder`.
    fn look(&self, folder: &Path, rules: &mut Ignored, depth: usize, found: &mut Vec<PathBuf>) -> Lookup<()> {
        if depth > MAX_DEPTH {
            return Err(NotTold);
        }
        for entry in folder.read_dir().map_err(|_| NotTold)? {
            self.place.until.check()?;
            let entry = entry.map_err(|_| NotTold)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(|_| NotTold)?);
            let below = self.repository.below_top(&path).ok_or(NotTold)?;
            let is_known = self.known.has(below);
            if entry.file_name() == ".git" || is_known || !self.ignored && rules.has(&path, kind.is_dir()) {
                // A folder that is ignored may still hold files that git knows, which stay as well.
                continue;
            }
            if !kind.is_dir() {
                found.push(path);
                if found.len() > MAX_UNKNOWN {
                    return Err(NotTold);
                }
            } else if (self.folders || self.known.has_folder(below)) && !is_repository(&path) {
                rules.enter(&path)?;
                self.look(&path, rules, depth + 1, found)?;
                rules.leave();
            }
        }
        Ok(())
    }
}

/// The user's own `core.excludesFile`: git-config(1).
fn excludes(place: &Standpoint<'_>) -> Lookup<Option<PathBuf>> {
    let home = place.home.ok_or(NotTold)?;
    let own = user_settings(place)?;
    let own = own.iter().rev().find(|setting| setting.name() == "core.excludesfile");
    match own.and_then(|setting| setting.value.as_deref()) {
        Some(path) => crate::repository::named_file(path, home, Some(home)).map(Some).map_err(|_| NotTold),
        None => Ok(Some(home.join(".config/git/ignore"))),
    }
}

/// Settings of the machine and the user, then those of the repository.
fn all_settings(place: &Standpoint<'_>, repository: &Repository) -> Lookup<Vec<GitSetting>> {
    let mut settings = user_settings(place)?;
    settings.extend(repository.settings.iter().cloned());
    // Whether a condition holds is not known here.
    let is_conditional = |setting: &GitSetting| setting.section == "includeif";
    let is_about_pushing =
        |setting: &GitSetting| matches!(setting.section.as_str(), "push" | "remote" | "branch" | "url");
    if settings.iter().any(is_conditional) && user_settings(place)?.iter().any(is_about_pushing) {
        return Err(NotTold);
    }
    Ok(settings)
}

fn user_settings(place: &Standpoint<'_>) -> Lookup<Vec<GitSetting>> {
    let home = place.home.ok_or(NotTold)?;
    let mut settings = Vec::new();
    let mut disk = Disk::default();
    for file in [PathBuf::from("/etc/gitconfig"), home.join(".config/git/config"), home.join(".gitconfig")] {
        included_settings(&file, Some(home), &mut disk, &mut settings).map_err(|_| NotTold)?;
    }
    Ok(settings.into_iter().map(|(_, setting)| setting).collect())
}

/// The machine that an address of a remote names: `git@github.com:x/y`, `https://github.com/x/y`.
fn host_of_remote(address: &str) -> Option<String> {
    if address.contains("://") {
        return handraise_display::host_of(address).map(|host| host.ascii);
    }
    let (before, _) = address.split_once(':').filter(|(before, _)| !before.contains('/'))?;
    handraise_display::host_of(&format!("ssh://{before}/")).map(|host| host.ascii)
}
