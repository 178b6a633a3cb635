//! `handraise audit …`: look at the audit log itself.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use handraise_display::line;
use handraise_server::{AuditReport, ExportError, ExportFormat, check_audit_log, export_audit_log};

use super::{FolderArguments, OutputClosed, complain, list, say, unwritten};
use crate::DONE;

/// The log is not what was written.
const NOT_WHOLE: u8 = 1;
/// Nothing is known about it.
const NOT_CHECKED: u8 = 2;
/// Characters of what the database says that are shown.
const MAX_FINDING: usize = 300;

/// Check the audit log
#[derive(Debug, Args)]
pub(crate) struct Audit {
    #[command(subcommand)]
    command: AuditCommand,
}

#[derive(Debug, Subcommand)]
enum AuditCommand {
    Verify(Verify),
    Export(Export),
}

/// Check that no entry of the audit log was changed, removed or inserted
///
/// Handraise may run meanwhile. Exit codes: 0 the log is whole; 1 it is not; 2 it could not be checked.
#[derive(Debug, Args)]
struct Verify {
    /// An end of the log that you have noted elsewhere, as this command printed it
    #[arg(long, value_name = "NUMBER:HASH")]
    known: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Write the audit log for other programs, with what its chain proves
///
/// Secrets that Handraise recognises are not in it. Handraise may run meanwhile. Exit codes: 0 the log is whole; 1 it is not,
/// and stderr says why; 2 it could not be read or written.
#[derive(Debug, Args)]
struct Export {
    /// How to write it; csv and otlp have no place for the proof, which is written to stderr
    #[arg(long, value_enum)]
    format: Format,
    /// An end of the log that you have noted elsewhere, as `audit verify` printed it
    #[arg(long, value_name = "NUMBER:HASH")]
    known: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// One entry a line, as JSON
    Jsonl,
    /// A table
    Csv,
    /// One CloudEvent a line, as JSON
    #[value(name = "cloudevents")]
    CloudEvents,
    /// Calls as spans of OpenTelemetry, as OTLP in JSON
    Otlp,
}

impl Audit {
    /// Runs the sub-command.
    pub(crate) fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let ended = match self.command {
            AuditCommand::Verify(verify) => verify.run(folders),
            AuditCommand::Export(export) => export.run(folders),
        };
        ended.or_else(|error| {
            if error.is::<OutputClosed>() {
                return Err(error);
            }
            complain(&error);
            Ok(ExitCode::from(NOT_CHECKED))
        })
    }
}

impl Verify {
    fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let path = folders.folders()?.audit_database();
        let known = self.known.as_deref().map(noted).transpose()?;
        let report = check_audit_log(&path, known)?;
        if self.json {
            list::print_json(&report)?;
        } else {
            say(&told(&path, &report).join("\n"))?;
        }
        Ok(if report.whole { DONE } else { ExitCode::from(NOT_WHOLE) })
    }
}

impl Export {
    fn run(self, folders: &FolderArguments) -> anyhow::Result<ExitCode> {
        let path = folders.folders()?.audit_database();
        let known = self.known.as_deref().map(noted).transpose()?;
        let (format, has_proof) = match self.format {
            Format::Jsonl => (ExportFormat::Jsonl, true),
            Format::CloudEvents => (ExportFormat::CloudEvents, true),
            Format::Csv => (ExportFormat::Csv, false),
            Format::Otlp => (ExportFormat::Otlp, false),
        };
        let mut out = BufWriter::new(std::io::stdout().lock());
        let report = export_audit_log(&path, format, known, &mut out).map_err(|error| match error {
            ExportError::Write(error) => unwritten(error),
            ExportError::Audit(error) => error.into(),
        })?;
        drop(out);
        if !has_proof || !report.whole {
            // With stderr closed there is nobody to tell; the exit code says it, too.
            let _ = writeln!(std::io::stderr(), "{}", told(&path, &report).join("\n"));
        }
        Ok(if report.whole { DONE } else { ExitCode::from(NOT_WHOLE) })
    }
}

/// What `--known` says.
fn noted(text: &str) -> anyhow::Result<(i64, String)> {
    let parts = text.split_once(':').and_then(|(number, hash)| Some((number.parse::<i64>().ok()?, hash)));
    match parts {
        Some((number, hash)) if hash.len() == 64 && hash.chars().all(|digit| digit.is_ascii_hexdigit()) => {
            Ok((number, hash.to_ascii_lowercase()))
        }
        _ => bail!("--known takes an end as `handraise audit verify` prints it: NUMBER:HASH"),
    }
}

/// The report for a person.
fn told(path: &Path, report: &AuditReport) -> Vec<String> {
    let mut lines = Vec::new();
    let entries = report.entries;
    if report.whole {
        lines.push(format!("The audit log is whole: {entries} {}.", plural(entries, "entry", "entries")));
    } else {
        lines.push(format!("The audit log is NOT whole ({entries} {}):", plural(entries, "entry", "entries")));
        lines.extend(report.findings.iter().map(|finding| format!("  {}", line(&finding.to_string(), MAX_FINDING))));
    }
    lines.extend(report.pruned.map(|through| format!("Entries 1 to {through} were taken away because of their age.")));
    lines.push(format!("File: {}", path.display()));
    if let (Some(since), Some(end)) = (&report.since, &report.end) {
        lines.push(format!("From {} to {}.", line(since, 40), line(&end.at, 40)));
    }
    match &report.noted {
        Some(noted) if report.whole => {
            lines.push(format!("It goes on from the end that was noted outside of it at {}.", noted.noted_at));
        }
        Some(noted) => lines.push(format!("Outside of it, entry {} was noted at {}.", noted.head.seq, noted.noted_at)),
        None => lines.push("No end is noted outside of it yet, so missing newest entries would not show.".to_owned()),
    }
    lines.extend(report.end.as_ref().map(|end| {
        format!("Its end, to note elsewhere and check later with --known: {}:{}", end.seq, line(&end.hash, 64))
    }));
    lines.extend(report.set_aside.iter().map(|name| format!("Set aside beside it: {}", line(name, 120))));
    lines
}

fn plural(count: u64, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}
