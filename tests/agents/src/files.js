// Files of an agent, in folders that may have to be made first.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** @param {string} path @param {string} text */
export async function writeText(path, text) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** @param {string} path @param {unknown} value */
export const writeJson = (path, value) => writeText(path, `${JSON.stringify(value, null, 2)}\n`);
