"""A support agent on LangGraph: the prebuilt agent graph with a checkpointer, and tools over MCP, on whatever provider MODEL names."""

import asyncio
import json
import os
import sys

from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_mcp_adapters.client import MultiServerMCPClient
from langgraph.checkpoint.memory import InMemorySaver

SYSTEM = "You are a support agent. Look an order up before you refund it, and refund exactly what was paid."


async def main():
    servers = MultiServerMCPClient({"shop": {"transport": "streamable_http", "url": os.environ["MCP_URL"]}})
    options = json.loads(os.environ.get("MODEL_OPTIONS", "{}"))
    agent = create_agent(
        init_chat_model(os.environ["MODEL"], **options),
        await servers.get_tools(),
        system_prompt=SYSTEM,
        checkpointer=InMemorySaver(),
    )
    thread = {"configurable": {"thread_id": "customer"}}
    for line in sys.stdin:
        turn = {"messages": [{"role": "user", "content": json.loads(line)["prompt"]}]}
        state = await agent.ainvoke(turn, thread)
        print(json.dumps({"reply": state["messages"][-1].text}), flush=True)


asyncio.run(main())
