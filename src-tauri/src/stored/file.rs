//! A stored file: what of it counts when it is read, and how it is written.
//!
//! The plugin writes a file in place, so a crash or a full disk can leave half of one; and it reads a
//! file that it cannot understand as an empty one. Therefore every file is read here, whole and
//! strictly. One that is not valid is moved aside as `NAME.damaged-TIME` and the last good copy,
//! `NAME.good`, takes its place; without a valid copy the value is the default. The list of grants has no copy:
//! the audit log is the truth about them. A file of a newer version is neither read nor touched: the value is
//! the default, and nothing can be saved until the person has dealt with it.

use std::path::{Path, PathBuf};

use handraise_locations::{PrivateFileError, read_private, sync_file, write_private};
use handraise_protocol::Notice;
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The version that this program writes, and the only one that it reads.
const VERSION: u64 = 1;

/// Which file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Name of the file in the data folder.
    pub name: &'static str,
    /// Name of the one field beside `version`.
    pub field: &'static str,
    /// What it holds, for a person, as the subject of a sentence.
    pub holds: &'static str,
    /// What it means to start without it, as a sentence.
    pub without: &'static str,
    /// There is a copy of what was saved last: nothing else knows what it holds.
    pub has_good_copy: bool,
}

/// Puts the fields of a file on the disk, in whatever way.
pub(crate) trait Backend: Send + Sync {
    /// Replaces the content of the file.
    ///
    /// # Errors
    /// When it cannot be written; the file may then hold anything.
    fn write(&self, fields: Map<String, Value>) -> Result<(), String>;
}

/// Why nothing was saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SaveError {
    /// The file is not ours to change.
    #[error("{0} is not changed, because it was written by a newer version of Handraise or cannot be moved aside")]
    NotWritable(String),
    /// The system refused.
    #[error("{path} cannot be saved: {reason}")]
    Failed {
        /// The file.
        path: String,
        /// What the system said.
        reason: String,
    },
}

/// What was read from a file.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opened<T> {
    /// What counts.
    pub value: T,
    /// There was no file yet.
    pub is_new: bool,
    /// It is what was saved, or there was nothing; otherwise it is the default.
    pub is_valid: bool,
    /// What a person should know.
    pub notice: Option<Notice>,
    /// It may be written.
    pub writable: bool,
}

/// Why a text is not a file of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fault {
    Newer(u64),
    Damaged(String),
}

/// Reads the file in `folder`, and repairs what has to be repaired.
#[must_use]
pub(crate) fn open<T>(folder: &Path, format: Format, now: Timestamp) -> Opened<T>
where
    T: Default + Serialize + DeserializeOwned,
{
    let path = folder.join(format.name);
    let good = good_copy(&path);
    let fault = match read(&path, format) {
        Ok(None) => return Opened { value: T::default(), is_new: true, is_valid: true, notice: None, writable: true },
        Ok(Some((value, text))) => {
            // The program may have ended between a save and its copy.
            if format.has_good_copy {
                keep_copy(&good, text.as_bytes());
            }
            return Opened { value, is_new: false, is_valid: true, notice: None, writable: true };
        }
        Err(fault) => fault,
    };
    match fault {
        Fault::Newer(version) => {
            let notice = Some(newer(format, &path, version));
            Opened { value: T::default(), is_new: false, is_valid: false, notice, writable: false }
        }
        Fault::Damaged(why) => replace_damaged(&path, &good, format, &why, now),
    }
}

/// Writes `value`: through `backend`, durably, and then the good copy, if it has one.
///
/// # Errors
/// When the file cannot be written. What was there before is then put back from the copy, as far as that is possible.
pub(crate) fn save<T: Serialize>(
    path: &Path,
    format: Format,
    backend: &dyn Backend,
    value: &T,
) -> Result<(), SaveError> {
    let failed = |reason: String| SaveError::Failed { path: path.display().to_string(), reason };
    let value = serde_json::to_value(value).map_err(|error| failed(error.to_string()))?;
    let fields = Map::from_iter([("version".to_owned(), Value::from(VERSION)), (format.field.to_owned(), value)]);
    let text = serde_json::to_vec_pretty(&fields).map_err(|error| failed(error.to_string()))?;
    let written = backend.write(fields).and_then(|()| sync_file(path).map_err(|error| error.to_string()));
    if !format.has_good_copy {
        return written.map_err(failed);
    }
    let copied = written.and_then(|()| write_private(&good_copy(path), &text).map_err(|error| error.to_string()));
    copied.map_err(|reason| {
        put_back(path);
        failed(reason)
    })
}

fn good_copy(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".good");
    name.into()
}

