//! The language as it is here.

use super::{Js, ends};
use crate::brain::fake;

#[test]
fn the_last_expression_is_what_a_brain_exits_with() {
    insta::assert_snapshot!(ends(&[
        "",
        "40 + 2",
        "let x = 1;",
        "undefined",
        "null",
        "''",
        "'text'",
        "1.5",
        "true",
        "({a: 1, b: 'x', c: undefined})",
        "[1, 'x', null]",
        "10n",
        "() => 1",
        "Promise.resolve(1)",
        "import('fs')",
        "(async () => 1)()",
        "x = 1; x",
    ]), @r#"

      => completed
    40 + 2
      => exited 42
    let x = 1;
      => completed
    undefined
      => completed
    null
      => completed
    ''
      => exited 
    'text'
      => exited text
    1.5
      => exited 1.5
    true
      => exited true
    ({a: 1, b: 'x', c: undefined})
      => exited {"a":1,"b":"x"}
    [1, 'x', null]
      => exited [1,"x",null]
    10n
      => exited 10
    () => 1
      => exited () => 1
    Promise.resolve(1)
      => exited {}
    import('fs')
      => exited {}
    (async () => 1)()
      => exited {}
    x = 1; x
      => exited 1
    "#);
}

#[test]
fn errors_that_nobody_catches_have_a_place() {
    insta::assert_snapshot!(ends(&[
        "throw new Error('no')",
        "throw 'text'",
        "throw {code: 1}",
        "throw undefined",
        "let x = 1;\n  x.missing()",
        "missing",
        "omw.host.missing()",
        "omw.provider.get('q')",
        "function f() {\n  omw.tooling.get('q')\n}\nf()",
        "omw.host.waitFor(-1)",
        "omw.host.waitFor(1.5)",
        "omw.host.waitUntil(1)",
        "omw.host.recv()",
        "omw.host.base64Encode('x')",
        "omw.host.base64Decode('?')",
        "console.log(1)",
        "setTimeout(() => 1, 1)",
        "require('fs')",
        "Symbol('x')",
        "const a = {}; a.a = a; a",
    ]), @r#"
    throw new Error('no')
      => failed: Error: no (unknown at :1:11)
    throw 'text'
      => failed: Uncaught text
    throw {code: 1}
      => failed: Uncaught {"code":1}
    throw undefined
      => failed: Uncaught undefined
    let x = 1;
      x.missing()
      => failed: TypeError: not a function (unknown at :2:5)
    missing
      => failed: ReferenceError: missing is not defined (unknown at :1:1)
    omw.host.missing()
      => failed: TypeError: not a function (unknown at :1:9)
    omw.provider.get('q')
      => failed: TypeError: no such provider "q" (unknown at :1:13)
    function f() {
      omw.tooling.get('q')
    }
    f()
      => failed: TypeError: no such tooling "q" (unknown at :2:15)
    omw.host.waitFor(-1)
      => failed: TypeError: expected a non-negative integer (unknown at :1:9)
    omw.host.waitFor(1.5)
      => failed: TypeError: expected a non-negative integer (unknown at :1:9)
    omw.host.waitUntil(1)
      => failed: TypeError: timestamp must be in the future (unknown at :1:9)
    omw.host.recv()
      => failed: TypeError: no event available (unknown at :1:9)
    omw.host.base64Encode('x')
      => failed: TypeError: Error converting from js 'string' into type 'array' (unknown at :1:9)
    omw.host.base64Decode('?')
      => failed: TypeError: Invalid symbol 63, offset 0. (unknown at :1:9)
    console.log(1)
      => failed: ReferenceError: console is not defined (unknown at :1:1)
    setTimeout(() => 1, 1)
      => failed: ReferenceError: setTimeout is not defined (unknown at :1:1)
    require('fs')
      => failed: ReferenceError: require is not defined (unknown at :1:1)
    Symbol('x')
      => failed: TypeError: cannot convert symbol to string
    const a = {}; a.a = a; a
      => failed: TypeError: circular reference
    "#);
}

#[test]
fn what_is_caught_is_a_type_error_with_the_text() {
    insta::assert_snapshot!(ends(&[
        "try { omw.provider.get('q') } catch (e) { [e.name, e.message] }",
        "try { omw.host.recv() } catch (e) { e instanceof TypeError }",
    ]), @r#"
    try { omw.provider.get('q') } catch (e) { [e.name, e.message] }
      => exited ["TypeError","no such provider \"q\""]
    try { omw.host.recv() } catch (e) { e instanceof TypeError }
      => exited true
    "#);
}

#[test]
fn a_malformed_script_is_refused_with_its_place_and_nothing_of_it_runs() {
    let errors: Vec<_> = [
        "let x = ;",
        "1 +* 2",
        "let x = 1;\n  foo(",
        "'open",
        "if (true) { 1 ",
        "return 1",
        "await x",
        "} evil() {",
    ]
    .iter()
    .map(|script| fake::load(&Js::new(), script).err().expect("it is malformed").to_string())
    .collect();
    insta::assert_snapshot!(errors.join("\n"), @"
    brain:1:9: SyntaxError: unexpected token in expression: ';'
    brain:1:4: SyntaxError: unexpected token in expression: '*'
    brain:2:7: SyntaxError: unexpected token in expression: ''
    brain:1:1: SyntaxError: unexpected end of string
    brain:1:15: SyntaxError: unexpected token in expression: ''
    brain:1:1: SyntaxError: return not in a function
    brain:1:7: SyntaxError: expecting ';'
    brain:1:1: SyntaxError: unexpected token in expression: '}'
    ");
    assert!(fake::load(&Js::new(), "for (;;) { }").is_ok());
}
