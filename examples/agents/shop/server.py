"""The shop as an MCP server on standard input and output, with nothing but the standard library."""

import json
import sys

import shop


def schema(**properties: str) -> dict:
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


TOOLS = {
    "lookup_order": (shop.lookup_order, schema(order_id="string")),
    "refund": (shop.refund, schema(order_id="string", amount="integer")),
}


def call(name: str, arguments: dict) -> dict:
    try:
        function, _ = TOOLS[name]
        text, failed = function(**arguments), False
    except Exception as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def result(method: str, params: dict) -> dict:
    match method:
        case "initialize":
            info = {"name": "shop", "version": "1"}
            return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
        case "tools/list":
            tools = [
                {"name": name, "description": function.__doc__, "inputSchema": parameters}
                for name, (function, parameters) in TOOLS.items()
            ]
            return {"tools": tools}
        case "tools/call":
            return call(params["name"], params.get("arguments", {}))
        case _:
            return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        answer = {"jsonrpc": "2.0", "id": request["id"], "result": result(request["method"], request.get("params", {}))}
        print(json.dumps(answer), flush=True)
