// What every adapter has to do, tried with the framework itself and a model that says what it is told to say.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { type Approval, type Approver, Client, Gate } from 'handraise';

import { RunningGate, eventually, pending } from '../../tests/running-gate.js';

/** A call that the model makes. */
export interface Call {
  id: string;
  name: string;
  args: Record<string, unknown>;
}

/** One run of an agent. */
export interface Run {
  gate: Gate;
  /** What the model calls in its first turn. In the second it says `done`. */
  calls: Call[];
  /** What the tools ran with. */
  ran: string[];
  signal?: AbortSignal;
  timeoutSeconds?: number;
}

/** A framework with its adapter. The tools are `mail`, `free_search` and `never_wipe`; each takes `to`. */
export interface Framework {
  name: string;
  /** Runs an agent. Gives what the model read for each call, in their order. */
  run(run: Run): Promise<string[]>;
  /** It asks about one call after the other. */
  asksInOrder?: boolean;
}

/** A person answers requests for `mail` to `to`. */
export function requestFor(approver: Approver, to: string): Promise<Approval> {
  return eventually(`the request for ${to}`, async () => {
    const { approvals } = await approver.list();
    return approvals.find((approval) => JSON.stringify(approval.arguments).includes(to));
  });
}

/** Runs what each tool does: notes it, and says so. */
export function sent(ran: string[], tool: string, { to }: { to: string }): string {
  ran.push(`${tool} ${to}`);
  return `${tool} went to ${to}`;
}

const mail = (to: string, id = `call-${to}`): Call => ({ id, name: 'mail', args: { to } });

