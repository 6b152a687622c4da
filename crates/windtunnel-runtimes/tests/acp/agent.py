"""An agent that speaks the Agent Client Protocol as a test tells it: `told.py` beside it is Python that may set
`capabilities`, `auth`, `version` and `new_session`, and define `prompt(text)`, whose result is the stop reason."""

import json
import os
import sys
import time

capabilities = {}
auth = []
version = 1
opened = []
asked = 0


def send(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    return json.loads(line)


def update(kind, **fields):
    send({"method": "session/update", "params": {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}})


def say(text, kind="agent_message_chunk", **fields):
    update(kind, content={"type": "text", "text": text}, **fields)


def ask(method, **params):
    """Asks the client and waits for what it answers."""
    global asked
    asked += 1
    send({"id": f"ask-{asked}", "method": method, "params": params})
    while True:
        message = receive()
        if "method" not in message:
            return message.get("result", message.get("error"))
        notified.append(message["method"])


def permission(tool, options=("allow_once", "reject_once"), **fields):
    call = {"toolCallId": tool, "title": tool, **fields}
    offered = [{"optionId": f"id-{kind}", "name": kind, "kind": kind} for kind in options]
    return ask("session/request_permission", sessionId=session, toolCall=call, options=offered)["outcome"]


def fail(code, message, data=None):
    raise Exception(code, message, data)


def new_session(params):
    opened.append(params)
    return {"sessionId": f"session-{len(opened)}"}


def prompt(text):
    say(text)
    return "end_turn"


notified = []
exec(open("told.py").read())

while True:
    message = receive()
    method, params = message["method"], message.get("params")
    if "id" not in message:
        notified.append(method)
        continue
    try:
        if method == "initialize":
            client = params
            result = {"protocolVersion": version, "agentCapabilities": capabilities, "authMethods": auth}
        elif method == "authenticate":
            logged_in = params["methodId"]
            result = {}
        elif method == "session/new":
            result = new_session(params)
        elif method == "session/prompt":
            session = params["sessionId"]
            result = {"stopReason": prompt(params["prompt"][0]["text"])}
    except Exception as error:
        code, text, data = error.args if len(error.args) == 3 else (-32603, str(error), None)
        send({"id": message["id"], "error": {"code": code, "message": text, "data": data}})
        continue
    send({"id": message["id"], "result": result})
