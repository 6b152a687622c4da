//! What is wrong with parameters is said when a graph is compiled.

use crate::world::bind;

#[test]
fn a_wrong_parameter_is_a_fault() {
    let table = [
        ("validate-artifacts", "{lockd: true}"),
        ("validate-artifacts", "{locked: 1, sections: Architecture}"),
        ("validate-artifacts", "{artifacts: [../design.md]}"),
        ("validate-artifacts", "{artifacts: []}"),
        ("validate-artifacts", "{artifacts: [a.md], validates: b.md}"),
        ("validate-artifacts", "{locked: true, frontMatter: {status: draft}}"),
        ("lint-artifacts", "{maxLineLength: 0}"),
        ("enforces-boundaries-from", "{artifacts: [a.md]}"),
        ("enforces-boundaries-from", "{artifacts: [a.md], markers: [\" \"]}"),
        ("classify-phase-selection", "{keyword: ''}"),
        ("classify-feedback", "{artifact: a.md}"),
        ("record-feedback", ""),
        ("verify-tests", "{timeoutSeconds: -1}"),
        ("await-inner-loops", "{repos: []}"),
    ];
    let told = table.map(|(hook, parameters)| {
        let Err(faults) = bind(hook, parameters) else { panic!("{hook} takes {parameters}") };
        format!("{hook} {parameters}\n  {}", faults.join("\n  "))
    });
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn the_nodes_of_parameters_are_told() {
    let hook = bind("validate-artifacts", "{onlyWhenSkipped: test-planning}").unwrap();
    assert_eq!(hook.nodes(), ["test-planning"]);
}
