//! What the entries of programs say, asked by name.

use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::name::base_name;
use crate::programs::spec::{Operands, Spec};
use crate::programs::{self};

/// The class of the program called `name`, without its folder.
pub(super) fn of(name: &str) -> Class {
    let listed = programs::of(name).class;
    // `python3.12`, `ruby2.7`.
    let plain = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    match programs::of(plain).class {
        Class::Script(interpreter) if !matches!(listed, Class::Script(_)) => Class::Script(interpreter),
        _ => listed,
    }
}

/// Whether `name` runs its operands as a program, so that any of its words may be one.
pub(crate) fn runs_operands(name: &str) -> bool {
    let program = programs::of(base_name(name));
    program.is(Fact::RunsOperands) || matches!(program.class, Class::Script(_))
}

/// Whether a pattern for `name` and `subs`, the words behind it that are no options, whose rest is a `*` deserves a warning.
pub(crate) fn is_broad(name: &str, subs: &[&str]) -> bool {
    match of(base_name(name)) {
        Class::Writer | Class::Never(_) | Class::Script(_) => true,
        Class::Options(spec) => spec.broad,
        Class::Tasks(_) => subs.iter().all(|sub| sub.starts_with('-')),
        Class::SubCommands(specs) => {
            let find = |name: &str| {
                let listed = |spec: &&Spec| spec.names.split(' ').any(|listed| listed == name);
                specs.iter().copied().flatten().find(listed)
            };
            let nested = subs.get(..2).and_then(|subs| find(&subs.join(":")));
            // What has to be spelled out, `npm run NAME`, is.
            let pinned = |spec: &Spec| matches!(spec.operands, Operands::Pinned(least) if subs.len() > least);
            let spec = nested.or_else(|| subs.first().and_then(|sub| find(sub)));
            spec.is_none_or(|spec| spec.broad && !pinned(spec))
        }
        Class::AnyText | Class::HarmlessCommands(_) | Class::Unlisted => false,
    }
}
