"""A support agent on the `openai` package: Responses, streamed, with the conversation kept by the provider."""

import json
import sys

import shop
from openai import OpenAI

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."
FUNCTIONS = {"lookup_order": shop.lookup_order, "refund": shop.refund}
TOOLS = [
    {
        "type": "function",
        "name": "lookup_order",
        "description": "What was paid for an order.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}},
            "required": ["order_id"],
        },
    },
    {
        "type": "function",
        "name": "refund",
        "description": "Pays money back, once per order.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "amount": {"type": "integer"}},
            "required": ["order_id", "amount"],
        },
    },
]

client = OpenAI()
previous = None


# ANCHOR: conversation
def answer(prompt: str) -> str:
    items = [{"role": "user", "content": prompt}]
    while items:
        response = ask(items)
        items = [
            {"type": "function_call_output", "call_id": item.call_id, "output": run(item.name, item.arguments)}
            for item in response.output
            if item.type == "function_call"
        ]
    return response.output_text


def ask(items: list):
    global previous
    with client.responses.stream(
        model="gpt-5", instructions=SYSTEM, input=items, tools=TOOLS, previous_response_id=previous
    ) as stream:
        response = stream.get_final_response()
    previous = response.id
    return response
# ANCHOR_END: conversation


def run(name: str, arguments: str) -> str:
    try:
        return FUNCTIONS[name](**json.loads(arguments))
    except Exception as error:
        return f"error: {error}"


for line in sys.stdin:
    print(json.dumps({"reply": answer(json.loads(line)["prompt"])}), flush=True)
