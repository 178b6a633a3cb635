//! Random command lines, most of them odd.

/// Programs that the lines run.
pub(crate) const PROGRAMS: &[&str] = &["xat", "xaf", "xbt", "xcf", "xdt"];

/// splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators").
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(crate) fn pick_from<'a, Choice>(&mut self, from: &'a [Choice]) -> &'a Choice {
        from.get(self.below(from.len())).unwrap()
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.get(self.below(from.len())).unwrap()
    }
}

/// A piece of a word: text, quotes, escapes, and what looks like an expansion.
fn piece(random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "a",
        "b",
        "-x",
        "--long=",
        "=",
        "1",
        "2",
        "/",
        ".",
        "..",
        ",",
        ":",
        "@",
        "%",
        "+",
        "^",
        "~",
        "~/",
        "#",
        "!",
        "[",
        "]",
        "{",
        "}",
        "{}",
        "{a,b}",
        "{1..2}",
        "*",
        "?",
        "$",
        "\\",
        "\\\\",
        "\\'",
        "\\\"",
        "\\$",
        "\\;",
        "\\ ",
        "\\\n",
        "\\a",
        "\\*",
        "''",
        "'a b'",
        "'\\'",
        "'$x'",
        "'`'",
        "';'",
        "'#'",
        "'\n'",
        "'\"'",
        "\"\"",
        "\"a b\"",
        "\"\\\"\"",
        "\"\\\\\"",
        "\"\\a\"",
        "\"\\\n\"",
        "\"'\"",
        "\";\"",
        "\"$HOME\"",
        "\"${unset}\"",
        "\"$\"",
        "\"a$\"",
        "\"\\$x\"",
        "\"!\"",
        "\"#\"",
        "\"~\"",
        "\"*\"",
        "\"\n\"",
        "é",
        "世",
        "HEAD@{0}",
        "a=~",
        "a=b:~",
        "\"\\`\"",
        "if",
        "do",
        "done",
        "for",
        "in",
        "time",
        "case",
        "function",
        "-p",
        "x=",
        "x+=1",
        "x[1]=2",
        "'",
        "\"",
        "|",
        "&",
        ";",
        "<",
        ">",
        "(",
        ")",
        "\n",
        " ",
        "\t",
        "=(",
        // What zsh or dash make something of.
        "=xat",
        "$=HOME",
        "$+HOME",
        "\"$~HOME\"",
        "\"$v[1]\"",
        "\"$HOME:h\"",
        "\"${HOME}[1]\"",
        "{abc}",
        "1-5",
        "HEAD^",
        "^a",
        "a#b",
        "~1",
        "~+",
        "repeat",
        "noglob",
        "nocorrect",
        "foreach",
        "end",
        "-",
        "path",
        "}",
        "{",
        "&!",
        "$:",
        "$/",
        "$.",
        "$'a\\tb'",
        "$'\\x2dx\\\\'",
        "$'a\\'b'",
        "$'\\e'",
        "\"$'x'\"",
        "\"a$\\|b\"",
        "$((1+2))",
        "\"$((2 * 3))\"",
        "$((x))",
        "${v:-a}",
        "\"${w%.c}\"",
        "\"${v:-<a b>}\"",
        "${#v}",
        "${v:0:1}",
        "\"$v:\"",
        "\"$v: $w\"",
        "\"$v:8\"",
        "$v",
        "$vé",
        "$é",
        "$v[1]",
        "${v}",
        "$BIN",
        "==",
        "===",
        "fi",
        "then",
        "esac",
        "[[",
        "]]",
        "-n",
    ];
    random.pick(PIECES).to_owned()
}

pub(crate) fn word(random: &mut Random) -> String {
    (0..=random.below(3)).map(|_| piece(random)).collect()
}

