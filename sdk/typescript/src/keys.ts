/** The first key of `table` that nobody reads. Passed over, it would change what the rest means. */
export function unknownKey(table: object, known: readonly string[]): string | undefined {
  return Object.keys(table).find((key) => !known.includes(key));
}
