// Something that knows the token of Handraise and says what Handraise never says.
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";

// Built by scripts/test-agents.
import { proofOf } from "../../../sdk/typescript/dist/transport/token.js";

/**
 * Takes the place of the server that `endpoint` names.
 * @param {{ endpoint: string, token: string }} places @param {string} answer the body of every answer
 */
export async function startForgery({ endpoint, token }, answer) {
  const text = (await readFile(token, "utf8")).trimEnd();
  let asked = 0;
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const isChallenge = request.url === "/v1/challenge";
      if (!isChallenge) asked += 1;
      const body = isChallenge ? proof(JSON.parse(Buffer.concat(chunks).toString())) : answer;
      response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `127.0.0.1:${server.address().port}`;
  const proof = ({ nonce }) => JSON.stringify({ proof: proofOf(text, nonce, address) });
  // In place, so that its rights stay.
  await writeFile(endpoint, JSON.stringify({ version: 1, address, pid: process.pid }));
  return {
    /** Whether a hook has asked here. */
    wasAsked: () => asked > 0,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
