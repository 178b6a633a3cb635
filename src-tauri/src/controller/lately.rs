//! What a person does about calls of the past, in the tray menu.

use handraise_protocol::{KeptFile, Problem, RequestId, UndoOutcome};

use super::Controller;
use crate::desktop::{Desktop, Gatekeeper};
use crate::notification::content::NotificationKey;
use crate::notification::wanted::answer_refused;
use crate::strings::Text;

impl<D: Desktop, G: Gatekeeper> Controller<D, G> {
    /// A person wants back what the call has changed. Nothing is overwritten that somebody else may have changed since.
    pub(super) fn undo(&mut self, id: RequestId) {
        if self.counts_as_person() {
            self.gate.put_back(id);
            return;
        }
        self.tell_of_call(id, Text::MadeInput.get(), Text::MadeInputDetail.get());
        self.show_call(id);
    }

    /// What became of it. Where something was left as it is, the person sees what, and can have it put back all the same.
    pub(super) fn undone(&mut self, id: RequestId, outcome: Result<Vec<KeptFile>, Box<Problem>>) {
        let files = match outcome {
            Ok(files) => files,
            Err(problem) => return self.tell_of_call(id, self.about(id, Text::UndoneFailed), problem.detail),
        };
        let left = |file: &&KeptFile| matches!(file.outcome, UndoOutcome::Doubtful | UndoOutcome::Refused);
        let left: Vec<&str> = files.iter().filter(left).map(|file| file.path.as_str()).collect();
        if !left.is_empty() {
            let detail = format!("{} {}", Text::UndoneLeft.get(), left.join(", "));
            self.tell_of_call(id, self.about(id, Text::UndoneFailed), detail);
            self.show_call(id);
        } else if files.iter().any(|file| file.outcome == UndoOutcome::Restored) {
            self.tell_of_call(id, self.about(id, Text::Undone), Text::UndoneDetail.get());
        } else {
            self.tell_of_call(id, self.about(id, Text::UndoneNothing), Text::UndoneNothingDetail.get());
        }
    }

    /// Shows a call of the past in the settings window.
    pub(super) fn show_call(&mut self, id: RequestId) {
        self.shows_settings = true;
        self.desktop.show_call(id);
    }

    fn about(&self, id: RequestId, text: Text) -> String {
        let past = self.lately.changed.iter().find(|past| past.id == id);
        text.with(&[("call", past.map_or("", |past| past.line.as_str()))])
    }

    fn tell_of_call(&mut self, id: RequestId, title: String, detail: String) {
        self.desktop.show_notification(answer_refused(NotificationKey::Answer(id), title, detail));
    }
}
