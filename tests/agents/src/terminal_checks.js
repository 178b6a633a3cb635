// That no question stays open which is over. The agent runs in a terminal, and its own settings ask about the call.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { check, told } from "./failure.js";
import { END } from "./model.js";
import { makePlace, PROMPT } from "./place.js";
import { runInTerminal } from "./terminal.js";
import { until } from "./wait.js";

/**
 * Runs the agent in a terminal and lets `during` do something with it.
 * @param {{ connected?: boolean, flags?: string[], words?: string[] }} how as for a place; more arguments of the agent
 */
async function session(folders, agent, { words = [], ...how }, during) {
  const place = await makePlace(folders, agent, { asks: true, ...how });
  const run = await runInTerminal(place, agent, [...words, ...agent.asking(PROMPT)]);
  try {
    return await during(place, run);
  } catch (error) {
    await run.screen();
    throw told(error, place, run);
  } finally {
    await run.stop();
    if (agent.background) await endBackground(place, agent).catch(() => {});
    await place.stop();
  }
}

/** Ends the server at once: asked to, it waits for a minute for what it does to end. */
async function endBackground(place, agent) {
  const { pid } = JSON.parse(await readFile(join(place.home, agent.background.record), "utf8"));
  process.kill(pid, "SIGKILL");
}

export const TERMINAL_CHECKS = {
  /** Otherwise it would mean nothing that its question is answered, or gone, in the checks after this one. */
  "not connected, it asks": (folders, agent) =>
    session(folders, agent, { connected: false }, async (place, run) => {
      await run.waitFor(agent.question);
      check(!place.hasRun(), "the tool ran");
      await run.agree();
      await run.waitFor(END);
      check(place.hasRun(), "the tool did not run");
      return "yes";
    }),

  /** The turn goes on to its end: nothing waits in the terminal either. */
  "answered in Handraise": (folders, agent) =>
    session(folders, agent, {}, async (place, run) => {
      const answered = new Set();
      let confirmed = false;
      await until("the turn to end", async () => {
        for (const { id } of await place.handraise.pending()) {
          if (!answered.has(id)) await place.handraise.decide("approve", id);
          answered.add(id);
        }
        if (agent.confirms && answered.size > 0 && !confirmed && (await run.shows(agent.question))) {
          confirmed = true;
          await run.agree();
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
    return session(folders, agent, { flags: ["--only-what-agent-asks"] }, async (place, run) => {
      await place.request();
      await run.waitFor(agent.question);
      await run.agree();
      await until("the tool to run", () => place.hasRun());
      await place.nothingPending();
      await run.waitFor(END);
      return "yes";
    });
  },

  "agent gone": async (folders, agent) => {
    await session(folders, agent, { words: agent.background?.without }, async (place, run) => {
      await place.request();
      await run.stop();
      await place.nothingPending();
      check(!place.hasRun(), "the tool ran");
    });
    if (!agent.background) return "yes";
    // The call is not over when its terminal is closed, and neither is the question: approved, it runs.
    await session(folders, agent, {}, async (place, run) => {
      const { id } = await place.request();
      await run.stop();
      await place.handraise.decide("approve", id);
      await until("the tool to run", () => place.hasRun());
      await place.nothingPending();
    });
    await session(folders, agent, {}, async (place, run) => {
      await place.request();
      await run.stop();
      await endBackground(place, agent);
      await place.nothingPending();
      check(!place.hasRun(), "the tool ran");
    });
    return "yes; in its background server the call goes on until that ends";
  },
};
