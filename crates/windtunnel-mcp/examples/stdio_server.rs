//! The test server as a program that speaks MCP over its standard streams.

#[path = "../tests/recorder/desk.rs"]
mod desk;

use rmcp::ServiceExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let running = desk::Desk::default().serve((tokio::io::stdin(), tokio::io::stdout())).await?;
    running.waiting().await?;
    Ok(())
}
