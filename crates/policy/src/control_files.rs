//! Files that decide what runs elsewhere or later: a change of one is no ordinary edit.
//!
//! Those that start something by themselves, or say what other programs run, stand in [`crate::written_findings()`]; those that make a
//! program run something that otherwise only looks, in [`crate::project_code`]. Here are the others: what a build, an
//! installation or another machine does, and what editors and agents obey. Instructions in the project (`AGENTS.md`) are
//! none: they are text, and whatever an agent does because of them is judged again.

use std::sync::LazyLock;

use crate::project_code::{is_hook, names_project_code};
use crate::scratch_files::is_scratch;
use crate::written_findings::acts_by_itself;
use handraise_shell::path::{Places, components};

/// Names of files, and folders that end with `/`, in small letters, wherever they lie. One `*` stands for any characters
/// of a name.
///
/// Sources: the manuals of the package managers and build tools (npm, pnpm, Yarn, Bun, Deno, Cargo, pip, uv, Poetry, Go,
/// Bundler, Composer, Maven, Gradle, Bazel, MSBuild, make, just, Task, CMake, Docker, Vagrant); of GitHub, Gitea, GitLab CI,
/// CircleCI, Jenkins, Azure Pipelines, Buildkite, Drone, Woodpecker, Bitbucket, Travis, AppVeyor, Cirrus CI, Semaphore,
/// TeamCity, AWS CodeBuild, Google Cloud Build, Tekton, Zuul, Read the Docs, Codemagic and Bitrise; of Gitpod, CodeSandbox and Replit; of husky, lint-staged, Overcommit and commitlint; of IEx, R,
/// Nix and pytest; of VS Code, Sublime Text, vim, gdb, LLDB, IntelliJ, Zed and Dev Containers; of the agents that Handraise hooks
/// up. `HEAD` makes a folder a repository of git wherever it lies (gitrepository-layout(5)), whose settings count then.
const NAMES: &str = ".git .git/ .gitattributes .gitmodules .ignore .rgignore .fdignore .agignore .husky/ .githooks/ .pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml \
    .simple-git-hooks.* simple-git-hooks.* .lefthook/ .lefthook-local/ .jj/workspace-config.toml .sl/config .git-hooks/ git-hooks/ githooks/ .lfsconfig lefthook*.yml lefthook*.yaml lefthook*.toml lefthook*.json .lefthook*.yml .lefthook*.yaml .github/hooks/ \
    .github/workflows/ .github/actions/ .github/scripts/ .gitlab-ci.yml .gitlab/ .circleci/ jenkinsfile* azure-pipelines*.yml .azure-pipelines/ .azuredevops/ .vsts-ci.yml .buildkite/ \
    .drone.* .woodpecker* .woodpecker/ bitbucket-pipelines.yml .travis.yml cloudbuild*.yaml cloudbuild*.yml cloudbuild*.json \
    appveyor.yml .appveyor.yml .cirrus.* .semaphore/ .teamcity/ buildspec*.yml buildspec*.json .tekton/ .harness/ .zuul.yaml zuul.yaml .zuul.d/ \
    .readthedocs.yaml .readthedocs.yml codemagic.yaml bitrise.yml screwdriver.yaml wercker.yml bamboo-specs/ netlify.toml vercel.json \
    heroku.yml .goreleaser*.yml .goreleaser*.yaml .releaserc* release.config.* .gitea/workflows/ .forgejo/workflows/ .builds/ .build.yml \
    .gitpod.yml .codesandbox/ .replit .run/ action.yml action.yaml commitlint.config.* .commitlintrc* \
    .iex.exs .ghci .ocamlinit .renviron default.nix pytest.ini \
    codeowners dependabot.yml dependabot.yaml renovate.json* .renovaterc* .huskyrc* .lintstagedrc* lint-staged.config.* .overcommit.yml \
    *.code-workspace *.sublime-project *.sublime-build .exrc .nvimrc .gdbinit .lldbinit \
    mvnw mvnw.cmd gradlew.bat .bazelrc tools/bazel shell.nix vagrantfile directory.build.props directory.build.targets \
    .bazeliskrc module.bazel workspace.bazel *.targets *.props dotnet-tools.json \
    node_modules/.bin/ .venv/ venv/bin/ env/bin/ .yarn/ .pnp.* mise-tasks/ devbox.json devenv.nix constraints*.txt requirements/*.txt \
    environment.yml environment.yaml \
    *.lock *.lockfile packages.lock.json packages.config paket.* package.resolved podfile .terraform.lock.hcl conda-lock.yml \
    package.json package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml bun.lockb jsr.json \
    deno.json deno.jsonc .npmrc .yarnrc .yarnrc.yml bunfig.toml \
    cargo.toml .cargo/ rust-toolchain rust-toolchain.toml \
    pyproject.toml setup.py setup.cfg requirements*.txt requirements*.in *-requirements.txt uv.toml pylock*.toml pixi.toml pipfile tox.ini noxfile.py \
    go.mod go.sum go.work go.work.sum gemfile *.gemspec rakefile* composer.json mix.exs pubspec.yaml shard.yml stack.yaml chart.yaml conanfile.* vcpkg.json \
    pom.xml .mvn/ *.gradle *.gradle.kts gradle.properties gradlew gradle/ *.csproj *.fsproj *.vbproj *.vcxproj *.sln *.slnx *.xcodeproj/ nbproject/ nuget.config global.json \
    makefile gnumakefile *.mk justfile .justfile taskfile*.yml taskfile*.yaml bsdmakefile fabfile.py dodo.py build.xml guardfile mise.toml .mise.toml mise/ .mise/ .miserc.toml .prototools \
    cmakelists.txt \
    docker-compose*.yml docker-compose*.yaml compose*.yml compose*.yaml flake.nix \
    .env* .envrc .direnv/ .vscode/ .idea/ .zed/ .fleet/ .nvim.lua .dir-locals.el .dir-locals-2.el .lazy.lua .lvimrc .helix/ \
    .autoenv .autoenv.zsh .devcontainer/ .devcontainer.json \
    .claude/ .codex/ .gemini/ .cursor/ .cursorrules .opencode/ opencode.json opencode.jsonc .qwen/ .windsurf/ .roo/ .cline/ \
    .clinerules .amp/ .copilot/ .github/copilot/ .github/prompts/ .github/agents/ .github/skills/ .github/chatmodes/ \
    .kiro/ .goose/ .mcp.json .aider* .agents/plugins/ .agents/skills/ .claude-plugin/ .devin/ .pi/ .codebuddy/ .iflow/ .vibe/ .kilo/ .augment/ .agents/hooks/ .crush.json crush.json \
    .amazonq/ .kilocode/ .theia/ .trunk/ .pdbrc .luarc.json .ycm_extra_conf.py hk.pkl .continue/ .junie/ .factory/ .openhands/ .trae/ .grok/ .roomodes .goosehints mcp.json tasks.vs.json launch.vs.json head";

