"""CrewAI. A real program names a model; this one is scripted."""

import office
from crewai import Agent, Crew, Task
from crewai.tools import tool
from test_crewai import ScriptedModel

from handraise import Client
from handraise_crewai import gate_tools

mail = tool("mail")(office.mail)
model = ScriptedModel(model="scripted", calls=office.CALLS)
clerk = Agent(role="Office", goal="Answer mail", backstory="A clerk", llm=model, tools=[mail])
task = Task(description="Write to Ann and Bob", expected_output="done", agent=clerk)
crew = Crew(agents=[clerk], tasks=[task])

client = Client(**office.PLACES)
with gate_tools(client=client, agent="office"):
    crew.kickoff()
client.close()

print(*(message["content"] for message in model.seen if message["role"] == "tool"), sep="\n")
