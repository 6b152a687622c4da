"""The tools of MCP servers behind HTTP addresses, as far as the desk needs MCP."""

import itertools

from agent import AgentError, post

ids = itertools.count(1)


class Tools:
    """The tools of several servers."""

    def __init__(self, urls: list[str], deadline: float):
        self.owners, self.definitions = {}, []
        for server in [Server(url, deadline) for url in urls]:
            for tool in server.ask("tools/list", {}, deadline)["tools"]:
                self.owners[tool["name"]] = server
                self.definitions.append(
                    {
                        "name": tool["name"],
                        "description": tool.get("description", ""),
                        "parameters": tool["inputSchema"],
                    }
                )

    def call(self, name: str, arguments: dict, deadline: float) -> str:
        """What a tool answers, in words for the model; that there is none is such an answer too."""
        if name not in self.owners:
            return f"there is no tool {name}; there are {', '.join(self.owners) or 'none'}"
        result = self.owners[name].ask("tools/call", {"name": name, "arguments": arguments}, deadline)
        return "\n".join(part["text"] for part in result["content"] if part["type"] == "text")


class Server:
    """One MCP server."""

    def __init__(self, url: str, deadline: float):
        self.url, self.headers = url, {}
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "desk", "version": "1"},
        }
        version = self.ask("initialize", hello, deadline)["protocolVersion"]
        self.headers["mcp-protocol-version"] = version
        self.send({"method": "notifications/initialized"}, deadline)

    def ask(self, method: str, params: dict, deadline: float) -> dict:
        answer = self.send({"id": next(ids), "method": method, "params": params}, deadline)
        if "error" in answer:
            raise AgentError(f"{self.url}: {method}: {answer['error']['message']}")
        return answer["result"]

    def send(self, message: dict, deadline: float) -> dict:
        answer, headers = post(self.url, {"jsonrpc": "2.0", **message}, deadline, self.headers)
        sessions = [value for name, value in headers.items() if name.lower() == "mcp-session-id"]
        if sessions:
            self.headers["mcp-session-id"] = sessions[0]
        return answer
