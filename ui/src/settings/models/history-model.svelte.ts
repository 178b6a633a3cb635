import type { KeptCall, KeptFile, PutBackRequest, RequestId } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type SettingsPlatform } from '../../platform';

/** What came of putting a call back. */
export type Attempt = {
  id: RequestId;
  /** Files that were left as they are. */
  left: KeptFile[];
  /** Somebody else may have changed them since, and a person can have them put back anyway. */
  canForce: boolean;
  /** So many files were put back. */
  restored: number;
};

/** Everything that the section about what calls have changed knows. */
export class HistoryModel {
  /** Calls that are still to be seen in the files, the latest first. */
  calls = $state.raw<KeptCall[] | null>(null);
  isLooking = $state(false);
  problem = $state<string | null>(null);
  /** The call whose differences are shown. */
  opened = $state.raw<KeptCall | null>(null);
  /** The call that is being put back. */
  undoing = $state<RequestId | null>(null);
  attempt = $state.raw<Attempt | null>(null);

  constructor(readonly platform: SettingsPlatform) {}

  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      const { calls } = await this.platform.kept();
      this.calls = calls.filter((call) => changed(call).length > 0);
    } catch (error) {
      this.fail(error);
    }
    this.isLooking = false;
  }

  /** Shows what has changed in the files of a call, or puts that away. */
  async open(id: RequestId): Promise<void> {
    if (this.opened?.id === id) {
      this.opened = null;
      return;
    }
    this.problem = null;
    try {
      const { calls } = await this.platform.kept([id]);
      this.opened = calls[0] ?? null;
    } catch (error) {
      this.fail(error);
    }
  }

  /** Puts a call back; with `force` also what somebody else may have changed since. */
  async undo(id: RequestId, force = false): Promise<void> {
    if (this.undoing) return;
    this.undoing = id;
    this.problem = null;
    this.attempt = null;
    const request: PutBackRequest = { ids: [id], force };
    try {
      const { files } = await this.platform.putBack(request);
      const left = files.filter(({ outcome }) => outcome === 'doubtful' || outcome === 'refused');
      const restored = files.filter(({ outcome }) => outcome === 'restored').length;
      this.attempt = { id, left, restored, canForce: left.some(({ outcome }) => outcome === 'doubtful') };
    } catch (error) {
      this.fail(error);
    }
    this.undoing = null;
    this.opened = null;
    await this.look();
  }

  private fail(error: unknown): void {
    this.problem = m.history_failed({ problem: asProblem(error).detail || m.problem_unknown() });
  }
}

/** The files of a call that are not as they were. */
export function changed(call: KeptCall): KeptFile[] {
  return call.files.filter(({ change }) => change !== 'none');
}

/** Whether putting the call back can do anything. */
export function canUndo(call: KeptCall): boolean {
  return call.files.some(
    ({ change, outcome }) => change !== 'none' && (outcome === 'restored' || outcome === 'doubtful'),
  );
}
