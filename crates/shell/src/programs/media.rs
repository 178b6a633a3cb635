//! Pictures, sound, video and documents: most of them write their last operand.

use super::class::Class;
use super::danger::danger;
use super::effect::Effect::{Loads, Runs, Sends, Writes};
use super::fact::Fact;
use super::printer::printer;
use super::shared::WL_PASTE_PRINTS;
use super::spec::{Operands, PLAIN, Spec, Style, VIEWER, WRITES};
use super::{Program, UNLISTED, never, options, outsider, runner};

pub(super) const PROGRAMS: &[Program] = &[
    options(
        "exiftool",
        "exiftool(1), \"OPTIONS\"",
        &Spec {
            style: Style::Words,
            long: "a b c d e ee f fast fast2 G G0 G1 g g1 h H htmlDump l long lang m n s s1 s2 s3 S short sort \
                T t u U v ver q r",
            refused: &[
                // A format is Perl, and so is a condition.
                (
                    "p printFormat if if2 if3 if4 api userParam config require use execute stay_open common_args \
                        i p- -p",
                    Runs,
                ),
                ("@ argfile diff TagsFromFile tagsFromFile tagsfromfile geotag csv json+ import", Loads),
                (
                    "o out w W textOut tagOut overwrite_original overwrite_original_in_place delete_original \
                        restore_original efile d%",
                    Writes,
                ),
            ],
            // A name that ends with it is a command for old versions.
            holding: &[("|", Runs)],
            // `-TAG=value` and `TAG<TAG` write.
            operands: Operands::Inside,
            ..PLAIN
        },
    ),
    options(
        "identify",
        "ImageMagick, \"Command-line Tools: Identify\"",
        &Spec {
            style: Style::Words,
            long: "verbose ping quiet version help list",
            refused: &[("write set define debug regard-warnings format authenticate", Writes)],
            // `ephemeral:x` removes the file, `msl:x` is a script, `@x` a list.
            holding: &[(":", Runs), ("@", Loads), (".msl", Runs), (".mvg", Loads)],
            ..VIEWER
        },
    ),
    never(
        "composite montage conjure display animate compare stream gm vips vipsthumbnail",
        "ImageMagick, \"Command-line Tools\"; gm(1); vips(1)",
        WRITES,
    ),
    options(
        "ffprobe mediainfo soxi",
        "ffprobe(1); mediainfo --help; soxi(1)",
        &Spec {
            style: Style::Words,
            long: "v loglevel hide_banner show_format show_streams show_frames show_packets show_chapters \
                show_programs show_entries of print_format select_streams count_frames count_packets pretty \
                sexagesimal unit prefix version h help show_error show_private_data t r c s d D b B T -Full \
                -Version -Help --Full",
            refused: &[
                (
                    "i f o report protocol_whitelist protocol_blacklist safe headers cookies http_proxy \
                        user_agent init_hw_device read_intervals find_stream_info show_log",
                    Loads,
                ),
                ("Inform LogFile -Inform -LogFile -Output", Writes),
            ],
            // What stands in front of a colon is a protocol, which may reach another one: `tcp:host:80`,
            // `async:http:host`, `concat:x` (ffmpeg-protocols(1)).
            holding: &[(":", Sends), ("subfile", Loads), ("lavfi", Runs)],
            ..VIEWER
        },
    ),
    never(
        "ffplay sox play rec mplayer mpv vlc cvlc mencoder HandBrakeCLI lame flac oggenc opusenc \
            oggdec opusdec mpg123 aplay arecord espeak espeak-ng melt gst-launch-1.0 obs x264 x265 \
            mkvmerge mkvextract MP4Box mp4box",
        "sox(1); mpv(1); gst-launch-1.0(1); mkvmerge(1)",
        "writes files, opens addresses or runs scripts",
    ),
    Program {
        names: "say",
        source: "sox(1); mpv(1); gst-launch-1.0(1); mkvmerge(1)",
        is: &[Fact::OnlyNames],
        class: Class::Never("writes files, opens addresses or runs scripts"),
        ..UNLISTED
    },
    Program {
        names: "pdfinfo pdffonts",
        source: "pdfinfo(1); pdffonts(1)",
        is: &[Fact::OnlyLooks],
        class: Class::Options(&Spec {
            style: Style::Words,
            long: "box meta js struct struct-text url isodates rawdates dests f l enc listenc opw upw subst v h \
                help",
            operands: Operands::InsideAtMost(1),
            ..PLAIN
        }),
        ..UNLISTED
    },
    options(
        "pdftotext pdftohtml pdftoppm pdftocairo pdftops pdfimages pdfdetach pdfunite pdfseparate \
            pdfattach pdfsig ps2pdf pdf2svg",
        "pdftotext(1), pdftoppm(1), pdfimages(1), pdfunite(1)",
        &Spec {
            style: Style::Words,
            // The text goes to a file beside the first operand; the second operand is the file.
            long: "v h help list listenc",
            refused: &[("o saveall save savefile png jpeg tiff svg ps eps pdf nssdir add-signature", Writes)],
            operands: Operands::None,
            ..PLAIN
        },
    ),
    never(
        "qpdf pdftk mutool pdfcrop pdfjam ocrmypdf tesseract img2pdf pdfcpu djvups ddjvu ghostscript \
            ps2ascii ps2ps xpdf okular evince zathura",
        "qpdf(1); pdftk(1); mutool(1); tesseract(1)",
        WRITES,
    ),
    never(
        "dot neato circo fdp sfdp twopi osage patchwork gvpr plantuml mmdc d2 ditaa blockdiag seqdiag \
            nomnoml structurizr pikchr asy mscgen",
        "dot(1); PlantUML documentation, \"Command line\"; d2 --help",
        "writes files, and includes what its input names",
    ),
    never(
        "optipng pngcrush pngquant oxipng zopflipng advpng jpegoptim jpegtran cjpeg djpeg cwebp dwebp \
            gif2webp avifenc avifdec cjxl djxl gifsicle svgo scour inkscape rsvg-convert cairosvg \
            potrace autotrace krita darktable-cli rawtherapee-cli dcraw heif-convert basisu \
            toktx",
        "optipng(1); jpegoptim(1); cwebp(1); inkscape(1)",
        WRITES,
    ),
    Program {
        names: "gimp gimp-console blender",
        source: "gimp(1), `--batch`; Blender Manual, \"Command Line Arguments\": `--python-expr`",
        is: &[Fact::TakesCommands],
        class: Class::Never("writes files, and runs the programs in its arguments"),
        ..UNLISTED
    },
    options(
        "pngcheck jpeginfo webpinfo pnginfo gifinfo fc-list fc-match fc-query fc-scan otfinfo",
        "pngcheck(1); jpeginfo(1); fc-list(1)",
        &Spec {
            flags: "qvcphl",
            long: "help version verbose quiet",
            refused: &[("-d -m --delete --mode -f --files --file -s -x", Writes)],
            ..VIEWER
        },
    ),
    never(
        "openscad freecad freecadcmd cura slic3r prusa-slicer meshlab meshlabserver assimp obj2gltf \
            gltf-pipeline gltf-transform",
        "OpenSCAD manual, \"Using OpenSCAD in a command line environment\"",
        "writes files and runs scripts",
    ),
    Program {
        is: &[Fact::Types],
        sets: &[danger("", "", "types and clicks in the windows of other programs")],
        ..never(
            "xdotool ydotool wtype",
            "xdotool(1); xclip(1); scrot(1)",
            "types, clicks, or reads the clipboard and the screen",
        )
    },
    Program {
        names: "dotool dotoolc wlrctl xte xvkbd xmacroplay",
        source: "dotool(1), wlrctl(1), xte(1) and the manual page of each other",
        is: &[Fact::Types],
        class: Class::Never("types, clicks, or reads the clipboard and the screen"),
        ..UNLISTED
    },
    // In other languages `import` begins a line: only with this option it is the program.
    Program {
        sets: &[danger("", "-window", "takes a picture of the screen")],
        ..never("import", "import(1), \"-window\"", "takes a picture of the screen")
    },
    Program {
        sets: &[danger("", "", "takes a picture of the screen")],
        ..outsider(
            "scrot maim grim flameshot gnome-screenshot spectacle screencapture ffcast xwd",
            "scrot(1), xwd(1) and the manual page of each other",
            "takes a picture of the screen",
        )
    },
    outsider(
        "wmctrl wl-copy zenity kdialog yad notify-send",
        "xdotool(1); xclip(1); scrot(1)",
        "types, clicks, or reads the clipboard and the screen",
    ),
    Program {
        names: "xclip",
        is: &[Fact::WorksOutside],
        source: "xdotool(1); xclip(1); scrot(1)",
        class: Class::Never("types, clicks, or reads the clipboard and the screen"),
        prints: &[printer("", "xclip(1)").with("o out")],
        ..UNLISTED
    },
    Program {
        names: "xsel",
        is: &[Fact::WorksOutside],
        source: "xdotool(1); xclip(1); scrot(1)",
        class: Class::Never("types, clicks, or reads the clipboard and the screen"),
        prints: &[printer("", "xsel(1x)").with("o output")],
        ..UNLISTED
    },
    Program {
        names: "wl-paste",
        is: &[Fact::WorksOutside],
        source: "xdotool(1); xclip(1); scrot(1)",
        class: Class::Never("types, clicks, or reads the clipboard and the screen"),
        prints: WL_PASTE_PRINTS,
        ..UNLISTED
    },
    runner("Xvfb Xephyr xinit startx weston sway gamescope xpra", "Xvfb(1); xpra(1)"),
    Program {
        sets: &[danger("", "", "connects this screen, or this keyboard, with another machine")],
        ..runner(
            "x11vnc x0vncserver vncserver wayvnc krfb vncviewer rdesktop xfreerdp remmina websockify",
            "x11vnc(1); xfreerdp(1); websockify(1)",
        )
    },
];
