// Runs every check with every agent that is installed, and prints what became of it. To be run by
// scripts/test-agents, in a network namespace of its own: whoever runs an agent here reaches nothing but this machine.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { AGENTS } from "./agents/index.js";
import { CONFINED_CHECKS } from "./confined_checks.js";
import { HEADLESS_CHECKS } from "./headless_checks.js";
import { PROJECT_CHECKS } from "./project_checks.js";
import { RAISED_HAND_CHECKS } from "./raised_hand_checks.js";
import { TERMINAL_CHECKS } from "./terminal_checks.js";

const run = promisify(execFile);
const CHECKS = { ...HEADLESS_CHECKS, ...TERMINAL_CHECKS, ...RAISED_HAND_CHECKS, ...PROJECT_CHECKS, ...CONFINED_CHECKS };
const PROGRAMS = join(dirname(fileURLToPath(import.meta.url)), "../node_modules/.bin");

const [program, work, ...chosen] = process.argv.slice(2);
const names = AGENTS.map(({ name }) => name);
const unknown = chosen.find((name) => !names.includes(name) && !(name in CHECKS));
if (!program || !work || unknown) {
  console.error(`${unknown ? `There is no agent or check "${unknown}". ` : ""}Agents: ${names.join(", ")}.`);
  process.exit(2);
}
const isChosen = (name, all) => !chosen.some((word) => all.includes(word)) || chosen.includes(name);

/** The version that an agent's program tells, or why it cannot be run. */
async function version({ program }) {
  const path = join(PROGRAMS, program);
  if (!existsSync(path)) return { why: "npm did not install it" };
  try {
    const environment = { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, HOME: work };
    const { stdout } = await run(path, ["--version"], { timeout: 60_000, env: environment });
    return { version: /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? stdout.trim() };
  } catch (error) {
    return { why: `its program does not run here: ${String(error.stderr || error.message).trim().split("\n")[0]}` };
  }
}

const rows = [];
let failures = 0;
for (const agent of AGENTS.filter(({ name }) => isChosen(name, names))) {
  const found = await version(agent);
  if (found.why) {
    rows.push([agent.name, `not run: ${found.why}`]);
    continue;
  }
  const row = [agent.name, found.version];
  for (const [name, check] of Object.entries(CHECKS).filter(([name]) => isChosen(name, Object.keys(CHECKS)))) {
    const begin = Date.now();
    try {
      row.push((await check({ work, program, programs: PROGRAMS }, agent)) ?? "yes");
    } catch (error) {
      failures += 1;
      row.push("NO");
      console.error(`\n${agent.name}, ${name}: ${error.message}\n`);
    }
    console.log(`${agent.name}, ${name}: ${row.at(-1)} (${((Date.now() - begin) / 1000).toFixed(0)} s)`);
  }
  rows.push(row);
}

const head = ["agent", "version", ...Object.keys(CHECKS).filter((name) => isChosen(name, Object.keys(CHECKS)))];
console.log(`\n| ${head.join(" | ")} |\n|${" --- |".repeat(head.length)}`);
for (const row of rows) console.log(`| ${row.join(" | ")} |${row.length < head.length ? " |".repeat(head.length - row.length) : ""}`);
if (rows.every((row) => row.length < head.length)) {
  console.error("\nNo agent could be run.");
  failures += 1;
}
process.exit(failures === 0 ? 0 : 1);
