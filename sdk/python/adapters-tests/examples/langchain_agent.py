"""LangChain. A real program names a model; this one is scripted."""

import asyncio

import office
from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from test_langchain import model_of, read

from handraise import AsyncClient
from handraise_langchain import HandraiseMiddleware

mail = StructuredTool.from_function(office.mail)
model = model_of(office.CALLS)


async def main() -> None:
    async with AsyncClient(**office.PLACES) as client:
        middleware = [HandraiseMiddleware(async_client=client, agent="office")]
        agent = create_agent(model, [mail], middleware=middleware)
        result = await agent.ainvoke({"messages": [{"role": "user", "content": "Write to Ann and Bob"}]})
        print(*read(result, office.CALLS), sep="\n")


asyncio.run(main())
