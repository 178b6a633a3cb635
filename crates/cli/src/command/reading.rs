//! A person reads a call in this terminal, and says yes by a key.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::bail;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{Clear, ClearType, disable_raw_mode, enable_raw_mode, size};
use handraise_protocol::{Approval, RiskLevel};

use super::answer::{Approving, CONFIRMATION, delay};
use super::printed;
use super::remembered::Remembered;
use crate::show::{self, widenings};

/// What can be pressed where something is offered to be opened to the walls of the call.
const OFFERS: &str = "Press y to approve it without walls, this once; c to run it confined; its number to run it confined \
     and open that to its walls from now on; d to deny it. Any other key leaves it waiting.";

/// What can be pressed where commands of the line can be remembered without the others.
const TICKS: &str = "Press y to approve it and remember all of these. Type numbers, as 1,3, and Enter to remember only \
     those. Any other key does not approve it.";

/// Lines of a terminal that does not say how many it has.
const USUAL_HEIGHT: u16 = 24;

/// Whether somebody can read here and press a key.
///
/// # Errors
/// When input or output is no terminal: nobody would have seen what is approved.
fn check_reader() -> anyhow::Result<()> {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        return Ok(());
    }
    bail!(
        "`approve` shows the call and waits for a key, so it needs a terminal. In a script, name what you have read: \
         handraise approve ID --hash HASH"
    )
}

/// What a person has chosen by a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// To approve it, in this way.
    Approve(Approving),
    /// To approve it, and remember the commands at these positions of the line.
    Remember(Vec<u32>),
    /// To deny it.
    Deny,
}

/// What a key means where something is offered to be opened to the walls of the call.
fn offered(letter: char, approval: &Approval) -> Option<Chosen> {
    match letter {
        'y' => Some(Chosen::Approve(Approving::Once)),
        'd' => Some(Chosen::Deny),
        'c' | '1'..='9' => Approving::by_key(letter, approval)?.ok().map(Chosen::Approve),
        _ => None,
    }
}

/// Shows the whole call, screen by screen, and waits for the answer. `reach`: what it goes beyond this call, where that
/// was said beforehand. `ticking`: what it remembers, where a person chooses for which commands. `None`: it is not answered.
///
/// # Errors
/// When this is no terminal, or it cannot be read.
pub(super) fn wants(
    approval: &Approval,
    reach: Option<&str>,
    ticking: Option<Remembered<'_>>,
) -> anyhow::Result<Option<Chosen>> {
    check_reader()?;
    let mut lines = printed(&show::approval(approval));
    if let Some(reach) = reach {
        lines.extend(std::iter::once("").chain(reach.lines()).map(str::to_owned));
    }
    lines.extend(ticking.into_iter().flat_map(Remembered::offered));
    let keys = Keys::listen()?;
    let height = size().map_or(USUAL_HEIGHT, |(_, height)| height).max(4);
    let mut screens = lines.chunks(usize::from(height) - 2).peekable();
    while let Some(screen) = screens.next() {
        keys.print(screen)?;
        if screens.peek().is_some() {
            keys.print(&["-- Space shows the rest, any other key leaves --".to_owned()])?;
            if keys.next()? != KeyCode::Char(' ') {
                return Ok(None);
            }
        }
    }
    let level = approval.risk.level;
    if let Some(remembered) = ticking {
        keys.print(&[String::new(), TICKS.to_owned()])?;
        keys.forget_for(delay(level))?;
        return ticked(&keys, remembered);
    }
    // What was said beforehand is not asked again; a destructive call takes a whole word.
    let offers = reach.is_none() && level != RiskLevel::Destructive && !widenings(approval).is_empty();
    if offers {
        keys.print(&[String::new(), OFFERS.to_owned()])?;
        keys.forget_for(delay(level))?;
        return Ok(match keys.next()? {
            KeyCode::Char(letter) => offered(letter, approval),
            _ => None,
        });
    }
    let word = if level == RiskLevel::Destructive { CONFIRMATION } else { "y" };
    let what = match level {
        RiskLevel::Destructive => format!("This destroys something. To approve it, type {word} and Enter."),
        RiskLevel::ReadOnly | RiskLevel::Write => format!("Press {word} to approve it. Any other key does not."),
    };
    keys.print(&[String::new(), what])?;
    // Whoever was typing just then did not mean this.
    keys.forget_for(delay(level))?;
    let is_wanted = keys.spells(word, level == RiskLevel::Destructive)?;
    Ok(is_wanted.then_some(Chosen::Approve(Approving::Once)))
}

