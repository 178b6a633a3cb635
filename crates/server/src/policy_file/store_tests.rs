use handraise_policy::{Action, Preset};

use super::*;

const STRICT: &str = "version = 1\npreset = \"strict\"\n";
const AUTONOMOUS: &str = "version = 1\npreset = \"autonomous\"\n";
const BROKEN: &str = "version = 1\npreset = \"autonomos\"\n";

struct TestFolder {
    folder: tempfile::TempDir,
    /// What the audit log would know.
    recorded: Option<String>,
}

impl TestFolder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), recorded: None }
    }

    fn files(&self) -> PolicyFiles {
        let at = |name: &str| self.folder.path().join(name);
        PolicyFiles { policy: at("policy.toml"), confirmed: at("confirmed.toml") }
    }

    fn open(&mut self) -> Opened {
        let mut opened = PolicyStore::open(self.files(), Protections::default(), self.recorded.as_deref()).unwrap();
        if let Some((text, _)) = &opened.adopted {
            self.recorded = Some(text.etag.clone());
            opened.store.confirm(text.clone());
            opened.store.begin_copy().write().unwrap();
        }
        opened
    }

    /// As a person who confirms what waits.
    fn confirm(&mut self, store: &mut PolicyStore) {
        let text = store.pending().unwrap().clone();
        self.recorded = Some(text.etag.clone());
        store.confirm(text);
        store.begin_copy().write().unwrap();
    }

    fn write(&self, text: &str) {
        std::fs::write(self.files().policy, text).unwrap();
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.files().policy).unwrap()
    }
}

fn look(store: &mut PolicyStore) -> Option<PolicyOnDisk> {
    let look = store.begin_look();
    store.take(look.look())
}

/// The strictness of what is in force for a call that writes.
fn on_write(store: &PolicyStore) -> Action {
    let in_force = store.in_force();
    let unconfirmed = in_force.unconfirmed.map(|policy| policy.risk.write);
    in_force.confirmed.risk.write.max(unconfirmed.unwrap_or(Action::Allow))
}

fn preset(store: &PolicyStore) -> Preset {
    store.in_force().confirmed.preset
}

#[test]
fn the_starting_policy_is_the_practical_one_and_counts_as_confirmed() {
    let mut place = TestFolder::new();
    let opened = place.open();
    assert_eq!(opened.store.in_force().confirmed, Policy::default());
    assert_eq!(opened.adopted.unwrap().1, "first start");
    assert_eq!(place.text(), STARTING_POLICY);
    let again = place.open();
    assert!(again.adopted.is_none() && !again.is_lost && again.store.pending().is_none(), "{again:?}");
}

#[test]
fn a_change_made_outside_is_suspended_until_it_is_confirmed() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write(AUTONOMOUS);
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Changed));
    assert_eq!(on_write(&store), Action::Ask);
    assert!(store.difference().unwrap().loosens);
    assert_eq!(look(&mut store), None);
    place.confirm(&mut store);
    assert_eq!(on_write(&store), Action::Allow);
    assert_eq!(look(&mut store), None);
}

#[test]
fn a_stricter_change_made_outside_holds_at_once() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write("version = 1\n[risk]\nwrite = \"deny\"\n");
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Changed));
    assert_eq!(on_write(&store), Action::Deny);
}

#[test]
fn a_change_made_while_nobody_looked_is_suspended_as_well() {
    let mut place = TestFolder::new();
    drop(place.open());
    place.write(AUTONOMOUS);
    let opened = place.open();
    assert!(!opened.is_lost);
    assert_eq!(on_write(&opened.store), Action::Ask);
    assert_eq!(opened.store.pending().unwrap().text, AUTONOMOUS);
}

#[test]
fn a_broken_file_leaves_the_rules_in_force_until_it_is_mended() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write("version = 1\n[risk]\nwrite = \"deny\"\n");
    look(&mut store);
    place.write(BROKEN);
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Refused));
    assert!(store.refused().unwrap().to_string().contains("autonomos"), "{:?}", store.refused());
    assert_eq!(on_write(&store), Action::Deny);
    assert_eq!(store.current().0, BROKEN);
    place.write(STARTING_POLICY);
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Confirmed));
    assert!(store.refused().is_none() && store.pending().is_none());
    assert_eq!(on_write(&store), Action::Ask);
}

#[test]
fn another_text_that_means_the_same_needs_nobody() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write("# mine\nversion = 1\n");
    assert!(matches!(look(&mut store), Some(PolicyOnDisk::SameInEffect(_))));
    assert!(store.pending().is_none());
}

