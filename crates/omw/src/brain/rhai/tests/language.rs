//! The language as it is here.

use super::{end, ends};

#[test]
fn the_last_expression_is_what_a_brain_exits_with() {
    insta::assert_snapshot!(ends(&[
        "",
        "40 + 2",
        "let x = 1;",
        "()",
        r#""""#,
        r#""text""#,
        "'c'",
        "1.5",
        "true",
        r#"#{a: 1, b: "x"}"#,
        r#"[1, "x", ()]"#,
        "exit(\"bye\"); 1",
        "exit()",
        "fn f() { exit(7) } f(); 1",
        "return 3; 4",
        "blob(3, 1)",
    ]), @r#"

      => completed
    40 + 2
      => exited 42
    let x = 1;
      => completed
    ()
      => completed
    ""
      => exited 
    "text"
      => exited text
    'c'
      => exited c
    1.5
      => exited 1.5
    true
      => exited true
    #{a: 1, b: "x"}
      => exited #{"a": 1, "b": "x"}
    [1, "x", ()]
      => exited [1, "x", ()]
    exit("bye"); 1
      => exited bye
    exit()
      => completed
    fn f() { exit(7) } f(); 1
      => exited 7
    return 3; 4
      => exited 3
    blob(3, 1)
      => exited [010101]
    "#);
}

#[test]
fn errors_that_nobody_catches_have_a_place() {
    insta::assert_snapshot!(ends(&[
        "throw \"no\"",
        "throw #{code: 1}",
        "let x = 1;\n  x.missing()",
        "omw::host::missing()",
        "omw::provider::get(\"q\")",
        "fn f() { omw::tooling::get(\"q\") }\n f()",
        "omw::host::wait_for(-1)",
        "omw::host::sleep_for(-1)",
        "omw::host::wait_for(1.5)",
        "omw::host::wait_until(1)",
        "omw::host::recv()",
        "omw::host::base64_encode(\"x\")",
        "omw::host::base64_decode(\"?\")",
        "import \"other\" as other;",
        "fn f(x) { f(x + 1) } f(0)",
        "let x = [];\nx[3]",
        "eval(\"1 +\")",
        "1 / 0",
        "parse_json(\"{\")",
    ]), @r#"
    throw "no"
      => failed: Runtime error: no (line 1, position 1)
    throw #{code: 1}
      => failed: Runtime error: #{"code": 1} (line 1, position 1)
    let x = 1;
      x.missing()
      => failed: Function not found: missing (i64) (line 2, position 5)
    omw::host::missing()
      => failed: Function not found: omw::host::missing () (line 1, position 12)
    omw::provider::get("q")
      => failed: Runtime error: no such provider "q" (line 1, position 16)
    fn f() { omw::tooling::get("q") }
     f()
      => failed: Runtime error: no such tooling "q" (line 1, position 24)
    in call to function 'f' (line 2, position 2)
    omw::host::wait_for(-1)
      => failed: Runtime error: expected a non-negative integer (line 1, position 12)
    omw::host::sleep_for(-1)
      => failed: Runtime error: expected a non-negative integer (line 1, position 12)
    omw::host::wait_for(1.5)
      => failed: Function not found: omw::host::wait_for (f64) (line 1, position 12)
    omw::host::wait_until(1)
      => failed: Runtime error: timestamp must be in the future (line 1, position 12)
    omw::host::recv()
      => failed: Runtime error: no event available (line 1, position 12)
    omw::host::base64_encode("x")
      => failed: Function not found: omw::host::base64_encode (&str | ImmutableString | String) (line 1, position 12)
    omw::host::base64_decode("?")
      => failed: Runtime error: Invalid symbol 63, offset 0. (line 1, position 12)
    import "other" as other;
      => failed: Module not found: other (line 1, position 8)
    fn f(x) { f(x + 1) } f(0)
      => failed: Stack overflow (line 1, position 22)
    let x = [];
    x[3]
      => failed: Array index 3 out of bounds: array is empty (line 2, position 3)
    eval("1 +")
      => failed: Syntax error: Script is incomplete (line 1, position 4)
    in call to function 'eval' (line 1, position 6)
    1 / 0
      => failed: Division by zero: 1 / 0 (line 1, position 3)
    parse_json("{")
      => failed: Runtime error: EOF while parsing an object at line 1 column 1 (line 1, position 1)
    "#);
}

#[test]
fn what_is_caught_is_the_plain_text() {
    insta::assert_snapshot!(ends(&[
        "try { omw::provider::get(\"q\") } catch (e) { exit([type_of(e), e]) }",
        "try { omw::host::recv() } catch (e) { exit(e) }",
        "try { throw 3 } catch (e) { exit(e) }",
    ]), @r#"
    try { omw::provider::get("q") } catch (e) { exit([type_of(e), e]) }
      => exited ["string", "no such provider \"q\""]
    try { omw::host::recv() } catch (e) { exit(e) }
      => exited no event available
    try { throw 3 } catch (e) { exit(e) }
      => exited 3
    "#);
}

#[test]
fn the_language_has_what_scripts_use() {
    insta::assert_snapshot!(ends(&[
        "eval(\"1 + 1\")",
        "let n = 2; let f = |x| x * n; f.call(21)",
        "parse_json(`{\"a\": [1, 2.5, null, \"x\", true]}`)",
        "parse_json(\"[1]\")",
        "#{a: [1, 2.5, (), \"x\", true]}.to_json()",
        "type_of(timestamp())",
        "print(\"x\"); debug(1);",
        "let s = \"ab\"; s.pad(7, \"xyz\"); s",
        "let s = \"ab\"; s.pad(4, '-'); s",
        "let s = \"ab\"; s.pad(4, \"\"); s",
        "let a = [1]; a.pad(3, 0); a",
        "let s = \"aXbX\"; s.replace(\"X\", \"--\"); s.replace(\"b\", 'c'); s.replace('a', \"A\"); s.replace('c', 'C'); s",
        "let x = 0; for i in 0..100_000 { x += i } x",
        "let s = \"\"; s.pad(1048576, 'x'); s.len",
        "sleep(0); sleep(-1); sleep(0.001);",
    ]), @r#"
    eval("1 + 1")
      => exited 2
    let n = 2; let f = |x| x * n; f.call(21)
      => exited 42
    parse_json(`{"a": [1, 2.5, null, "x", true]}`)
      => exited #{"a": [1, 2.5, (), "x", true]}
    parse_json("[1]")
      => exited [1]
    #{a: [1, 2.5, (), "x", true]}.to_json()
      => exited {"a":[1,2.5,null,"x",true]}
    type_of(timestamp())
      => exited timestamp
    print("x"); debug(1);
      => completed
    let s = "ab"; s.pad(7, "xyz"); s
      => exited abxyzxy
    let s = "ab"; s.pad(4, '-'); s
      => exited ab--
    let s = "ab"; s.pad(4, ""); s
      => exited ab
    let a = [1]; a.pad(3, 0); a
      => exited [1, 0, 0]
    let s = "aXbX"; s.replace("X", "--"); s.replace("b", 'c'); s.replace('a', "A"); s.replace('c', 'C'); s
      => exited A--C--
    let x = 0; for i in 0..100_000 { x += i } x
      => exited 4999950000
    let s = ""; s.pad(1048576, 'x'); s.len
      => exited 1048576
    sleep(0); sleep(-1); sleep(0.001);
      => completed
    "#);
}

#[test]
fn the_64th_call_inside_calls_fails() {
    let nested = |depth: u32| end(&format!("fn f(n) {{ if n > 1 {{ f(n - 1) }} else {{ n }} }} f({depth})"));
    assert_eq!(nested(63), "exited 1");
    assert!(nested(64).contains("Stack overflow"), "{}", nested(64));
}

#[test]
fn one_call_cannot_make_more_than_fits() {
    insta::assert_snapshot!(ends(&[
        "let s = \"x\"; s.pad(100_000_000, 'x')",
        "let s = \"x\"; s.pad(100_000_000, \"xy\")",
        "let s = \"x\"; s.pad(9223372036854775807, \"xy\")",
        "let s = \"x\"; s.pad(100_000, 'x'); let long = \"x\"; long.pad(1_000, 'x'); s.replace(\"x\", long)",
        "let s = \"x\"; s.pad(100_000, 'x'); s.replace(\"\", s)",
        "let s = \"x\"; s.pad(100_000, 'x'); s.replace('x', s)",
        "let s = \"x\"; loop { s += s }",
        "let s = \"x\"; loop { s = `${s}${s}` }",
        "let a = [1]; a.pad(9223372036854775807, [1, 2, 3])",
        "let a = [1]; a.pad(1_000_000, [1, 2, 3])",
        "let a = [1]; loop { a += a }",
        "let a = [1]; loop { a = [a, a] }",
        "blob(9223372036854775807)",
        "let s = \"x\"; s.pad(100_000, 'x'); let a = []; loop { a.push(s) }",
        "timestamp() + 1e300",
        "9223372036854775807 + 1",
        "2 ** 9223372036854775807",
        "1 << 1000",
    ]), @r#"
    let s = "x"; s.pad(100_000_000, 'x')
      => failed: Length of string too large (line 1, position 16)
    let s = "x"; s.pad(100_000_000, "xy")
      => failed: Length of string too large (line 1, position 16)
    let s = "x"; s.pad(9223372036854775807, "xy")
      => failed: Length of string too large (line 1, position 16)
    let s = "x"; s.pad(100_000, 'x'); let long = "x"; long.pad(1_000, 'x'); s.replace("x", long)
      => failed: Length of string too large (line 1, position 75)
    let s = "x"; s.pad(100_000, 'x'); s.replace("", s)
      => failed: Length of string too large (line 1, position 37)
    let s = "x"; s.pad(100_000, 'x'); s.replace('x', s)
      => failed: Length of string too large (line 1, position 37)
    let s = "x"; loop { s += s }
      => failed: Length of string too large (line 1, position 23)
    let s = "x"; loop { s = `${s}${s}` }
      => failed: Length of string too large (line 1, position 32)
    let a = [1]; a.pad(9223372036854775807, [1, 2, 3])
      => failed: Size of array/BLOB too large (line 1, position 16)
    let a = [1]; a.pad(1_000_000, [1, 2, 3])
      => failed: Size of array/BLOB too large (line 1, position 16)
    let a = [1]; loop { a += a }
      => failed: Size of array/BLOB too large (line 1, position 23)
    let a = [1]; loop { a = [a, a] }
      => failed: Size of array/BLOB too large (line 1, position 29)
    blob(9223372036854775807)
      => failed: Size of array/BLOB too large (line 1, position 1)
    let s = "x"; s.pad(100_000, 'x'); let a = []; loop { a.push(s) }
      => failed: Length of string too large (line 1, position 56)
    timestamp() + 1e300
      => failed: Integer overflow for timestamp add: 1000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000 (line 1, position 13)
    9223372036854775807 + 1
      => failed: Addition overflow: 9223372036854775807 + 1 (line 1, position 21)
    2 ** 9223372036854775807
      => failed: Exponential overflow: 2 ** 9223372036854775807 (line 1, position 3)
    1 << 1000
      => exited 0
    "#);
}
