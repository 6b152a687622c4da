//! Nothing a script does keeps it from being stopped, and nothing takes the process down.

use std::time::Duration;

use super::{Js, end, end_with};
use crate::brain::BrainError;
use crate::brain::fake::{FakeHost, Script, interrupted};
use crate::host::StopReason;

#[test]
fn an_interrupt_ends_every_script_at_once() {
    for script in [
        "for (;;) { }",
        "for (;;) { try { for (;;) { } } catch { } }",
        "try { for (;;) { } } finally { for (;;) { } }",
        "function f() { try { f() } catch { f() } } f()",
        "for (;;) { try { omw.host.recv() } catch { } }",
        "[1, 2, 3].sort(() => { for (;;) { } })",
        "new Promise(() => { for (;;) { } })",
        "const g = (function* () { for (;;) yield 1 })(); for (const x of g) { }",
        "/^(a+)+$/.test('a'.repeat(40) + 'b')",
        "JSON.stringify({toJSON() { for (;;) { } }})",
        "({toJSON() { for (;;) { } }})",
    ] {
        let (result, took) = interrupted(&Js::new(), script);
        assert_eq!(result, Err(BrainError::Stopped), "{script}");
        assert!(took < Duration::from_secs(2), "{script} took {took:?}");
    }
}

#[test]
fn a_requested_end_can_be_caught_to_tidy_up() {
    let host = FakeHost::new(Script::default());
    host.stop.request(StopReason::ShuttingDown);
    assert_eq!(
        end_with("try { omw.host.recv() } catch (e) { e.message }", &host),
        "exited agent shutting down"
    );
}

#[test]
fn recursion_and_hoarding_are_errors() {
    for script in [
        "function f() { return f() + 1 } f()",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)",
        "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; a",
        "const f = () => [1].map(f); f()",
        "let s = 'x'; for (;;) s += s",
        "const a = []; for (;;) a.push(new Array(1000).fill(1))",
        "'x'.repeat(2 ** 30)",
        "new Array(2 ** 31).fill(0)",
        "new Uint8Array(2 ** 31)",
    ] {
        let end = end(script);
        assert!(end.starts_with("failed: "), "{script}: {end}");
    }
}