#[test]
fn an_update_from_a_version_without_confirmation_starts_from_the_starting_policy() {
    let mut place = TestFolder::new();
    place.write(AUTONOMOUS);
    let opened = place.open();
    assert!(!opened.is_lost && opened.adopted.is_none());
    assert_eq!(preset(&opened.store), Preset::Practical);
    assert_eq!(on_write(&opened.store), Action::Ask);
    // The same again as long as nobody has confirmed it.
    assert!(place.open().store.pending().is_some());
}

#[test]
fn a_broken_file_of_an_earlier_version_makes_everything_ask() {
    let mut place = TestFolder::new();
    place.write(BROKEN);
    let opened = place.open();
    assert_eq!(preset(&opened.store), Preset::Strict);
    assert!(opened.store.refused().is_some() && opened.adopted.is_none());
}

#[test]
fn nothing_counts_that_the_audit_log_does_not_know() {
    let mut place = TestFolder::new();
    drop(place.open());
    place.write(AUTONOMOUS);
    std::fs::write(place.files().confirmed, AUTONOMOUS).unwrap();
    let opened = place.open();
    assert!(opened.is_lost && opened.adopted.is_none());
    assert_eq!(preset(&opened.store), Preset::Strict);
    assert_eq!(opened.store.pending().unwrap().text, AUTONOMOUS);

    std::fs::remove_file(place.files().confirmed).unwrap();
    let opened = place.open();
    assert!(opened.is_lost);
    assert_eq!(on_write(&opened.store), Action::Ask);
}

#[test]
fn a_lost_copy_is_made_again_from_the_file_that_the_log_knows() {
    let mut place = TestFolder::new();
    drop(place.open());
    std::fs::remove_file(place.files().confirmed).unwrap();
    let opened = place.open();
    assert!(!opened.is_lost && opened.store.pending().is_none());
    assert_eq!(std::fs::read_to_string(place.files().confirmed).unwrap(), STARTING_POLICY);
}

#[test]
fn a_file_that_is_gone_changes_nothing_and_is_written_again_at_the_next_start() {
    let mut place = TestFolder::new();
    place.write(STRICT);
    let mut store = place.open().store;
    place.confirm(&mut store);
    std::fs::remove_file(place.files().policy).unwrap();
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Refused));
    assert_eq!(look(&mut store), None);
    assert_eq!(preset(&store), Preset::Strict);
    let opened = place.open();
    assert!(opened.is_restored && !opened.is_lost);
    assert_eq!(place.text(), STRICT);
}

#[test]
fn what_is_discarded_is_kept_beside_the_file() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write(AUTONOMOUS);
    look(&mut store);
    let aside = store.begin_set_aside(Timestamp::UNIX_EPOCH).write().unwrap().aside.unwrap();
    assert_eq!(std::fs::read_to_string(aside).unwrap(), AUTONOMOUS);
    assert_eq!(place.text(), STARTING_POLICY);
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Confirmed));
    assert!(store.pending().is_none());
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_written() {
    let mut place = TestFolder::new();
    let dotfile = place.folder.path().join("dotfiles.toml");
    std::fs::write(&dotfile, STARTING_POLICY).unwrap();
    std::os::unix::fs::symlink(&dotfile, place.files().policy).unwrap();
    let mut store = place.open().store;
    store.begin_write(PolicyText::read(STRICT.to_owned()).unwrap()).write().unwrap();
    assert!(place.files().policy.symlink_metadata().unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(dotfile).unwrap(), STRICT);
}

#[cfg(unix)]
#[test]
fn only_a_regular_file_is_read() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    std::fs::remove_file(place.files().policy).unwrap();
    std::fs::create_dir(place.files().policy).unwrap();
    assert_eq!(look(&mut store), Some(PolicyOnDisk::Refused));
    assert!(store.refused().unwrap().to_string().contains("regular file"));
}

#[test]
fn a_look_that_was_begun_before_a_change_tells_nothing() {
    let mut place = TestFolder::new();
    let mut store = place.open().store;
    place.write(AUTONOMOUS);
    let before = store.begin_look().look();
    let text = PolicyText::read(STRICT.to_owned()).unwrap();
    store.begin_write(text.clone()).write().unwrap();
    store.confirm(text);
    store.begin_copy().write().unwrap();
    assert_eq!(store.take(before), None);
    assert!(store.pending().is_none(), "the text of then is not there any more");
    assert_eq!(look(&mut store), None);
    let (one, other) = (store.begin_look(), store.begin_look());
    place.write(AUTONOMOUS);
    assert_eq!(store.take(other.look()), Some(PolicyOnDisk::Changed));
    assert_eq!(store.take(one.look()), None, "what was seen later counts");
}
