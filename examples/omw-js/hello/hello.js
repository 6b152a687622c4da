// Asks the model once, and exits with what it said.
const model = omw.provider.get("llm");
const reply = model.chat("gpt-test", [{ role: "user", content: "Say hello." }], []);
reply.content;
