"""An agent that asks the model to check its answer, which nobody scripted."""

import sys
import urllib.error

from model import ask

messages = [{"role": "user", "content": sys.stdin.read()}]
answer = ask(messages)["content"]
messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": "Are you sure?"}]
try:
    ask(messages)
except urllib.error.HTTPError as error:
    print(error.read().decode(), file=sys.stderr)
print(answer)
