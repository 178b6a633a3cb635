import type { AgentChange, AgentOverview, DoctorCheck } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type AgentWish, type SettingsPlatform } from '../../platform';

/** A change that a person looks at before it is made. */
export type OpenChange = {
  wish: AgentWish;
  /** Absent: it is being read. */
  change?: AgentChange;
  /** It follows one that has just been made. */
  isMore: boolean;
  isMaking: boolean;
};

function done({ connect, forMachine }: AgentWish, name: string): string {
  if (forMachine) return connect ? m.agent_done_forbid({ name }) : m.agent_done_take_back({ name });
  return connect ? m.agent_done_connect({ name }) : m.agent_done_disconnect({ name });
}

/** Everything that the section about agents knows. */
export class AgentsModel {
  list = $state.raw<AgentOverview[] | null>(null);
  isLooking = $state(false);
  problem = $state<string | null>(null);
  open = $state.raw<OpenChange | null>(null);
  /** What came of the last change: sentences. */
  done = $state.raw<{ agent: string; sentences: string[] } | null>(null);
  /** The agent that is being tried out. */
  checking = $state<string | null>(null);
  checks = $state.raw<{ agent: string; found: DoctorCheck[] } | null>(null);

  constructor(readonly platform: SettingsPlatform) {}

  /** As a person asks for it: what went wrong before is no news any more. */
  lookAgain(): Promise<void> {
    this.problem = null;
    return this.look();
  }

  async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    try {
      this.list = await this.platform.agents();
    } catch (error) {
      this.problem = asProblem(error).detail || m.problem_unknown();
    }
    this.isLooking = false;
  }

  /** Shows what a wish would change. A choice that was changed meanwhile counts, not the one before. */
  async preview(wish: AgentWish, isMore = false): Promise<void> {
    const open: OpenChange = { wish, isMore, isMaking: false };
    this.open = open;
    this.problem = null;
    if (!isMore) this.done = null;
    try {
      const change = await this.platform.previewAgentChange(wish);
      if (this.open !== open) return;
      // What was made may need nothing more.
      this.open = isMore && change.files.length === 0 ? null : { ...open, change };
    } catch (error) {
      if (this.open === open) this.fail(error);
    }
  }

  /** Makes the change as it is shown. */
  async make(name: string): Promise<void> {
    const open = this.open;
    if (!open?.change || open.isMaking) return;
    this.open = { ...open, isMaking: true };
    this.problem = null;
    const { wish } = open;
    try {
      const made = await this.platform.changeAgent(wish, open.change.digest);
      const backups = made.files.flatMap(({ backup }) => (backup ? [m.agent_backup({ path: backup })] : []));
      const what = done(wish, name);
      this.done = { agent: wish.agent, sentences: [what, ...backups] };
      this.checks = null;
      this.open = null;
      if (wish.connect && !wish.forMachine) await this.preview(wish, true);
    } catch (error) {
      this.fail(error);
    }
    await this.look();
  }

  cancel(): void {
    this.open = null;
  }

  async check(agent: string): Promise<void> {
    if (this.checking) return;
    this.checking = agent;
    this.checks = null;
    this.problem = null;
    try {
      this.checks = { agent, found: await this.platform.checkAgent(agent) };
    } catch (error) {
      const problem = asProblem(error).detail || m.problem_unknown();
      this.problem = m.agent_check_failed({ problem });
    }
    this.checking = null;
  }

  private fail(error: unknown): void {
    this.open = null;
    this.problem = m.settings_failed({ problem: asProblem(error).detail || m.problem_unknown() });
  }
}
