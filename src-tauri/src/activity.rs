//! The calls of the past: listed, counted, and written to a file.

#![expect(clippy::unreachable, reason = "in what `tauri::command` makes of an async function")]

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use handraise_protocol::{
    ActivityChoices, ActivityFigures, ActivitySearch, Approval, ApprovalPage, ExportFormat, Exported, Problem,
};
use jiff::Timestamp;
use serde::Serialize;
use tauri::{AppHandle, Manager, State, async_runtime};

use crate::agents::internal;
use crate::commands::Shared;

/// Calls of a page.
const PAGE: u32 = 50;
/// Calls that are read at a time to be written.
const IN_ONE_GO: u32 = 200;

/// Calls of the past, and those that wait, the latest first.
#[tauri::command]
pub(crate) async fn activity(shared: State<'_, Shared>, search: ActivitySearch) -> Result<ApprovalPage, Problem> {
    shared.engine.activity(search, PAGE).await
}

/// What can be chosen to show less.
#[tauri::command]
pub(crate) async fn activity_choices(shared: State<'_, Shared>) -> Result<ActivityChoices, Problem> {
    shared.engine.activity_choices().await
}

/// How often a person was asked in the last `days`.
#[tauri::command]
pub(crate) async fn activity_figures(shared: State<'_, Shared>, days: u32) -> Result<ActivityFigures, Problem> {
    shared.engine.activity_figures(days).await
}

/// Writes all calls that `search` finds to a new file in the folder for downloads, which only its owner can read.
#[tauri::command]
pub(crate) async fn export_activity(
    app: AppHandle,
    shared: State<'_, Shared>,
    search: ActivitySearch,
    format: ExportFormat,
) -> Result<Exported, Problem> {
    let folder = app.path().download_dir().ok().filter(|folder| folder.is_dir());
    let folder = folder.or_else(|| app.path().home_dir().ok());
    let folder = folder.ok_or_else(|| internal("There is no folder to write to: you have no home folder."))?;
    let path = folder.join(file_name(format, Timestamp::now()));
    let failed = |error: std::io::Error| internal(format!("{} cannot be written ({error}).", path.display()));
    let begun = beside({
        let path = path.clone();
        move || Export::begin(&path, format)
    });
    let mut export = begun.await?.map_err(failed)?;
    let mut search = ActivitySearch { cursor: None, ..search };
    loop {
        let page = shared.engine.activity(search.clone(), IN_ONE_GO).await?;
        let next = page.next_cursor;
        let written = beside(move || {
            page.approvals.iter().try_for_each(|call| export.add(call))?;
            Ok::<_, std::io::Error>(export)
        });
        export = written.await?.map_err(failed)?;
        if next.is_none() {
            break;
        }
        search.cursor = next;
    }
    let calls = beside(move || export.end()).await?.map_err(failed)?;
    Ok(Exported { path: path.display().to_string(), calls })
}

/// Does what touches the disk on a thread that nobody waits for.
async fn beside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    async_runtime::spawn_blocking(work).await.map_err(|error| internal(error.to_string()))
}

fn file_name(format: ExportFormat, now: Timestamp) -> PathBuf {
    let ending = match format {
        ExportFormat::Jsonl => "jsonl",
        ExportFormat::Csv => "csv",
    };
    PathBuf::from(format!("handraise-calls-{}.{ending}", now.strftime("%Y%m%dT%H%M%S%3fZ")))
}

/// A file that calls are written to.
struct Export {
    file: BufWriter<File>,
    format: ExportFormat,
    calls: u32,
}

/// The columns of a table.
const COLUMNS: [&str; 11] =
    ["id", "requested_at", "decided_at", "status", "decided_by", "agent", "project", "tool", "title", "risk", "reason"];

impl Export {
    /// Begins a new file.
    fn begin(path: &Path, format: ExportFormat) -> std::io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = BufWriter::new(options.open(path)?);
        if format == ExportFormat::Csv {
            file.write_all(row(COLUMNS.map(str::to_owned)).as_bytes())?;
        }
        Ok(Self { file, format, calls: 0 })
    }

    fn add(&mut self, call: &Approval) -> std::io::Result<()> {
        self.calls += 1;
        match self.format {
            ExportFormat::Jsonl => {
                serde_json::to_writer(&mut self.file, call)?;
                self.file.write_all(b"\n")
            }
            ExportFormat::Csv => self.file.write_all(row(cells(call)).as_bytes()),
        }
    }

    fn end(mut self) -> std::io::Result<u32> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        Ok(self.calls)
    }
}

/// A call as the cells of a row.
fn cells(call: &Approval) -> [String; 11] {
    let result = &call.result;
    [
        call.id.to_string(),
        call.requested_at.to_string(),
        result.decided_at.map(|at| at.to_string()).unwrap_or_default(),
        named(&result.status),
        result.decided_by.as_ref().map(named).unwrap_or_default(),
        call.agent.clone().unwrap_or_default(),
        call.project.clone().unwrap_or_default(),
        call.tool.clone(),
        call.title.clone(),
        named(&result.risk),
        result.reason.clone().unwrap_or_default(),
    ]
}

/// As it is called in the API.
fn named(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// A row of a table (RFC 4180, section 2).
fn row(cells: [String; 11]) -> String {
    let cells: Vec<String> = cells.iter().map(|text| cell(text)).collect();
    format!("{}\r\n", cells.join(","))
}

/// A cell, quoted. Programs for tables take a text with one of these signs in front for a formula, and an agent has
/// written it (OWASP, "CSV Injection").
fn cell(text: &str) -> String {
    let mark = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("\"{mark}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_cell_and_no_formula() {
        assert_eq!(cell("npm test"), "\"npm test\"");
        assert_eq!(cell("echo \"a\",\r\nb"), "\"echo \"\"a\"\",\r\nb\"");
        for formula in ["=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert!(cell(formula).starts_with("\"'"), "{formula}");
        }
    }

    #[test]
    fn a_file_is_new_private_and_has_a_head() {
        let folder = tempfile::tempdir().unwrap();
        let name = file_name(ExportFormat::Csv, Timestamp::UNIX_EPOCH);
        assert_eq!(name.to_str(), Some("handraise-calls-19700101T000000000Z.csv"));
        let path = folder.path().join(name);
        let export = Export::begin(&path, ExportFormat::Csv).unwrap();
        assert_eq!(export.end().unwrap(), 0);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("\"id\",\"requested_at\",") && text.ends_with(",\"reason\"\r\n"), "{text}");
        #[cfg(unix)]
        {
            let mode = std::os::unix::fs::MetadataExt::mode(&std::fs::metadata(&path).unwrap());
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(Export::begin(&path, ExportFormat::Csv).is_err(), "another file was overwritten");
    }
}
