//! Start at login: what the setting says and what is really there.

use crate::os::{LoginItem, LoginItemError, LoginItemState};

/// Brings the entry in line with the setting `wanted`, and gives the setting that is then true.
///
/// The entry is made only when a person switches it on. A missing one, or one that is switched off, was a person's doing
/// with the desktop's own means, and the setting follows it.
///
/// # Errors
/// When the entry cannot be read or written.
pub(crate) fn reconcile(item: &dyn LoginItem, wanted: bool) -> Result<bool, LoginItemError> {
    match (item.state()?, wanted) {
        (LoginItemState::Outdated, true) => item.enable().map(|()| true),
        (LoginItemState::Current, true) => Ok(true),
        (LoginItemState::Missing | LoginItemState::SwitchedOff, _) => Ok(false),
        (LoginItemState::Current | LoginItemState::Outdated, false) => item.disable().map(|()| false),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct Fake(Mutex<LoginItemState>);

    impl LoginItem for Fake {
        fn state(&self) -> Result<LoginItemState, LoginItemError> {
            Ok(*self.0.lock().unwrap())
        }
        fn enable(&self) -> Result<(), LoginItemError> {
            *self.0.lock().unwrap() = LoginItemState::Current;
            Ok(())
        }
        fn disable(&self) -> Result<(), LoginItemError> {
            *self.0.lock().unwrap() = LoginItemState::Missing;
            Ok(())
        }
    }

    #[test]
    fn the_entry_follows_the_setting_and_the_setting_follows_the_desktop() {
        use LoginItemState::{Current, Missing, Outdated, SwitchedOff};
        // State, setting; then setting and state.
        let table = [
            // Nobody has switched it on: nothing is made, whatever a settings file says.
            (Missing, false, false, Missing),
            (Missing, true, false, Missing),
            (Outdated, true, true, Current),
            (Current, true, true, Current),
            (SwitchedOff, true, false, SwitchedOff),
            (Current, false, false, Missing),
            (Outdated, false, false, Missing),
        ];
        for (before, wanted, setting, after) in table {
            let item = Fake(Mutex::new(before));
            assert_eq!(reconcile(&item, wanted).unwrap(), setting, "{before:?} {wanted}");
            assert_eq!(*item.0.lock().unwrap(), after, "{before:?} {wanted}");
        }
    }

    #[test]
    fn a_new_installation_starts_at_no_login_and_has_not_asked() {
        let settings = handraise_protocol::Settings::default();
        assert!(!settings.start_at_login && !settings.start_at_login_asked);
        let item = Fake(Mutex::new(LoginItemState::Missing));
        assert!(!reconcile(&item, settings.start_at_login).unwrap());
        assert_eq!(*item.0.lock().unwrap(), LoginItemState::Missing);
    }
}
