// What the proxy adds to a call that the policy allows, beside the same server without it in the same run.
// `node bench/proxy.mjs`; HANDRAISE names the program that answers, which should be a release build.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { RunningGate } from '../build/tests/running-gate.js';
import { handraiseMcp, oddServer } from '../build/tests/mcp-support.js';

const ROUNDS = 20;
const CALLS_IN_A_ROUND = 50;
const AT_ONCE = 1000;
const POLICY = 'version = 1\n[[rule]]\npattern = "mcp__bench__*"\naction = "allow"\n';

/** A client that does nothing but write and read lines, so that its own work is not measured. */
class Peer {
  #waiting = new Map();
  #count = 0;

  constructor([program, ...args]) {
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.child.stdout).on('line', (line) => {
      const message = JSON.parse(line);
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
  }

  request(method, params = {}) {
    const id = ++this.#count;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async call(number) {
    const { result } = await this.request('tools/call', { name: 'echo', arguments: { number } });
    assert.match(result.content[0].text, new RegExp(`"number":${number}`));
  }

  async start() {
    const clientInfo = { name: 'bench', version: '1' };
    await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await this.request('tools/list');
    for (let number = 0; number < 200; number += 1) await this.call(number);
    return this;
  }
}

const quantile = (sorted, part) => sorted[Math.floor(sorted.length * part)];
const milliseconds = (value) => `${value.toFixed(3)} ms`;

const gate = await RunningGate.start(POLICY);
const plain = await new Peer(oddServer()).start();
const behind = await new Peer(handraiseMcp(gate, 'proxy', '--name', 'bench', '--', ...oddServer())).start();

const times = { plain: [], behind: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  // In turns, so that whatever else the machine does burdens both.
  for (const [name, peer] of [
    ['plain', plain],
    ['behind', behind],
  ]) {
    for (let number = 0; number < CALLS_IN_A_ROUND; number += 1) {
      const before = performance.now();
      await peer.call(number);
      times[name].push(performance.now() - before);
    }
  }
}
for (const list of Object.values(times)) list.sort((one, other) => one - other);
const added = quantile(times.behind, 0.5) - quantile(times.plain, 0.5);
console.log(
  `a call without the proxy: ${milliseconds(quantile(times.plain, 0.5))} (median of ${times.plain.length})`,
);
console.log(
  `behind the proxy: ${milliseconds(quantile(times.behind, 0.5))}; 95 of 100 within ${milliseconds(quantile(times.behind, 0.95))}`,
);
console.log(`the proxy adds: ${milliseconds(added)} (wanted: at most 1 ms)`);

const before = performance.now();
await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => behind.call(number)));
console.log(`${AT_ONCE} calls at once: all answered within ${milliseconds(performance.now() - before)}`);

for (const { child } of [plain, behind]) child.kill();
await gate.stop();
