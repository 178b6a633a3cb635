import type { ActivityDay } from '../../generated/protocol';

/** A day's bar: the share that a person was asked stands at its foot. In a drawing of 100 units height. */
export type Bar = {
  day: string;
  x: number;
  width: number;
  y: number;
  height: number;
  askedY: number;
  askedHeight: number;
};

/** Units from one bar to the next, and those between two. */
const STEP = 10;
const GAP = 2;
/** Units of height of whatever is there: one call of many is still seen. */
const LEAST = 1.5;

/** How wide the drawing is. */
export function width(days: readonly ActivityDay[]): number {
  return Math.max(STEP, days.length * STEP);
}

/** A bar for each day, the highest as high as the drawing. */
export function bars(days: readonly ActivityDay[]): Bar[] {
  const most = Math.max(1, ...days.map(({ calls }) => calls));
  const units = (count: number): number => (count === 0 ? 0 : Math.max(LEAST, (count / most) * 100));
  return days.map(({ day, calls, asked }, index) => {
    const [height, askedHeight] = [units(calls), units(asked)];
    return {
      day,
      x: index * STEP + GAP / 2,
      width: STEP - GAP,
      y: 100 - height,
      height,
      askedY: 100 - askedHeight,
      askedHeight,
    };
  });
}
