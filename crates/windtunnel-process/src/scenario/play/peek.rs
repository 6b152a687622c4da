use camino::Utf8Path;

#[derive(Debug)]
pub(super) struct Artifact(String);
pub(super) struct Front<'a>(&'a str);
pub(super) struct Outline {
    pub(super) sections: Vec<Section>,
}
pub(super) struct Section {
    pub(super) title: String,
}

impl Artifact {
    pub(super) fn read(folder: &Utf8Path, name: &str) -> Result<Option<Self>, std::io::Error> {
        match std::fs::read_to_string(folder.join(name)) {
            Ok(text) => Ok(Some(Self(text))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
    pub(super) fn front_matter(&self) -> Result<Option<Front<'_>>, std::io::Error> {
        Ok(self
            .0
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---"))
            .map(|(front, _)| Front(front)))
    }
    pub(super) fn outline(&self) -> Outline {
        let titles = self.0.lines().filter(|line| line.starts_with('#'));
        Outline {
            sections: titles
                .map(|line| Section { title: line.trim_start_matches('#').trim().to_owned() })
                .collect(),
        }
    }
}
impl Front<'_> {
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':')).map(str::trim)
    }
}
impl Outline {
    pub(super) fn section(&self, title: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.title.eq_ignore_ascii_case(title))
    }
}
