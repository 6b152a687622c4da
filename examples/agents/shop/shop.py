"""A shop: its orders, and its books in a SQLite file of the workspace. The tools of every agent here are these functions."""

import os
import sqlite3

ORDERS = {"A-17": 42, "B-99": 310}

# MCP servers and agent libraries run tools on threads of their own.
books = sqlite3.connect(os.path.join(os.environ["WT_WORKSPACE"], "books.db"), check_same_thread=False, isolation_level=None)
books.execute("CREATE TABLE IF NOT EXISTS refunds (order_id TEXT PRIMARY KEY, amount INTEGER)")


def lookup_order(order_id: str) -> str:
    """What was paid for an order."""
    if order_id not in ORDERS:
        raise ValueError(f"there is no order {order_id}")
    return f"order {order_id}: {ORDERS[order_id]} EUR paid"


def refund(order_id: str, amount: int) -> str:
    """Pays money back, once per order."""
    try:
        books.execute("INSERT INTO refunds VALUES (?, ?)", (order_id, amount))
    except sqlite3.IntegrityError:
        raise ValueError(f"order {order_id} is refunded already") from None
    return f"refunded {amount} EUR for order {order_id}"
