import { AsyncLocalStorage } from 'node:async_hooks';

import type { ApprovalRequest } from './approval.js';

/**
 * The call that an `ApprovalGate` asks its handler about. What the handler asks in turn sees by it
 * which call an approval is used for; whoever only looks has none.
 */
export const callAtGate = new AsyncLocalStorage<ApprovalRequest>();
