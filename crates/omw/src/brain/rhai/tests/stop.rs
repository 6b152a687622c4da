//! Nothing a script does keeps it from being stopped, and nothing takes the process down.

use std::time::Duration;

use super::{Rhai, end, end_with};
use crate::brain::BrainError;
use crate::brain::fake::{FakeHost, Script, interrupted};
use crate::host::StopReason;

#[test]
fn an_interrupt_ends_every_script_at_once() {
    for script in [
        "loop { }",
        "while true { }",
        "do { } while true;",
        "for i in 0..9223372036854775807 { let x = i; }",
        "for x in range(0.0, 1.0, 0.0000000001) { let y = x; }",
        "loop { try { loop { } } catch { } }",
        "try { loop { } } catch { loop { } }",
        "fn f() { loop { } } loop { try { f() } catch { } }",
        "let f = || { loop { } }; loop { try { f.call() } catch { } }",
        "loop { try { eval(\"loop { }\") } catch { } }",
        "loop { try { omw::host::recv() } catch { } }",
        "loop { omw::host::try_recv(); }",
        "loop { omw::host::new_uuid(); }",
        "let a = []; a.pad(10_000, 0); a.sort(|x, y| { loop { } });",
        "let a = []; a.pad(10_000, 0); loop { a.sort(|x, y| if x < y { 1 } else { -1 }) }",
        "let a = []; a.pad(100_000, 0); loop { a.dedup(|x, y| false); }",
        "let a = [1]; loop { a.map(|x| { let i = 0; while i < 1000 { i += 1 } x }) }",
        "let a = []; loop { a.push(1) }",
        "let s = \"\"; loop { s += \"x\" }",
        "let s = \"\"; loop { s = `${s}x` }",
        "let s = \"x\"; s.pad(1_000_000, 'x'); loop { s.split(\"x\") }",
        "let a = []; a.pad(1_000_000, 1); loop { let b = a; b == a }",
        "let a = [[]]; loop { a = [a]; }",
        "loop { parse_json(\"[1]\") }",
    ] {
        let (result, took) = interrupted(&Rhai::new(), script);
        assert_eq!(result, Err(BrainError::Stopped), "{script}");
        // Unoptimized, and beside other tests.
        assert!(took < Duration::from_secs(2), "{script} took {took:?}");
    }
}

#[test]
fn a_requested_end_can_be_caught_to_tidy_up() {
    let host = FakeHost::new(Script::default());
    host.stop.request(StopReason::ShuttingDown);
    let script = "try { omw::host::recv() } catch (e) { exit(e) }";
    assert_eq!(end_with(script, &host), "exited agent shutting down");
}

#[test]
fn an_interrupt_cannot_be_caught() {
    let host = FakeHost::new(Script::default());
    host.stop.interrupt(StopReason::Stopped);
    let script = "try { omw::host::recv() } catch { } omw::host::log(\"info\", \"still here\");";
    assert_eq!(end_with(script, &host), "failed: the brain was stopped");
    assert_eq!(host.told(), "");
}

#[test]
fn recursion_of_any_kind_is_an_error() {
    for script in [
        "fn f() { f() } f()",
        "fn f() { try { f() } catch { f() } } f()",
        "let s = \"eval(s)\"; eval(s)",
        "fn f(s) { eval(s) } let s = \"f(s)\"; f(s)",
        "fn f() { [1].map(|x| f()) } f()",
        "fn f() { let g = Fn(\"f\"); g.call() } f()",
        "fn f() { ((((((((((((((((((((1 + f())))))))))))))))))))) } f()",
        "fn f() { [[[[[[[[[[[[[[f()]]]]]]]]]]]]]] } f()",
        "fn f() { if true { if true { if true { if true { if true { if true { f() } } } } } } } f()",
        "fn f() { `${`${`${`${f()}`}`}`}` } f()",
        "fn f(x) { f(f(f(f(f(f(f(f(x)))))))) } f(1)",
    ] {
        let end = end(script);
        assert!(end.starts_with("failed: "), "{script}: {end}");
    }
}

#[test]
fn values_nested_deeply_can_be_shown_and_dropped_but_not_handed_over() {
    let nested = |then: &str| end(&format!("let a = []; for i in 0..1_000 {{ a = [take(a)] }} {then}"));
    assert_eq!(nested("a"), format!("exited {}{}", "[".repeat(1001), "]".repeat(1001)));
    assert_eq!(nested("`${a}`.len"), "exited 2002");
    assert_eq!(nested("let m = #{a: a}; m.to_json().len"), "exited 2008");
    assert_eq!(
        nested("\nomw::host::memory_set_as(\"k\", a)"),
        "failed: Runtime error: a value is nested more than 128 levels deep (line 2, position 12)"
    );
}
