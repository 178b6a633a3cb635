// Writes the inputs in a folder as the lines of a corpus, each a string in JSON: node corpus.mjs FOLDER > NAME.jsonl
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lines = readdirSync(process.argv[2]).flatMap((name) => {
  try {
    return [JSON.stringify(decoder.decode(readFileSync(join(process.argv[2], name))))];
  } catch {
    // The targets take nothing but UTF-8.
    return [];
  }
});
process.stdout.write(lines.sort().map((line) => `${line}\n`).join(""));