/// What a person ticks: all by `y`, some by their numbers.
fn ticked(keys: &Keys, remembered: Remembered<'_>) -> anyhow::Result<Option<Chosen>> {
    let mut typed = String::new();
    loop {
        match keys.next()? {
            KeyCode::Char('y') if typed.is_empty() => return Ok(Some(Chosen::Remember(remembered.all()))),
            KeyCode::Char(letter) if letter.is_ascii_digit() || matches!(letter, ',' | ' ') => typed.push(letter),
            KeyCode::Backspace => drop(typed.pop()),
            // Enter alone decides nothing.
            KeyCode::Enter if typed.is_empty() => {}
            KeyCode::Enter => match numbered(remembered, &typed) {
                Ok(commands) => return Ok(Some(Chosen::Remember(commands))),
                Err(sentence) => {
                    typed.clear();
                    keys.print(&[String::new(), sentence])?;
                }
            },
            _ => return Ok(None),
        }
        keys.echo(&typed)?;
    }
}

/// The positions of the commands that are named by numbers, as `1, 3`.
fn numbered(remembered: Remembered<'_>, typed: &str) -> Result<Vec<u32>, String> {
    let numbers = typed.split([',', ' ']).filter(|number| !number.is_empty()).map(str::parse);
    let numbers: Vec<u32> =
        numbers.collect::<Result<_, _>>().map_err(|_| "These are no numbers of commands.".to_owned())?;
    if numbers.is_empty() {
        return Err("Type at least one number.".to_owned());
    }
    remembered.numbered(&numbers)
}

/// The keys that are pressed, one by one; the terminal is as it was when this is dropped.
struct Keys;

impl Keys {
    fn listen() -> std::io::Result<Self> {
        enable_raw_mode()?;
        Ok(Self)
    }

    /// Lines, each from the left margin: the terminal does not go there by itself now.
    fn print(&self, lines: &[String]) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        for line in lines {
            write!(stdout, "{line}\r\n")?;
        }
        stdout.flush()
    }

    /// What was typed so far, in the line of the cursor.
    fn echo(&self, typed: &str) -> std::io::Result<()> {
        let mut stdout = std::io::stdout().lock();
        write!(stdout, "\r> {typed}{}", Clear(ClearType::UntilNewLine))?;
        stdout.flush()
    }

    fn next(&self) -> std::io::Result<KeyCode> {
        loop {
            if let Event::Key(KeyEvent { code, kind: KeyEventKind::Press, modifiers, .. }) = read()? {
                let leaves = modifiers.contains(KeyModifiers::CONTROL);
                return Ok(if leaves { KeyCode::Esc } else { code });
            }
        }
    }

    fn forget_for(&self, delay: Duration) -> std::io::Result<()> {
        let end = Instant::now() + delay;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if poll(left)? {
                read()?;
            }
        }
        Ok(())
    }

    /// Whether the keys are those of `word`, then Enter if that is needed.
    fn spells(&self, word: &str, then_enter: bool) -> std::io::Result<bool> {
        let expected = word.chars().map(KeyCode::Char).chain(then_enter.then_some(KeyCode::Enter));
        for key in expected {
            if self.next()? != key {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        // A terminal that has gone needs nothing any more.
        let _ = disable_raw_mode();
    }
}

#[cfg(test)]
mod tests {
    use handraise_protocol::Scope;

    use super::*;
    use crate::command::watch::widenable;

    #[test]
    fn commands_are_named_by_their_numbers() {
        let approval = crate::command::remembered::tickable();
        let request = crate::command::remembered::by_prefix(Scope::Session);
        let remembered = Remembered::of(&approval, &request).unwrap();
        for (typed, commands) in
            [("1", &[0, 2][..]), ("3", &[0, 2]), ("2", &[1]), ("2,1", &[1, 0, 2]), (" 1 , 3 ", &[0, 2])]
        {
            assert_eq!(numbered(remembered, typed).unwrap(), commands, "{typed}");
        }
        for typed in ["", ",", "0", "4", "1,4", "99999999999"] {
            assert!(numbered(remembered, typed).is_err(), "{typed}");
        }
    }

    #[test]
    fn a_key_answers_only_what_is_offered() {
        let approval = widenable(2);
        let approve = |how| Some(Chosen::Approve(how));
        for (key, chosen) in [
            ('y', approve(Approving::Once)),
            ('c', approve(Approving::Confined)),
            ('1', approve(Approving::Opening(0))),
            ('2', approve(Approving::Opening(1))),
            ('d', Some(Chosen::Deny)),
        ] {
            assert_eq!(offered(key, &approval), chosen, "{key}");
        }
        for key in ['3', '0', 'a', 's', 'n', ' ', '\r'] {
            assert_eq!(offered(key, &approval), None, "{key}");
        }
        assert_eq!(offered('c', &crate::command::watch::sample(1, RiskLevel::Write, "make")), None);
    }
}
