import { describe, expect, it, vi } from 'vitest';
import type { KeptCall, KeptFile, PutBackResult } from '../../generated/protocol';
import type { SettingsPlatform } from '../../platform';
import { canUndo, changed, HistoryModel } from './history-model.svelte';

function file(more: Partial<KeptFile> = {}): KeptFile {
  return { path: 'src/a.ts', change: 'changed', outcome: 'restored', ...more };
}

function call(id: string, files: KeptFile[]): KeptCall {
  return {
    id,
    at: '2026-05-01T10:00:00Z',
    tool: 'Write',
    title: 'Write src/a.ts',
    folder: '/home/mira/shop',
    undoable: 'whole',
    is_undo: false,
    files,
  };
}

function platform(calls: KeptCall[], results: PutBackResult[] = []): SettingsPlatform {
  return {
    kept: vi.fn((ids?: string[]) =>
      Promise.resolve({ calls: calls.filter(({ id }) => !ids || ids.includes(id)) }),
    ),
    putBack: vi.fn(() => Promise.resolve(results.shift() ?? { files: [] })),
  } as unknown as SettingsPlatform;
}

describe('what calls have changed', () => {
  it('is listed while it is still to be seen', async () => {
    const same = file({ change: 'none', outcome: 'unchanged' });
    const model = new HistoryModel(platform([call('1', [file(), same]), call('2', [same])]));
    await model.look();
    expect(model.calls?.map(({ id }) => id)).toEqual(['1']);
    expect(changed(call('1', [file(), same]))).toHaveLength(1);
  });

  it('is put back without force first, and what is doubtful takes a second word', async () => {
    const doubtful = file({ outcome: 'doubtful', why: 'it was changed since' });
    const own = platform([call('1', [file()])], [{ files: [doubtful] }, { files: [file()], undo: '9' }]);
    const model = new HistoryModel(own);
    await model.undo('1');
    expect(own.putBack).toHaveBeenLastCalledWith({ ids: ['1'], force: false });
    expect(model.attempt).toMatchObject({ id: '1', canForce: true, left: [doubtful], restored: 0 });
    await model.undo('1', true);
    expect(own.putBack).toHaveBeenLastCalledWith({ ids: ['1'], force: true });
    expect(model.attempt).toMatchObject({ left: [], restored: 1, canForce: false });
  });

  it('offers no force where force would not help', async () => {
    const refused = file({ outcome: 'refused', why: 'a folder is there now' });
    const model = new HistoryModel(platform([], [{ files: [refused] }]));
    await model.undo('1');
    expect(model.attempt).toMatchObject({ left: [refused], canForce: false });
  });

  it('has an undo only where something can be put back', () => {
    expect(canUndo(call('1', [file()]))).toBe(true);
    expect(canUndo(call('1', [file({ outcome: 'doubtful' })]))).toBe(true);
    expect(canUndo(call('1', [file({ outcome: 'refused', change: 'unknown' })]))).toBe(false);
    expect(canUndo(call('1', [file({ outcome: 'unchanged', change: 'none' })]))).toBe(false);
  });

  it('is looked at anew after an undo, with its differences put away', async () => {
    const own = platform([call('1', [file()])], [{ files: [file()] }]);
    const model = new HistoryModel(own);
    await model.look();
    await model.open('1');
    expect(own.kept).toHaveBeenLastCalledWith(['1']);
    expect(model.opened?.id).toBe('1');
    await model.undo('1');
    expect(model.opened).toBeNull();
    expect(own.kept).toHaveBeenCalledTimes(3);
  });

  it('says why it could not be put back', async () => {
    const own = { ...platform([]), putBack: () => Promise.reject({ detail: 'The disk is full.' }) };
    const model = new HistoryModel(own as unknown as SettingsPlatform);
    await model.undo('1');
    expect(model.problem).toContain('The disk is full.');
    expect(model.undoing).toBeNull();
  });
});
