//! What Python imports from the folder that it runs in.
//!
//! Source: python(1), `-m`, `-c`, `-P`, `-I`; "The initialization of the sys.path module search path".

/// The modules of Python's library, 3.8 to 3.14 (`sys.stdlib_module_names`), but for those that are loaded before
/// the folder counts.
const LIBRARY: &str = "abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect bz2 \
    cProfile calendar cgi cgitb chunk cmath cmd code codeop collections colorsys compileall compression concurrent configparser \
    contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email ensurepip \
    enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob \
    graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 \
    linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder multiprocessing netrc nis nntplib ntpath \
    nturl2path numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib \
    posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource \
    rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 \
    sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sysconfig syslog tabnanny \
    tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc \
    tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser wsgiref xdrlib xml xmlrpc \
    zipapp zipfile zipimport zlib zoneinfo sitecustomize usercustomize";
/// The modules that those of the library import in turn, where they are no part of the program itself.
const PRIVATE: &str = "_aix_support _android_support _apple_support _asyncio _bisect _blake2 _bootsubprocess _bz2 _codecs_cn _codecs_hk \
    _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections_abc _colorize _compat_pickle _compression _contextvars _crypt _csv _ctypes \
    _curses _curses_panel _datetime _dbm _decimal _elementtree _gdbm _hashlib _heapq _hmac _interpchannels _interpqueues _interpreters \
    _ios_support _json _locale _lsprof _lzma _markupbase _md5 _multibytecodec _multiprocessing _opcode _opcode_metadata _osx_support _pickle \
    _posixshmem _posixsubprocess _py_abc _py_warnings _pydatetime _pydecimal _pyio _pylong _queue _random _remote_debugging _scproxy _sha1 \
    _sha2 _sha256 _sha3 _sha512 _socket _sqlite3 _ssl _statistics _string _strptime _struct _sysconfig _threading_local _tkinter _typing _types \
    _uuid _weakrefset _zoneinfo _zstd";
/// Programs that are installed, and what they import at once.
const INSTALLED: &str = "pip mypy mypyc mypy_extensions typing_extensions ruff black blib2to3 flake8 pyflakes pycodestyle pylint astroid isort build twine \
    virtualenv coverage setuptools pkg_resources wheel pipx piptools pyright bandit sphinx docutils jinja2 markupsafe yaml requests urllib3 \
    packaging pathspec platformdirs click tomli pre_commit IPython jupyter yapf pydocstyle vulture radon";
/// Modules that run the project's own code by what they are for.
const RUNS_PROJECT: &str = "pytest unittest doctest coverage tox nox flask django uvicorn gunicorn celery streamlit pdb trace cProfile profile timeit \
    runpy alembic hypercorn scrapy manage";

/// Whether Python, called with `words`, imports what lies in its folder though it is not told to run it.
pub(super) fn imports_from_folder(words: &[&str]) -> bool {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if ["--version", "--help", "-V", "-VV", "-h"].contains(word) {
            return false;
        }
        let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty() && !letters.starts_with('-'))
        else {
            match *word {
                "--check-hash-based-pycs" => _ = rest.next(),
                "-" => return true,
                long if long.starts_with("--") => {}
                // A script is the project's own, or lies elsewhere with what it imports.
                _ => return false,
            }
            continue;
        };
        for (at, letter) in letters.char_indices() {
            let glued = letters.get(at + letter.len_utf8()..).unwrap_or_default();
            match letter {
                'I' | 'P' => return false,
                'm' => {
                    let module = if glued.is_empty() { rest.next().copied().unwrap_or_default() } else { glued };
                    return !super::listed(RUNS_PROJECT, module.split('.').next().unwrap_or(module));
                }
                'c' => return true,
                'W' | 'X' => {
                    if glued.is_empty() {
                        rest.next();
                    }
                    break;
                }
                _ => {}
            }
        }
    }
    true
}

/// Endings of what is imported: `importlib.machinery.all_suffixes()` of CPython and PyPy on every system, and those of
/// Python 2. What an extension has in front of its own names who built it (`.cpython-311-x86_64-linux-gnu.so`, `.abi3.so`),
/// so that none of that is listed.
const SUFFIXES: &[&str] = &[".py", ".pyw", ".pyc", ".pyo", ".so", ".pyd", ".dll", ".sl", ".fwork"];

/// Whether the file at `path`, from the folder in which Python runs, is imported in the place of an installed module; of a
/// folder, which ends with a slash: whether such a file may lie in it.
///
/// A folder without `__init__` never takes the place of a module that is found anywhere (PEP 420, "Specification"), and
/// `python -m` needs `__main__` in it.
pub(super) fn is_imported(path: &str) -> bool {
    match path.split_once('/') {
        None => is_module_file(path, is_installed_module),
        Some((folder, "")) => is_installed_module(folder),
        Some((folder, file)) => {
            is_installed_module(folder) && is_module_file(file, |name| ["__init__", "__main__"].contains(&name))
        }
    }
}

/// Whether `file` is loaded as a module whose name `is` accepts.
fn is_module_file(file: &str, is: fn(&str) -> bool) -> bool {
    let name = file.split('.').next().unwrap_or(file);
    // `imp.get_suffixes()` of Python 2 has `module.so`.
    SUFFIXES.iter().any(|suffix| file.ends_with(suffix)) && (is(name) || name.strip_suffix("module").is_some_and(is))
}

fn is_installed_module(name: &str) -> bool {
    [LIBRARY, PRIVATE, INSTALLED].iter().any(|list| super::listed(list, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_and_a_line_of_code_import_from_the_folder_and_a_script_does_not() {
        let imports =
            |line: &str| imports_from_folder(&line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
        for line in [
            "-m json.tool a.json",
            "-mjson.tool",
            "-B -W ignore -m pip list",
            "-Bm venv x",
            "-c 1",
            "-",
            "-u",
            "-X dev -mast",
        ] {
            assert!(imports(line), "{line}");
        }
        for line in [
            "--version",
            "-V",
            "a.py -m json.tool",
            "-I -m json.tool",
            "-Im json.tool",
            "-P -c 1",
            "-m pytest",
            "-m unittest.main",
        ] {
            assert!(!imports(line), "{line}");
        }
    }

    #[test]
    fn whatever_is_imported_in_the_place_of_an_installed_module_is_known() {
        for path in [
            "json.py",
            "_json.pyc",
            "_strptime.so",
            "argparse.pyw",
            "zlib.cpython-313-x86_64-linux-gnu.so",
            "csv.abi3.so",
            "json.cp313-win_amd64.pyd",
            "jsonmodule.so",
            "pip/",
            "json/__init__.py",
            "json/__init__.pyc",
            "json/__init__.so",
            "json/__init__.cpython-311-x86_64-linux-gnu.so",
            "csv/__init__.abi3.so",
            "csv/__init__.pyd",
            "typing_extensions/__main__.pyc",
        ] {
            assert!(is_imported(path), "{path}");
        }
        for path in [
            "app.py",
            "main.py",
            "setup.py",
            "conftest.py",
            "manage.py",
            "noxfile.py",
            "app/",
            "app/__init__.py",
            "json",
            "code.md",
            "build.rs",
            "build.gradle",
            "types.ts",
            "json/decoder.py",
            "json/__init__.pyi",
            "json/__init__.md",
        ] {
            assert!(!is_imported(path), "{path}");
        }
    }
}
