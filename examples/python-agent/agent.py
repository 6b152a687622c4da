"""A support agent: the `openai` package for the model, the `mcp` package for the tools, and its own loop.

Nothing in it knows that it is tested. The base URL and the tool server come from the environment, as they would in
production.
"""

import asyncio
import json
import os
import sys

from mcp import Client
from openai import AsyncOpenAI

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."
MAX_STEPS = 10


async def answer(prompt: str) -> str:
    model = AsyncOpenAI()
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}]
    async with Client(os.environ["MCP_URL"]) as shop:
        tools = [as_function(tool) for tool in (await shop.list_tools()).tools]
        for _ in range(MAX_STEPS):
            completion = await model.chat.completions.create(model="gpt-5", messages=messages, tools=tools)
            message = completion.choices[0].message
            messages.append(message.model_dump(exclude_none=True))
            if not message.tool_calls:
                return message.content or ""
            for call in message.tool_calls:
                result = await shop.call_tool(call.function.name, json.loads(call.function.arguments))
                text = "\n".join(part.text for part in result.content if part.type == "text")
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text})
    raise RuntimeError(f"no answer after {MAX_STEPS} steps")


def as_function(tool) -> dict:
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description or "", "parameters": tool.input_schema},
    }


print(asyncio.run(answer(sys.stdin.read())))
