// That an agent's model can ask the person a question in the middle of its turn, and gets the answer.
import { check, told } from "./failure.js";
import { runHeadless } from "./headless.js";
import { makePlace, PROMPT } from "./place.js";

const QUESTION = "Which-colour-shall-the-marker-have?";
const ANSWER = "the-colour-of-the-sea-at-noon";
/** The tool, with the arguments of the model's call. */
const TOOLS = { raise_hand: () => ({ question: QUESTION, choices: ["red", "green"] }) };

export const RAISED_HAND_CHECKS = {
  "raised hand": async (folders, agent) => {
    if (!agent.raisesHand) return "has no such tool";
    const place = await makePlace(folders, agent, { tools: TOOLS });
    const run = runHeadless(place, agent, PROMPT);
    try {
      const question = await place.request(run.isOver);
      check(JSON.stringify(question).includes(QUESTION), "something else than the question is asked");
      await place.handraise.answer(question.id, ANSWER);
      await run.end();
      check(place.model.told().some((text) => text.includes(ANSWER)), "the answer did not reach the model");
      await place.nothingPending();
    } catch (error) {
      throw told(error, place, run);
    } finally {
      run.stop();
      await place.stop();
    }
    return "yes";
  },
};