/// Endings of examples of settings, which nothing loads. Symfony loads `.env.dist`, others `.env.defaults`.
const EXAMPLES: &[&str] = &[".example", ".sample", ".template", ".tmpl", ".tpl"];

static PLACES: LazyLock<Places<()>> = LazyLock::new(|| NAMES.split_ascii_whitespace().map(|name| (name, ())).collect());

/// Whether what is written to the absolute path `path` decides what runs elsewhere or later.
#[must_use]
pub fn is_control(path: &str, home: Option<&str>) -> bool {
    let lower = path.to_lowercase();
    let all: Vec<&str> = components(&lower).collect();
    let is_example =
        all.last().is_some_and(|name| name.starts_with(".env") && EXAMPLES.iter().any(|ending| name.ends_with(ending)));
    if is_scratch(path, home) || is_reference_of_skill(path) || is_example {
        return false;
    }
    let parts = in_worktree(&all).unwrap_or(&all);
    PLACES.find(parts).is_some() || is_git_hook(&all) || acts_by_itself(path, home) || names_project_code(path)
}

/// Whether the last of `names` is what git calls a hook: the settings of a repository may name any folder for them
/// (`core.hooksPath`). A file `update` is more often something else.
fn is_git_hook(names: &[&str]) -> bool {
    names.last().is_some_and(|name| *name != "update" && is_hook(name))
}

/// Whether `path` is a document that a skill refers to: `skills/NAME/references/a.md`. The skill itself may hold command
/// lines that run without a call of their own; what it refers to is text, like instructions in the project.
///
/// Source: agentskills.io, "Specification", "Optional directories".
#[must_use]
pub fn is_reference_of_skill(path: &str) -> bool {
    let lower = path.to_lowercase();
    let all: Vec<&str> = components(&lower).collect();
    let is_document = all.last().is_some_and(|name| name.ends_with(".md"));
    // The folder of the agent itself, and none within another one: its commands are documents, too.
    let hidden = all.iter().position(|name| name.starts_with('.'));
    let below = hidden.and_then(|at| all.get(at + 1..)).unwrap_or_default();
    is_document && matches!(below, ["skills", _, "references", _, ..])
}