/** Tries one adapter. */
export function suite({ name, run, asksInOrder = false }: Framework): void {
  describe(name, () => {
    let running: RunningGate;
    let client: Client;
    let approver: Approver;
    let gate: Gate;
    before(async () => {
      running = await RunningGate.start();
      client = running.client();
      approver = running.approver();
      gate = new Gate({ client, agent: 'office', session: 'one' });
    });
    after(() => running.stop());

    test('what the policy allows runs, and nobody is asked', async () => {
      const ran: string[] = [];
      const read = await run({ gate, ran, calls: [{ id: 'c1', name: 'free_search', args: { to: 'x' } }] });
      assert.deepEqual(ran, ['free_search x']);
      assert.match(read[0] ?? '', /free_search went to x/);
    });

    test('what the policy denies never runs, and the model reads why', async () => {
      const ran: string[] = [];
      const read = await run({ gate, ran, calls: [{ id: 'c1', name: 'never_wipe', args: { to: 'x' } }] });
      assert.deepEqual(ran, []);
      // The reason that stands in the policy.
      assert.match(read[0] ?? '', /never$|never"/);
    });

    test('what a person approves runs once, as it was shown', async () => {
      const ran: string[] = [];
      const running = run({ gate, ran, calls: [mail('ann')] });
      const approval = await requestFor(approver, 'ann');
      assert.deepEqual([approval.tool, approval.agent, ran], ['mail', 'office', []]);
      await approver.approve(approval);
      assert.match((await running)[0] ?? '', /mail went to ann/);
      assert.deepEqual(ran, ['mail ann']);
    });

    test('what a person denies never runs, and the model reads the reason', async () => {
      const ran: string[] = [];
      const running = run({ gate, ran, calls: [mail('bob')] });
      await approver.deny(await requestFor(approver, 'bob'), 'Bob is on leave');
      assert.match((await running)[0] ?? '', /Bob is on leave/);
      assert.deepEqual(ran, []);
    });

    test('it runs with the arguments that the person put in their place', async () => {
      const ran: string[] = [];
      const running = run({ gate, ran, calls: [mail('carl')] });
      await approver.approve(await requestFor(approver, 'carl'), { arguments: { to: 'carla' } });
      assert.match((await running)[0] ?? '', /mail went to carla/);
      assert.deepEqual(ran, ['mail carla']);
    });

    test('what is approved for a session is asked about again in another one only', async () => {
      const ran: string[] = [];
      const here = gate.with({ session: 'granting' });
      const first = run({ gate: here, ran, calls: [mail('dora')] });
      const approval = await requestFor(approver, 'dora');
      const offered = approval.scopes.find(({ scope }) => scope === 'session');
      assert.ok(offered?.breadth);
      await approver.approve(approval, { scope: 'session', breadth: offered.breadth });
      await first;
      assert.match((await run({ gate: here, ran, calls: [mail('dora', 'again')] }))[0] ?? '', /went to dora/);
      const elsewhere = run({ gate: gate.with({ session: 'other' }), ran, calls: [mail('dora')] });
      await approver.deny(await requestFor(approver, 'dora'), 'not here');
      assert.match((await elsewhere)[0] ?? '', /not here/);
      assert.deepEqual(ran, ['mail dora', 'mail dora']);
    });

    test('what nobody answers in time never runs', async () => {
      const ran: string[] = [];
      const read = await run({ gate, ran, calls: [mail('late')], timeoutSeconds: 1 });
      assert.match(read[0] ?? '', /time|answer/i);
      assert.deepEqual(ran, []);
      assert.deepEqual((await approver.list()).approvals, []);
    });

    test('several calls at once: one denial stops no other', async () => {
      const ran: string[] = [];
      const search = { id: 'c0', name: 'free_search', args: { to: 'x' } };
      const running = run({ gate, ran, calls: [search, mail('eve'), mail('fay'), mail('gus')] });
      const people = ['eve', 'fay', 'gus'];
      if (!asksInOrder) for (const to of people) await requestFor(approver, to);
      await approver.approve(await requestFor(approver, 'eve'));
      await approver.deny(await requestFor(approver, 'fay'), 'not Fay');
      await approver.approve(await requestFor(approver, 'gus'), { arguments: { to: 'gustav' } });
      const read = await running;
      assert.deepEqual(ran.toSorted(), ['free_search x', 'mail eve', 'mail gustav']);
      assert.equal(read.length, 4);
      const expected = [/went to x/, /went to eve/, /not Fay/, /went to gustav/];
      for (const [index, words] of expected.entries()) assert.match(read[index] ?? '', words);
    });

    test('equal calls of one turn are each decided', async () => {
      const ran: string[] = [];
      const running = run({ gate, ran, calls: [mail('twin', 'first'), mail('twin', 'second')] });
      await approver.deny(await requestFor(approver, 'twin'), 'once is enough');
      await approver.approve(await requestFor(approver, 'twin'));
      const read = await running;
      assert.deepEqual(ran, ['mail twin']);
      assert.equal(read.filter((text) => text.includes('once is enough')).length, 1);
    });

    test('a run that is stopped takes its question back, and runs nothing', async () => {
      const ran: string[] = [];
      const stop = new AbortController();
      const running = run({ gate, ran, calls: [mail('hal')], signal: stop.signal });
      const ended = running.then(
        () => undefined,
        () => undefined,
      );
      await requestFor(approver, 'hal');
      stop.abort(new Error('enough'));
      await ended;
      await eventually('the withdrawal', async () => (await approver.list()).approvals.length === 0);
      assert.deepEqual(ran, []);
    });

    test('while Handraise goes away, and when it is not there, nothing runs', async () => {
      const other = await RunningGate.start();
      const ran: string[] = [];
      try {
        const client = other.client({ reconnectSeconds: 1 });
        const lost = new Gate({ client, agent: 'office', session: 'one' });
        const running = run({ gate: lost, ran, calls: [mail('ida')] });
        await pending(other.approver(), 'mail');
        await other.kill();
        assert.match((await running)[0] ?? '', /Handraise could not be asked/);
        const read = await run({ gate: lost, ran, calls: [{ ...mail('x'), name: 'free_search' }] });
        assert.match(read[0] ?? '', /Handraise could not be asked/);
        assert.deepEqual(ran, []);
      } finally {
        await other.stop();
      }
    });
  });
}
