"""A desk that keeps notes: an agent loop over a model and tools. It knows nothing of HTTP routes or tests."""

import json
import os
import time
import urllib.error
import urllib.request

SYSTEM = "You keep the notes of a shop in files. Read a note before you change it, and say what you wrote."
MAX_STEPS = 8


class AgentError(Exception):
    """What went wrong in the agent, in words for whoever asked."""


class Model:
    """A model behind an OpenAI-compatible endpoint, as OPENAI_BASE_URL and OPENAI_API_KEY say."""

    def decide(self, messages: list, tools: list, deadline: float) -> dict:
        base_url = os.environ.get("OPENAI_BASE_URL")
        if not base_url:
            raise AgentError("there is no model: set OPENAI_BASE_URL and OPENAI_API_KEY")
        body = {"model": os.environ.get("OPENAI_MODEL", "gpt-5"), "messages": messages}
        if tools:
            body["tools"] = [{"type": "function", "function": tool} for tool in tools]
        headers = {"authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', '')}"}
        completion, _ = post(f"{base_url}/chat/completions", body, deadline, headers)
        return completion["choices"][0]["message"]


def answer(model, tools, messages: list, deadline: float) -> tuple[str, list]:
    """One turn: the reply, and the tools that were called for it."""
    calls = []
    for _ in range(MAX_STEPS):
        message = model.decide(messages, tools.definitions, deadline)
        messages.append(message)
        if not message.get("tool_calls"):
            return message.get("content") or "", calls
        for call in message["tool_calls"]:
            name, arguments = call["function"]["name"], json.loads(call["function"]["arguments"])
            calls.append({"name": name, "arguments": arguments})
            result = tools.call(name, arguments, deadline)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    raise AgentError(f"no answer after {MAX_STEPS} steps")


def post(url: str, body: dict, deadline: float, headers: dict | None = None) -> tuple[dict, dict]:
    """What a URL answers to JSON, with the headers of the answer."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise AgentError("the time for the turn is up")
    headers = {"content-type": "application/json", "accept": "application/json", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=left) as response:
            return json.loads(response.read() or b"{}"), dict(response.headers.items())
    except TimeoutError as error:
        raise AgentError("the time for the turn is up") from error
    except urllib.error.URLError as error:
        raise AgentError(f"{url}: {error}") from error
