"""The desk behind HTTP: the routes that Wind Tunnel asks, around an agent that knows nothing of them.

    python3 endpoint.py [PORT]
"""

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from agent import SYSTEM, AgentError, Model, answer
from tools import Tools

SETUP_S = 10
# What a decision may hold besides its text and its calls.
NOT_PLAYED = ("faults", "reasoning", "refusal")


class Refused(Exception):
    """A request that is none of the protocol, or that asks for what is not played here."""

    def __init__(self, message: str, status: int = 400):
        super().__init__(message)
        self.status = status


# ANCHOR: script
class Script:
    """Decisions in the place of the model."""

    def __init__(self, decisions: list):
        self.decisions = decisions
        self.next = 0

    def decide(self, messages: list, tools: list, deadline: float) -> dict:
        if self.next == len(self.decisions):
            raise AgentError("the model was asked beyond its script")
        decision = self.decisions[self.next]
        self.next += 1
        calls = [
            {
                "id": f"call-{self.next}-{index}",
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call.get("arguments", {}))},
            }
            for index, call in enumerate(decision.get("tool_calls", []))
        ]
        message = {"role": "assistant", "content": decision.get("content")}
        return {**message, "tool_calls": calls} if calls else message

    @property
    def left(self) -> int:
        return len(self.decisions) - self.next
# ANCHOR_END: script


class Desk:
    """One agent, its sessions, and what stands in for its model."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sessions, self.script = {}, None
        self.tools = Tools([], 0)

    def inject(self, body: dict) -> dict:
        session, text, timeout_s = body.get("session_id"), body.get("text"), body.get("timeout_s")
        if not isinstance(session, str) or not isinstance(text, str):
            raise Refused("session_id and text are texts")
        if isinstance(timeout_s, bool) or not isinstance(timeout_s, (int, float)):
            raise Refused("timeout_s is a number of seconds")
        deadline = time.monotonic() + timeout_s
        messages = self.sessions.setdefault(session, [{"role": "system", "content": SYSTEM}])
        messages.append({"role": "user", "content": text})
        reply = {"wt_inject": 1, "reply": "", "tool_calls": [], "error": None}
        try:
            reply["reply"], reply["tool_calls"] = answer(self.script or Model(), self.tools, messages, deadline)
        except AgentError as error:
            reply["error"] = str(error)
        if self.script:
            reply["decisions_left"] = self.script.left
        return reply

    def reset(self, body: dict) -> dict:
        self.sessions = {}
        urls = [tool["url"] for tool in body.get("tools", [])]
        self.tools = Tools(urls, time.monotonic() + SETUP_S)
        return {"wt_inject": 1}

    def reference(self, body: dict) -> dict:
        decisions = body.get("decisions")
        if decisions is not None:
            if any(decision.get(part) for decision in decisions for part in NOT_PLAYED):
                raise Refused(f"this script plays no {', no '.join(NOT_PLAYED)}", 422)
            self.script = Script(decisions) if decisions else None
        return {"wt_inject": 1}

    def surface(self, body: dict) -> dict:
        return {
            "wt_inject": 1,
            "system_instructions": [{"type": "text", "content": SYSTEM}],
            "tool_definitions": self.tools.definitions,
            "extra_segments": [],
        }


desk = Desk()
ROUTES = {
    "/wt/inject": desk.inject,
    "/wt/reset": desk.reset,
    "/wt/reference": desk.reference,
    "/wt/surface": desk.surface,
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        length = int(self.headers.get("content-length", 0))
        text = self.rfile.read(length)
        route = ROUTES.get(self.path.split("?")[0])
        if route is None:
            return self.reply(404, {"error": f"there is no {self.path}"})
        try:
            body = json.loads(text)
            if not isinstance(body, dict) or body.get("wt_inject") != 1:
                raise Refused("expected a JSON object with wt_inject = 1")
            with desk.lock:
                return self.reply(200, route(body))
        except Refused as error:
            self.reply(error.status, {"error": str(error)})
        except json.JSONDecodeError as error:
            self.reply(400, {"error": str(error)})
        except AgentError as error:
            self.reply(503, {"error": str(error)})

    def reply(self, status: int, body: dict):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 8700), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
