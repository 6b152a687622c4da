"""A support agent on the `anthropic` package: Messages, tools that are functions of its own, and its own loop."""

import json
import sys

import shop
from anthropic import Anthropic

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."
FUNCTIONS = {"lookup_order": shop.lookup_order, "refund": shop.refund}
TOOLS = [
    {
        "name": "lookup_order",
        "description": "What was paid for an order.",
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
    {
        "name": "refund",
        "description": "Pays money back, once per order.",
        "input_schema": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "amount": {"type": "integer"}},
            "required": ["order_id", "amount"],
        },
    },
]

client = Anthropic()
messages = []


# ANCHOR: loop
def answer(prompt: str) -> str:
    messages.append({"role": "user", "content": prompt})
    while True:
        message = client.messages.create(
            model="claude-sonnet-4-5", max_tokens=4096, system=SYSTEM, messages=messages, tools=TOOLS
        )
        messages.append({"role": "assistant", "content": message.content})
        if message.stop_reason != "tool_use":
            return "".join(block.text for block in message.content if block.type == "text")
        results = [run(block) for block in message.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
# ANCHOR_END: loop


def run(call) -> dict:
    try:
        text, failed = FUNCTIONS[call.name](**call.input), False
    except Exception as error:
        text, failed = str(error), True
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": failed}


for line in sys.stdin:
    print(json.dumps({"reply": answer(json.loads(line)["prompt"])}), flush=True)
