//! Programs that are for files: compilers, test runners, linters, converters.

use crate::changes::{ChangesElsewhere, ChangesHere, changes};
use crate::command_line::{Part, Word, WordKind};
use crate::operand_effects::only_reads;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::{self, Purpose};
use crate::risk;
use crate::unknown_program::{LOOKED_AT, may_say_more, says_more};

/// What a program does besides, or instead, that has nothing to do with files of this machine.
const MORE: &[Fact] = &[
    Fact::Agent,
    Fact::AsAnotherUser,
    Fact::Carries,
    Fact::ChangesMachine,
    Fact::RunsContainers,
    Fact::RunsElsewhere,
    // What it runs is not judged.
    Fact::RunsOperands,
    Fact::SendsRequests,
    Fact::Serves,
    Fact::SpeaksOnBus,
    Fact::TakesSql,
    Fact::Types,
    Fact::WorksOutside,
];
/// Words behind which a command stands that is not judged.
const RUNNING: &str = "-- exec cmd x";

/// Whether the program of `part` is there to build, test, check, format, generate, convert or show files, or runs the code
/// that they hold, or begins with a sub-command that only looks (`git show $x`); it runs as this user and on this machine,
/// and neither what is known of it nor its first words say that it reaches another one, or removes something. Or it only
/// sets variables for what follows.
///
/// What such a command does cannot be told from its line. That it may run is for whoever puts walls around it.
#[must_use]
pub fn works_on_files(part: &Part) -> bool {
    let Some((program, words)) = part.words.split_first() else { return !part.assignments.is_empty() };
    let name = base_name(&program.text);
    let entry = programs::of(name);
    // What is handed to it, or what it finds, are more words of it.
    let is_plain = |wrapper: &String| {
        let wrapper = programs::of(base_name(wrapper));
        [Fact::Transparent, Fact::Fed, Fact::FindsFiles].iter().any(|fact| wrapper.is(*fact))
    };
    // Of a path, what stands behind a sign: `//x:push`.
    let signed = |word: &Word| word.text.rsplit_once([':', '=']).is_some_and(|(_, behind)| says_more(behind));
    let runs = |word: &Word| RUNNING.split(' ').any(|one| one == word.text);
    let stays = || {
        let changes = changes(part, false);
        changes.elsewhere == ChangesElsewhere::Nothing && changes.here != ChangesHere::Machine
    };
    let looks = risk::begins_to_look(part);
    // No sub-command can hide in a variable where the program has none.
    let is_operand = |word: &Word| matches!(entry.class, Class::Options(_)) && word.kind == WordKind::Varies;
    let is_more = |word: &Word| {
        if is_operand(word) { says_more(&word.text) } else { may_say_more(word) || signed(word) || runs(word) }
    };
    let is_meant = || match programs::purpose(name) {
        Purpose::Files => !says_more(name) && !words.iter().take(LOOKED_AT).any(is_more),
        Purpose::Text => true,
        Purpose::Other => looks || only_reads(name) || entry.is(Fact::OnlyLooks) || entry.is(Fact::FindsFiles),
    };
    // What `find` runs is a part of its own, and what looks runs none of its words.
    let is_judged = |fact: &Fact| *fact == Fact::RunsOperands && (name == "find" || looks);
    let has = |fact: &Fact| entry.is(*fact) && !is_judged(fact);
    program.kind != WordKind::Varies
        && is_meant()
        && !MORE.iter().any(has)
        && part.wrappers.iter().all(is_plain)
        && stays()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CommandLine, Shell};

    fn works(line: &str) -> bool {
        let line = CommandLine::analyse(line, Shell::Bash);
        assert_eq!((line.parts.len(), &line.obstacle), (1, &None), "{}", line.text);
        works_on_files(&line.parts[0])
    }

    #[test]
    fn builds_tests_checks_and_conversions_work_on_files() {
        for line in [
            "flake8",
            "isort .",
            "vite build",
            "mix test",
            "bazel test //...",
            "meson setup build",
            "./configure --prefix=/usr",
            "vendor/bin/phpunit --filter X",
            "timeout 60 zig build test",
            "protoc --go_out=. a.proto",
            "latexmk -pdf a.tex",
            "ffmpeg -i a.mp4 b.gif",
            "lua x.lua",
            "rspec",
            "rails test",
            "pandoc a.md -o a.html",
            "BIN=target/debug/app",
        ] {
            assert!(works(line), "{line}");
        }
    }

    #[test]
    fn text_is_shown_whatever_is_handed_on() {
        for line in [
            "grep -l delete $f",
            "cat $f",
            "stat $f",
            "tar xzf a.tgz",
            "unzip -o a.zip",
            "patch -p1",
            "xargs -0 grep -n push",
            "xargs -I{} wc -l {}",
            "find . -name $n",
        ] {
            assert!(works(line), "{line}");
        }
        for line in
            ["xargs sudo cat", "xargs curl", "fd -x rm", "xargs ssh host cat", "xargs git push", "fetch http://x"]
        {
            assert!(!works(line), "{line}");
        }
        let line = CommandLine::analyse("find . -name a -exec grep -l foo {} +", Shell::Bash);
        assert!(line.obstacle.is_none() && line.parts.len() == 2);
        assert!(line.parts.iter().all(works_on_files));
    }

    #[test]
    fn a_sub_command_that_looks_may_get_any_word_and_one_that_can_do_more_may_not() {
        for line in [
            "git show $hash --format= -p",
            "git cat-file -p $blob",
            "git --no-pager log $range",
            "git diff --ext-diff",
            "git grep -Oless x",
            "xargs git log -1",
        ] {
            assert!(works(line), "{line}");
        }
        for line in [
            "git branch $x",
            "git branch -a $x",
            "git tag -l $x",
            "git stash list $x",
            "git stash show $x",
            "git reflog show $x",
            "git clean -n $x",
            "git apply --check $x",
            "git config $x",
            "git remote get-url $x",
            "git remote $x",
            "git worktree list $x",
            "git $x show",
            "git ls-remote $x",
            "sudo git show $x",
            "docker inspect $x",
            "kubectl get $x",
            "gh pr view $x",
        ] {
            assert!(!works(line), "{line}");
        }
    }

    #[test]
    fn what_reaches_farther_or_removes_does_not() {
        for line in [
            "frobnicate",
            "make",
            "npm install",
            "npm publish",
            "npx x",
            "cargo publish",
            "cargo install x",
            "bundle install",
            "rails db:drop",
            "zig fetch x",
            "fastlane beta",
            "goreleaser",
            "semantic-release",
            "twine upload dist/*",
            "flit publish",
            "claude -p x",
            "aider x",
            "ollama run x",
            "xdotool key a",
            "xclip -o",
            "notify-send x",
            "scrot a.png",
            "watchexec rm -rf x",
            "k6 run x.js",
            "docker build .",
            "terraform plan",
            "psql -c 'select 1'",
            "sudo flake8",
            "ssh host flake8",
            "kill 1",
            "systemctl restart x",
            "rustup update",
            "rvm use 3",
            "osascript -e x",
            "pip install x",
            "bear -- git checkout .",
            "ccache git checkout .",
            "dune exec -- find . -delete",
            "mix cmd git checkout .",
            "rargs unlink {0}",
            "libtool --mode=execute find . -delete",
            "mix do compile, test, ecto.drop",
            "sbt compile test publish",
            "sbt publishSigned",
            "rake test build release",
            "nx run-many --target=publish",
            "bazel run //x:push",
            "rails db:migrate:down",
            "typeorm query 'DROP TABLE x'",
            "waf distclean",
            "dotnet ef database drop -f",
            "apt install x",
            "git push",
            "curl x",
            "rm x",
        ] {
            assert!(!works(line), "{line}");
        }
    }

    #[test]
    fn a_program_is_known_from_the_variable_that_the_line_sets() {
        let line = CommandLine::analyse("BIN=target/debug/app; $BIN --help", Shell::Bash);
        assert!(works_on_files(&line.parts[0]));
        assert_eq!(line.parts[1].words[0].text, "target/debug/app");
    }
}
