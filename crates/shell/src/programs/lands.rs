//! Where what a program changes on this machine lands.

/// Where what one way to call a program changes on this machine lands, and nowhere else. What has no entry may change
/// anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lands {
    /// In the files that its words name. A link is followed.
    Files,
    /// The same, with what is kept of no file: who owns it, its extended attributes, a whole tree.
    Rights,
    /// In the names that its words are: a link itself is changed, and not followed.
    Names,
    /// The same, and what had one name has another one then.
    Moves,
    /// In what the last word names, or `-t`: in that file, or under the same names in that folder. What stands in front
    /// is read and copied.
    Destination,
    /// The same, but what stands in front can be changed under the new name.
    Links,
    /// In the files behind a sed script that does nothing else, as its `-i` says.
    EditedFiles,
    /// In the repository of the folder that it runs in, which keeps what was there, as long as its options are harmless.
    History,
    /// In the repository of the folder that it runs in, and its working files.
    Repository,
    /// On this machine, in no project.
    Machine,
}
