//! Files that a program reads without being told their names, and of which it shows something: its own settings in the folder
//! it runs in. In a clone such a name may be a link to a key: `npm pkg get` prints all of `package.json`, and
//! `rustc --version` the first line of `rust-toolchain`.

use handraise_shell::{Part, Word, WordKind};

/// Programs, and what each of them reads. Sources: npm-pkg(1), "package.json"; The rustup book, "The toolchain file"; The Cargo
/// Book, "Configuration"; Go Modules Reference, "go.mod files"; ripgrep(1), "ignore files"; fd(1); Composer, "composer.json
/// schema"; Deno manual, "deno.json"; Bundler, "Gemfile".
const READ: &[(&str, &str)] = &[
    ("npm npx pnpm pnpx yarn bun bunx node corepack", "package.json .npmrc .yarnrc.yml"),
    ("cargo rustc rustdoc rustup", "rust-toolchain rust-toolchain.toml Cargo.toml .cargo/config.toml"),
    ("go gofmt", "go.mod go.work"),
    ("rg fd fdfind", ".ignore .rgignore .fdignore .gitignore"),
    ("composer", "composer.json"),
    ("deno", "deno.json deno.jsonc"),
    ("bundle bundler", "Gemfile"),
];

/// What the program of `part` reads so, as words that would name it.
pub(crate) fn implied_reads(part: &Part) -> Vec<Word> {
    let program = part.program().map(|program| program.rsplit('/').next().unwrap_or(program)).unwrap_or_default();
    let entry = READ.iter().find(|(programs, _)| programs.split(' ').any(|name| name == program));
    let names = entry.map(|(_, names)| names.split_ascii_whitespace()).into_iter().flatten();
    names.map(|name| Word { text: name.to_owned(), kind: WordKind::Exact }).collect()
}
