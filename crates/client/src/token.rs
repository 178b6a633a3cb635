//! Bearer tokens: `hrq_ID_SECRET` (requester) and `hra_ID_SECRET` (approver).

use std::fmt;
use std::path::Path;

use handraise_locations::read_private;

use super::ClientError;

/// Hexadecimal digits of the id.
const ID_DIGITS: usize = 12;

/// A token. Its text is never shown.
pub struct Token {
    text: String,
    id: String,
}

impl Token {
    /// Reads the token in the file at `path`.
    ///
    /// # Errors
    /// When there is none, or others could have read or written it.
    pub fn read(path: &Path) -> Result<Self, ClientError> {
        let text = read_private(path).map_err(|error| match error.is_missing() {
            true => ClientError::NoToken(path.to_owned()),
            false => ClientError::File(error),
        })?;
        Self::parse(text.trim_end()).ok_or_else(|| ClientError::DamagedToken(path.to_owned()))
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.strip_prefix("hrq_").or_else(|| text.strip_prefix("hra_"))?.split_once('_')?;
        let digits = |part: &str| part.chars().all(|digit| matches!(digit, '0'..='9' | 'a'..='f'));
        let right = id.len() == ID_DIGITS && digits(id) && !secret.is_empty() && digits(secret);
        right.then(|| Self { text: text.to_owned(), id: id.to_owned() })
    }

    /// The whole token: only for a server that has proved itself.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The public part.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Token").field("id", &self.id).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_taken_apart_and_never_printed() {
        let token = Token::parse("hrq_0123456789ab_c0ffee").unwrap();
        assert_eq!((token.id(), token.text()), ("0123456789ab", "hrq_0123456789ab_c0ffee"));
        assert!(!format!("{token:?}").contains("c0ffee"));
        for wrong in
            ["", "hrq_", "hrq_0123456789ab_", "xyz_0123456789ab_c0ffee", "hrq_short_c0ffee", "hrq_0123456789ab_c0\nee"]
        {
            assert!(Token::parse(wrong).is_none(), "{wrong}");
        }
    }
}
