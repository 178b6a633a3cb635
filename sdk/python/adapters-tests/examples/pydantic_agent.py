"""Pydantic AI. A real program names a model; this one is scripted."""

import asyncio

import office
from office import mail
from pydantic_ai import Agent
from pydantic_ai.toolsets import FunctionToolset
from test_pydantic_ai import model_of, read

from handraise import AsyncClient
from handraise_pydantic_ai import HandraiseToolset

model = model_of(office.CALLS)


async def main() -> None:
    async with AsyncClient(**office.PLACES) as client:
        toolset = HandraiseToolset(FunctionToolset([mail]), client=client, agent="office")
        agent = Agent(model, toolsets=[toolset])
        result = await agent.run("Write to Ann and Bob")
        print(*read(result.all_messages(), office.CALLS), sep="\n")


asyncio.run(main())