/// `None`: there is no file.
fn read<T>(path: &Path, format: Format) -> Result<Option<(T, String)>, Fault>
where
    T: Serialize + DeserializeOwned,
{
    match read_private(path) {
        Ok(text) => Ok(Some((parse(&text, format)?, text))),
        Err(error) if error.is_missing() => Ok(None),
        Err(PrivateFileError::NotPrivate { what, .. }) => Err(Fault::Damaged(what.to_owned())),
        Err(PrivateFileError::Io { error, .. }) => Err(Fault::Damaged(error.to_string())),
    }
}

fn parse<T>(text: &str, format: Format) -> Result<T, Fault>
where
    T: Serialize + DeserializeOwned,
{
    let damaged = |why: String| Fault::Damaged(why);
    let mut fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| damaged(error.to_string()))?;
    match fields.remove("version").as_ref().map(Value::as_u64) {
        Some(Some(VERSION)) => {}
        Some(Some(newer)) if newer > VERSION => return Err(Fault::Newer(newer)),
        _ => return Err(damaged("it has no known version".to_owned())),
    }
    let field = fields.remove(format.field).ok_or_else(|| damaged(format!("`{}` is missing", format.field)))?;
    if let Some(unknown) = fields.keys().next() {
        return Err(damaged(format!("`{unknown}` is unknown")));
    }
    let value: T = serde_json::from_value(field.clone()).map_err(|error| damaged(error.to_string()))?;
    // A field that was not understood may have narrowed what the rest allows.
    let understood = serde_json::to_value(&value).map_err(|error| damaged(error.to_string()))?;
    if !covers(&understood, &field) {
        return Err(damaged("it has a field that is unknown".to_owned()));
    }
    Ok(value)
}

/// Every field of `original` is also in `understood`.
fn covers(understood: &Value, original: &Value) -> bool {
    match (understood, original) {
        (Value::Object(understood), Value::Object(original)) => {
            original.iter().all(|(name, value)| understood.get(name).is_some_and(|known| covers(known, value)))
        }
        (Value::Array(understood), Value::Array(original)) => {
            understood.len() == original.len()
                && understood.iter().zip(original).all(|(known, value)| covers(known, value))
        }
        _ => true,
    }
}

fn replace_damaged<T>(path: &Path, good: &Path, format: Format, why: &str, now: Timestamp) -> Opened<T>
where
    T: Default + Serialize + DeserializeOwned,
{
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".damaged-{}", now.as_second()));
    let aside = PathBuf::from(aside);
    if let Err(error) = std::fs::rename(path, &aside) {
        let detail = format!(
            "{} cannot be used ({why}) and cannot be moved aside ({error}). {} Nothing is saved until this is mended.",
            path.display(),
            format.without
        );
        let notice = Notice { title: title(format), detail };
        return Opened { value: T::default(), is_new: false, is_valid: false, notice: Some(notice), writable: false };
    }
    let set_aside = format!("The file was set aside as {} ({why}).", aside.display());
    let restored: Option<(T, String)> = read(good, format).ok().flatten().filter(|_| format.has_good_copy);
    let is_valid = restored.is_some();
    let (value, consequence) = match restored {
        Some((value, text)) => {
            if let Err(error) = write_private(path, text.as_bytes()) {
                tracing::warn!(%error, "the good copy could not be put back");
            }
            (value, "The last good copy has taken its place.")
        }
        None => (T::default(), format.without),
    };
    let notice = Notice { title: title(format), detail: format!("{set_aside} {consequence}") };
    Opened { value, is_new: false, is_valid, notice: Some(notice), writable: true }
}

fn title(format: Format) -> String {
    format!("{} damaged", format.holds)
}

fn newer(format: Format, path: &Path, version: u64) -> Notice {
    Notice {
        title: format!("{} written by a newer version of Handraise", format.holds),
        detail: format!(
            "{} has version {version}; this program knows version {VERSION}. {} The file is left as it is, and \
             nothing is saved in it. Update Handraise, or move the file away.",
            path.display(),
            format.without
        ),
    }
}

fn keep_copy(good: &Path, text: &[u8]) {
    if std::fs::read(good).is_ok_and(|copy| copy == text) {
        return;
    }
    if let Err(error) = write_private(good, text) {
        tracing::warn!(%error, "no good copy could be kept");
    }
}

fn put_back(path: &Path) {
    let result = match read_private(&good_copy(path)) {
        Ok(text) => write_private(path, text.as_bytes()),
        Err(error) => Err(error),
    };
    if let Err(error) = result {
        tracing::warn!(%error, "the last good copy could not be put back");
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
