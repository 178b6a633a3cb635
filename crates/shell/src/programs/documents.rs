//! Programs that make documents and sites from text.

use super::class::Class;
use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::file_use::FileUse;
use super::interactive::Interactive;
use super::shared::{PYTHON_INTERACTIVE, RECURSIVE_IN_POWERSHELL};
use super::spec::{Operands, PLAIN, SAYS_VERSION, SHELL_TEXT, Spec, VIEWER, WRITES, looks};
use super::{Program, UNLISTED, commands, later, never, options, runner};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "bat batcat",
        source: "bat(1)",
        class: Class::Options(&Spec {
            flags: "pnAfuhVPS",
            valued: "lrHmt",
            long: "help version plain number show-all language: line-range: highlight-line: theme: style: \
                color: decorations: wrap: tabs: terminal-width: diff diff-context: map-syntax: squeeze-blank \
                list-languages list-themes italic-text: no-paging paging=never unbuffered file-name: \
                ignored-suffix: binary: strip-ansi: acknowledgements",
            refused: &[("--pager --paging --config-file --generate-config-file --diagnostic cache --lessopen", Runs)],
            ..VIEWER
        }),
        first_name: "bat",
        ..UNLISTED
    },
    Program {
        names: "pandoc",
        source: "pandoc(1), \"General options\", \"Reader options\", \"General writer options\"",
        class: Class::Options(&Spec {
            flags: "sN",
            long: "standalone toc table-of-contents toc-depth: wrap: columns: number-sections \
                shift-heading-level-by: strip-comments tab-stop: preserve-tabs ascii markdown-headings: eol: \
                dpi: quiet verbose help version list-input-formats list-output-formats list-extensions \
                to=html to=html5 to=markdown to=gfm to=plain to=commonmark to=latex to=rst to=org to=json \
                to=native to=man to=docbook to=asciidoc to=mediawiki from=markdown from=gfm from=html \
                from=commonmark from=rst from=org from=latex from=docx from=json t=html t=html5 t=markdown \
                t=gfm t=plain t=commonmark t=latex t=rst t=org t=json t=native t=man t=asciidoc f=markdown \
                f=gfm f=html f=commonmark f=rst f=org f=latex f=docx f=json",
            refused: &[
                (
                    "-F --filter -L --lua-filter -d --defaults -t --to -w --write -f --from -r --read \
                        --pdf-engine",
                    Runs,
                ),
                ("-o --output --extract-media --log --print-default-template", Writes),
                (
                    "--template --data-dir --metadata-file -H --include-in-header -B -A --css -c --self-contained \
                        --embed-resources --resource-path --bibliography --csl --citeproc -C --reference-doc \
                        --request-header",
                    Loads,
                ),
            ],
            ..VIEWER
        }),
        files: FileUse { written: "-o --output", ..FileUse::PLAIN },
        ..UNLISTED
    },
    options(
        "glow mdcat",
        "glow --help; mdcat(1)",
        &Spec {
            flags: "h",
            valued: "w",
            long: "help version width: local columns: no-colour ansi",
            refused: &[("-p --pager -P --paginate -s --style --config -t --tui", Runs)],
            // glow: `github.com/OWNER/REPOSITORY` is fetched.
            holding: &[("github", Sends), ("gitlab", Sends)],
            ..VIEWER
        },
    ),
    options(
        "delta difft icdiff diffstat wdiff dwdiff",
        "delta --help; difft --help; diffstat(1); wdiff(1)",
        &Spec {
            flags: "nsuNhp",
            long: "help version side-by-side line-numbers color: display: no-gitconfig width: context: \
                list-languages numbers ignore-case statistics",
            refused: &[(
                "--pager --paging --diff-highlight --config --features -C -S -d -o -a --auto-pager --override",
                Runs,
            )],
            // diffstat(1) unpacks with a command line.
            holding: SHELL_TEXT,
            ..VIEWER
        },
    ),
    Program {
        names: "hexyl",
        source: "hexyl --help",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "vhVC",
            valued: "nscb",
            long: "help version length: skip: bytes: block-size: no-squeezing color: border: plain \
                no-characters display-offset: panels: base:",
            operands: Operands::InsideAtMost(1),
            ..PLAIN
        }),
        ..UNLISTED
    },
    Program {
        names: "eza exa lsd",
        source: "eza(1); lsd --help",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            flags: "1laAdFRTrhsHigSBbuUmtZx@DfG?IXL#",
            valued: "w",
            long: "help version oneline long grid across recurse tree level: classify color: colour: icons \
                icons: all list-dirs sort: group-directories-first git-ignore ignore-glob: only-dirs \
                only-files binary bytes group header links inode modified time: total-size blocksize \
                accessed created time-style: no-permissions no-filesize no-user no-time git no-git extended \
                human-readable numeric reverse hyperlink smart-group octal-permissions depth: size: date: \
                blocks: permission: total-size timesort sizesort extensionsort",
            ..VIEWER
        }),
        ..UNLISTED
    },
    commands(
        "mkdocs hugo jekyll zola mdbook docusaurus gitbook nikola hexo lektor middleman",
        "Hugo documentation, \"hugo\"; MkDocs documentation, \"Command Line Interface\"; mdBook \
            documentation",
        &[&[looks("version help --version --help")]],
    ),
    // Each operand is a folder, or a file of settings.
    options(
        "eleventy sphinx-build sphinx-autobuild sphinx-quickstart vuepress vitepress pelican antora \
            asciidoctor-pdf",
        "sphinx-build(1); Pelican and Antora documentation, \"Command line\"",
        &SAYS_VERSION,
    ),
    options(
        "asciidoctor asciidoc rst2html rst2html.py rst2man rst2latex markdown markdown_py cmark \
            cmark-gfm lowdown multimarkdown marked kramdown redcarpet",
        "asciidoctor(1); documentation, \"Configuration\"; marked --help",
        &Spec {
            flags: "hv",
            long: "help version verbose quiet",
            refused: &[
                (
                    "-r --require -I --load-path -T --template-dir -E --template-engine -b --backend -a \
                        --attribute -S --safe-mode --config -x --extension --hook -c",
                    Runs,
                ),
                ("-o --out-file --output -D --destination-dir -f -B --base-dir", Writes),
            ],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    Program {
        names: "jupyter",
        source: "Jupyter and Quarto documentation, \"Command line\"",
        sets: later::NOTEBOOKS,
        class: Class::Never("runs the code of notebooks"),
        interactive: &[Interactive::As(&[&["console"]])],
        ..UNLISTED
    },
    never(
        "jupyter-lab jupyter-notebook jupyter-nbconvert nbconvert papermill quarto marimo knitr \
            livebook",
        "Jupyter and Quarto documentation, \"Command line\"",
        "runs the code of notebooks",
    ),
    Program {
        names: "ipython",
        source: "Jupyter and Quarto documentation, \"Command line\"; IPython documentation, \"System shell access\"",
        sets: later::NOTEBOOKS,
        is: &[Fact::TakesCommands],
        class: Class::Never("runs the code of notebooks"),
        interactive: PYTHON_INTERACTIVE,
        ..UNLISTED
    },
    never(
        "groff troff nroff tbl eqn pic refer soelim mandoc man2html makeinfo texi2any texi2pdf \
            texi2dvi context tectonic latexmk arara bibtex biber makeindex dvips dvipdfm dvipdfmx \
            dvisvgm typst sile lout weasyprint prince wkhtmltoimage unoconv soffice libreoffice lowriter \
            abiword antiword catdoc docx2txt odt2txt html2text",
        "groff(1); latexmk(1); typst help; soffice --help",
        "writes files, and may run what a document says",
    ),
    Program {
        names: "pdftex",
        source: "groff(1); latexmk(1); typst help; soffice --help",
        is: &[Fact::ReadsLanguage],
        class: Class::Never("writes files, and may run what a document says"),
        ..UNLISTED
    },
    options(
        "texcount chktex lacheck detex untex",
        "texcount -help; chktex(1)",
        &Spec {
            flags: "qhv",
            long: "help version",
            refused: &[("-l --localrc -o --output -p", Loads), ("-out -opt", Writes)],
            operands: Operands::InsideAtMost(1),
            ..PLAIN
        },
    ),
    never(
        "aspell hunspell ispell nuspell languagetool",
        "aspell(1); hunspell(1)",
        "changes the files that it checks and its word lists",
    ),
    never(
        "doxygen javadoc jsdoc typedoc esdoc yardoc yard rdoc pydoc pydoc3 pdoc pdoc3 sphinx-apidoc \
            ldoc haddock ex_doc scaladoc dokka swagger-cli redoc-cli redocly widdershins docfx \
            naturaldocs",
        "doxygen(1); TypeDoc and JSDoc documentation, \"Command line\"",
        "loads the project's code and settings, and writes a folder",
    ),
    Program {
        names: "ri",
        source: "doxygen(1); TypeDoc and JSDoc documentation, \"Command line\"",
        class: Class::Never("loads the project's code and settings, and writes a folder"),
        destroys: &[RECURSIVE_IN_POWERSHELL],
        ..UNLISTED
    },
    runner("fpp slides mdp presenterm lookatme patat reveal-md decktape marp", "marp --help; reveal-md documentation"),
    never("xlsx2csv xls2csv ssconvert gnumeric visidata vd sc-im", "visidata --help; ssconvert(1)", WRITES),
    never("bvi hexedit ncdu gdu dua", "hexedit(1); ncdu(1), \"KEYS\"", "changes or removes files when keys are typed"),
    Program {
        names: "broot",
        source: "hexedit(1); ncdu(1), \"KEYS\"",
        class: Class::Never("changes or removes files when keys are typed"),
        interactive: &[Interactive::Terminal],
        ..UNLISTED
    },
    Program {
        names: "mogrify convert magick ffmpeg pdflatex latex xelatex lualatex tex gs",
        source: "mogrify(1), convert(1), magick(1) and the manual page of each other",
        is: &[Fact::ReadsLanguage],
        class: Class::Writer,
        ..UNLISTED
    },
    Program { names: "wkhtmltopdf", source: "wkhtmltopdf(1)", class: Class::Writer, ..UNLISTED },
    Program {
        names: "etex luatex xetex",
        source: "etex(1), luatex(1), xetex(1)",
        is: &[Fact::ReadsLanguage],
        ..UNLISTED
    },
];
