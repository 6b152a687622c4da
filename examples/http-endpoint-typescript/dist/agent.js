// An agent loop over a model and tools. It knows nothing of routes or tests.
import { TOOLS } from "./rooms.js";
export const SYSTEM = "You book rooms of a house. Look at what is free before you book, and book the smallest room that fits.";
const MAX_STEPS = 8;
/** What went wrong in the agent, in words for whoever asked. */
export class AgentError extends Error {
}
/** A model behind an OpenAI-compatible endpoint, as OPENAI_BASE_URL and OPENAI_API_KEY say. */
export class ChatModel {
    async decide(messages, time) {
        const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key = "", OPENAI_MODEL: model = "gpt-5" } = process.env;
        if (!url)
            throw new AgentError("there is no model: set OPENAI_BASE_URL and OPENAI_API_KEY");
        const response = await fetch(`${url}/chat/completions`, {
            method: "POST",
            headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
            body: JSON.stringify({ model, messages, tools: TOOLS.map((tool) => ({ type: "function", function: tool })) }),
            signal: time,
        });
        if (!response.ok)
            throw new AgentError(`the model answered with status ${response.status}`);
        const completion = (await response.json());
        const message = completion.choices[0]?.message;
        if (!message)
            throw new AgentError("the model made no choice");
        return message;
    }
}
/** One turn: the reply, and the tools that were called for it. */
export async function answer(model, rooms, messages, time) {
    const calls = [];
    for (let step = 0; step < MAX_STEPS; step++) {
        const message = await model.decide(messages, time);
        messages.push(message);
        if (!message.tool_calls?.length)
            return { reply: message.content ?? "", calls };
        for (const { id, function: asked } of message.tool_calls) {
            const call = { name: asked.name, arguments: JSON.parse(asked.arguments) };
            calls.push(call);
            messages.push({ role: "tool", tool_call_id: id, content: rooms.call(call.name, call.arguments) });
        }
    }
    throw new AgentError(`no answer after ${MAX_STEPS} steps`);
}
