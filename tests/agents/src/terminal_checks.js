// That no question stays open which is over. The agent runs in a terminal, and its own settings ask about the call.
import { check, told } from "./failure.js";
import { END } from "./model.js";
import { makePlace, PROMPT } from "./place.js";
import { runInTerminal } from "./terminal.js";
import { until } from "./wait.js";

async function session(folders, agent, flags, during) {
  const place = await makePlace(folders, agent, { asks: true, flags });
  const run = await runInTerminal(place, agent, PROMPT);
  try {
    return await during(place, run);
  } catch (error) {
    await run.screen();
    throw told(error, place, run);
  } finally {
    await run.stop();
    await place.stop();
  }
}

export const TERMINAL_CHECKS = {
  /** The turn goes on to its end: nothing waits in the terminal either. */
  "answered in Handraise": (folders, agent) =>
    session(folders, agent, [], async (place, run) => {
      const answered = new Set();
      let confirmed = false;
      await until("the turn to end", async () => {
        for (const { id } of await place.handraise.pending()) {
          if (!answered.has(id)) await place.handraise.decide("approve", id);
          answered.add(id);
        }
        if (agent.confirms && answered.size > 0 && !confirmed && (await run.shows(agent.question))) {
          confirmed = true;
          await run.press("Enter");
        }
        return run.shows(END);
      });
      check(answered.size > 0, "Handraise was never asked");
      check(place.hasRun(), "the tool did not run");
      await place.nothingPending();
      const times = answered.size === 1 ? "" : `, asked ${answered.size} times`;
      return `yes${times}${confirmed ? ", then confirmed in the terminal" : ""}`;
    }),

  /** Only where the agent shows its own question while Handraise's is open. */
  "answered in the terminal": (folders, agent) => {
    if (!agent.asksMeanwhile) return "asks nothing meanwhile";
    return session(folders, agent, ["--only-what-agent-asks"], async (place, run) => {
      await place.request();
      await run.waitFor(agent.question);
      await run.press("Enter");
      await until("the tool to run", () => place.hasRun());
      await place.nothingPending();
      await run.waitFor(END);
      return "yes";
    });
  },

  "agent gone": (folders, agent) =>
    session(folders, agent, [], async (place, run) => {
      await place.request();
      await run.stop();
      await place.nothingPending();
      check(!place.hasRun(), "the tool ran");
      return "yes";
    }),
};
