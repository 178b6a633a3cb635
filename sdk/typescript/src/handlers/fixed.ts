import {
  type ApprovalHandler,
  type ApprovalRequest,
  type ApprovalResult,
  createApprovalResult,
} from './approval.js';

/** Approves everything: for tests and for agents that are boxed in another way. */
export class AutoApproveHandler implements ApprovalHandler {
  async requestApproval(_request: ApprovalRequest): Promise<ApprovalResult> {
    return createApprovalResult({ status: 'approved', approvedBy: 'auto' });
  }

  async checkApproval(_approvalId: string): Promise<ApprovalResult> {
    return createApprovalResult({ status: 'approved', approvedBy: 'auto' });
  }
}

/** Approves nothing. */
export class AlwaysDenyHandler implements ApprovalHandler {
  readonly #reason: string;

  constructor(reason = 'Always denied') {
    this.#reason = reason;
  }

  async requestApproval(_request: ApprovalRequest): Promise<ApprovalResult> {
    return createApprovalResult({ status: 'rejected', reason: this.#reason });
  }

  async checkApproval(_approvalId: string): Promise<ApprovalResult> {
    return createApprovalResult({ status: 'rejected', reason: this.#reason });
  }
}

/** Approves nothing, for agents that may only look. */
export class AutoDenyHandler extends AlwaysDenyHandler {
  constructor() {
    super('Read-only mode');
  }
}

/** Lets a function decide. What it throws is thrown. */
export class CallbackApprovalHandler implements ApprovalHandler {
  readonly #callback: (request: ApprovalRequest) => Promise<ApprovalResult>;

  constructor(callback: (request: ApprovalRequest) => Promise<ApprovalResult>) {
    this.#callback = callback;
  }

  requestApproval(request: ApprovalRequest): Promise<ApprovalResult> {
    return this.#callback(request);
  }

  async checkApproval(_approvalId: string): Promise<ApprovalResult> {
    return createApprovalResult({
      status: 'rejected',
      reason: 'Phase B not supported by callback handler',
    });
  }
}
