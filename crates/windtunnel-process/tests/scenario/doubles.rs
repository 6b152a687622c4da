//! What stands at the transports of a world.

use serde_json::json;
use windtunnel_process::scenario::Player;
use windtunnel_process::scenario::doubles::FakeControlPlane;
use windtunnel_process::transport::{Comment, ControlPlane, ControlPlaneError, Operation};
use windtunnel_process::{ItemRef, scenario};

use crate::kit::{Folder, STEPS, block_on, setup};

fn item(number: u64) -> ItemRef {
    ItemRef { repo: "e2e/e2e".parse().unwrap(), number }
}

#[test]
fn what_is_posted_and_set_is_served_back_for_each_item_by_itself() {
    block_on(async {
        let control = FakeControlPlane::new("bot");
        control.add_comment(&item(1), "posted").await.unwrap();
        control.receive(&item(1), Comment { author: "owner".to_owned(), body: "received".to_owned() });
        control.set_labels(&item(1), &["a".to_owned(), "b".to_owned()]).await.unwrap();
        let bodies: Vec<String> =
            control.list_comments(&item(1)).await.unwrap().into_iter().map(|comment| comment.body).collect();
        assert_eq!(bodies, ["posted", "received"]);
        assert_eq!(control.get_labels(&item(1)).await.unwrap(), ["a", "b"]);
        assert!(control.list_comments(&item(2)).await.unwrap().is_empty());
        assert!(control.get_labels(&item(2)).await.unwrap().is_empty());
    });
}

#[test]
fn an_operation_that_fails_is_recorded_and_changes_nothing() {
    block_on(async {
        let control = FakeControlPlane::new("bot");
        control.fail([Operation::SetLabels, Operation::AddComment]);
        control.fail([Operation::PostMessage]);
        let error = control.set_labels(&item(1), &["a".to_owned()]).await.unwrap_err();
        assert_eq!(error.to_string(), "set-labels: the control plane is unreachable");
        assert!(control.add_comment(&item(1), "x").await.is_err());
        assert!(control.post_message(&item(1), "x").await.is_err());
        control.restore();
        assert!(control.get_labels(&item(1)).await.unwrap().is_empty());
        let told: Vec<(String, bool)> =
            control.calls().into_iter().map(|call| (call.operation, call.succeeded)).collect();
        let failed = ["set-labels", "add-comment", "post-message"].map(|name| (name.to_owned(), false));
        assert_eq!(told[..3], failed);
        assert_eq!(told[3], ("get-labels".to_owned(), true));
    });
}

#[test]
fn any_other_operation_is_a_breach() {
    block_on(async {
        let control = FakeControlPlane::new("bot");
        assert_eq!(control.breach(), None);
        for operation in ["merge", "close"] {
            let refused = control.call(&item(1), operation, json!({"now": true})).await;
            assert_eq!(refused, Err(ControlPlaneError::UnknownOperation(operation.to_owned())));
        }
        assert_eq!(control.breach().as_deref(), Some("merge"));
        assert_eq!(control.calls()[0].arguments, json!({"now": true}));
    });
}

#[test]
fn a_play_shows_what_its_doubles_remember() {
    let folder = Folder::of(&format!("{STEPS}expect: {{status: complete}}\n"));
    let scenario: scenario::Scenario = folder.load().unwrap();
    block_on(async {
        let mut player = Player::new(&scenario, &setup()).await.unwrap();
        while player.step().await {}
        assert_eq!(player.session().deliveries().len(), 1);
        assert_eq!(player.session().deliveries()[0].item, "issue-42");
        let asked = |operation: Operation| {
            player.control().calls().into_iter().filter(|call| call.operation == operation.name()).count()
        };
        assert_eq!((asked(Operation::SetLabels), asked(Operation::AddComment)), (3, 1));
        assert_eq!(player.trace().labels.len(), 3);
    });
}
