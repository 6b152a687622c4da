"""Asks the agent through the openai package, streamed and at once."""

import os

from openai import NotFoundError, OpenAI

client = OpenAI(base_url=os.environ["DESK_URL"], api_key="unused")

print("models:", ", ".join(model.id for model in client.models.list()))

question = [{"role": "user", "content": "Where is #1042 now?"}]
whole = client.chat.completions.create(model="desk", messages=question)
print("at once:", whole.choices[0].message.content.strip())

question = [{"role": "user", "content": "And what of #1043 ?"}]
pieces = client.chat.completions.create(model="desk", messages=question, stream=True)
print("streamed:", "".join(piece.choices[0].delta.content or "" for piece in pieces).strip())

try:
    client.chat.completions.create(model="nobody", messages=question)
except NotFoundError as error:
    print("nobody:", error.status_code)
