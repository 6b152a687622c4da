// Never ends, and never waits: it asks again and again.
const model = omw.provider.get("llm");
for (;;) {
  try {
    model.chat("gpt-test", [{ role: "user", content: "Anything new?" }], []);
  } catch (error) {
    // Not even this keeps it from being stopped.
  }
}
