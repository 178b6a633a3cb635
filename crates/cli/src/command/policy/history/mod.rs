//! Calls of the past: from the transcripts that agents keep on this machine, or as JSON lines on stdin.

mod files;
mod lines;

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::Args;
use handraise_agents::{Agent, Calls, PastCall, ReadTranscript, TranscriptForm, TranscriptSource, Transcripts};
use handraise_policy::Request;
use handraise_server::DryRun;
use handraise_shell::path::is_within;
use jiff::Timestamp;
use serde::Serialize;

use super::super::since::Since;
use crate::command::settings_file::{GIVEN_HOME, home, known_agent};
use files::{TranscriptFile, file, files, folder};
use lines::{Line, Lines};

/// Longest document, in bytes. A session that is one document can be long.
const MAX_DOCUMENT: u64 = 64 * 1024 * 1024;
/// Longest file that says nothing but a folder, in bytes.
const MAX_FOLDER: u64 = 4096;

/// Which calls of the past.
#[derive(Debug, Args)]
pub(crate) struct HistoryArguments {
    /// Read the transcripts that agents keep on this machine, in the place of stdin
    #[arg(long)]
    agents: bool,
    /// Read this transcript of an agent, or all in this folder, in the place of stdin
    #[arg(long, value_name = "AGENT=PATH")]
    transcripts: Vec<AgentPath>,
    /// Only calls since this date (2026-05-01), or of so many days (7d)
    #[arg(long, value_name = "DATE")]
    since: Option<Since>,
}

/// A file or folder with transcripts of an agent.
#[derive(Clone, Debug)]
struct AgentPath {
    agent: String,
    path: PathBuf,
}

impl FromStr for AgentPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (agent, path) = text.split_once('=').ok_or("this takes the agent and the path: codex=rollout.jsonl")?;
        match handraise_agents::agent(agent).and_then(Agent::transcripts) {
            Some(_) => Ok(Self { agent: agent.to_owned(), path: path.into() }),
            None => Err(format!("no transcripts of an agent called `{agent}` can be read here")),
        }
    }
}

/// What was read.
#[derive(Debug, Default, Serialize)]
pub(super) struct HistoryRead {
    /// Each agent with a transcript.
    pub(super) agents: Vec<AgentRead>,
    /// Lines, documents and calls that could not be read.
    pub(super) unreadable: u64,
    /// What is there and is not read, as sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_read: Vec<String>,
}

/// What was read of one agent.
#[derive(Debug, Default, Serialize)]
pub(super) struct AgentRead {
    pub(super) agent: String,
    pub(super) files: u64,
    pub(super) calls: u64,
    /// Calls that a copy of a session tells again.
    pub(super) told_again: u64,
    pub(super) unreadable: u64,
}

/// Takes a call; whether it is one that can be taken.
type Taker<'a> = &'a mut dyn FnMut(PastCall) -> anyhow::Result<bool>;

impl HistoryArguments {
    /// They come from transcripts.
    pub(super) fn are_transcripts(&self) -> bool {
        self.agents || !self.transcripts.is_empty()
    }

    /// Hands every call to `take`, each session in the order in which it was.
    ///
    /// # Errors
    /// When there is no transcript, stdin cannot be read, or `take` fails.
    fn read(&self, take: Taker<'_>) -> anyhow::Result<HistoryRead> {
        let mut read = HistoryRead::default();
        let mut looked_at = Vec::new();
        for place in &self.transcripts {
            let agent = known_agent(&place.agent)?;
            let Some(transcripts) = agent.transcripts() else { continue };
            let mut reading = Reading::new(agent, transcripts, self.since, take);
            reading.given(&place.path)?;
            read.add(reading.read, Vec::new());
            looked_at.push(place.path.display().to_string());
        }
        if self.agents {
            let home = home()?;
            let agents = handraise_agents::NAMES.iter().filter_map(|name| handraise_agents::agent(name));
            for (agent, transcripts) in agents.filter_map(|agent| Some((agent, agent.transcripts()?))) {
                let mut reading = Reading::new(agent, transcripts, self.since, take);
                let not_read = reading.places(&home, &mut looked_at)?;
                read.add(reading.read, not_read);
            }
        }
        match self.are_transcripts() {
            true if read.agents.is_empty() => {
                return Err(NoTranscript(nothing_found(&looked_at, &read.not_read)).into());
            }
            true => {}
            false => read.unreadable = self.stdin(take)?,
        }
        Ok(read)
    }

