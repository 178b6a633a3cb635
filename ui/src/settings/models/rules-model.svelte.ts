import type { Diagnostic, PolicyCheck, PolicyView } from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type SettingsPlatform } from '../../platform';
import { inOrder } from './diagnostics';
import { StoredDraft } from './stored-draft';

/** How long a text stands still before it is checked, in milliseconds. */
const CHECK_AFTER = 300;

/** The policy file and what a person is making of it. An unsaved text outlives its section and its window. */
export class RulesModel {
  view = $state.raw<PolicyView | null>(null);
  /** The text that is being written; `null`: as it is on the disk. */
  draft = $state<string | null>(null);
  problem = $state<string | null>(null);
  busy = $state(false);
  saved = $state(false);
  private etag = $state('');
  private check = $state.raw<PolicyCheck | null>(null);

  readonly text = $derived(this.draft ?? this.view?.text ?? '');
  readonly isChanged = $derived(this.draft !== null);
  /** Another text lies on the disk than the one that the draft was made from. */
  readonly isOvertaken = $derived(this.isChanged && this.view !== null && this.etag !== this.view.etag);
  /** What is wrong with the text in the editor. */
  readonly diagnostics = $derived<Diagnostic[]>(
    inOrder((this.isChanged ? this.check?.diagnostics : this.view?.diagnostics) ?? []),
  );
  readonly isChecking = $derived(this.isChanged && this.check === null);
  readonly maySave = $derived(
    this.isChanged &&
      !this.busy &&
      !this.isOvertaken &&
      this.view?.pending === undefined &&
      this.check?.is_usable !== false,
  );

  private readonly stored = new StoredDraft();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly platform: SettingsPlatform) {}

  /** Reads the policy; what is being written stays. */
  async load(): Promise<void> {
    try {
      const first = this.view === null;
      this.receive(await this.platform.policy());
      if (first) this.restore();
    } catch (error) {
      this.fail(error);
    }
  }

  edit(text: string): void {
    if (!this.view) return;
    if (this.draft === null) this.etag = this.view.etag;
    this.saved = false;
    this.problem = null;
    if (text === this.view.text) this.forget();
    else this.keep(text);
  }

  /** Throws the draft away. */
  forget(): void {
    clearTimeout(this.timer);
    this.draft = null;
    this.check = null;
    this.stored.set(null);
  }

  /** Keeps the draft although another text lies on the disk: saving it replaces that one. */
  insist(): void {
    if (!this.view || this.draft === null) return;
    this.etag = this.view.etag;
    this.stored.set({ text: this.draft, etag: this.etag });
  }

  async save(): Promise<void> {
    const text = this.draft;
    if (text === null || !this.maySave) return;
    await this.change(async () => {
      const view = await this.platform.savePolicy(text, this.etag);
      this.forget();
      this.saved = true;
      return view;
    });
  }

  confirm(etag: string): Promise<void> {
    return this.change(() => this.platform.confirmPolicy(etag));
  }

  discard(etag: string): Promise<void> {
    return this.change(() => this.platform.discardPolicy(etag));
  }

  private async change(action: () => Promise<PolicyView>): Promise<void> {
    this.busy = true;
    this.problem = null;
    try {
      this.receive(await action());
    } catch (error) {
      const { code, diagnostics } = asProblem(error);
      if (code === 'policy_invalid' && diagnostics && this.isChanged)
        this.check = { is_usable: false, diagnostics };
      await this.load();
      // An overtaken draft says so itself, with what can be done about it.
      if (code !== 'policy_moved' || !this.isOvertaken) this.fail(error);
    }
    this.busy = false;
  }

  private keep(text: string): void {
    this.draft = text;
    this.stored.set({ text, etag: this.etag });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(text), CHECK_AFTER);
  }

  private async look(text: string): Promise<void> {
    try {
      const check = await this.platform.checkPolicy(text);
      if (this.draft === text) this.check = check;
    } catch (error) {
      if (this.draft === text) this.fail(error);
    }
  }

  private restore(): void {
    const draft = this.stored.get();
    if (draft === null) return;
    if (draft.text === this.view?.text) return this.forget();
    this.etag = draft.etag;
    this.keep(draft.text);
  }

  private receive(view: PolicyView): void {
    this.view = view;
    if (this.draft === view.text) this.forget();
  }

  private fail(error: unknown): void {
    this.problem = m.settings_failed({ problem: asProblem(error).detail || m.problem_unknown() });
  }
}
