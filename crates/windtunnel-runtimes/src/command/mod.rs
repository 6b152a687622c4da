//! The `command` runtime: any program as an agent.
//!
//! # Turns
//! With `prompt = "stdin"` or `"arg"` every turn is a process of its own. Only the newest user message goes in: a program
//! that is to remember the conversation keeps it itself, or uses `jsonl`. On standard input the message ends with a newline, and
//! then the input is closed. The turn fails when the process ends with
//! anything but exit code 0, whatever it printed. What it leaves running is killed.
//!
//! With `prompt = "jsonl"` one process stays for the case. It is started by the first turn, and started again for every run.
//!
//! # JSON lines
//! In goes one line per turn:
//! ```json
//! {"prompt": "How many orders?", "session": "4f1c…", "turn": 1}
//! ```
//! `session` names the conversation; `turn` counts from 1 in a process. Where a test puts earlier messages before the turn,
//! they stand in `history`, as `[{"role", "content"}]`.
//!
//! Out comes one line per turn, a JSON object:
//! ```json
//! {"reply": "75 orders", "tool_calls": [{"name": "lookup", "arguments": {"id": 7}, "result": "…"}], "turn": 1}
//! ```
//! `reply` is required, unless `error` says in a text why there is none; then the turn has failed. `tool_calls` are the calls
//! that the agent reports of itself: they count where nothing witnessed them. `usage` may be `{"input_tokens", "output_tokens"}`;
//! a `turn`, if it is given, has to be the one that was asked. Other fields are ignored, empty lines too.
//!
//! Standard output belongs to replies. Any other line on it fails the turn, because a line that is taken for a log may as well
//! be a broken reply: logs go to standard error, which is kept and shown with a failure.
//!
//! # What the program is told
//! In a self-test: the base URL and the key of the scripted model endpoint (`inference`). In a live run: the base URL of a recorder in
//! front of its real model, where that is known; its key it has from `pass_env`. In both: the addresses of the recorded tool servers (`tools`), as
//! variables, as arguments or in a file made from a template.

mod agent;
mod one_shot;
mod plan;
mod reply;
mod runtime;
mod session;

pub use runtime::CommandAgents;
