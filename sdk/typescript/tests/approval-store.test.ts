// Requests of Handraise as pending approvals of apcore-mcp.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Approver, Gate, GateRefusedError, GateUnavailableError } from 'handraise';
import { type ApprovalHandler, type ApprovalRequest, createApprovalResult } from 'handraise/handlers';
import {
  ApprovalGate,
  type ApprovalStore,
  type ApprovalStoreOptions,
  HandraiseApprovalStore,
} from '@handraise/apcore';

import { RunningGate, pending } from './running-gate.js';

let running: RunningGate;
let gate: Gate;
let approver: Approver;
before(async () => {
  running = await RunningGate.start();
  gate = new Gate({ client: running.client() });
  approver = running.approver();
});
after(() => running.stop());

const storeOf = (options: ApprovalStoreOptions = {}) =>
  new HandraiseApprovalStore({ gate, unbound: true, ...options });

/** As the handler that apcore-mcp puts over a store. */
class StorageBackedApprovalHandler implements ApprovalHandler {
  readonly #store: ApprovalStore;

  constructor(store: ApprovalStore) {
    this.#store = store;
  }

  async requestApproval({ moduleId, arguments: args }: ApprovalRequest) {
    const approvalId = crypto.randomUUID();
    await this.#store.savePending(approvalId, moduleId, args);
    return createApprovalResult({ status: 'pending', approvalId });
  }

  async checkApproval(approvalId: string) {
    const record = await this.#store.getResult(approvalId);
    if (record === null) return createApprovalResult({ status: 'rejected', reason: 'approval_id not found' });
    const { status, reason } = record;
    return createApprovalResult({ status, reason, approvalId });
  }
}

const quiet = { info: () => undefined, warn: () => undefined };
const executor = (store: ApprovalStore) =>
  new ApprovalGate({ handler: new StorageBackedApprovalHandler(store), log: quiet });
const moduleCall = (moduleId: string, args: Record<string, unknown>) => ({
  moduleId,
  arguments: args,
  annotations: { requiresApproval: true, destructive: true },
  description: 'Deletes a file',
});

test('a store: pending, approved, rejected, unknown', async () => {
  const store = storeOf();
  assert.equal(await store.getResult('one'), null);
  await store.savePending('one', 'store_one', { n: 1 });
  const open = await store.getResult('one');
  assert.deepEqual(
    [open?.status, open?.moduleId, open?.reason, open?.resolvedAt],
    ['pending', 'store_one', null, null],
  );
  assert.ok(open && open.createdAt > 1.7e12);
  const asked = await pending(approver, 'store_one');
  await approver.approve(asked, { reason: 'fine' });
  const approved = await store.getResult('one');
  assert.deepEqual([approved?.status, approved?.reason], ['approved', 'fine']);
  assert.ok((approved?.resolvedAt ?? 0) >= open.createdAt);
  assert.deepEqual(await store.getResult('one'), approved, 'looking uses nothing up');

  await store.savePending('two', 'store_two', {});
  await approver.deny(await pending(approver, 'store_two'), 'keep it');
  const denied = await store.getResult('two');
  assert.deepEqual([denied?.status, denied?.reason], ['rejected', 'keep it']);

  await store.savePending('three', 'never_three', {});
  assert.equal((await store.getResult('three'))?.reason, 'never');
});

test('a store: what is withdrawn or not answered in time is rejected, with words', async () => {
  const store = storeOf();
  await store.savePending('gone', 'store_gone', {});
  await gate.client.cancel((await pending(approver, 'store_gone')).id);
  const gone = await store.getResult('gone');
  assert.ok(gone?.status === 'rejected' && gone.reason);

  const hasty = storeOf({ context: () => ({ timeoutSeconds: 1 }) });
  await hasty.savePending('late', 'store_late', {});
  await gate.client.wait((await pending(approver, 'store_late')).id);
  const late = await hasty.getResult('late');
  assert.ok(late?.status === 'rejected' && late.reason);
});

test('a store: the same id asks nobody twice, and is for one call', async () => {
  const store = storeOf();
  await store.savePending('same', 'store_same', { n: 1 });
  await store.savePending('same', 'store_same', { n: 1 });
  await assert.rejects(store.savePending('same', 'store_same', { n: 2 }), GateRefusedError);
  const { approvals } = await approver.list();
  assert.equal(approvals.filter(({ tool }) => tool === 'store_same').length, 1);
});

