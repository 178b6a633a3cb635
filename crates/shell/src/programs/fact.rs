//! What is true of a program, or not.

/// What is true of a program, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// Any of its words may be a program that it runs, so that a rule that denies looks at all of them.
    RunsOperands,
    /// All that it does with harmless options is show something, whatever the files of its folder say: such a
    /// call is not asked about even without a rule.
    OnlyLooks,
    /// Commands can be typed or scripted in it: an editor, a pager, a database's client.
    TakesCommands,
    /// One of the shell's own commands that change what later ones mean.
    Builtin,
    /// One of the operating system's, which version managers of languages and tools do not offer.
    OfTheSystem,
    /// It takes its words for text, patterns or expressions, in which a `|` or `@` means nothing else.
    TakesText,
    /// Its words are names that may begin with `@`: revisions, packages of a scope, `@me`.
    NamesWithAt,
    /// It reads more arguments from the file of a word `@file`, although it only reads.
    ReadsLists,
    /// It does nothing with its words but look them up, or open them for a person.
    OnlyNames,
    /// A word of it may be a text that it runs, although it writes files: the pages of TeX with `-shell-escape` and of
    /// Lua, a file that is a pipe (Ghostscript, "Use of the pipe device"; ImageMagick, "MSL"), sftp with `!`.
    ReadsLanguage,
    /// It calculates with its words, or with the subscript of a variable that one of them names (bash manual,
    /// "Shell Arithmetic", "Arrays").
    Calculates,
    /// Its `-c` takes a script that begins its commands as bash does.
    Shell,
    /// Its `-c` takes a script that is understood as one of bash.
    ReadsBash,
    /// Its `-c` takes a script that is understood as one of `sh`.
    ReadsPosix,
    /// Its `-c` takes a script in another language.
    ReadsOtherLanguage,
    /// Its first operand is a program that it fetches or finds, and runs.
    RunsFetched,
    /// Its name may have a version at its end: `pip3.12`, `ruby2.7`, `php8.3`.
    Versioned,
    /// Some systems install it with `g`, `gnu` or `uu_` in front, and zsh has it with `zf_` (zshmodules(1), "zsh/files").
    Prefixed,
    /// Its sub-commands are programs of their own: `git-push` (git(1), "--exec-path"), `cargo-clippy`.
    Hyphenated,
    /// It takes the beginning of a sub-command's name: `npm help`, gem(1), hg(1), ip(8), bundler (Thor).
    Abbreviates,
    /// `--help` behind it, or behind a sub-command of it, shows help and does nothing else.
    SaysHelp,
    /// It says its version when that is all that it is asked. Not `erl`, which starts and runs its standard input, nor
    /// `kotlinc` and `scala`, which know `-version` and go on.
    SaysVersion,
    /// The same for `-V`.
    SaysVersionByCapital,
    /// As a wrapper it changes nothing about how far a command only looks.
    Transparent,
    /// It changes the machine: accounts, services, timers, disks, the network, the kernel, what is installed.
    ChangesMachine,
    /// Its work is not done on files of this machine alone: it needs another machine, a service or the screen of this one.
    WorksOutside,
    /// It carries data or commands to another machine, and back, which its words name.
    Carries,
    /// It runs the command of its words, or what is typed into it, with the rights of another user.
    AsAnotherUser,
    /// It fetches text or turns it into a program: what a shell behind it runs, nobody has seen.
    BringsText,
    /// It takes SQL.
    TakesSql,
    /// A shell that runs what it reads.
    RunsScripts,
    /// An interpreter that runs what it reads.
    RunsCode,
    /// It runs its words in the shell itself.
    RunsWords,
    /// It runs a command somewhere else, which its last words are: on another machine, in a container, with another root
    /// or with other variables.
    RunsElsewhere,
    /// `-v` makes it say its version and nothing else. To python, `-v` means another thing.
    SaysVersionByLetter,
    /// So does `-version`.
    SaysVersionByWord,
    /// It runs something for each line that it reads.
    Fed,
    /// It runs the commands that it reads from its standard input, whatever its words say.
    RunsInput,
    /// Its operands are files that it runs, as an interpreter runs its script.
    RunsFiles,
    /// A text among its words, or on its standard input, may be a program or commands for it: what that names, it opens.
    RunsText,
    /// A filter or a template among its words can load the files that it names.
    LoadsFiles,
    /// It serves the folder that its words name.
    Serves,
    /// It takes away, replaces or locks what lies in a folder that it is given.
    TakesAway,
    /// What it takes away, nothing brings back.
    ForGood,
    /// It leaves alone what lies in a folder that it is given.
    LeavesFolders,
    /// It tells about a folder, but not what is in its files.
    TellsFolders,
    /// It looks for files in the folders that its words name, and does no more unless it is told to.
    FindsFiles,
    /// It shows the lines that a pattern finds in files; without a file, in those of the folder that it runs in.
    SearchesFiles,
    /// It passes links over that it finds in a folder, unless it is told to follow them.
    PassesLinksOver,
    /// It passes over what ignore files name, and hidden files, unless it is told otherwise.
    HeedsIgnoreFiles,
    /// It writes files into the folder in which it runs, as an archive or a patch names them.
    Unpacks,
    /// It does nothing with a text among its words but show, store or look for it.
    ShowsText,
    /// It types into a terminal or a window.
    Types,
    /// It speaks to other programs over D-Bus.
    SpeaksOnBus,
    /// It is often called so that somebody else types into it, or nobody does.
    TypedByOthers,
    /// Of its words it runs the values of some options, and what it calculates with, and nothing else.
    RunsByOptions,
    /// It declares variables of the shell, or shows them.
    Declares,
    /// It changes the folder in which the shell runs what follows.
    ChangesFolder,
    /// It prints its words.
    PrintsWords,
    /// It tells the numbers of processes.
    TellsProcesses,
    /// An agent that runs commands which a model writes.
    Agent,
    /// It asks the name service about its operands.
    LooksUpNames,
    /// It sends signals, by number or by name.
    TakesSignal,
    /// It changes whose a file is.
    SetsOwner,
    /// It makes another path to what its words name.
    AddsPath,
    /// Its words may name files of another machine: `host:path`.
    NamesHosts,
    /// It sends a request to another machine, whose method and contents its words say.
    SendsRequests,
    /// `+NAME` as its first word says which toolchain is meant.
    TakesToolchain,
    /// Where it stands behind a program of which nothing is known, that one mostly runs it.
    OftenRun,
    /// It lies in the project's own folder, and is called so: `./gradlew`.
    InProject,
    /// It reads the names of the files that it takes from its standard input, whatever its words say.
    ReadsNames,
    /// It runs the script that its first operand names, in the shell itself.
    Sources,
    /// It runs containers, or has them run, with the rights that its words give them.
    RunsContainers,
    /// It takes a filter of jq, which can show the environment.
    TakesJq,
    /// It prints what its operands say and reads nothing for it.
    TellsOperands,
    /// The same, whose first operand says what to look for.
    Searches,
    /// It prints what it reads.
    PrintsInput,
    /// It runs the rest of its words, or some of them, in another place or way, and is no wrapper whose words are known.
    RunsOthers,
    /// A script that an interpreter runs and that has a console of its own.
    ConsoleScript,
}
