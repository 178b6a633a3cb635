//! A person at a terminal: a real xterm on a display of its own, and keys that are pressed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// How long to wait for something that ought to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// An xterm with a shell in it, and its keyboard. Both end when it is dropped.
#[derive(Debug)]
pub struct Person {
    display: Child,
    terminal: Child,
    name: String,
    home: TempDir,
}

impl Person {
    /// Opens the terminal, and waits for its shell.
    ///
    /// # Errors
    /// When there is no display or no xterm.
    pub fn start() -> Result<Self> {
        let home = tempfile::tempdir()?;
        let mut display = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1000x800x24", "-nolisten", "tcp", "-noreset"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("Xvfb")?;
        let mut number = String::new();
        BufReader::new(display.stdout.take().context("no output")?).read_line(&mut number)?;
        let name = format!(":{}", number.trim());
        let terminal = Command::new("xterm")
            .args(["-display", &name, "-geometry", "100x40+0+0"])
            .env("SHELL", "/bin/bash")
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("xterm")?;
        let this = Self { display, terminal, name, home };
        let ready = this.home.path().join("ready");
        let begin = Instant::now();
        while !ready.exists() {
            ensure!(begin.elapsed() < PATIENCE, "the terminal does not take what is typed");
            this.type_line(&format!("touch {}", ready.display()))?;
        }
        Ok(this)
    }

    /// Types a line and presses Enter.
    ///
    /// # Errors
    /// When `xdotool` fails.
    pub fn type_line(&self, line: &str) -> Result<()> {
        // Without a window manager, what is below the pointer gets the keys.
        self.xdotool(&["mousemove", "200", "200"])?;
        self.xdotool(&["type", "--delay", "2", "--", line])?;
        self.press("Return")
    }

    /// Presses one key.
    ///
    /// # Errors
    /// When `xdotool` fails.
    pub fn press(&self, key: &str) -> Result<()> {
        self.xdotool(&["key", key])
    }

    /// Types `line`, then presses `keys` in turn, again and again, until the line has ended. Gives its exit code.
    ///
    /// # Errors
    /// When it does not end.
    pub fn runs(&self, line: &str, keys: &[&str]) -> Result<i32> {
        let ended = self.home.path().join("ended");
        if ended.exists() {
            std::fs::remove_file(&ended)?;
        }
        let file = ended.display();
        self.type_line(&format!("{line}; echo $? > {file}.new; mv {file}.new {file}"))?;
        let begin = Instant::now();
        while !ended.exists() {
            ensure!(begin.elapsed() < PATIENCE, "`{line}` does not end");
            for key in keys {
                self.press(key)?;
            }
            std::thread::yield_now();
        }
        // What was pressed too often is not part of the next line.
        self.press("ctrl+c")?;
        Ok(std::fs::read_to_string(&ended)?.trim().parse()?)
    }

    /// A folder of the person's own.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    fn xdotool(&self, words: &[&str]) -> Result<()> {
        let status = Command::new("xdotool").args(words).env("DISPLAY", &self.name).status().context("xdotool")?;
        ensure!(status.success(), "xdotool {words:?}: {status}");
        Ok(())
    }
}

impl Drop for Person {
    fn drop(&mut self) {
        for child in [&mut self.terminal, &mut self.display] {
            // It may have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
