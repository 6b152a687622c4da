"""A support agent on the `openai` package: Chat Completions, tools that are functions of its own, and its own loop."""

import json
import sys

import shop
from openai import OpenAI

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."
FUNCTIONS = {"lookup_order": shop.lookup_order, "refund": shop.refund}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "lookup_order",
            "description": "What was paid for an order.",
            "parameters": {
                "type": "object",
                "properties": {"order_id": {"type": "string"}},
                "required": ["order_id"],
            },
        },
    },
    {
        "type": "function",
        "function": {
            "name": "refund",
            "description": "Pays money back, once per order.",
            "parameters": {
                "type": "object",
                "properties": {"order_id": {"type": "string"}, "amount": {"type": "integer"}},
                "required": ["order_id", "amount"],
            },
        },
    },
]

client = OpenAI()
messages = [{"role": "system", "content": SYSTEM}]


def answer(prompt: str) -> str:
    messages.append({"role": "user", "content": prompt})
    while True:
        completion = client.chat.completions.create(model="gpt-5", messages=messages, tools=TOOLS)
        message = completion.choices[0].message
        messages.append(message)
        if not message.tool_calls:
            return message.content
        for call in message.tool_calls:
            result = run(call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def run(name: str, arguments: str) -> str:
    try:
        return FUNCTIONS[name](**json.loads(arguments))
    except Exception as error:
        return f"error: {error}"


for line in sys.stdin:
    print(json.dumps({"reply": answer(json.loads(line)["prompt"])}), flush=True)
