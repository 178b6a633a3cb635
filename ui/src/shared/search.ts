/** Whether all the words of `search` stand in `text`, whatever their order and case. */
export function isFoundIn(text: string, search: string): boolean {
  const own = text.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}
