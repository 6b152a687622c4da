use std::thread;
use std::time::Duration;

use futures::FutureExt as _;

use super::*;

fn inbox(bound: usize) -> Inbox {
    Inbox::new("alice".into(), bound)
}

fn message(text: &str) -> Event {
    Event::Message(text.to_owned())
}

fn taken(inbox: &Inbox, stop: &StopSignal) -> Option<Event> {
    match inbox.try_take(stop)? {
        Taken::Event(envelope) => Some(envelope.event),
        Taken::Stopped(reason) => panic!("{reason}"),
    }
}

#[test]
fn events_come_in_the_order_they_were_put_in() {
    let (inbox, stop) = (inbox(2), StopSignal::new());
    inbox.try_room().ok().unwrap().push("1", message("a"));
    inbox.try_room().ok().unwrap().push("1", message("b"));
    assert_eq!(inbox.try_room().err(), Some(NoRoom::Full));
    assert_eq!(taken(&inbox, &stop), Some(message("a")));
    assert!(inbox.try_room().is_ok());
    assert_eq!(taken(&inbox, &stop), Some(message("b")));
    assert_eq!(taken(&inbox, &stop), None);
}

#[test]
fn room_that_is_not_used_is_given_back() {
    let inbox = inbox(1);
    drop(inbox.try_room());
    assert!(inbox.try_room().is_ok());
}

#[test]
fn those_that_wait_for_room_are_served_before_those_that_try() {
    let (inbox, stop) = (inbox(1), StopSignal::new());
    inbox.try_room().ok().unwrap().push("1", message("a"));
    let mut waiting = Box::pin(inbox.room());
    assert!(waiting.as_mut().now_or_never().is_none());
    assert_eq!(taken(&inbox, &stop), Some(message("a")));
    assert_eq!(inbox.try_room().err(), Some(NoRoom::Full));
    let room = waiting.now_or_never().flatten().unwrap();
    room.push("1", message("b"));
    assert_eq!(taken(&inbox, &stop), Some(message("b")));
}

#[test]
fn a_closed_inbox_keeps_nobody_waiting() {
    let inbox = inbox(1);
    inbox.try_room().ok().unwrap().push("1", message("a"));
    let mut waiting = Box::pin(inbox.room());
    assert!(waiting.as_mut().now_or_never().is_none());
    inbox.close();
    assert!(waiting.now_or_never().unwrap().is_none());
    assert_eq!(inbox.try_room().err(), Some(NoRoom::Closed));
    assert_eq!(inbox.len(), 0);
}

// What the reader gets:
//
// | interrupted | ahead | requested | queue | gets |
// |---|---|---|---|---|
// | yes | any | any | any | stop |
// | no | yes | any | any | the event ahead |
// | no | no | yes | any | stop |
// | no | no | no | yes | the queue's event |
// | no | no | no | no | nothing |
#[test]
fn the_lifecycle_goes_before_the_stop_and_the_stop_before_the_queue() {
    let (inbox, stop) = (inbox(4), StopSignal::new());
    inbox.try_room().ok().unwrap().push("1", message("a"));
    inbox.push_ahead(Envelope { id: "2".to_owned(), event: Event::Reload });
    stop.request(StopReason::Reloading);
    assert_eq!(taken(&inbox, &stop), Some(Event::Reload));
    assert_eq!(inbox.try_take(&stop), Some(Taken::Stopped(StopReason::Reloading)));
    assert_eq!(inbox.len(), 1, "what was not taken stays");
    let successor = StopSignal::new();
    inbox.push_ahead(Envelope { id: "2".to_owned(), event: Event::Shutdown });
    successor.interrupt(StopReason::Stopped);
    assert_eq!(inbox.try_take(&successor), Some(Taken::Stopped(StopReason::Stopped)));
    inbox.clear_ahead();
    assert_eq!(taken(&inbox, &StopSignal::new()), Some(message("a")));
}

#[test]
fn an_unread_lifecycle_event_is_replaced_by_the_next_of_its_kind() {
    let (inbox, stop) = (inbox(1), StopSignal::new());
    for text in ["first", "second"] {
        inbox.push_ahead(Envelope { id: "1".to_owned(), event: Event::Error(text.to_owned()) });
    }
    assert_eq!(taken(&inbox, &stop), Some(Event::Error("second".to_owned())));
    assert_eq!(taken(&inbox, &stop), None);
}

#[test]
fn a_reader_is_woken_by_an_event_a_stop_and_the_bell() {
    let (inbox, stop) = (Arc::new(inbox(1)), StopSignal::new());
    let listening = Arc::clone(&inbox);
    stop.listen(move || listening.wake());
    let wakers: [fn(&Inbox, &StopSignal); 3] = [
        |inbox, _| inbox.ring(),
        |inbox, _| inbox.try_room().ok().unwrap().push("1", message("a")),
        |_, stop| stop.request(StopReason::Stopped),
    ];
    for wake in wakers {
        thread::scope(|scope| {
            let reader = scope.spawn(|| inbox.wait(&stop, None));
            thread::sleep(Duration::from_millis(5));
            assert!(!reader.is_finished());
            wake(&inbox, &stop);
            reader.join().unwrap();
        });
        drop(inbox.try_take(&stop));
    }
}

#[test]
fn a_bell_that_rang_before_the_wait_ends_it_once() {
    let (inbox, stop) = (inbox(1), StopSignal::new());
    inbox.ring();
    inbox.wait(&stop, None);
    let deadline = Instant::now() + Duration::from_millis(5);
    inbox.wait(&stop, Some(deadline));
    assert!(Instant::now() >= deadline);
}