test('a store: a poller never gets the arguments', async () => {
  const store = storeOf();
  await store.savePending('quiet', 'store_quiet', { note: 'between us' });
  assert.ok(!JSON.stringify(await store.getResult('quiet')).includes('between us'));
  const asked = await pending(approver, 'store_quiet');
  await approver.approve(asked, { arguments: { note: 'still between us' } });
  const changed = await store.getResult('quiet');
  assert.equal(changed?.status, 'rejected');
  assert.ok(!JSON.stringify(changed).includes('between us'));
});

test('a store: only an approver decides', async () => {
  await storeOf().savePending('mine', 'store_mine', {});
  await assert.rejects(storeOf().resolve('mine', { approved: true }), TypeError);
  const credential = { token: await running.requesterToken() };
  const impostor = storeOf({ approver: new Approver({ folders: running.folders, credential }) });
  await impostor.savePending('mine', 'store_mine', {});
  await assert.rejects(impostor.resolve('mine', { approved: true }), GateRefusedError);
  assert.equal((await impostor.getResult('mine'))?.status, 'pending');

  const store = storeOf({ approver });
  assert.equal(await store.resolve('mine', { approved: true }), false, 'it knows its own ids alone');
  await store.savePending('mine', 'store_mine', {});
  assert.equal(await store.resolve('mine', { approved: true, reason: 'so be it' }), true);
  assert.equal((await store.getResult('mine'))?.reason, 'so be it');
  assert.equal(await store.resolve('mine', { approved: false }), false);
  assert.equal((await store.getResult('mine'))?.status, 'approved');
  await store.savePending('odd', 'store_odd', {});
  assert.equal(await store.resolve('odd', { approved: 'yes' as never }), true);
  assert.equal((await store.getResult('odd'))?.status, 'rejected');
});

test('a store: at an approval gate an approval runs its call, once', async () => {
  const store = storeOf({ unbound: false });
  const bound = executor(store);
  const call = moduleCall('store_bound', { n: 1 });
  const open = await bound.check(call).catch((error) => error);
  assert.equal(open.code, 'APPROVAL_PENDING');
  const asked = await pending(approver, 'store_bound');
  assert.equal(asked.risk.level, 'destructive');
  assert.match(JSON.stringify(asked), /Deletes a file/);
  await approver.approve(asked);
  assert.equal((await store.getResult(open.approvalId))?.status, 'approved');

  const again = (args: object) =>
    bound.check({ ...call, arguments: { ...args, _approval_token: open.approvalId } });
  await assert.rejects(again({ n: 2 }), /another call/);
  assert.deepEqual(await again({ n: 1 }), { n: 1 });
  await assert.rejects(again({ n: 1 }), /not found/);
  // Another executor over the same store has not heard of the call: Handraise has.
  const second = executor(store);
  const other = await second.check(moduleCall('store_bound', { n: 3 })).catch((error) => error);
  const handler = new StorageBackedApprovalHandler(store);
  const stolen = new ApprovalGate({
    handler: {
      requestApproval: async () =>
        createApprovalResult({ status: 'pending', approvalId: other.approvalId as string }),
      checkApproval: (id) => handler.checkApproval(id),
    },
    log: quiet,
  });
  const theft = moduleCall('store_bound', { n: 4 });
  await assert.rejects(stolen.check(theft), { code: 'APPROVAL_PENDING' });
  await approver.approve(await pending(approver, 'store_bound'));
  const used = { ...theft, arguments: { n: 4, _approval_token: other.approvalId } };
  await assert.rejects(stolen.check(used), /belongs to another call/);
});

test('a store: where nothing binds the approval, nothing is approved', async () => {
  const store = storeOf({ unbound: false });
  const handler = new StorageBackedApprovalHandler(store);
  const asked = { moduleId: 'store_loose', arguments: {} } as ApprovalRequest;
  const { approvalId } = await handler.requestApproval(asked);
  await approver.approve(await pending(approver, 'store_loose'));
  const result = await handler.checkApproval(approvalId as string);
  assert.equal(result.status, 'rejected');
  assert.match(result.reason ?? '', /ApprovalGate/);
});

test('a store: no gate, no approval', async () => {
  const own = await RunningGate.start();
  const store = storeOf({ gate: new Gate({ client: own.client({ reconnectSeconds: 0 }) }) });
  await store.savePending('one', 'free_one', {});
  assert.equal((await store.getResult('one'))?.status, 'approved');
  await own.stop();
  await assert.rejects(store.getResult('one'), GateUnavailableError);
  await assert.rejects(store.savePending('two', 'free_two', {}), GateUnavailableError);
  assert.equal(await store.getResult('two'), null);
});
