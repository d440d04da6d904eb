//! Talk to the person: stderr, colours, the one progress line. Must never write data; that goes to stdout.

use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::args::Color;

/// An error, said whatever the options are. A stderr that is gone changes nothing.
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "wildcheck: {text}");
}

/// How to talk.
#[derive(Clone)]
pub struct Talk {
    quiet: bool,
    /// Colours on stdout.
    pub paint: Paint,
}

impl Talk {
    /// From the options and the terminal.
    pub fn new(quiet: bool, color: Color) -> Talk {
        let on = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Talk { quiet, paint: Paint { on } }
    }

    /// One line on stderr.
    pub fn say(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(std::io::stderr(), "{text}");
        }
    }

    /// The progress line: drawn on a terminal only.
    pub fn progress(&self) -> ProgressBar {
        let bar = ProgressBar::no_length();
        if self.quiet || !std::io::stderr().is_terminal() {
            bar.set_draw_target(ProgressDrawTarget::hidden());
            return bar;
        }
        bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template("{spinner} {human_pos} of {human_len} pairs  {per_sec}  {msg}")
        {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Colours, where wanted.
#[derive(Clone, Copy)]
pub struct Paint {
    on: bool,
}

impl Paint {
    fn wrap(self, code: &str, text: &str) -> String {
        if self.on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
    /// Something agrees.
    pub fn good(self, text: &str) -> String {
        self.wrap("32", text)
    }
    /// Something does not.
    pub fn bad(self, text: &str) -> String {
        self.wrap("31", text)
    }
    /// Stands out.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }
    /// Stands back.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
}
