//! What a token looks like behind its prefix.

/// What a token may consist of behind its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Letters and digits.
    Alphanumeric,
    /// Upper-case letters and digits.
    Upper,
    /// Lower-case letters and digits.
    Lower,
    /// Hexadecimal digits.
    Hex,
    /// `base64` of RFC 4648, section 4, with padding.
    Base64,
    /// `base64url` of RFC 4648, section 5, without padding.
    Base64Url,
    /// `base64url` with padding, also inside, where a checksum follows.
    Base64UrlPadded,
    /// `base64` in several parts joined by `_`.
    Base64Joined,
    /// `base64url` and dots.
    Dotted,
    /// `base64url` and slashes: the path of a URL.
    Path,
    /// `base64url` and percent signs: URL-encoded.
    Percent,
    /// `base64`, underscores and the commas that join Fly.io tokens.
    Fly,
    /// Letters, digits and underscore.
    Underscored,
    /// What password hashes are written in.
    Hash,
    /// The path of a URI, RFC 3986 `pchar`, but for what ends a URI in prose.
    Token,
}

/// The form of a token behind its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One run of characters.
    Run { alphabet: Alphabet, least: usize, most: usize },
    /// Runs joined by dots, each of at least so many characters.
    Dots { alphabet: Alphabet, least: &'static [usize] },
    /// Two or more base64url parts joined by dots, the second beginning like JSON or ciphertext.
    JsonWebToken,
    /// `[A-Za-z0-9_~.]{3}[0-9]` before, 31 to 34 characters behind.
    AzureClientSecret,
    /// 76 letters and digits before, four behind.
    AzureDevOps,
    /// 24 hexadecimal digits, `-`, 146 more.
    CloudflareOrigin,
    /// A user id in base64url before, a time of six characters and a signature behind, joined by dots.
    DiscordBot,
    /// Eight to ten digits before, 32 or more characters behind.
    TelegramBot,
    /// 32 hexadecimal digits before, the number of a data centre behind.
    Mailchimp,
    /// 14 characters, a dot, 64 hexadecimal digits.
    Airtable,
    /// 14 characters before, 60 or more behind.
    Terraform,
    /// A word before; behind, 20 or more letters and digits that no name has.
    Live,
}

impl Alphabet {
    pub(super) fn has(self, byte: u8) -> bool {
        byte.is_ascii_alphanumeric() && !matches!(self, Self::Upper | Self::Lower | Self::Hex)
            || match self {
                Self::Alphanumeric => false,
                Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
                Self::Lower => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
                Self::Hex => byte.is_ascii_hexdigit(),
                Self::Base64 => matches!(byte, b'+' | b'/' | b'='),
                Self::Base64Url => matches!(byte, b'-' | b'_'),
                Self::Base64UrlPadded => matches!(byte, b'-' | b'_' | b'='),
                Self::Base64Joined | Self::Fly if byte == b'_' => true,
                Self::Base64Joined => matches!(byte, b'+' | b'/' | b'='),
                Self::Dotted => matches!(byte, b'-' | b'_' | b'.'),
                Self::Path => matches!(byte, b'-' | b'_' | b'/' | b'@'),
                Self::Percent => matches!(byte, b'-' | b'_' | b'%'),
                Self::Fly => matches!(byte, b'+' | b'/' | b'=' | b','),
                Self::Underscored => byte == b'_',
                Self::Token => matches!(byte, b'-' | b'.' | b'_' | b'~' | b'%' | b'+' | b'='),
                Self::Hash => matches!(byte, b'.' | b'/' | b'$' | b',' | b'=' | b'+' | b'-'),
            }
    }
}
