// A support agent on the Vercel AI SDK: its loop and its MCP client, on whatever provider MODEL names.

import { createInterface } from "node:readline";
import { anthropic } from "@ai-sdk/anthropic";
import { createMCPClient } from "@ai-sdk/mcp";
import { openai } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";

const system = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid.";
const models = {
  "openai-chat": () => openai.chat("gpt-5"),
  "openai-responses": () => openai("gpt-5"),
  anthropic: () => anthropic("claude-sonnet-4-5"),
};

async function main() {
  const model = models[process.env.MODEL]();
  const shop = await createMCPClient({ transport: { type: "http", url: process.env.MCP_URL } });
  const tools = await shop.tools();
  const messages = [];
  for await (const line of createInterface({ input: process.stdin })) {
    messages.push({ role: "user", content: JSON.parse(line).prompt });
    const result = await generateText({ model, system, messages, tools, stopWhen: stepCountIs(10) });
    messages.push(...result.response.messages);
    console.log(JSON.stringify({ reply: result.text }));
  }
  await shop.close();
}

main().catch((error) => {
  console.error(`${error}`);
  process.exit(1);
});
