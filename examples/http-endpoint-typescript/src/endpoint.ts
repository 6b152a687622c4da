// The desk behind HTTP: the routes that Wind Tunnel asks, around an agent that knows nothing of them.
//
//     node dist/endpoint.js [PORT]

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { AgentError, answer, ChatModel, type Message, type Model, SYSTEM } from "./agent.js";
import { Rooms, TOOLS } from "./rooms.js";

type Body = Record<string, unknown>;

interface Decision {
  content?: string;
  tool_calls?: { name: string; arguments?: Record<string, unknown> }[];
  faults?: unknown[];
  reasoning?: string;
  refusal?: boolean;
}

/** A request that is none of the protocol. */
class Refused extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Whether a decision holds more than its text and its calls. */
function isMoreThanPlayed({ faults, reasoning, refusal }: Decision): boolean {
  return Boolean(faults?.length || reasoning || refusal);
}

/** Decisions in the place of the model. */
class Script implements Model {
  private next = 0;

  constructor(private readonly decisions: Decision[]) {}

  get left(): number {
    return this.decisions.length - this.next;
  }

  async decide(): Promise<Message> {
    const decision = this.decisions[this.next];
    if (!decision) throw new AgentError("the model was asked beyond its script");
    this.next += 1;
    const calls = (decision.tool_calls ?? []).map((call, index) => ({
      id: `call-${this.next}-${index}`,
      type: "function" as const,
      function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
    }));
    const message: Message = { role: "assistant", content: decision.content ?? null };
    return calls.length > 0 ? { ...message, tool_calls: calls } : message;
  }
}

const own = new ChatModel();
let sessions = new Map<string, Message[]>();
let rooms = new Rooms();
let script: Script | undefined;

const routes: Record<string, (body: Body) => Body | Promise<Body>> = {
  async "/wt/inject"({ session_id: session, text, timeout_s: seconds }) {
    if (typeof session !== "string" || typeof text !== "string") throw new Refused("session_id and text are texts");
    if (typeof seconds !== "number") throw new Refused("timeout_s is a number of seconds");
    const messages = sessions.get(session) ?? [{ role: "system", content: SYSTEM } as Message];
    sessions.set(session, messages);
    messages.push({ role: "user", content: text });
    const told = await turn(messages, AbortSignal.timeout(seconds * 1000));
    return { wt_inject: 1, ...told, ...(script && { decisions_left: script.left }) };
  },

  "/wt/reset"() {
    sessions = new Map();
    rooms = new Rooms();
    return { wt_inject: 1 };
  },

  "/wt/reference"({ decisions }) {
    if (decisions === undefined) return { wt_inject: 1 };
    if (!Array.isArray(decisions)) throw new Refused("decisions is a list");
    if (decisions.some(isMoreThanPlayed)) throw new Refused("this script plays no faults, no reasoning, no refusal", 422);
    script = decisions.length > 0 ? new Script(decisions) : undefined;
    return { wt_inject: 1 };
  },

  "/wt/surface"() {
    return {
      wt_inject: 1,
      system_instructions: [{ type: "text", content: SYSTEM }],
      tool_definitions: TOOLS,
      extra_segments: [],
    };
  },
};

async function turn(messages: Message[], time: AbortSignal): Promise<Body> {
  try {
    const { reply, calls } = await answer(script ?? own, rooms, messages, time);
    return { reply, tool_calls: calls, error: null };
  } catch (error) {
    const why = time.aborted ? "the time for the turn is up" : error instanceof Error ? error.message : String(error);
    return { reply: "", tool_calls: [], error: why };
  }
}

async function handle(request: IncomingMessage): Promise<[number, Body]> {
  const route = request.method === "POST" ? routes[new URL(request.url ?? "/", "http://desk").pathname] : undefined;
  if (!route) return [404, { error: `there is no ${request.method} ${request.url}` }];
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Body | null;
    if (body?.wt_inject !== 1) throw new Refused("expected a JSON object with wt_inject = 1");
    return [200, await route(body)];
  } catch (error) {
    if (error instanceof Refused) return [error.status, { error: error.message }];
    if (error instanceof SyntaxError) return [400, { error: error.message }];
    throw error;
  }
}

const server = createServer((request, response) => {
  handle(request).then(
    ([status, body]) => {
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    },
    (error: unknown) => {
      response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: String(error) }));
    },
  );
});

server.listen(Number(process.argv[2] ?? 8701), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