fn simple(random: &mut Random) -> String {
    const REDIRECTIONS: &[&str] = &[
        "2>&1 ",
        ">/dev/null",
        "2>/dev/null",
        "</dev/null",
        "&>/dev/null",
        ">&2 ",
        "<<< a",
        "<<< 'a b'",
        ">|/dev/null",
        ">>/dev/null",
        "0</dev/null",
        "1>&2 ",
        "12>/dev/null",
        ">& /dev/null",
        "&>>/dev/null",
        "<1-5>",
        ">!/dev/null",
        "{v}>/dev/null",
    ];
    let mut text = String::new();
    if random.below(12) == 0 {
        text.push_str(random.pick(&["CI=1 ", "RUST_LOG=a,b ", "LC_ALL=C ", "x=y ", "x='a b' "]));
    }
    if random.below(15) == 0 {
        text.push_str(random.pick(REDIRECTIONS));
        text.push(' ');
    }
    text.push_str(random.pick(PROGRAMS));
    for _ in 0..random.below(4) {
        text.push_str(random.pick(&[" ", " ", " ", "  ", "\t", " \\\n", "", "\\\n"]));
        text.push_str(&if random.below(12) == 0 { random.pick(REDIRECTIONS).to_owned() } else { word(random) });
    }
    text
}

/// What decides a branch.
fn condition(random: &mut Random, depth: usize) -> String {
    match random.below(8) {
        0 => format!("[ -n {} ]", word(random)),
        1 => format!("[ \"$v\" {} {} ]", random.pick(&["=", "!=", "==", "-eq"]), word(random)),
        2 => format!("[[ -n {} ]]", word(random)),
        3 => format!(
            "[[ {} {} {} ]]",
            word(random),
            random.pick(&["==", "!=", "=~", "<", "-ef", "-eq", "&&"]),
            word(random)
        ),
        4 => line(random, depth + 1),
        5 => "! xaf".to_owned(),
        _ => random.pick(&["xat", "xaf", "xat a && xbf", "xaf; xbt"]).to_owned(),
    }
}

/// A branch or a loop that ends.
fn compound(random: &mut Random, depth: usize) -> String {
    let (one, two) = (line(random, depth + 1), line(random, depth + 1));
    let value = random.pick(&["v=a", "v=b/c", "w=x.c", "v='a b'", "v=$((1+2))", "v=1", ":"]);
    let used = random.pick(&[
        "\"$v\"",
        "$v",
        "a$v",
        "\"${w%.*}\"",
        "${v:-z}",
        "\"$((v+1))\"",
        "$((v*2))",
        "${#v}",
        "\"$v$w\"",
        "${w##*.}",
    ]);
    let behind = random.pick(&["", "", "; xdt \"$v\"", "; xdt $v a", " | xbt", " 2>&1", " >/dev/null", " && xct"]);
    let text = match random.below(9) {
        0 => format!("if {}; then {one}; else {two}; fi", condition(random, depth)),
        1 => format!(
            "if {}\nthen {value}; {one}\nelif {}; then xbt {used}; else v=c; fi",
            condition(random, depth),
            condition(random, depth)
        ),
        2 => format!("{value}; if {}; then xat {used}; {one}; fi", condition(random, depth)),
        3 => format!("while read -r v w; do xat {used}; {one}\ndone <<'E'\na b.c\n-x y\n\nE\n"),
        4 => format!("{value}; while {}; do xat {used}; {one}\n\nbreak\n\ndone", condition(random, depth)),
        5 => format!(
            "{value}; until {}; do xbt {used}; v=d; {one}\n\nbreak\n\ndone",
            random.pick(&["xaf", "xat", "read -r w </dev/null"])
        ),
        6 => format!(
            "case {} in {}) {one};; ({}|{}) xbt {used};; *) {value}; {two} ;; esac",
            word(random),
            word(random),
            random.pick(&["a", "*.c", "[ab]*", "'x y'", "\"$v\""]),
            word(random)
        ),
        7 => format!(
            "for v in a b.c {}; do if {}; then {}; fi; xat {used}; w=$v; done",
            random.pick(&["", "d", "*", "$w"]),
            condition(random, depth),
            random.pick(&["continue", "break", "w=e", "v=f; continue"])
        ),
        _ => format!("n=0; for i in a b c; do n=$((n + 1)); xat {used} $n \"f$n\"; done; xbt $n"),
    };
    format!("{text}{behind}")
}

