import { describe, expect, it } from 'vitest';
import { Pulled } from './pulled';

/** Something that is answered by hand. */
function source() {
  const waiting: ((value: { revision: number }) => void)[] = [];
  const heard: number[] = [];
  const pulled = new Pulled(() => new Promise<{ revision: number }>((answer) => waiting.push(answer)));
  const told = (): Promise<void> => pulled.changed((value) => void heard.push(value.revision));
  const answer = async (revision: number): Promise<void> => {
    waiting.shift()?.({ revision });
    await new Promise((over) => setTimeout(over));
  };
  return { pulled, told, answer, heard, asked: () => waiting.length };
}

describe('what a page is told to ask for', () => {
  it('is asked for once at a time, and once more when it may have changed meanwhile', async () => {
    const { told, answer, heard, asked } = source();
    for (let times = 0; times < 1000; times += 1) void told();
    expect(asked()).toBe(1);
    await answer(1);
    expect(asked()).toBe(1);
    await answer(7);
    expect(asked()).toBe(0);
    expect(heard).toEqual([1, 7]);
  });

  it('is taken once when it comes twice', async () => {
    const { pulled, told, answer, heard } = source();
    const first = pulled.now();
    await answer(3);
    expect((await first).revision).toBe(3);
    void told();
    await answer(3);
    void told();
    await answer(4);
    expect(heard).toEqual([4]);
  });

  it('is asked for again after an ask that failed', async () => {
    let fails = true;
    const heard: number[] = [];
    const pulled = new Pulled(() =>
      fails ? Promise.reject(new Error('gone')) : Promise.resolve({ revision: 1 }),
    );
    await expect(pulled.changed(() => undefined)).rejects.toThrow('gone');
    fails = false;
    await pulled.changed((value) => void heard.push(value.revision));
    expect(heard).toEqual([1]);
  });
});
