//! What a script does that the line itself has written, in another language than the shell's:
//! `echo "shutil.rmtree('/etc')" > x.py; python3 x.py`. Scripts of a shell are among what a command is told to run.

use handraise_shell::risk::may_run_text;
use handraise_shell::{Input, Part, Word, WordKind};

use super::told_part;
use crate::Request;

/// Texts of one line that are looked at, and how long they are together, in bytes: an agent chooses both.
const MAX_TEXTS: usize = 16;
const MAX_LENGTH: usize = 64 * 1024;

/// What `part` would do if it ran the scripts that earlier parts of its line have written, as a clause.
pub(super) fn of_script(request: &Request, part: &Part) -> Option<String> {
    let scripts = &part.scripts;
    if scripts.len() > MAX_TEXTS || scripts.iter().map(|script| script.text.len()).sum::<usize>() > MAX_LENGTH {
        return Some("it runs a script that the line writes, which is too long to be looked at".to_owned());
    }
    scripts.iter().find_map(|script| {
        let words = vec![Word { text: script.interpreter.clone(), kind: WordKind::Exact }];
        let run = Part { words, given: vec![script.text.clone()], input: Input::Given, ..Part::default() };
        if may_run_text(&run) { told_part(request, &run, &[]) } else { None }
    })
}
