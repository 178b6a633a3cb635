/** Who calls, by what it has proved. */
export interface Caller {
  /**
   * What the conversation is called at the gate: approvals "for this session" belong to it. Absent: it cannot be told
   * from others, and nothing is remembered.
   */
  conversation: string | undefined;
  /** Who may go on with a call: wider than the conversation where a client uses several connections. */
  principal: string;
}
