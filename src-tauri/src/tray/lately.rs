//! What happened lately, in the tray menu.

use crate::lately::{Lately, Past};
use crate::strings::Text;
use crate::tray::entry::{Choice, Item, Menu, shortened};

/// The menus of what happened lately; none of what did not.
pub(super) fn items(lately: &Lately) -> Vec<Item> {
    let changed = lately.changed.iter().map(changed).collect();
    let answered = lately.answered.iter().map(answered).collect();
    let menus = [(Text::TrayChanged, changed), (Text::TrayAnswered, answered)];
    let menus = menus.into_iter().filter(|(_, calls): &(Text, Vec<Item>)| !calls.is_empty());
    menus.map(|(title, calls)| Item::Submenu(title.get(), Menu(calls))).collect()
}

/// A call that passed without a question.
fn changed(past: &Past) -> Item {
    let line = shortened(&past.line);
    let show = Choice::ShowCall(past.id);
    if !past.can_be_undone {
        return Item::Choice(show, line);
    }
    let undo = Item::Choice(Choice::Undo(past.id), Text::TrayUndo.get());
    Item::Submenu(line, Menu(vec![undo, Item::Choice(show, Text::TrayShowCall.get())]))
}

/// A call that a person answered.
fn answered(past: &Past) -> Item {
    let text = if past.is_approved { Text::TrayApproved } else { Text::TrayDenied };
    Item::Choice(Choice::ShowCall(past.id), shortened(&text.with(&[("call", &past.line)])))
}

#[cfg(test)]
mod tests {
    use handraise_protocol::RequestId;
    use uuid::Uuid;

    use super::*;
    use crate::tray::menu::{TrayState, menu};

    fn past(number: u128, line: &str) -> Past {
        let id = RequestId(Uuid::from_u128(number));
        Past { id, line: line.to_owned(), is_approved: true, can_be_undone: false }
    }

    #[test]
    fn what_is_kept_can_be_undone_and_the_rest_be_looked_at() {
        let edit = Past { can_be_undone: true, ..past(1, "Claude Code · Edit cart.ts") };
        let push = past(2, "Claude Code · git push");
        let (undo, show) = (Choice::Undo(edit.id), Choice::ShowCall(edit.id));
        let expected = [
            Item::Submenu(
                edit.line.clone(),
                Menu(vec![Item::Choice(undo, "Undo".into()), Item::Choice(show, "Show in Activity".into())]),
            ),
            Item::Choice(Choice::ShowCall(push.id), push.line.clone()),
        ];
        let lately = Lately { changed: vec![edit, push], answered: Vec::new() };
        assert_eq!(items(&lately), [Item::Submenu("Changed without asking".into(), Menu(expected.into()))]);
    }

    #[test]
    fn answers_say_what_they_were_and_are_never_longer_than_the_menu_is_wide() {
        let denied = Past { is_approved: false, ..past(1, "Claude Code · git push") };
        let long = past(2, &"a".repeat(200));
        let lately = Lately { changed: Vec::new(), answered: vec![denied, long] };
        let [Item::Submenu(title, Menu(calls))] = &items(&lately)[..] else { panic!() };
        assert_eq!(title, "Your last answers");
        let lines: Vec<&str> =
            calls.iter().map(|item| if let Item::Choice(_, line) = item { line.as_str() } else { "" }).collect();
        assert_eq!(lines[0], "Denied: Claude Code · git push");
        assert!(lines[1].starts_with("Approved: aaa") && lines[1].ends_with('…') && lines[1].chars().count() == 60);
    }

    #[test]
    fn what_happened_lately_stands_below_what_waits_and_moves_none_of_it() {
        let lately = Lately { changed: vec![past(1, "x")], answered: vec![past(2, "y")] };
        let with = menu(&TrayState { lately, ..TrayState::empty() });
        let Menu(without) = menu(&TrayState::empty());
        assert_eq!(with.0[..3], without[..3]);
        assert_eq!(with.0.len(), without.len() + 2);
    }
}
