// That a call which the policy confines runs inside walls, by the agent's own shell, with the arguments that the hook has
// put in the place of the model's.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, told } from "./failure.js";
import { writeText } from "./files.js";
import { runHeadless } from "./headless.js";
import { END } from "./model.js";
import { makePlace, PROMPT } from "./place.js";
import { runInTerminal } from "./terminal.js";
import { until } from "./wait.js";

const UNTOUCHED = "untouched\n";
/** What the script says; its text has it nowhere, so it can only come from a run. */
const SAID = "said-42-inside";
const SCRIPT = `echo "said-$((40 + 2))-inside"
echo "warned-$((40 + 2))" >&2
echo made >made-inside
echo changed >../canary
exit 3
`;

const policy = (action) => `version = 1\npreset = "autonomous"\n\n[[rule]]\ntool = "shell"\naction = "${action}"\n`;

/** Runs the script by the agent under a rule of this action; what came of it. */
async function run(folders, agent, action) {
  const asks = Boolean(agent.confinesOnlyWhatItAsks);
  const how = { asks, policy: policy(action), files: { "build.sh": SCRIPT }, command: () => "sh build.sh" };
  const place = await makePlace(folders, agent, how);
  const canary = join(place.home, "canary");
  await writeText(canary, UNTOUCHED);
  const turn = asks ? await runInTerminal(place, agent, agent.asking(PROMPT)) : runHeadless(place, agent, PROMPT);
  const asked = new Set();
  try {
    await until("the turn to end", async () => {
      for (const { id } of await place.handraise.pending()) asked.add(id);
      return asks ? turn.shows(END) : turn.isOver();
    });
    check(asked.size === 0, "somebody was asked");
    check(existsSync(join(place.project, "made-inside")), "it did not write in the project");
    const words = place.model.told().join("\n");
    check(words.includes(SAID), "the output did not reach the model");
    const isChanged = (await readFile(canary, "utf8")) !== UNTOUCHED;
    return { isChanged, words, hasReason: /denied by the walls: write [^;]*canary/.test(words) };
  } catch (error) {
    throw told(error, place, turn);
  } finally {
    await turn.stop();
    await place.stop();
  }
}

export const CONFINED_CHECKS = {
  confined: async (folders, agent) => {
    const free = await run(folders, agent, "allow");
    check(free.isChanged, "without walls the canary outside was not changed: its staying as it is would mean nothing");
    const inside = await run(folders, agent, "confine");
    check(!inside.isChanged, "the canary outside was changed");
    const about = inside.words.slice(Math.max(0, inside.words.indexOf(SAID) - 200)).slice(0, 1000);
    check(inside.hasReason, `the model was not told what the walls denied: ${about}`);
    return agent.confinesOnlyWhatItAsks ? "yes, where it would ask itself" : "yes";
  },
};
