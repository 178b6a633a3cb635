//! Browsers and what drives them.

use super::{Program, SERVES, never};

pub(super) const PROGRAMS: &[Program] = &[
    never(
        "firefox chromium chromium-browser google-chrome google-chrome-stable chrome brave-browser opera epiphany \
            qutebrowser surf nyxt falkon midori sensible-browser www-browser x-www-browser gnome-open kde-open \
            gvfs-open gio-open exo-open wslview browsh carbonyl phantomjs slimerjs casperjs percollate monolith \
            single-file httrack wget2 wpull archivebox scrapy crwl newsboat",
        "chromium(1); httrack(1); wget2(1); Scrapy documentation, \"Command line tool\"",
        "opens addresses, runs what they hold, or writes it to files",
    ),
    never("selenium-manager webdriver-manager", "Selenium documentation, \"Selenium Manager\"", SERVES),
];
