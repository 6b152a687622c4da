// The loop of a tool agent: ask, call what the model asks for, tell it the results, until it answers.
const model = omw.provider.get("llm");
const shop = omw.tooling.get("shop");
const tools = shop.listTools();
const messages = [
  { role: "system", content: "You answer questions about orders." },
  { role: "user", content: "Where is order 1042?" },
];

function call(request) {
  try {
    return shop.callToolBlocking(request.name, request.arguments).content[0].text;
  } catch (error) {
    return `error: ${error.message}`;
  }
}

let reply = model.chat("gpt-test", messages, tools);
while (reply.toolCalls.length > 0) {
  messages.push({ role: "assistant", content: reply.content, toolCalls: reply.toolCalls });
  for (const request of reply.toolCalls) {
    messages.push({ role: "tool", toolCallId: request.id, content: call(request) });
  }
  reply = model.chat("gpt-test", messages, tools);
}
reply.content;
