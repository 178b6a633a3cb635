// A hook in JavaScript: hands the agent's message to Handraise, and the answer to the agent. For `make bench` only: it
// asks no proof of the server, and does not deny when something fails.
import { readFileSync } from "node:fs";
import { request } from "node:http";

const [endpointFile, tokenFile] = process.argv.slice(2);
const [host, port] = JSON.parse(readFileSync(endpointFile, "utf8")).address.split(":");
const headers = {
  Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}`,
  "Content-Type": "application/json",
};
const options = { host, port, method: "POST", path: "/v1/hooks/claude-code?wait=590", headers };
const sent = request(options, (response) => response.pipe(process.stdout));
sent.end(readFileSync(0));
