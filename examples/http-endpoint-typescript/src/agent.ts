// An agent loop over a model and tools. It knows nothing of routes or tests.

import { type Rooms, TOOLS } from "./rooms.js";

export const SYSTEM = "You book rooms of a house. Look at what is free before you book, and book the smallest room that fits.";
const MAX_STEPS = 8;

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  content: string | null;
  tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** Whatever decides what the agent does next. */
export interface Model {
  decide(messages: Message[], time: AbortSignal): Promise<Message>;
}

/** What went wrong in the agent, in words for whoever asked. */
export class AgentError extends Error {}

/** A model behind an OpenAI-compatible endpoint, as OPENAI_BASE_URL and OPENAI_API_KEY say. */
export class ChatModel implements Model {
  async decide(messages: Message[], time: AbortSignal): Promise<Message> {
    const { OPENAI_BASE_URL: url, OPENAI_API_KEY: key = "", OPENAI_MODEL: model = "gpt-5" } = process.env;
    if (!url) throw new AgentError("there is no model: set OPENAI_BASE_URL and OPENAI_API_KEY");
    const response = await fetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify({ model, messages, tools: TOOLS.map((tool) => ({ type: "function", function: tool })) }),
      signal: time,
    });
    if (!response.ok) throw new AgentError(`the model answered with status ${response.status}`);
    const completion = (await response.json()) as { choices: { message: Message }[] };
    const message = completion.choices[0]?.message;
    if (!message) throw new AgentError("the model made no choice");
    return message;
  }
}

/** One turn: the reply, and the tools that were called for it. */
export async function answer(model: Model, rooms: Rooms, messages: Message[], time: AbortSignal) {
  const calls: Call[] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const message = await model.decide(messages, time);
    messages.push(message);
    if (!message.tool_calls?.length) return { reply: message.content ?? "", calls };
    for (const { id, function: asked } of message.tool_calls) {
      const call: Call = { name: asked.name, arguments: JSON.parse(asked.arguments) };
      calls.push(call);
      messages.push({ role: "tool", tool_call_id: id, content: rooms.call(call.name, call.arguments) });
    }
  }
  throw new AgentError(`no answer after ${MAX_STEPS} steps`);
}
