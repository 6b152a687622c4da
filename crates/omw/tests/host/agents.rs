//! Messages between agents, the inbox, memory, and time.

use std::time::{Duration, Instant};

use omw::prelude::*;

use crate::stage::{Stage, told, value};

#[tokio::test]
async fn a_message_reaches_who_listens_and_nobody_else() {
    let said = told(Stage::new(), |host| {
        host.send_agent("alice", "unheard")?;
        let id = host.subscribe_agent("alice")?;
        host.send_agent("alice", "heard")?;
        host.send_agent("nobody", "lost")?;
        let Envelope { id: from, event } = host.recv()?;
        assert_eq!((from, event), (id.clone(), Event::Message("heard".to_owned())));
        assert_eq!(host.try_recv()?, None);
        host.unsubscribe_agent(&id)?;
        assert!(!host.is_open(&id));
        host.send_agent("alice", "unheard")?;
        assert_eq!(host.try_recv()?, None);
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
}

#[tokio::test]
async fn subscribing_twice_gives_the_same_id_and_each_message_once() {
    let said = told(Stage::new(), |host| {
        let ids = [host.subscribe_agent("alice")?, host.subscribe_agent("alice")?];
        assert_eq!(ids[0], ids[1]);
        host.send_agent("alice", "hello")?;
        host.recv()?;
        assert_eq!(host.try_recv()?, None);
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
}

#[tokio::test]
async fn the_message_beyond_the_bound_raises_and_nobody_hangs() {
    let said = told(Stage::new(), |host| {
        host.subscribe_agent("alice")?;
        for _ in 0..1_024 {
            host.send_agent("alice", "x")?;
        }
        let error = host.send_agent("alice", "x").unwrap_err().to_string();
        host.recv()?;
        host.send_agent("alice", "x")?;
        Ok(error)
    });
    assert_eq!(said.await, r#"inbox of agent "alice" is full"#);
}

#[tokio::test]
async fn two_agents_that_flood_each_other_both_come_to_their_end() {
    fn flood(other: &'static str) -> impl Fn(&dyn Host) -> HostResult<String> {
        move |host| {
            host.subscribe_agent(other)?;
            let refused = (0..5_000).filter(|_| host.send_agent(other, "x").is_err()).count();
            Ok(format!("{}", refused <= 5_000))
        }
    }
    let stage = Stage::new().tuned(|tunables| tunables.inbox_bound = 8);
    let report = stage.agent("alice", flood("bob")).agent("bob", flood("alice")).run().await;
    assert_eq!((value(&report, "alice"), value(&report, "bob")), ("true".to_owned(), "true".to_owned()));
}

#[tokio::test]
async fn a_timer_waits_for_room_without_stopping_anybody() {
    let stage = Stage::new().tuned(|tunables| tunables.inbox_bound = 1);
    let said = told(stage, |host| {
        host.subscribe_agent("alice")?;
        host.send_agent("alice", "x")?;
        let timer = host.wait_for(0)?;
        host.sleep_for(20)?;
        assert!(host.is_open(&timer), "there is no room for it");
        assert_eq!(host.recv()?.event.kind(), "message");
        let Envelope { id, event } = host.recv()?;
        assert_eq!((id, event), (timer, Event::Timer));
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
}

#[tokio::test]
async fn timers_fire_in_the_order_they_are_due_in() {
    let said = told(Stage::new(), |host| {
        let late = host.wait_for(60)?;
        let at_once = [host.wait_for(0)?, host.wait_for(0)?, host.wait_for(0)?];
        let soon = host.wait_until(host.time_now() + 30)?;
        let cancelled = host.wait_for(10)?;
        host.cancel_timer(&cancelled)?;
        let never = host.wait_for(u64::MAX)?;
        let fired = [host.recv()?.id, host.recv()?.id, host.recv()?.id];
        assert_eq!(fired, at_once);
        assert_eq!([host.recv()?.id, host.recv()?.id], [soon, late]);
        assert!(host.is_open(&never) && !host.is_open(&cancelled));
        Ok("done".to_owned())
    });
    assert_eq!(said.await, "done");
}

#[tokio::test]
async fn times_that_cannot_be_waited_for_raise() {
    let said = told(Stage::new(), |host| {
        let errors = [
            host.wait_until(host.time_now() - 1).unwrap_err(),
            host.sleep_until(0).unwrap_err(),
            host.wait_cron("* * * * *").unwrap_err(),
            host.sleep_cron("nonsense").unwrap_err(),
            host.wait_cron("0 0 0 30 2 *").unwrap_err(),
            host.time_format(0, "%Q").unwrap_err(),
        ];
        let text = errors.map(|error| error.to_string().lines().next().unwrap_or_default().to_owned());
        Ok(text.join("\n"))
    });
    insta::assert_snapshot!(said.await);
}

#[tokio::test]
async fn a_sleep_takes_its_time() {
    let start = Instant::now();
    let said = told(Stage::new(), |host| {
        host.sleep_for(20)?;
        host.sleep_until(host.time_now() + 20)?;
        host.time_format(0, "%Y-%m-%d")
    });
    assert_eq!(said.await, "1970-01-01");
    assert!(start.elapsed() >= Duration::from_millis(38));
}

#[tokio::test]
async fn recv_gives_up_after_its_time() {
    let stage = Stage::new().tuned(|tunables| tunables.recv_timeout_secs = 1);
    assert_eq!(told(stage, |host| Ok(host.recv().unwrap_err().to_string())).await, "no event available");
}

#[tokio::test]
async fn memory_is_seeded_and_can_be_changed() {
    let mut stage = Stage::new();
    let seeds = [("handle".to_owned(), "seed-42".to_owned())];
    stage.config.memory.insert("alice".to_owned(), seeds.into_iter().collect());
    let said = told(stage, |host| {
        let seed = host.memory_get("handle")?;
        host.memory_set("handle", "7")?;
        let removed = [host.memory_remove("handle")?, host.memory_remove("handle")?];
        assert_eq!(removed, [true, false]);
        assert_eq!(host.memory_get("handle")?, None);
        Ok(seed.unwrap_or_default())
    });
    assert_eq!(said.await, "seed-42");
}

#[tokio::test]
async fn one_brain_hears_of_its_lifecycle_once() {
    let said = told(Stage::new(), |host| {
        let id = host.subscribe_lifecycle()?;
        let error = host.subscribe_lifecycle().unwrap_err().to_string();
        host.unsubscribe_lifecycle(&id)?;
        assert_ne!(host.subscribe_lifecycle()?, id);
        Ok(error)
    });
    assert_eq!(said.await, "lifecycle already subscribed");
}
