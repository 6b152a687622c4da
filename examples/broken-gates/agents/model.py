"""One request to an OpenAI-compatible model, with the standard library only."""

import json
import os
import urllib.request


def ask(messages):
    """The model's message to these messages."""
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        data=json.dumps({"model": "any", "messages": messages, "tools": [NOTE]}).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)["choices"][0]["message"]


NOTE = {
    "type": "function",
    "function": {
        "name": "note",
        "description": "Keeps a note.",
        "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
    },
}
