//! Finds the formats of [`super::prefixes`] in one pass.

use aho_corasick::{AhoCorasick, MatchKind};

use super::look_alikes;
use super::prefixes::{FORMATS, Format, Left};
use super::span::{Rank, Span};
use super::token_shape::{Alphabet, Shape};

/// The compiled formats.
#[derive(Debug)]
pub(super) struct Tokens {
    prefixes: Option<AhoCorasick>,
}

impl Tokens {
    pub(super) fn new() -> Self {
        let prefixes = FORMATS.iter().map(|format| format.prefix);
        // The table is fixed and far below every limit of the automaton; a test builds it.
        Self { prefixes: AhoCorasick::builder().match_kind(MatchKind::Standard).build(prefixes).ok() }
    }

    pub(super) fn find(&self, text: &str, spans: &mut Vec<Span<'_>>) {
        let Some(prefixes) = &self.prefixes else { return };
        let mut search = Search { bytes: text.as_bytes(), runs: Vec::new(), dotless: 0 };
        // Formats can lie in each other (`sk-` and `sk-ant-`): whatever begins inside a found token
        // belongs to it, unless it began at the same place or goes on behind it.
        let (mut start, mut end) = (0, 0);
        for hit in prefixes.find_overlapping_iter(text) {
            let inside = hit.start() < end && hit.start() > start;
            let Some(format) = FORMATS.get(hit.pattern().as_usize()) else { continue };
            let Some(token) = search.token(format, hit.start(), hit.end()) else { continue };
            if inside && token.1 <= end {
                continue;
            }
            let secret = text.get(hit.end().min(token.1)..token.1).unwrap_or_default();
            if look_alikes::is_filler(secret) {
                continue;
            }
            (start, end) = (hit.start(), end.max(token.1));
            spans.push(Span::new(token.0..token.1, format.kind, Rank::Token));
        }
    }
}

struct Search<'t> {
    bytes: &'t [u8],
    /// The run of each alphabet that was walked through last. Without it, each of many prefixes in one
    /// run would walk through the rest of it.
    runs: Vec<(Alphabet, usize, usize)>,
    /// Up to here no JSON Web Token can begin: the run has no fitting dot behind it.
    dotless: usize,
}

