//! Standard input and output as lines.

use std::io;

use agent_client_protocol::Lines;
use futures::{Sink, Stream, sink, stream};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};

pub(crate) fn transport() -> Lines<
    impl Sink<String, Error = io::Error> + Send + 'static,
    impl Stream<Item = io::Result<String>> + Send + 'static,
> {
    let lines = BufReader::new(tokio::io::stdin()).lines();
    let incoming =
        stream::try_unfold(lines, async |mut lines| Ok(lines.next_line().await?.map(|line| (line, lines))));
    let outgoing = sink::unfold(tokio::io::stdout(), async |mut output, line: String| {
        output.write_all(format!("{line}\n").as_bytes()).await?;
        output.flush().await?;
        Ok(output)
    });
    Lines::new(outgoing, incoming)
}
