//! Configs and scripts that cannot run.

use std::error::Error;

use windtunnel_spi::RuntimeErrorKind;

use crate::stage::Stage;

const TOOLING: &str = "[tooling.crm]\nkind = \"mcp\"\ntransport = \"stdio\"\ncommand = \"none\"\n";

#[tokio::test]
async fn a_tooling_that_the_pack_does_not_have_is_named_beside_those_that_it_has() {
    let stage = Stage::new("()").config(TOOLING);
    let error = stage.provision(&["orders", "mail"]).await.err().unwrap();
    assert_eq!(error.kind(), RuntimeErrorKind::Config);
    insta::assert_snapshot!(error, @"the config has [tooling.crm], but the pack has no tool server of that name (it has orders, mail): add [tools.crm] to its pack.toml");
    let error = stage.provision(&[]).await.err().unwrap();
    assert!(error.to_string().contains("(it has none)"), "{error}");
}

#[tokio::test]
async fn a_config_that_is_malformed_is_told_with_its_runtime_and_its_place() {
    let error = Stage::new("()").config("nobody = 1\nagents.bob = 2\n").runtime().err().unwrap();
    assert_eq!(error.kind(), RuntimeErrorKind::Config);
    let text = error.to_string();
    assert!(text.starts_with("runtimes.bot: ") && text.contains("omw.toml:4:"), "{text}");
}

#[tokio::test]
async fn a_script_that_does_not_compile_keeps_the_run_from_starting() {
    let error = Stage::new("let x = ;").provision(&[]).await.err().unwrap();
    assert_eq!(error.kind(), RuntimeErrorKind::Start);
    assert!(error.to_string().contains("agent \"alice\""), "{error}");
    assert!(error.source().is_some());
}
