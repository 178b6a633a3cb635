import type { ActivitySearch, ApprovalResult, DecidedBy, RequestId, Status } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';

/** Which calls of the past a person wants to see; an empty text leaves it open. */
export type Filter = {
  /** This call alone. */
  id: RequestId | '';
  text: string;
  agent: string;
  folder: string;
  status: Status | '';
  decidedBy: DecidedBy | '';
  /** Hours back from now; 0: all. */
  hours: number;
};

export const NO_FILTER: Filter = {
  id: '',
  text: '',
  agent: '',
  folder: '',
  status: '',
  decidedBy: '',
  hours: 0,
};

/** Times to choose from, in hours. */
export function times(): readonly { hours: number; label: string }[] {
  return [
    { hours: 0, label: m.activity_any() },
    { hours: 1, label: m.activity_time_hour() },
    { hours: 24, label: m.activity_time_day() },
    { hours: 24 * 7, label: m.activity_time_week() },
    { hours: 24 * 30, label: m.activity_time_month() },
  ];
}

export function statuses(): readonly { value: Status; label: string }[] {
  return [
    { value: 'approved', label: m.activity_status_approved() },
    { value: 'denied', label: m.activity_status_denied() },
    { value: 'timeout', label: m.activity_status_timeout() },
    { value: 'cancelled', label: m.activity_status_cancelled() },
    { value: 'pending', label: m.activity_status_pending() },
  ];
}

export function answerers(): readonly { value: DecidedBy; label: string }[] {
  return [
    { value: 'person', label: m.activity_by_person() },
    { value: 'policy', label: m.activity_by_policy() },
    { value: 'grant', label: m.activity_by_grant() },
    { value: 'timeout', label: m.activity_by_timeout() },
    { value: 'requester', label: m.activity_by_requester() },
    { value: 'shutdown', label: m.activity_by_shutdown() },
  ];
}

/** Whether anything is left out. */
export function isFiltered(filter: Filter): boolean {
  return (Object.keys(NO_FILTER) as (keyof Filter)[]).some((key) => filter[key] !== NO_FILTER[key]);
}

/** The search for a filter at this moment. */
export function toSearch(filter: Filter, now: Date): ActivitySearch {
  const { id, text, agent, folder, status, decidedBy, hours } = filter;
  if (id) return { id };
  return {
    ...(text.trim() && { text: text.trim() }),
    ...(agent && { agent }),
    ...(folder && { folder }),
    ...(status && { status }),
    ...(decidedBy && { decided_by: decidedBy }),
    ...(hours > 0 && { since: new Date(now.getTime() - hours * 3_600_000).toISOString() }),
  };
}

/** How a call ended, and by whom, in a few words. */
export function outcomeWords(result: Pick<ApprovalResult, 'status' | 'decided_by' | 'confined'>): string {
  const outcome = plainOutcome(result);
  return result.confined === undefined ? outcome : m.activity_confined({ outcome });
}

function plainOutcome({ status, decided_by }: Pick<ApprovalResult, 'status' | 'decided_by'>): string {
  if (status === 'pending' || decided_by === undefined) return m.activity_waits();
  const approved = status === 'approved';
  switch (decided_by) {
    case 'person':
      return approved ? m.activity_approved_person() : m.activity_denied_person();
    case 'policy':
      return approved ? m.activity_approved_policy() : m.activity_denied_policy();
    case 'grant':
      return approved ? m.activity_approved_grant() : m.activity_denied_grant();
    case 'timeout':
      return m.activity_ended_timeout();
    case 'requester':
      return m.activity_ended_requester();
    case 'shutdown':
      return m.activity_ended_shutdown();
  }
}

/** A time span in the unit that says it best. */
export function duration(seconds: number): string {
  if (seconds < 90) return m.activity_seconds({ count: String(seconds) });
  if (seconds < 90 * 60) return m.activity_minutes({ count: String(Math.round(seconds / 60)) });
  return m.activity_hours({ count: String(Math.round(seconds / 3600)) });
}
