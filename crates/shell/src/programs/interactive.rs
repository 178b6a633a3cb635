//! How a program has to be called to go on reading what it is to do.

/// How a program has to be called to go on reading what it is to do.
#[derive(Debug)]
pub(crate) enum Interactive {
    /// Without a script or a program, or with an option that says so.
    WithoutScript(&'static Console),
    /// In any way, and from the terminal itself, wherever its standard input comes from: editors, pagers, file managers,
    /// multiplexers. Each can run a command that is typed into it.
    Terminal,
    /// In any way, from its standard input.
    Always,
    /// In any way but with one of these options, which tell it what to do instead.
    Unless(&'static [&'static str]),
    /// With fewer operands than so many, unless one of these options is given.
    Below(usize, &'static [&'static str]),
    /// With nothing behind it.
    Bare,
    /// Without a word that may be a command: its options' own values are numbers, addresses and files (redis-cli).
    WithoutWord,
    /// With an option that asks for a shell, and without a command: `sudo -i`, `doas -s`.
    AsShell,
    /// Without a command behind the host that it connects to: `ssh host`.
    WithoutRemoteCommand,
    /// With `-` as the file that it takes its commands from: `make -f -`.
    FromFile,
    /// With one of these lists of words, in this order, others between them; what begins with `-` may stand anywhere.
    As(&'static [&'static [&'static str]]),
    /// Behind one of these paths of words, unless one of the options beside it follows: an editor is opened on the terminal, and what is
    /// typed into an editor can run commands.
    Editor(&'static [(&'static str, &'static [&'static str])]),
}

/// How an interpreter is called that goes on reading. A version at the end of its name does not count.
#[derive(Debug)]
pub(crate) struct Console {
    /// Options that are followed by a program.
    pub(crate) program: &'static [&'static str],
    /// Options that are followed by something else.
    pub(crate) valued: &'static [&'static str],
    /// Options with which it goes on reading whatever else is given.
    pub(crate) goes_on: &'static [&'static str],
    /// Modules (`-m`) that read in turn.
    pub(crate) modules: &'static [&'static str],
}

impl Console {
    /// What most have in common.
    pub(super) const PLAIN: Self = Self { program: &["-e"], valued: &[], goes_on: &["-i"], modules: &[] };
}