impl Search<'_> {
    fn byte(&self, place: usize) -> u8 {
        self.bytes.get(place).copied().unwrap_or_default()
    }

    fn run_end(&mut self, alphabet: Alphabet, from: usize) -> usize {
        let known = self.runs.iter().position(|run| run.0 == alphabet).map(|place| self.runs.swap_remove(place));
        if let Some(run) = known.filter(|(_, start, end)| (start..=end).contains(&&from)) {
            self.runs.push(run);
            return run.2;
        }
        let rest = self.bytes.get(from..).unwrap_or_default();
        let end = from + rest.iter().take_while(|byte| alphabet.has(**byte)).count();
        self.runs.push((alphabet, from, end));
        end
    }

    /// How far characters of `alphabet` reach to the left of `to`, looking at most `most` far.
    fn before(&self, alphabet: Alphabet, to: usize, most: usize) -> usize {
        let head = self.bytes.get(to.saturating_sub(most)..to).unwrap_or_default();
        head.iter().rev().take_while(|byte| alphabet.has(**byte)).count()
    }

    fn is_edge(&self, start: usize) -> bool {
        start.checked_sub(1).is_none_or(|before| {
            let before = self.byte(before);
            !before.is_ascii_alphanumeric()
        })
    }

    fn token(&mut self, format: &Format, start: usize, end: usize) -> Option<(usize, usize)> {
        if format.left == Left::Edge && !self.is_edge(start) {
            return None;
        }
        match format.shape {
            Shape::Run { alphabet, least, most } => {
                let run = self.run_end(alphabet, end);
                let stop = run.min(end.saturating_add(most));
                let ends = format.left == Left::Anywhere || stop == run && !self.byte(run).is_ascii_alphanumeric();
                (stop >= end + least && (ends || most == usize::MAX)).then_some((start, stop))
            }
            Shape::Dots { alphabet, least } => self.dots(alphabet, least, end).map(|stop| (start, stop)),
            Shape::JsonWebToken => self.json_web_token(start),
            Shape::AzureClientSecret => {
                let head = start.checked_sub(4).filter(|_| self.byte(start - 1).is_ascii_digit())?;
                let run = self.short_run(end, 34, |byte| byte.is_ascii_alphanumeric() || b"_~.-".contains(&byte));
                (run >= 30).then_some((head, end + run))
            }
            Shape::AzureDevOps => {
                let head = self.before(Alphabet::Alphanumeric, start, 76);
                let run = self.run_end(Alphabet::Alphanumeric, end);
                (run >= end + 4).then_some((start - head, run))
            }
            Shape::CloudflareOrigin => {
                let first = self.short_run(end, 24, |byte| byte.is_ascii_hexdigit());
                let rest = self.run_end(Alphabet::Hex, end + 25);
                (first == 24 && self.byte(end + 24) == b'-' && rest >= end + 25 + 64).then_some((start, rest))
            }
            Shape::DiscordBot => self.discord_bot(start),
            Shape::TelegramBot => {
                let digits = self.bytes.get(start.saturating_sub(10)..start)?;
                let digits = digits.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
                let run = self.run_end(Alphabet::Base64Url, end);
                (digits >= 8 && run >= end + 28).then_some((start - digits, run))
            }
            Shape::Mailchimp => {
                let digits = self.short_run(end, 2, |byte| byte.is_ascii_digit());
                let head = self.before(Alphabet::Hex, start, 33);
                (head == 32 && digits > 0).then_some((start - head, end + digits))
            }
            Shape::Airtable => {
                let first = self.short_run(end, 14, |byte| byte.is_ascii_alphanumeric());
                let rest = self.short_run(end + 15, 64, |byte| byte.is_ascii_hexdigit() || byte.is_ascii_uppercase());
                (first == 14 && self.byte(end + 14) == b'.' && rest >= 40).then_some((start, end + 15 + rest))
            }
            Shape::Terraform => {
                let head = self.before(Alphabet::Alphanumeric, start, 14);
                let run = self.run_end(Alphabet::Base64Url, end);
                (head >= 12 && run >= end + 40).then_some((start - head, run))
            }
            Shape::Live => {
                let head = self.before(Alphabet::Alphanumeric, start, 24);
                let run = self.run_end(Alphabet::Alphanumeric, end);
                let secret = self.bytes.get(end..run).unwrap_or_default();
                // Of a pair of keys this is the one to publish: `pk_live_…`.
                let is_public = self.bytes.get(start - head..start) == Some(b"pk");
                let digits = secret.iter().filter(|byte| byte.is_ascii_digit()).count();
                // A name has letters, and perhaps a year.
                (head > 0 && !is_public && secret.len() >= 20 && digits >= 2 && digits < secret.len())
                    .then_some((start - head, run))
            }
        }
    }

    fn short_run(&self, from: usize, most: usize, has: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        rest.iter().take(most).take_while(|byte| has(**byte)).count()
    }

    fn dots(&mut self, alphabet: Alphabet, least: &[usize], from: usize) -> Option<usize> {
        let mut end = from;
        for (index, least) in least.iter().enumerate() {
            if index > 0 {
                end = (self.byte(end) == b'.').then_some(end + 1)?;
            }
            let run = self.run_end(alphabet, end);
            end = (run >= end + least).then_some(run)?;
        }
        Some(end)
    }

    fn json_web_token(&mut self, start: usize) -> Option<(usize, usize)> {
        if start < self.dotless {
            return None;
        }
        let header = self.run_end(Alphabet::Base64Url, start);
        self.dotless = header;
        if header < start + 10 || self.byte(header) != b'.' {
            return None;
        }
        let mut end = self.run_end(Alphabet::Base64Url, header + 1);
        // The payload of a signed token is JSON too; an encrypted one has four more parts.
        let is_signed = self.bytes.get(header + 1..header + 4) == Some(b"eyJ".as_slice()) && end >= header + 9;
        for _ in 0..3 {
            if self.byte(end) == b'.'
                && (is_signed || Alphabet::Base64Url.has(self.byte(end + 1)) || self.byte(end + 1) == b'.')
            {
                end = self.run_end(Alphabet::Base64Url, end + 1);
                if is_signed {
                    break;
                }
            } else if !is_signed {
                return None;
            }
        }
        Some((start, end))
    }

    /// At a dot: a first part of 23 to 28 characters that begins with M, N or O, then one of six, then
    /// one of at least 25.
    fn discord_bot(&self, dot: usize) -> Option<(usize, usize)> {
        let head = self.before(Alphabet::Base64Url, dot, 29);
        let start = dot.checked_sub(head)?;
        let is_user = (23..=28).contains(&head) && matches!(self.byte(start), b'M' | b'N' | b'O');
        if !is_user || self.byte(dot + 7) != b'.' {
            return None;
        }
        let has = |byte| Alphabet::Base64Url.has(byte);
        let time = self.short_run(dot + 1, 6, has);
        let signature = self.short_run(dot + 8, 80, has);
        (time == 6 && signature >= 25).then_some((start, dot + 8 + signature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&'static str, String)> {
        let tokens = Tokens::new();
        assert!(tokens.prefixes.is_some());
        let mut spans = Vec::new();
        tokens.find(text, &mut spans);
        spans.iter().map(|span| (span.kind, text.get(span.range()).unwrap().to_owned())).collect()
    }

    #[test]
    fn kinds_can_stand_in_marks() {
        for format in FORMATS {
            assert!(super::super::mark::is_kind(format.kind), "{}", format.kind);
        }
    }

    #[test]
    fn a_word_that_ends_like_a_prefix_is_no_token() {
        assert_eq!(found("risk-aaaabbbbccccddddeeeeffff12345 disk-0123456789abcdefghijkl"), Vec::new());
        assert_eq!(found("x sk-FAKEabcdefghij1234567890").len(), 1);
    }

    #[test]
    fn filler_is_no_token() {
        assert_eq!(found("ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"), Vec::new());
    }

    #[test]
    fn what_says_that_it_is_for_real_is_a_key_whoever_issued_it() {
        for key in [
            "bb_live_FAKEabcdefghij0123456789",
            "cal_live_0123456789abcdef0123FAKE",
            "ek_live_FAKEabcdefghij0123456789",
        ] {
            assert_eq!(found(&format!("x={key};")), vec![("api-key", key.to_owned())]);
        }
        for name in [
            "is_live_in_production_since_2024",
            "shop_live_customersandtheirorders",
            "x_live_20240131",
            "_live_a1b2c3d4e5f6a1b2c3d4e5",
        ] {
            assert_eq!(found(name), Vec::new(), "{name}");
        }
    }

    #[test]
    fn names_like_prefixes_are_no_tokens() {
        for name in [
            "depot_project_settings_of_all_users",
            "tr_dev_environment",
            "sess-management-of-users-and-groups",
            "m0-first-milestone-of-all",
            "polar_coordinates_to_cartesian_coordinates",
            "retool_everything_in_the_workshop",
            "as-described-in-the-documentation",
            "secret-token: see below",
            "API-REFERENCE-OF-THE-SERVICE",
            "pat.method.of.a.class",
            "exa_mple",
            "t1.join(t2).unwrap()",
        ] {
            assert_eq!(found(name), Vec::new(), "{name}");
        }
        assert_eq!(found("secret-token:E92FB7EB-D882-47A4-A265-A0B6135DC842%20foo").len(), 1);
    }

    #[test]
    fn tokens_with_parts_before_the_prefix_are_whole() {
        let telegram = "123456789:AAFAKEabcdefghijklmnopqrstuvwxyz12345";
        assert_eq!(found(&format!("bot{telegram}/x")), vec![("telegram-token", telegram.to_owned())]);
        let mailchimp = "0123456789abcdef0123456789abcdef-us12";
        assert_eq!(found(mailchimp), vec![("mailchimp-key", mailchimp.to_owned())]);
    }
}
