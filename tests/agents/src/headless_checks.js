// What must hold for every agent without a terminal. Its own settings would let the call run, so that nothing but
// Handraise stands in its way.
import { check, told } from "./failure.js";
import { runHeadless } from "./headless.js";
import { makePlace, PROMPT } from "./place.js";

/** Of one word, so that no form of quoting changes it. */
const REASON = "use-the-staging-folder-instead";
/** Seconds until the hook gives up on a Handraise that does not answer. */
const DEADLINE = 4;

/** Runs the agent and lets `during` do something about each of its requests; then it must have ended with nothing pending. */
async function turn(folders, agent, how, during) {
  const place = await makePlace(folders, agent, how);
  const run = runHeadless(place, agent, PROMPT);
  try {
    await during(place, run);
    await run.end();
    check(place.model.hasAsked(), "the model's tool call never came to be: is its shell tool known to src/model.js?");
    return place;
  } catch (error) {
    throw told(error, place, run);
  } finally {
    run.stop();
    await place.stop();
  }
}

/** Answers whatever comes until the agent has ended. An agent may ask twice about one call, in two ways. */
async function answerAll(place, run, decision, reason) {
  let request = await place.request(run.isOver);
  while (request) {
    isHonest(place, request);
    await place.handraise.decide(decision, request.id, reason);
    const last = request.id;
    [request] = await nextOrEnd(place, run, last);
  }
  await place.nothingPending();
}

/** Where the request comes from is what the agent says, and not marked. */
function isHonest(place, { origin, findings = [] }) {
  const contradictions = findings.filter(({ kind }) => kind === "contradiction").map(({ sentence }) => sentence);
  check(contradictions.length === 0, `it is marked: ${contradictions.join(" ")}`);
  check(origin?.programs.some((program) => program.is_agent), `no agent was found: ${JSON.stringify(origin)}`);
  check(origin.folder === place.project, `it is shown in another folder: ${JSON.stringify(origin)}`);
}

async function nextOrEnd(place, run, last) {
  for (;;) {
    const others = (await place.handraise.pending()).filter(({ id }) => id !== last);
    if (others.length > 0 || run.isOver()) return others;
  }
}

/** The agent told the model something with `words` in it after the call. */
const heard = (place, words) => place.model.told().some((text) => text.includes(words));

export const HEADLESS_CHECKS = {
  /** Otherwise it would mean nothing that a call does not run in the checks after this one. */
  async "not connected, it runs"(folders, agent) {
    const place = await turn(folders, agent, { connected: false }, () => {});
    check(place.hasRun(), "the tool did not run: what stops it is not Handraise");
  },

  async "allow runs it"(folders, agent) {
    const place = await turn(folders, agent, {}, (place, run) => answerAll(place, run, "approve"));
    check(place.hasRun(), "the tool did not run");
  },

  async "deny stops it"(folders, agent) {
    const place = await turn(folders, agent, {}, (place, run) => answerAll(place, run, "deny", REASON));
    check(!place.hasRun(), "the tool ran");
    check(heard(place, REASON), "the reason did not reach the model");
  },

  async "killed stops it"(folders, agent) {
    const place = await turn(folders, agent, {}, async (place, run) => {
      await place.request(run.isOver);
      await place.handraise.kill();
    });
    check(!place.hasRun(), "the tool ran");
    check(heard(place, "Handraise"), "the model was not told why");
  },

  async "hang stops it"(folders, agent) {
    const flags = ["--deadline", String(DEADLINE)];
    const place = await turn(folders, agent, { flags }, async (place, run) => {
      await place.request(run.isOver);
      place.handraise.freeze();
    });
    check(!place.hasRun(), "the tool ran");
    check(heard(place, "Handraise"), "the model was not told why");
  },
};
