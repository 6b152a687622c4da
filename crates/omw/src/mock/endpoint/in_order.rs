//! Many futures as one, in the order of a list.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use futures::future::BoxFuture;
use futures::task::AtomicWaker;

/// Polls those futures that were woken, in the order of the list, whatever order they were woken in; done when all of them are.
pub(super) struct InOrder<'f> {
    lanes: Vec<Lane<'f>>,
    waker: Arc<AtomicWaker>,
}

struct Lane<'f> {
    /// None once it is done.
    future: Option<BoxFuture<'f, ()>>,
    bell: Arc<Bell>,
    waker: Waker,
}

/// Notes which lane was woken, and wakes the whole.
struct Bell {
    was_rung: AtomicBool,
    whole: Arc<AtomicWaker>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.was_rung.store(true, Ordering::Release);
        self.whole.wake();
    }
}

impl<'f> InOrder<'f> {
    pub(super) fn new(futures: impl IntoIterator<Item = BoxFuture<'f, ()>>) -> Self {
        let waker = Arc::new(AtomicWaker::new());
        let lanes = futures.into_iter().map(|future| {
            let bell = Arc::new(Bell { was_rung: AtomicBool::new(true), whole: Arc::clone(&waker) });
            Lane { future: Some(future), waker: Waker::from(Arc::clone(&bell)), bell }
        });
        Self { lanes: lanes.collect(), waker }
    }
}

impl Future for InOrder<'_> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        // Before the bells are looked at, so that none rings unheard in between.
        self.waker.register(context.waker());
        for Lane { future: slot, bell, waker } in &mut self.lanes {
            if let Some(future) = slot
                && bell.was_rung.swap(false, Ordering::AcqRel)
                && future.as_mut().poll(&mut Context::from_waker(waker)).is_ready()
            {
                *slot = None;
            }
        }
        self.lanes.retain(|lane| lane.future.is_some());
        if self.lanes.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use futures::FutureExt as _;
    use futures::channel::oneshot;
    use futures::task::noop_waker;

    use super::*;

    #[test]
    fn what_was_woken_is_polled_in_the_order_of_the_list() {
        let done = Arc::new(Mutex::new(Vec::new()));
        let polls = Arc::new(Mutex::new(0));
        let (senders, receivers): (Vec<_>, Vec<_>) = (0..4).map(|_| oneshot::channel::<()>()).unzip();
        let futures = receivers.into_iter().enumerate().map(|(number, mut receiver)| {
            let (done, polls) = (Arc::clone(&done), Arc::clone(&polls));
            std::future::poll_fn(move |context| {
                *polls.lock().unwrap() += 1;
                receiver.poll_unpin(context).map(|_| done.lock().unwrap().push(number))
            })
            .boxed()
        });
        let mut all = InOrder::new(futures);
        let waker = noop_waker();
        let mut poll = || Pin::new(&mut all).poll(&mut Context::from_waker(&waker));

        assert!(poll().is_pending());
        assert_eq!(*polls.lock().unwrap(), 4);
        let mut senders: Vec<_> = senders.into_iter().map(Some).collect();
        for number in [3, 1] {
            senders[number].take().unwrap().send(()).unwrap();
        }
        assert!(poll().is_pending());
        assert_eq!(*done.lock().unwrap(), [1, 3]);
        assert_eq!(*polls.lock().unwrap(), 6, "only the woken ones are polled");
        for number in [2, 0] {
            senders[number].take().unwrap().send(()).unwrap();
        }
        assert!(poll().is_ready());
        assert_eq!(*done.lock().unwrap(), [1, 3, 0, 2]);
    }

    #[tokio::test]
    async fn a_lane_that_is_woken_later_wakes_the_whole() {
        let (sender, receiver) = oneshot::channel();
        let all = InOrder::new([receiver.map(drop).boxed(), std::future::ready(()).boxed()]);
        let all = tokio::spawn(all);
        tokio::task::yield_now().await;
        sender.send(()).unwrap();
        all.await.unwrap();
    }

    #[test]
    fn nothing_is_done_at_once() {
        assert!(InOrder::new([]).now_or_never().is_some());
    }
}
