//! What the documentation shows is what happens.

use windtunnel_testkit::documented;

use crate::harness::program;

#[test]
fn documented_commands_print_what_is_shown() {
    let wt = program();
    let programs = [wt.beside("omw"), wt.beside("omw-test"), wt];
    let commands = documented::check(&programs);
    assert!(commands >= 8, "only {commands} commands are documented");
}
