"""A support agent on the OpenAI Agents SDK: its loop, its session, its MCP client."""

import asyncio
import json
import os
import sys

from agents import Agent, Runner, SQLiteSession
from agents.mcp import MCPServerStreamableHttp

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."


async def main():
    async with MCPServerStreamableHttp(name="shop", params={"url": os.environ["MCP_URL"]}) as shop:
        agent = Agent(name="support", instructions=SYSTEM, model="gpt-5", mcp_servers=[shop])
        session = SQLiteSession("customer")
        for line in sys.stdin:
            result = await Runner.run(agent, json.loads(line)["prompt"], session=session)
            print(json.dumps({"reply": result.final_output}), flush=True)


asyncio.run(main())
