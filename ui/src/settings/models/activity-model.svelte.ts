import type {
  ActivityChoices,
  ActivityFigures,
  ActivitySearch,
  Approval,
  ExportFormat,
  Exported,
  KeptCall,
  RequestId,
} from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type SettingsPlatform } from '../../platform';
import { toSearch, type Filter, NO_FILTER } from './activity-filter';

/** What the section shows. */
export const VIEWS = ['calls', 'files', 'figures'] as const;
export type ActivityView = (typeof VIEWS)[number];

/** Days that the figures are about. */
export const FIGURE_DAYS = 30;
/** Days of a week. */
const WEEK = 7;

/** Everything that the section about the calls of the past knows. */
export class ActivityModel {
  view = $state<ActivityView>('calls');
  filter = $state.raw<Filter>(NO_FILTER);
  /** The calls that were found so far. */
  calls = $state.raw<Approval[] | null>(null);
  choices = $state.raw<ActivityChoices>({ agents: [], folders: [] });
  figures = $state.raw<ActivityFigures | null>(null);
  /** Those of the last week. */
  week = $state.raw<ActivityFigures | null>(null);
  /** The call whose details are shown. */
  opened = $state<string | null>(null);
  /** What that call has changed, as far as it is kept. */
  kept = $state.raw<KeptCall | null>(null);
  isLooking = $state(false);
  isExporting = $state(false);
  exported = $state.raw<Exported | null>(null);
  problem = $state<string | null>(null);
  private cursor = $state<string | undefined>(undefined);
  /** Counts the searches: only the answer to the last one is shown. */
  private asked = 0;
  /** The search that the calls are of: more of them are of the same moment. */
  private search: ActivitySearch = {};

  readonly hasMore = $derived(this.cursor !== undefined);

  constructor(readonly platform: SettingsPlatform) {}

  /** Looks for the calls that fit, from the latest on. */
  async look(): Promise<void> {
    this.asked += 1;
    this.search = toSearch(this.filter, new Date());
    this.opened = null;
    await this.page(undefined);
    this.choices = await this.platform.activityChoices().catch(() => this.choices);
  }

  /** Looks for the next of them. */
  async more(): Promise<void> {
    if (this.isLooking || this.cursor === undefined) return;
    await this.page(this.cursor);
  }

  /** Whoever looks for something else has seen the one call that was asked for. */
  async choose(change: Partial<Filter>): Promise<void> {
    this.filter = { ...this.filter, id: '', ...change };
    this.exported = null;
    await this.look();
  }

  /** Shows one call alone, with its details. */
  async show(id: RequestId): Promise<void> {
    this.view = 'calls';
    await this.choose({ ...NO_FILTER, id });
  }

  /** Shows the details of a call, or puts them away. */
  async open(call: Approval): Promise<void> {
    this.kept = null;
    if (this.opened === call.id) {
      this.opened = null;
      return;
    }
    this.opened = call.id;
    await this.lookAtKept(call.id);
  }

  /** Looks again what a call has changed. */
  async lookAtKept(id: string): Promise<void> {
    const kept = await this.platform.kept([id]).catch(() => null);
    if (this.opened === id) this.kept = kept?.calls[0] ?? null;
  }

  async count(): Promise<void> {
    this.problem = null;
    try {
      const [figures, week] = await Promise.all(
        [FIGURE_DAYS, WEEK].map((days) => this.platform.activityFigures(days)),
      );
      this.figures = figures ?? null;
      this.week = week ?? null;
    } catch (error) {
      this.fail(error);
    }
  }

  /** The latest call with this title that a person answered. */
  async latestOf(title: string): Promise<Approval | undefined> {
    try {
      const page = await this.platform.activity({ text: title, decided_by: 'person' });
      return page.approvals.find((call) => call.title === title);
    } catch (error) {
      this.fail(error);
      return undefined;
    }
  }

  async export(format: ExportFormat): Promise<void> {
    if (this.isExporting) return;
    this.isExporting = true;
    this.exported = null;
    this.problem = null;
    try {
      this.exported = await this.platform.exportActivity(toSearch(this.filter, new Date()), format);
    } catch (error) {
      this.fail(error);
    }
    this.isExporting = false;
  }

  private async page(cursor: string | undefined): Promise<void> {
    const asked = this.asked;
    this.isLooking = true;
    this.problem = null;
    try {
      const search = cursor === undefined ? this.search : { ...this.search, cursor };
      const page = await this.platform.activity(search);
      if (asked !== this.asked) return;
      this.calls = cursor === undefined ? page.approvals : [...(this.calls ?? []), ...page.approvals];
      this.cursor = page.next_cursor;
      const only = this.calls.find(({ id }) => id === this.filter.id);
      if (only && this.opened === null) await this.open(only);
    } catch (error) {
      if (asked === this.asked) this.fail(error);
    }
    if (asked === this.asked) this.isLooking = false;
  }

  private fail(error: unknown): void {
    this.problem = m.history_failed({ problem: asProblem(error).detail || m.problem_unknown() });
  }
}
