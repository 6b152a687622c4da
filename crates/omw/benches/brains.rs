//! What scripts cost: to load, to run at all, and for each call of the host, through a whole run with a scripted model.

#![expect(clippy::unwrap_used, reason = "the config and the scripts have no faults")]

use std::sync::Arc;

use camino::Utf8PathBuf;
use divan::Bencher;
use divan::counter::ItemsCount;
use omw::config::{Config, Source, load};
use omw::prelude::*;
use tempfile::TempDir;

fn main() {
    divan::main();
}

const CHATS: usize = 10_000;

/// A brain in one language.
#[derive(Debug, Clone, Copy)]
enum Language {
    Rhai,
    #[cfg(feature = "js")]
    Js,
}

const LANGUAGES: &[Language] = &[
    Language::Rhai,
    #[cfg(feature = "js")]
    Language::Js,
];

impl Language {
    fn runtime(self) -> Box<dyn Runtime> {
        match self {
            Self::Rhai => Box::new(Rhai::new()),
            #[cfg(feature = "js")]
            Self::Js => Box::new(Js::new()),
        }
    }

    fn chats(self, chats: usize) -> String {
        match self {
            Self::Rhai => format!(
                "let p = omw::provider::get(\"llm\");\n\
                 for i in 0..{chats} {{ p.chat(\"m\", [#{{role: \"user\", content: \"hello\"}}], []); }}"
            ),
            #[cfg(feature = "js")]
            Self::Js => format!(
                "const p = omw.provider.get('llm');\n\
                 for (let i = 0; i < {chats}; i++) p.chat('m', [{{role: 'user', content: 'hello'}}], []);"
            ),
        }
    }
}

/// An agent, its script in a folder of its own, and the tokio runtime that its runs use.
struct Agent {
    folder: TempDir,
    config: Arc<Config>,
    tokio: tokio::runtime::Runtime,
}

impl Agent {
    fn new(language: Language, script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let kind = language.runtime().kind().to_owned();
        let config = format!(
            "agents.a = {{ runtime = \"r\", script = \"brain\" }}\nruntime.r = {{ kind = \"{kind}\" }}\n\
             providers.llm = {{ kind = \"mock\", turns = [{{ content = \"hi\" }}] }}"
        );
        std::fs::write(folder.path().join("brain"), script).unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().join("omw.toml")).unwrap();
        std::fs::write(&path, config).unwrap();
        let config = Arc::new(load(&Source::file(path)).unwrap().config);
        Self { folder, config, tokio: tokio::runtime::Runtime::new().unwrap() }
    }

    fn run(&self) -> RunReport {
        let run = Run::builder(Arc::clone(&self.config), &Registries::standard());
        self.tokio.block_on(async { run.start().await.unwrap().finish().await })
    }
}

#[divan::bench(args = LANGUAGES)]
fn load_script(bencher: Bencher, language: Language) {
    let agent = Agent::new(language, &language.chats(1));
    let script = Utf8PathBuf::from_path_buf(agent.folder.path().join("brain")).unwrap();
    let runtime = language.runtime();
    bencher.bench(|| runtime.load(&script).unwrap());
}

#[divan::bench(args = LANGUAGES)]
fn run_of_one_chat(bencher: Bencher, language: Language) {
    let agent = Agent::new(language, &language.chats(1));
    bencher.bench(|| agent.run());
}

#[divan::bench(args = LANGUAGES, sample_count = 5)]
fn run_of_many_chats(bencher: Bencher, language: Language) {
    let agent = Agent::new(language, &language.chats(CHATS));
    bencher.counter(ItemsCount::new(CHATS)).bench(|| agent.run());
}
