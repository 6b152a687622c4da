"""A support agent on Pydantic AI: its loop and its MCP toolset, on whatever provider MODEL names."""

import asyncio
import json
import os
import sys

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."


async def main():
    shop = MCPToolset(os.environ["MCP_URL"])
    agent = Agent(os.environ["MODEL"], instructions=SYSTEM, toolsets=[shop])
    history = []
    async with agent:
        for line in sys.stdin:
            result = await agent.run(json.loads(line)["prompt"], message_history=history)
            history = result.all_messages()
            print(json.dumps({"reply": result.output}), flush=True)


asyncio.run(main())