/// A command line at random.
pub(crate) fn line(random: &mut Random, depth: usize) -> String {
    const SEPARATORS: &[&str] = &[
        "; ",
        ";",
        "\n",
        " && ",
        "&&",
        " || ",
        "||",
        " | ",
        "|",
        " |& ",
        " # a 'b\n",
        "&&\n",
        "|\n",
        " ;\n\n",
        " &&\\\n",
        " & ",
        ";;",
        " ",
    ];
    let mut text = String::new();
    for index in 0..=random.below(3) {
        if index > 0 {
            text.push_str(random.pick(SEPARATORS));
        }
        text.push_str(random.pick(&[
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "",
            "! ",
            "time ",
            " ",
            "!",
            "time -p ",
            "noglob ",
            "- ",
            "repeat 2 ",
            "nocorrect ",
        ]));
        let command = match random.below(26) {
            0 if depth < 3 => format!("({})", line(random, depth + 1)),
            1 if depth < 3 => format!("{{ {}; }}", line(random, depth + 1)),
            2 if depth < 3 => format!("{{ {}\n}} 2>&1", line(random, depth + 1)),
            3 if depth < 3 => {
                let name = random.pick(&["v", "v", "v", "path", "fpath", "argv", "status", "IFS"]);
                format!("for {name} in {} {}; do {}; done", word(random), word(random), line(random, depth + 1))
            }
            4 => {
                let quote = random.pick(&["'E'", "\"E\"", "E", "\\E", "'E F'"]);
                let dash = random.pick(&["", "-"]);
                let after = random.pick(&["", " a", " | xbt", "; xbt b", " && xdt"]);
                format!("xat <<{dash}{quote}{after}\n{}\n\tE\n{}\nE\n", word(random), word(random))
            }
            5 => format!("xat \"$v\" {}", word(random)),
            8 | 9 => {
                let name = random.pick(&["v", "v", "w", "file", "out", "BIN", "BIN", "COLUMNS", "FooBar"]);
                let value = match random.below(4) {
                    0 => word(random),
                    1 => "a/b.c".to_owned(),
                    2 => "'a b'".to_owned(),
                    _ => "x-1".to_owned(),
                };
                let between = random.pick(&[
                    "; ",
                    "; ",
                    " && ",
                    " || ",
                    "\n",
                    " | ",
                    "; read v </dev/null; ",
                    "; unset w; ",
                    "; v=q : ; ",
                    "; BIN=q xbt; ",
                    "; BIN=q export X=1; ",
                    "; export X=1; ",
                    "; export BIN=q; ",
                    "; IFS=- : ; ",
                    "; SECONDS=v=1; ",
                ]);
                let word = word(random);
                let used = random.pick(&[
                    "$v",
                    "\"$v\"",
                    "$file/a",
                    "\"$out\"",
                    "${v}b",
                    "$w",
                    "$v$file",
                    "a$v",
                    "$BIN",
                    "\"$BIN/$v\"",
                    "\"$COLUMNS\"",
                    "$FooBar",
                ]);
                format!("{name}={value}{between}xat {used} {word}")
            }
            10 if depth < 3 => {
                let used = random.pick(&["$v", "\"$v\"", "$v/a", "${v}b"]);
                let more = random.pick(&["", "", "; v=c", "; w=$v", "; break", " && xbt $v"]);
                let after = random.pick(&["", "; xdt \"$v\"", "; xdt $v", "; xdt \"$w\""]);
                format!(
                    "for v in a b/c {}; do xat {used}{more}; done{after}",
                    random.pick(&["", "d", "'e f'", "*", "$v"])
                )
            }
            6 if depth < 3 => {
                let inside = line(random, depth + 1);
                let (open, close) =
                    *random.pick_from(&[("", ""), ("\"", "\""), ("a", "b"), ("\"a ", " b\""), ("x=", "")]);
                format!("xat {}{open}$({inside}){close} {}", random.pick(&["", "", "a "]), word(random))
            }
            7 => {
                let name = random.pick(&["cat", "cat", "cat", "xbt", "cat -"]);
                let quote = random.pick(&["'E'", "'E'", "'E'", "\"E\"", "E", "'E F'"]);
                let after = random.pick(&["", "", "", "; xbt", " ", "\n", "x"]);
                let body: String = (0..random.below(4)).map(|_| format!("{}\n", word(random))).collect();
                format!("xat a\"$({name} <<{quote}\n{body}E\n{after})\"{}", word(random))
            }
            11..=15 if depth < 3 => compound(random, depth),
            _ => simple(random),
        };
        text.push_str(&command);
    }
    text.push_str(random.pick(&["", "", "", "\n", " ", " # end", ";"]));
    text
}
