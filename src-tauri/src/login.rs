//! Start at login: what the setting says and what is really there.

use crate::os::{LoginItem, LoginItemError, LoginItemState};

/// Brings the entry in line with the setting `wanted`, and gives the setting that is then true.
///
/// The entry is made at the first start only. Later a missing one, or one that is switched off, was a
/// person's doing with the desktop's own means, and the setting follows it.
///
/// # Errors
/// When the entry cannot be read or written.
pub(crate) fn reconcile(item: &dyn LoginItem, wanted: bool, is_first_start: bool) -> Result<bool, LoginItemError> {
    match (item.state()?, wanted) {
        (LoginItemState::Missing, true) if is_first_start => item.enable().map(|()| true),
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
        // State, setting, first start; then setting and state.
        let table = [
            (Missing, true, true, true, Current),
            (Missing, true, false, false, Missing),
            (Outdated, true, false, true, Current),
            (Current, true, false, true, Current),
            (SwitchedOff, true, false, false, SwitchedOff),
            (SwitchedOff, true, true, false, SwitchedOff),
            (Current, false, false, false, Missing),
            (Outdated, false, false, false, Missing),
            (Missing, false, true, false, Missing),
        ];
        for (before, wanted, first, setting, after) in table {
            let item = Fake(Mutex::new(before));
            assert_eq!(reconcile(&item, wanted, first).unwrap(), setting, "{before:?} {wanted} {first}");
            assert_eq!(*item.0.lock().unwrap(), after, "{before:?} {wanted} {first}");
        }
    }
}
