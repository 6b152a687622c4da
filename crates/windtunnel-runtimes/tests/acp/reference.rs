//! Self-tests: the model is a script, the program is real.

use serde_json::json;
use windtunnel_api::artifact::evidence::Evidence;
use windtunnel_api::artifact::trace::ScriptProgress;
use windtunnel_api::{ReferenceCase, ReferenceDecision, ReferenceKind};
use windtunnel_spi::AgentRuntime;

use crate::support::{Bench, addressed, say};

/// Asks its model what the user says, after it asked for permission to.
const AGENT: &str = "import urllib.request\n\
    def prompt(text):\n\
    \x20   permission('ask')\n\
    \x20   body = {'model': 'm', 'messages': [{'role': 'user', 'content': text}]}\n\
    \x20   headers = {'content-type': 'application/json', 'authorization': 'Bearer ' + os.environ['KEY']}\n\
    \x20   url = os.environ['URL'] + '/chat/completions'\n\
    \x20   request = urllib.request.Request(url, json.dumps(body).encode(), headers)\n\
    \x20   with urllib.request.urlopen(request) as response:\n\
    \x20       say(json.load(response)['choices'][0]['message']['content'])\n\
    \x20   return 'end_turn'";

#[tokio::test]
async fn the_script_answers_in_place_of_the_model() {
    let Some(bench) = Bench::agent(AGENT) else { return };
    let bench = bench.with("inference", json!({"base_url_env": "URL", "api_key_env": "KEY"}));
    let mut case = ReferenceCase::new("known-good", ReferenceKind::Golden, []);
    case.turns = ["75 orders", "bye"].map(|turn| vec![ReferenceDecision::says(turn)]).into();
    let runtime = bench.runtime().unwrap();
    let reference = runtime.reference().unwrap();
    let mut agent =
        reference.provision_reference(bench.config(), &case, vec![addressed("crm")]).await.unwrap();
    for _ in 0..2 {
        agent.reset_state().await.unwrap();
        assert_eq!(say(agent.as_mut(), "How many?").await.unwrap().content, "75 orders");
        assert_eq!(say(agent.as_mut(), "Thanks").await.unwrap().content, "bye");
        let mut evidence = agent.drain_seam().unwrap();
        evidence.sort_by_key(|entry| entry.stamp);
        let kinds: Vec<_> = evidence
            .iter()
            .map(|entry| match &entry.value {
                Evidence::Inference { .. } => "inference",
                Evidence::Observation { .. } => "permission",
                _ => "other",
            })
            .collect();
        assert_eq!(kinds, ["permission", "inference", "permission", "inference"]);
    }
    let progress = ScriptProgress { decisions: 2, consumed: 2, ..ScriptProgress::default() };
    assert_eq!(agent.script_progress(), Some(progress.clone()));
    agent.teardown().await;
    assert_eq!(agent.script_progress(), Some(progress), "it can still be asked");
}
