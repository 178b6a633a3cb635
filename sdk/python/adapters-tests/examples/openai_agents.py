"""The OpenAI Agents SDK. A real program names a model; this one is scripted."""

import asyncio

import office
from agents import Agent, Runner, function_tool
from test_openai_agents import ScriptedModel

from handraise import AsyncClient
from handraise_openai_agents import gate_tools

mail = function_tool(office.mail)
model = ScriptedModel(office.CALLS)


async def main() -> None:
    async with AsyncClient(**office.PLACES) as client:
        gated = gate_tools([mail], client=client, agent="office")
        agent = Agent(name="Office", model=model, tools=gated.tools)
        result = await Runner.run(agent, "Write to Ann and Bob")
        while state := await gated.settle(result):
            result = await Runner.run(agent, state)


asyncio.run(main())
print(*model.read(), sep="\n")
