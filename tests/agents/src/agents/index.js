// Every agent that is tried.
import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { copilotCli } from "./copilot-cli.js";
import { geminiCli } from "./gemini-cli.js";
import { openCode } from "./opencode.js";
import { openCodePlugin } from "./opencode_plugin.js";
import { qwenCode } from "./qwen-code.js";

/**
 * @typedef {object} Situation
 * @property {string} home the agent's private home folder
 * @property {string} project the folder it works in
 * @property {string} model base URL of the scripted model
 * @property {boolean} asks whether the agent's own settings are to ask about the call
 */

/**
 * @typedef {object} AgentProgram
 * @property {string} name as `handraise connect` knows it, unless it connects itself
 * @property {(where: { project: string, environment: Record<string, string>, flags: string[] }) => Promise<void>} [connect]
 *   connects it in another way than `handraise connect`, whose flags it gets
 * @property {boolean} [raisesHand] once connected it has the tool `raise_hand`
 * @property {string} package as npm knows it
 * @property {string} program its command
 * @property {(situation: { model: string }) => Record<string, string>} environment what it needs to work without network
 * @property {(situation: Situation) => Promise<void>} prepare writes its settings
 * @property {(prompt: string) => string[]} free arguments for one turn without a terminal, in which it asks nothing itself
 * @property {(prompt: string) => string[]} asking arguments for one turn in a terminal
 * @property {RegExp} question what its own question says; Enter agrees to it
 * @property {{ without: string[], record: string }} [background] a server of its own runs what was begun in a terminal, and
 *   goes on when that is closed: arguments to do without it, and the file under the home folder with its process number
 * @property {boolean} [asksMeanwhile] it shows its own question while that in Handraise is open
 * @property {Record<string, string>} [off] files of a project with which its hooks are switched off
 * @property {boolean} [isOffForGood] no setting of the whole machine forbids that
 * @property {boolean} [typesUnasked] it can type into a command that runs, and no hook asks about that
 * @property {boolean} [confinesOnlyWhatItAsks] it takes changed arguments only for calls that it would ask about itself
 * @property {boolean} [confirms] it asks its own question even after an approval in Handraise
 */

/** @type {AgentProgram[]} */
export const AGENTS = [claudeCode, codex, openCode, openCodePlugin, geminiCli, qwenCode, copilotCli];
