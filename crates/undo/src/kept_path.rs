//! A path as it is written into a record: any bytes that the system allows.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A path. In a record it is a text, or its bytes in hexadecimal when it is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeptPath(pub PathBuf);

impl KeptPath {
    /// The path.
    #[must_use]
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// Whether it stays below the folder that it starts in, whatever lies there: nothing but names.
    #[must_use]
    pub fn is_below(&self) -> bool {
        let mut names = self.0.components().peekable();
        names.peek().is_some() && names.all(|name| matches!(name, Component::Normal(_)))
    }

    /// Whether it is in the folder that git keeps everything in, or is that folder; in any spelling, since some file
    /// systems ignore case.
    #[must_use]
    pub fn is_of_git(&self) -> bool {
        self.0.components().any(|name| name.as_os_str().eq_ignore_ascii_case(".git"))
    }
}

impl<P: AsRef<Path> + ?Sized> From<&P> for KeptPath {
    fn from(path: &P) -> Self {
        Self(path.as_ref().to_owned())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Text(String),
    Bytes { bytes: String },
}

impl Serialize for KeptPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self.0.to_str() {
            Some(text) => Written::Text(text.to_owned()),
            None => Written::Bytes { bytes: hex::encode(self.0.as_os_str().as_encoded_bytes()) },
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeptPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Text(text) => Ok(Self(text.into())),
            Written::Bytes { bytes } => {
                let bytes = hex::decode(bytes).map_err(serde::de::Error::custom)?;
                let path = of_bytes(bytes).ok_or_else(|| serde::de::Error::custom("no path of this system"))?;
                Ok(Self(path.into()))
            }
        }
    }
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "not every system takes any bytes")]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Option<OsString> {
    String::from_utf8(bytes).ok().map(OsString::from)
}
