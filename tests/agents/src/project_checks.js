// What a project, the machine's settings and a stranger in Handraise's place make of an agent's hooks.
import { check, told } from "./failure.js";
import { startForgery } from "./forgery.js";
import { runHeadless } from "./headless.js";
import { makePlace, PROMPT } from "./place.js";

/** Runs the agent while `during` looks on, until it has ended. */
async function turn(folders, agent, how, during = () => {}) {
  const place = await makePlace(folders, agent, how);
  let run;
  try {
    await how.before?.(place);
    run = runHeadless(place, agent, PROMPT);
    await during(place, run);
    await run.end();
    return place;
  } catch (error) {
    throw run ? told(error, place, run) : error;
  } finally {
    run?.stop();
    if (how.system) await place.handraise.disconnect(agent.name, "--system");
    await place.stop();
  }
}

/** Denies whatever is asked until the agent has ended; whether anything was. */
async function denyAll(place, run) {
  let asked = 0;
  while (!run.isOver()) {
    for (const { id } of await place.handraise.pending()) {
      asked += 1;
      // It may be over by then.
      await place.handraise.decide("deny", id).catch(() => {});
    }
  }
  return asked;
}

export const PROJECT_CHECKS = {
  /** A clone's own settings switch the hook off. That cannot be stopped from within; it is told. */
  "a clone's switch is told": async (folders, agent) => {
    if (!agent.off) return "has no switch";
    const [file] = Object.keys(agent.off);
    let doctor = "";
    const place = await turn(folders, agent, { files: agent.off }, async (place, run) => {
      doctor = await place.handraise.doctor(agent.name, place.project);
      await denyAll(place, run);
    });
    check(place.model.hasAsked(), "the model's tool call never came to be");
    check(doctor.includes("WRONG") && doctor.includes(file), `the doctor does not tell: ${doctor}`);
    return place.hasRun() ? "yes; it runs unasked" : "yes; it is asked all the same";
  },

  /** The settings of the whole machine take the switch out of a clone's hands. */
  "the machine forbids it": async (folders, agent) => {
    if (!agent.off) return "has no switch";
    if (agent.isOffForGood) return "nothing does";
    let asked = 0;
    const place = await turn(folders, agent, { files: agent.off, system: true }, async (place, run) => {
      asked = await denyAll(place, run);
    });
    check(asked > 0, "nobody was asked");
    check(!place.hasRun(), "the tool ran");
  },

  /** Something proves to be Handraise and says what no adapter says. */
  "an unknown answer stops it": async (folders, agent) => {
    if (agent.connect) return "asks without the hook";
    for (const answer of ['{"unexpected":"shape"}', "{}"]) {
      let forgery;
      const place = await turn(folders, agent, {
        before: async (place) => {
          forgery = await startForgery(await place.handraise.places(agent.name), answer);
        },
      });
      forgery.stop();
      check(forgery.wasAsked(), "the hook did not ask there");
      check(!place.hasRun(), `the tool ran on ${answer}`);
    }
  },

  /** A shell that stays open is asked about whatever the policy says, where the agent can type into it unasked. */
  "an open shell is asked about": async (folders, agent) => {
    if (!agent.typesUnasked) return "cannot type into it unasked";
    const policy = 'version = 1\npreset = "autonomous"\n\n[[rule]]\ntool = "shell"\naction = "allow"\n';
    let asked = 0;
    await turn(folders, agent, { policy, command: () => "bash" }, async (place, run) => {
      asked = await denyAll(place, run);
    });
    check(asked > 0, "nobody was asked about `bash`");
    const place = await turn(folders, agent, { policy }, async (place, run) => {
      check((await denyAll(place, run)) === 0, "somebody was asked about `touch`");
    });
    check(place.hasRun(), "what the policy allows did not run");
  },
};
