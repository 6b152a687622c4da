"""An MCP server with state: a shop that refunds an order once. Its books are a SQLite file in the workspace."""

import os
import sqlite3

from mcp.server.mcpserver import MCPServer

ORDERS = {"A-17": 42, "B-99": 310}

shop = MCPServer("shop")
refunded: set[str] = set()

# Tools run on threads of their own.
books = sqlite3.connect(os.path.join(os.environ["WT_WORKSPACE"], "books.db"), check_same_thread=False)
books.execute("CREATE TABLE refunds (order_id TEXT, amount INTEGER)")
books.commit()


@shop.tool()
def lookup_order(order_id: str) -> str:
    """What was paid for an order."""
    if order_id not in ORDERS:
        raise ValueError(f"no order {order_id}")
    return f"order {order_id}: {ORDERS[order_id]} EUR paid"


@shop.tool()
def refund(order_id: str, amount: int) -> str:
    """Pays money back, once per order."""
    if order_id in refunded:
        raise ValueError(f"order {order_id} is refunded already")
    refunded.add(order_id)
    books.execute("INSERT INTO refunds VALUES (?, ?)", (order_id, amount))
    books.commit()
    return f"refunded {amount} EUR for order {order_id}"


shop.run("stdio")
