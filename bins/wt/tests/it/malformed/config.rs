//! Faults of `wt.toml` and of the environment that overrides it.

use super::{Case, refused};
use crate::harness::{CallWt, desk};

/// A runtime that packs use by default.
fn bot(fields: &str) -> Case {
    Case::config(&format!("default_runtime = 'bot'\n\n[runtimes.bot]\n{fields}\n"))
}

/// A program as a runtime.
fn command(fields: &str) -> Case {
    bot(&format!("kind = 'command'\n{fields}"))
}

fn env(name: &'static str, value: &'static str) -> Case {
    Case::of(desk()).env(name, value)
}

refused! {
    config_with_an_unknown_field: Case::config("default_runtimes = 'loop'\n");
    config_with_a_syntax_error: Case::config("runs_dir = runs\n");
    config_with_no_jobs: Case::config("jobs = 0\n");
    config_with_a_timeout_of_nothing: Case::config("[timeouts]\ncase_s = 0\n");
    config_with_a_timeout_in_words: Case::config("[timeouts]\nturn_s = '2 minutes'\n");
    config_with_an_unknown_default_runtime: Case::config("default_runtime = 'lop'\n");
    config_that_is_not_there: Case::of(desk()).line("selftest --config settings.toml");
    config_that_is_named_and_wrong: Case::of(desk().file("ci/settings.toml", "job = 2\n"))
        .line("list --config ci/settings.toml");

    runtime_of_an_unknown_kind: bot("kind = 'comand'\ncommand = ['bot']");
    runtime_without_a_kind: bot("command = ['bot']");
    runtime_with_a_dotted_name: Case::config("[runtimes.'support.bot']\nkind = 'loop'\n");
    loop_with_an_unknown_field: bot("kind = 'loop'\nsystem = 'Be kind.'");
    loop_with_a_bad_base_url: bot("kind = 'loop'\nbase_url = '127.0.0.1:8000/v1'");
    loop_with_no_steps: bot("kind = 'loop'\nmax_steps = 0");

    command_that_is_a_shell_line: command("command = 'python3 bot.py'");
    command_that_is_empty: command("command = []");
    command_that_is_missing: command("prompt = 'stdin'");
    command_with_an_unknown_placeholder: command("command = ['bot', '--url', '{baseurl}']");
    command_without_its_prompt: command("command = ['bot']\nprompt = 'arg'");
    command_with_a_prompt_that_goes_elsewhere: command("command = ['bot', '{prompt}']");
    command_that_stays_and_cannot_answer: command("command = ['bot']\nprompt = 'jsonl'");
    command_with_an_unknown_way_in: command("command = ['bot']\nprompt = 'args'");
    command_with_an_unknown_wire: command("command = ['bot']\ninference = { wire = 'openai' }");
    command_with_a_turn_timeout_of_nothing: command("command = ['bot']\nturn_timeout_s = 0");
    command_with_a_bad_aside: command("command = ['bot']\naside = [{ pattern = { model = '(' }, content = 'Title' }]");
    command_that_is_no_program: command("command = ['bot']").env("PATH", "/nowhere");
    command_with_a_variable_that_is_not_set: command("command = ['sh']\nenv = { TOKEN = '${BOT_TOKEN}' }");

    environment_with_an_unknown_setting: env("WT__RUN_DIR", "elsewhere");
    environment_with_an_unknown_setting_below: env("WT__TIMEOUTS__CASE", "60");
    environment_with_a_bad_value: env("WT__TIMEOUTS__CASE_S", "soon");
    environment_with_a_value_out_of_range: env("WT__JOBS", "0");
}

/// How long a path is decides where a line is broken, so these are no snapshots.
#[test]
fn files_that_are_not_there_are_named_with_their_folder() {
    for (fields, file, said) in [
        (
            "command = ['./bot.sh']",
            "bot.sh",
            "runtimes.bot: command: program `./bot.sh` was not found: looked for",
        ),
        (
            "command = ['sh', '{config_file}']\ntools = { config_file = { template = 'mcp.json.j2' } }",
            "mcp.json.j2",
            "runtimes.bot: tools.config_file: the template",
        ),
    ] {
        let Case { folder, line, .. } = command(fields);
        let finished = folder.wt(line).exits(2);
        let flat = |text: &str| text.replace(['│', '\n', ' '], "");
        let path = folder.path("").canonicalize().unwrap().join(file);
        let expected = flat(&format!("{said} {}", path.display()));
        assert!(flat(&finished.stderr).contains(&expected), "{finished}");
    }
}
