// What is said when a check does not hold.

/** @param {boolean} condition @param {string} what is wrong otherwise */
export function check(condition, what) {
  if (!condition) throw new Error(what);
}

/** `error` with what the agent has done so far. */
export function told(error, place, run) {
  const requests = place.model.requests.map(({ path, sent }) => `${path} ${sent}`).join(", ");
  error.message += `\n--- requests to the model: ${requests}\n--- the agent printed last:\n${run.output().slice(-4000).trim()}`;
  return error;
}
