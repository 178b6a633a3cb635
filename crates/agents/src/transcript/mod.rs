//! Transcripts that agents keep of their sessions: where they lie, and which calls they hold.
//!
//! Nothing here opens a file. Who does hands over its lines, one by one, and takes the calls in the order in which
//! they were made, each once its end is known. A line that cannot be read is no reason to stop: agents write
//! while they are read, and other versions write other lines.

mod calls;
mod words;

pub use calls::Calls;
pub(crate) use words::{refused_in_handraise, spoken, time};

use crate::PastCall;

/// Where an agent keeps its transcripts, and who reads them.
#[derive(Clone, Copy, Debug)]
pub struct Transcripts {
    /// Where they lie, in the order in which they have to be read.
    pub places: &'static [TranscriptSource],
    /// What is there as well and not read, from the folder of the first place, with a sentence that says what to do.
    pub not_read: &'static [(&'static str, &'static str)],
    /// A new reader, for all files of the agent.
    pub reader: fn() -> Box<dyn ReadTranscript>,
}

/// Files below one folder.
#[derive(Clone, Copy, Debug)]
pub struct TranscriptSource {
    /// Environment variables with which a person moves the agent's folder, and the folder below what they name. The
    /// first that is set counts.
    pub variables: &'static [(&'static str, &'static str)],
    /// The folder, from the home folder, where no variable is set.
    pub folder: &'static str,
    /// The files below it: `*` is any part of a name, `**` any folders.
    pub files: &'static str,
    /// What a file is made of.
    pub form: TranscriptForm,
    /// A file that holds nothing but the working folder, from the folder of the transcript.
    pub folder_file: Option<&'static str>,
}

/// What a transcript is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptForm {
    /// A JSON object in each line.
    Lines,
    /// One JSON object.
    Document,
}

/// Reads the transcripts of one agent.
pub trait ReadTranscript {
    /// A file begins. `folder` is the working folder, where something beside the file says it.
    fn begin(&mut self, folder: Option<String>);

    /// Reads a line, or all of a file, by its [`TranscriptForm`].
    ///
    /// # Errors
    /// When it is no JSON object, or holds a call that cannot be read. What it holds besides counts.
    fn read(&mut self, text: &[u8], calls: &mut Calls) -> Result<(), Unreadable>;
}

/// A piece of a transcript cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no JSON object, or a call that is none")]
pub struct Unreadable;

/// The object in `text`.
pub(crate) fn object(text: &[u8]) -> Result<serde_json::Value, Unreadable> {
    serde_json::from_slice(text).ok().filter(serde_json::Value::is_object).ok_or(Unreadable)
}

/// What several calls of one file have in common.
#[derive(Clone, Debug, Default)]
pub(crate) struct CallContext {
    pub(crate) session: Option<String>,
    pub(crate) cwd: Option<String>,
}

impl CallContext {
    /// A call of `agent` in these circumstances.
    pub(crate) fn call(&self, agent: &str, tool: &str) -> PastCall {
        PastCall {
            agent: Some(agent.to_owned()),
            session: self.session.clone(),
            cwd: self.cwd.clone(),
            tool: tool.to_owned(),
            ..PastCall::default()
        }
    }
}