    /// Hands every call to `take` with the request that it makes, or none where the agent asks the person itself.
    ///
    /// # Errors
    /// As [`HistoryArguments::read`].
    pub(super) fn requests(
        &self,
        dry_run: &DryRun,
        take: &mut dyn FnMut(PastCall, Option<Request>) -> anyhow::Result<()>,
    ) -> anyhow::Result<HistoryRead> {
        // The folder that each session began in: an agent that has moved into `src` still works on the project.
        let mut began: HashMap<(Option<String>, String), String> = HashMap::new();
        self.read(&mut |call| {
            let mut call = call.with_unix_paths();
            let Ok(asked) = call.request() else { return Ok(false) };
            let request = match asked.map(|asked| dry_run.request(asked)) {
                None => None,
                Some(Ok(request)) => Some(request),
                Some(Err(_)) => return Ok(false),
            };
            let request = request.map(|request| match (&call.session, &call.cwd) {
                (Some(session), Some(cwd)) if request.project == call.cwd => {
                    let first = began.entry((call.agent.clone(), session.clone())).or_insert_with(|| cwd.clone());
                    let project = if is_within(cwd, first) { first.clone() } else { cwd.clone() };
                    Request { project: Some(project), ..request }
                }
                _ => request,
            });
            if self.are_transcripts() {
                call.source = request.as_ref().and_then(|request| request.project.clone()).or(call.cwd.clone());
            }
            take(call, request)?;
            Ok(true)
        })
    }

    /// Reads stdin, and counts what is no call.
    fn stdin(&self, take: Taker<'_>) -> anyhow::Result<u64> {
        let mut lines = Lines::new(BufReader::new(std::io::stdin().lock()));
        let mut unreadable = 0;
        while let Some(line) = lines.next_line().context("cannot read stdin")? {
            let call: Option<PastCall> = match line {
                Line::Whole(text) => serde_json::from_slice(text).ok(),
                Line::TooLong => None,
            };
            let is_taken = match call {
                Some(call) if !is_since(&call, self.since) => true,
                Some(call) => take(call)?,
                None => false,
            };
            unreadable += u64::from(!is_taken);
        }
        Ok(unreadable)
    }
}

/// There is none on this machine, as far as is known where they are.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoTranscript(String);

fn nothing_found(looked_at: &[String], not_read: &[String]) -> String {
    let mut text = format!("there is no transcript; looked at:\n  {}", looked_at.join("\n  "));
    not_read.iter().for_each(|sentence| text.push_str(&format!("\n{sentence}")));
    text
}

/// Whether a call was made since then. One without a time counts.
fn is_since(call: &PastCall, since: Option<Since>) -> bool {
    match (since, call.time) {
        (Some(Since(since)), Some(time)) => time >= since,
        _ => true,
    }
}

impl HistoryRead {
    fn add(&mut self, agent: AgentRead, not_read: Vec<String>) {
        self.unreadable += agent.unreadable;
        self.not_read.extend(not_read);
        if agent.files > 0 {
            self.agents.push(agent);
        }
    }
}

/// Reads the transcripts of one agent.
struct Reading<'a> {
    transcripts: Transcripts,
    reader: Box<dyn ReadTranscript>,
    since: Option<Since>,
    take: Taker<'a>,
    /// Hashes of the calls so far: a session that is resumed or copied is told again.
    told: HashSet<u64>,
    read: AgentRead,
}

impl<'a> Reading<'a> {
    fn new(agent: &dyn Agent, transcripts: Transcripts, since: Option<Since>, take: Taker<'a>) -> Self {
        let read = AgentRead { agent: agent.name().to_owned(), ..AgentRead::default() };
        Self { transcripts, reader: (transcripts.reader)(), since, take, told: HashSet::new(), read }
    }

