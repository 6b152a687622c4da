//! Whether to use colours, and which.

use owo_colors::{OwoColorize as _, Style};
use windtunnel_api::event::CaseStatus;

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// Where a terminal shows them and the environment does not say otherwise.
    #[default]
    Auto,
    /// Everywhere.
    Always,
    /// Nowhere.
    Never,
}

impl Colour {
    /// Decides for one stream. `env` looks a variable up.
    ///
    /// | | `NO_COLOR` | `CLICOLOR_FORCE` | terminal | `TERM` | colours |
    /// |---|---|---|---|---|---|
    /// | Always | any | any | any | any | yes |
    /// | Never | any | any | any | any | no |
    /// | Auto | not empty | any | any | any | no |
    /// | Auto | – | not empty, not 0 | any | any | yes |
    /// | Auto | – | – | no | any | no |
    /// | Auto | – | – | yes | dumb | no |
    /// | Auto | – | – | yes | else | yes |
    pub fn resolve(self, is_terminal: bool, env: impl Fn(&str) -> Option<String>) -> bool {
        let set = |name: &str| env(name).filter(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto if set("NO_COLOR").is_some() => false,
            Self::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Self::Auto => is_terminal && set("TERM").is_none_or(|term| term != "dumb"),
        }
    }
}

/// What a piece of text is, as far as its colour goes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Tone {
    Pass,
    Fail,
    Error,
    Skip,
    Strong,
    Faint,
}

impl From<CaseStatus> for Tone {
    fn from(status: CaseStatus) -> Self {
        match status {
            CaseStatus::Passed => Self::Pass,
            CaseStatus::Failed => Self::Fail,
            CaseStatus::Errored => Self::Error,
            CaseStatus::Unsupported | CaseStatus::Cancelled => Self::Skip,
        }
    }
}

/// Paints text, or does not.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    colours: bool,
}

impl Palette {
    pub(super) fn new(colours: bool) -> Self {
        Self { colours }
    }

    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        if !self.colours {
            return text.to_owned();
        }
        let style = match tone {
            Tone::Pass => Style::new().green(),
            Tone::Fail => Style::new().red().bold(),
            Tone::Error => Style::new().magenta().bold(),
            Tone::Skip => Style::new().yellow(),
            Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dimmed(),
        };
        text.style(style).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table() {
        use Colour::{Always, Auto, Never};
        for (colour, no_color, force, terminal, term, expected) in [
            (Always, Some("1"), None, false, None, true),
            (Never, None, Some("1"), true, None, false),
            (Auto, Some("1"), Some("1"), true, None, false),
            (Auto, Some(""), None, true, None, true),
            (Auto, None, Some("1"), false, None, true),
            (Auto, None, Some("0"), false, None, false),
            (Auto, None, Some("0"), true, None, true),
            (Auto, None, None, false, Some("xterm"), false),
            (Auto, None, None, true, Some("dumb"), false),
            (Auto, None, None, true, Some("xterm"), true),
        ] {
            let env = |name: &str| {
                let value = match name {
                    "NO_COLOR" => no_color,
                    "CLICOLOR_FORCE" => force,
                    _ => term,
                };
                value.map(str::to_owned)
            };
            assert_eq!(
                colour.resolve(terminal, env),
                expected,
                "{colour:?} {no_color:?} {force:?} {terminal} {term:?}"
            );
        }
    }
}
