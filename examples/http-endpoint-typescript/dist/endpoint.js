// The desk behind HTTP: the routes that Wind Tunnel asks, around an agent that knows nothing of them.
//
//     node dist/endpoint.js [PORT]
import { createServer } from "node:http";
import { AgentError, answer, ChatModel, SYSTEM } from "./agent.js";
import { Rooms, TOOLS } from "./rooms.js";
/** A request that is none of the protocol. */
class Refused extends Error {
}
/** Decisions in the place of the model. */
class Script {
    decisions;
    next = 0;
    constructor(decisions) {
        this.decisions = decisions;
    }
    get left() {
        return this.decisions.length - this.next;
    }
    async decide() {
        const decision = this.decisions[this.next];
        if (!decision)
            throw new AgentError("the model was asked beyond its script");
        this.next += 1;
        const calls = (decision.tool_calls ?? []).map((call, index) => ({
            id: `call-${this.next}-${index}`,
            type: "function",
            function: { name: call.name, arguments: JSON.stringify(call.arguments ?? {}) },
        }));
        const message = { role: "assistant", content: decision.content ?? null };
        return calls.length > 0 ? { ...message, tool_calls: calls } : message;
    }
}
const own = new ChatModel();
let sessions = new Map();
let rooms = new Rooms();
let script;
const routes = {
    async "/wt/inject"({ session_id: session, text, timeout_s: seconds }) {
        if (typeof session !== "string" || typeof text !== "string")
            throw new Refused("session_id and text are texts");
        if (typeof seconds !== "number")
            throw new Refused("timeout_s is a number of seconds");
        const messages = sessions.get(session) ?? [{ role: "system", content: SYSTEM }];
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
        if (decisions === undefined)
            return { wt_inject: 1 };
        if (!Array.isArray(decisions))
            throw new Refused("decisions is a list");
        if (decisions.some((decision) => decision.faults?.length))
            throw new Refused("this script plays no faults");
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
async function turn(messages, time) {
    try {
        const { reply, calls } = await answer(script ?? own, rooms, messages, time);
        return { reply, tool_calls: calls, error: null };
    }
    catch (error) {
        const why = time.aborted ? "the time for the turn is up" : error instanceof Error ? error.message : String(error);
        return { reply: "", tool_calls: [], error: why };
    }
}
async function handle(request) {
    const route = request.method === "POST" ? routes[new URL(request.url ?? "/", "http://desk").pathname] : undefined;
    if (!route)
        return [404, { error: `there is no ${request.method} ${request.url}` }];
    try {
        const chunks = [];
        for await (const chunk of request)
            chunks.push(chunk);
        const body = JSON.parse(Buffer.concat(chunks).toString());
        if (body?.wt_inject !== 1)
            throw new Refused("expected a JSON object with wt_inject = 1");
        return [200, await route(body)];
    }
    catch (error) {
        if (error instanceof Refused || error instanceof SyntaxError)
            return [400, { error: error.message }];
        throw error;
    }
}
const server = createServer((request, response) => {
    handle(request).then(([status, body]) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    }, (error) => {
        response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify({ error: String(error) }));
    });
});
server.listen(Number(process.argv[2] ?? 8701), "127.0.0.1", () => {
    console.log(`http://127.0.0.1:${server.address().port}`);
});
