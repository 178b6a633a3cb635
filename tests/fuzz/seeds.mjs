// Writes the corpora, and what the data of the tests holds, as seeds of the fuzz targets: node seeds.mjs FOLDER
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const crates = join(here, "../../crates");
const folder = process.argv[2];

const cases = (crate, name) =>
  readFileSync(join(crates, crate, "tests/data", name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const write = (target, seeds) => {
  mkdirSync(join(folder, target), { recursive: true });
  for (const seed of seeds) {
    const name = createHash("sha256").update(seed).digest("hex").slice(0, 16);
    writeFileSync(join(folder, target, name), seed);
  }
};

const lines = cases("shell", "shell_bypass.jsonl");
const rules = (line) => line.rules ?? [line.rule];
const toml = (text) => JSON.stringify(text).replaceAll("\u007f", "\\u007f");
const policy = (line) =>
  ["version = 1", 'preset = "practical"']
    .concat(rules(line).map((rule) => `[[rule]]\ntool = "shell"\ncommand = ${toml(rule)}\naction = "allow"`))
    .concat(`not_match = [${toml(line.command)}]`)
    .join("\n");

write("analyser", lines.map((line) => line.command));
write("decide", lines.map((line) => [line.command, ...rules(line).map((rule) => `a${rule}`)].join("\0")));
write("policy_parser", lines.map(policy));
write("policy_parser", readdirSync(join(here, "policies")).map((name) => readFileSync(join(here, "policies", name))));
write("redaction", cases("redaction", "secrets.jsonl").map((secret) => secret.text));
write("display", cases("display", "display_spoof.jsonl").map(({ payload }) => payload).filter((payload) => typeof payload === "string"));
for (const name of readdirSync(join(here, "corpus"))) {
  const lines = readFileSync(join(here, "corpus", name), "utf8").split("\n").filter(Boolean);
  write(name.replace(".jsonl", ""), lines.map((line) => JSON.parse(line)));
}
