"""A tool server over standard input and output."""

from mcp.server.mcpserver import MCPServer

ORDERS = {"1042": "Order 1042 shipped on Monday.", "1043": "Order 1043 waits for payment."}

server = MCPServer("orders")


@server.tool()
def lookup_order(order_id: str) -> str:
    """What is known of an order."""
    return ORDERS.get(order_id, f"There is no order {order_id}.")


server.run("stdio")