    /// Reads all of the agent's places. Sentences about what is there and is not read.
    fn places(&mut self, home: &Path, looked_at: &mut Vec<String>) -> anyhow::Result<Vec<String>> {
        // With another home folder the variables, which are about this one, say nothing.
        let variable = |name: &str| match GIVEN_HOME.get() {
            Some(_) => None,
            None => std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from),
        };
        for place in self.transcripts.places {
            let folder = folder(place, home, &variable);
            looked_at.push(folder.join(place.files).display().to_string());
            for file in files(&folder, place.files, place.form) {
                self.file(&file, place.form, place.folder_file)?;
            }
        }
        let first = self.transcripts.places.first().map(|place| folder(place, home, &variable));
        let is_there = |name: &str| first.as_ref().is_some_and(|folder| folder.join(name).exists());
        let not_read = self.transcripts.not_read.iter().filter(|(name, _)| is_there(name));
        Ok(not_read.map(|(name, sentence)| format!("{name}: {sentence}.")).collect())
    }

    /// Reads a file, or every file in a folder. What a file is made of its name says, as in the agent's own places.
    fn given(&mut self, path: &Path) -> anyhow::Result<()> {
        let forms: Vec<(&str, TranscriptSource)> = self
            .transcripts
            .places
            .iter()
            .filter_map(|place| Some((place.files.rsplit_once('.')?.1, *place)))
            .collect();
        if path.is_dir() {
            let mut seen = HashSet::new();
            for (ending, place) in forms.into_iter().filter(|(ending, place)| seen.insert((*ending, place.form as u8)))
            {
                for file in files(path, &format!("**/*.{ending}"), place.form) {
                    self.file(&file, place.form, place.folder_file)?;
                }
            }
            return Ok(());
        }
        let Some(found) = file(path) else { bail!("there is no file {}", path.display()) };
        let ending = path.extension().and_then(|ending| ending.to_str());
        let known = forms.iter().find(|(known, _)| Some(*known) == ending).or(forms.first());
        let form = known.map_or(TranscriptForm::Lines, |(_, place)| place.form);
        self.file(&found, form, None)
    }

    fn file(&mut self, file: &TranscriptFile, form: TranscriptForm, folder_file: Option<&str>) -> anyhow::Result<()> {
        let changed = Timestamp::try_from(file.changed).unwrap_or(Timestamp::MAX);
        // Documents say things that later ones need.
        if form == TranscriptForm::Lines && self.since.is_some_and(|Since(since)| changed < since) {
            return Ok(());
        }
        let Ok(open) = File::open(&file.path) else {
            self.read.unreadable += 1;
            return Ok(());
        };
        self.read.files += 1;
        let beside = |name| file.path.parent().and_then(|folder| named_folder(&folder.join(name)));
        self.reader.begin(folder_file.and_then(beside));
        let mut calls = Calls::default();
        match form {
            TranscriptForm::Lines => self.lines(open, &mut calls)?,
            TranscriptForm::Document => self.document(open, &mut calls),
        }
        while let Some(call) = calls.next_of_all() {
            self.hand_on(call)?;
        }
        Ok(())
    }

    fn lines(&mut self, file: File, calls: &mut Calls) -> anyhow::Result<()> {
        let mut lines = Lines::new(BufReader::with_capacity(64 * 1024, file));
        loop {
            let is_read = match lines.next_line() {
                Ok(None) => return Ok(()),
                Ok(Some(Line::Whole(text))) => self.reader.read(text, calls).is_ok(),
                Ok(Some(Line::TooLong)) => false,
                // The rest of a file that cannot be read further counts once.
                Err(_) => {
                    self.read.unreadable += 1;
                    return Ok(());
                }
            };
            self.read.unreadable += u64::from(!is_read);
            while let Some(call) = calls.next_ended() {
                self.hand_on(call)?;
            }
        }
    }

    fn document(&mut self, file: File, calls: &mut Calls) {
        let mut text = Vec::new();
        let length = file.take(MAX_DOCUMENT + 1).read_to_end(&mut text);
        let is_read =
            length.is_ok_and(|length| length as u64 <= MAX_DOCUMENT) && self.reader.read(&text, calls).is_ok();
        self.read.unreadable += u64::from(!is_read);
    }

    fn hand_on(&mut self, call: PastCall) -> anyhow::Result<()> {
        if !is_since(&call, self.since) {
            return Ok(());
        }
        if let Some(id) = &call.id {
            let mut hasher = DefaultHasher::new();
            // Some providers count the calls of a session, so the id alone does not tell.
            (id, &call.tool, serde_json::to_string(&call.arguments).unwrap_or_default()).hash(&mut hasher);
            if !self.told.insert(hasher.finish()) {
                self.read.told_again += 1;
                return Ok(());
            }
        }
        self.read.calls += 1;
        let is_taken = (self.take)(call)?;
        self.read.unreadable += u64::from(!is_taken);
        Ok(())
    }
}

/// The folder that a file says.
fn named_folder(path: &Path) -> Option<String> {
    file(path)?;
    let mut text = String::new();
    File::open(path).ok()?.take(MAX_FOLDER).read_to_string(&mut text).ok()?;
    let folder = text.trim();
    Path::new(folder).is_absolute().then(|| folder.to_owned())
}
