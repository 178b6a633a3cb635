//! What a program does with the files that its words name.

/// What a program does with the files that its words name. One of which nothing is known reads all of them.
#[derive(Clone, Copy, Debug)]
pub struct FileUse {
    /// It neither shows nor copies what is in the files that it names, but for the values of these options, which it
    /// reads and repeats, in errors at least.
    pub names_only: Option<&'static str>,
    /// Of what its standard input holds, it shows at most counts and sums, unless one of these options stands among its
    /// words: they make it read names or sums there, which it repeats in errors. Whatever is not known may show all of it.
    pub hides_input: Option<&'static str>,
    /// Options of a program that shows what files hold whose value is a list of names, which it repeats in errors.
    pub lists: &'static str,
    /// Options that say where something goes.
    pub written: &'static str,
    /// An option whose value is a file that the program logs in with and does not show, and how the path ends. A file of
    /// another form would be shown, in part, in an error.
    pub logs_in_with: Option<(&'static str, &'static str)>,
    /// Options whose value names a folder or file that the program, or a container, gets to see.
    pub handed: &'static str,
    /// Sub-commands that change none of the files that their operands name.
    pub unchanged_by: &'static str,
    /// Options whose values are texts for people, and name no file.
    pub(crate) texts: &'static [TextValues],
    /// The last operand is where something goes, unless `-t` names that.
    pub last_is_destination: bool,
    /// The first operand is a pattern or a script, unless an option gives it.
    pub first_is_pattern: bool,
    /// Whether it takes whole folders.
    pub folders: Folders,
    /// How it sends whole folders to another machine.
    pub uploads: &'static [Upload],
}

/// Whether a program reads everything in a folder that its words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folders {
    /// Not that it is known.
    Not,
    /// When an option says so: `-r`.
    IfTold,
    /// What lies directly in it, and the rest when an option says so.
    Direct,
    /// It does.
    All,
}

/// A way to call a program in which it sends a whole folder to another machine.
#[derive(Clone, Copy, Debug)]
pub struct Upload {
    /// Words that all stand among its operands; `a|b` is one of two.
    pub words: &'static str,
    /// Only with an option that says so: `-r`.
    pub if_told: bool,
}

/// With `words` among its operands it sends whole folders to another machine.
pub(super) const fn upload(words: &'static str) -> Upload {
    Upload { words, if_told: false }
}

/// Options of a sub-command whose values are texts for people: the message of a commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextValues {
    /// The sub-command; `a|b` is one of two. No option stands between its words.
    pub(crate) of: &'static str,
    /// The options, as they are written: `-am` is another one than `-m`.
    pub(crate) options: &'static str,
    /// Options without a value. Behind any other nothing is known to be a text, for it may be that one's value.
    pub(crate) flags: &'static str,
}

/// The values of `options` behind the sub-command `of` are texts.
pub(super) const fn texts(of: &'static str, options: &'static str, flags: &'static str) -> TextValues {
    TextValues { of, options, flags }
}

impl Upload {
    /// Only with an option that says so.
    pub(super) const fn if_told(self) -> Self {
        Self { if_told: true, ..self }
    }
}

impl FileUse {
    /// Nothing is known.
    pub(super) const PLAIN: Self = Self {
        names_only: None,
        hides_input: None,
        lists: "",
        written: "",
        logs_in_with: None,
        handed: "",
        unchanged_by: "",
        texts: &[],
        last_is_destination: false,
        first_is_pattern: false,
        folders: Folders::Not,
        uploads: &[],
    };
}