/// What of a path lies in a working tree that an agent has made below its own folder: Claude Code's
/// `.claude/worktrees/NAME/` holds a whole project.
fn in_worktree<'a>(parts: &'a [&'a str]) -> Option<&'a [&'a str]> {
    let at = parts.windows(2).position(|folders| folders == [".claude", "worktrees"])?;
    parts.get(at + 3..).filter(|below| !below.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_elsewhere_or_later_is_known() {
        for path in [
            "/srv/app/.git/config",
            "/srv/app/tools/hooks/post-commit",
            "/srv/app/.pdbrc",
            "/srv/app/.git",
            "/srv/app/.github/workflows/ci.yml",
            "/srv/app/packages/a/package.json",
            "/srv/app/Cargo.lock",
            "/srv/app/requirements-dev.txt",
            "/srv/app/Makefile",
            "/srv/app/mk/rules.mk",
            "/srv/app/.vscode/tasks.json",
            "/srv/app/.envrc",
            "/srv/app/.env.local",
            "/srv/app/.claude/settings.json",
            "/srv/app/.mvn/extensions.xml",
            "/srv/app/.tool-versions",
            "/srv/app/appveyor.yml",
            "/srv/app/.github/CODEOWNERS",
            "/srv/app/.lintstagedrc.json",
            "/srv/app/app.code-workspace",
            "/srv/app/mvnw",
            "/srv/app/.gitpod.yml",
            "/srv/app/.codesandbox/tasks.json",
            "/srv/app/.replit",
            "/srv/app/.run/Test.run.xml",
            "/srv/app/.iex.exs",
            "/srv/app/default.nix",
            "/srv/app/.Renviron",
            "/srv/app/pytest.ini",
            "/srv/app/.mise/tasks/build",
            "/srv/app/tools/check/action.yml",
            "/srv/app/commitlint.config.mjs",
            "/srv/app/tools/bazel",
            "/srv/app/pixi.lock",
            "/srv/app/Taskfile.dist.yaml",
            "/srv/app/.azure-pipelines/ci.yml",
            "/srv/app/app.xcodeproj/project.pbxproj",
            "/srv/app/venv/bin/python",
            "/srv/app/.pi/extensions/a.ts",
            "/srv/app/dev-requirements.txt",
            "/srv/app/node_modules/.bin/tsc",
            "/srv/app/.venv/lib/python3.11/site-packages/x.pth",
            "/home/ann/.bashrc",
            "/srv/app/.claude/worktrees/topic",
            "/srv/app/.claude/worktrees/topic/.git",
            "/srv/app/.claude/worktrees/topic/package.json",
            "/srv/app/.claude/skills/go/SKILL.md",
            "/srv/app/.claude/skills/go/references/run.sh",
            "/srv/app/.claude/skills/references/SKILL.md",
            "/srv/app/.claude/commands/skills/go/references/a.md",
            "/srv/app/.claude/agents/.claude/skills/go/references/a.md",
            "/home/ann/.claude/CLAUDE.md",
            "/srv/app/n7/HEAD",
        ] {
            assert!(is_control(path, Some("/home/ann")), "{path}");
        }
    }

    #[test]
    fn an_ordinary_file_is_not_one() {
        for path in [
            "/srv/app/scripts/update",
            "/srv/app/src/main.rs",
            "/srv/app/src/make.rs",
            "/srv/app/docs/cargo.toml.md",
            "/srv/app/README.md",
            "/srv/app/tests/test_a.py",
            "/srv/app/.gitignore",
            "/srv/app/.env.example",
            "/srv/app/src/shop/__init__.py",
            "/srv/app/shop/__main__.py",
            "/srv/app/src/gitlab/a.ts",
            "/srv/app/environment.ts",
            "/srv/app/AGENTS.md",
            "/srv/app/web/CLAUDE.md",
            "/srv/app/Dockerfile",
            "/srv/app/src/lock.rs",
            "/srv/app/tasks.py",
            "/srv/app/venv/notes.md",
            "/srv/app/.claude/worktrees/topic/src/a.rs",
            "/home/ann/.claude/plans/a.md",
            "/home/ann/.claude/projects/-srv-app/memory/MEMORY.md",
            "/srv/app/.claude/skills/go/references/testing.md",
        ] {
            assert!(!is_control(path, Some("/home/ann")), "{path}");
        }
    }
}
