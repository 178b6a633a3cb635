import type {
  AnswerRequest,
  Approval,
  DecisionRequest,
  DesktopState,
  Mode,
  PromptStage,
  Question,
  RequestId,
  Revealed,
  Widening,
} from '../../generated/protocol';
import { m } from '../../paraglide/messages.js';
import { asProblem, type PromptPlatform } from '../../platform';
import { applyAppearance } from '../../shared/appearance';
import { applyLocale } from '../../shared/language.svelte';
import * as answer from './decision/choice';
import { EditJudgement } from './change/edit-judgement.svelte';
import { escapeInvisible, readEdited } from './change/edited';
import { answerOf, choose, declined, EMPTY_DRAFT, type Draft } from './question/draft';
import { arrivalWords, problemWords, said, type LastAnswer } from './inbox/happened';
import * as inbox from './inbox/inbox';
import type { Command, KeyPress } from './keyboard';
import { groupOf, isFound } from './inbox/lanes';
import { decideAll } from './decision/many';
import { Presses } from './decision/presses.svelte';
import { withRevealed } from './request/revealed';
import { Remembered } from './remembered.svelte';
import { sameAgent, stepOf } from './inbox/steps';
import { StoredReasons } from './decision/stored-reasons';

/** What the decision bar is busy with. */
export type Panel = 'none' | 'reason' | 'edit' | 'confirm';

/** How long the window speaks of what just happened, in milliseconds. */
const SPOKEN_OF = 6000;

/** Everything that the prompt window knows. Rules live in the pure modules; time is read here only. */
export class PromptModel {
  inbox = $state.raw(inbox.EMPTY_INBOX);
  loaded = $state(false);
  /** Where the window is on its way to the screen. Nothing is shown before it comes up, and nothing counts before it is there. */
  stage = $state<PromptStage>('hidden');
  /** Which of the times it is that the window comes up. */
  opening = 0;
  /** Wall clock, once a second. */
  now = $state(Date.now());
  panel = $state<Panel>('none');
  reach = $state.raw<answer.Reach>(null);
  /** The call is to run inside its walls, unless another reach or other arguments are chosen. */
  confined = $state(false);
  /** What is opened to its walls first, for good. */
  wider = $state.raw<Widening | null>(null);
  edited = $state<string | null>(null);
  /** The calls of the group are on the screen, in the place of the selected one. */
  together = $state(false);
  /** What the list is searched for. */
  search = $state('');
  /** What the rules say about the changed arguments. */
  readonly judgement: EditJudgement;
  /** What the chosen reach remembers, as the person changes it. */
  readonly remembered: Remembered;
  problem = $state<string | null>(null);
  sending = $state(false);
  /** All of the request was shown. */
  whole = $state(false);
  /** About how many lines of it were not shown yet. */
  left = $state(0);
  /** Shows what comes after what was shown. */
  readNext: (() => void) | null = null;
  /** Another program shows notifications than at first. */
  notificationsChanged = $state(false);
  /** The redacted values of the selected request, for as long as its card is open. */
  revealed = $state.raw<Revealed | null>(null);
  revealing = $state(false);
  lastAnswer = $state.raw<LastAnswer | null>(null);
  announcement = $state.raw(said(''));
  /** Changes whenever another request takes the card. */
  turn = $state(0);
  /** Which presses count. */
  readonly presses = new Presses();
  /** What was chosen and written for questions that are still open, by their ids. */
  drafts = $state.raw<Record<string, Draft>>({});
  readonly reasons = new StoredReasons();

  readonly selected = $derived(inbox.selectedApproval(this.inbox));
  /** The selected question, and what was chosen and written for it. */
  readonly question = $derived(inbox.selectedQuestion(this.inbox));
  readonly draft = $derived((this.question && this.drafts[this.question.id]) ?? EMPTY_DRAFT);
  /** Something was chosen or written for it. */
  readonly hasAnswer = $derived(this.question !== undefined && answerOf(this.question, this.draft) !== null);
  /** The selected request as the card draws it. */
  readonly shown = $derived(
    this.selected && this.revealed ? withRevealed(this.selected, this.revealed) : this.selected,
  );
  /** Open requests of the same step, with the selected one; empty when it is the only one. */
  readonly step = $derived(this.selected ? stepOf(this.inbox.pending, this.selected) : []);
  /** Open requests of the agent that asks the selected one, with it; empty when it is the only one. */
  readonly ofAgent = $derived(this.selected ? sameAgent(this.inbox.pending, this.selected) : []);
  /** Open calls that look like the selected one, with it; empty when it is the only one. */
  readonly group = $derived(this.selected ? groupOf(this.inbox.pending, this.selected) : []);
  readonly missed = $derived(this.inbox.missed.some((other) => other.id === this.inbox.selected));
  readonly listed = $derived(
    this.inbox.pending.length + this.inbox.questions.length + this.inbox.missed.length,
  );
  readonly hasList = $derived(this.listed > 1 || this.inbox.missed.length > 0);
  readonly destructive = $derived.by(
    () => (this.judgement.approval ?? this.selected)?.risk.level === 'destructive',
  );
  /** What is wrong with the changed arguments. */
  readonly editProblem = $derived.by(() => {
    const read = this.edited === null ? null : readEdited(this.edited);
    return read && 'problem' in read ? read.problem : null;
  });
  /** What the rules say about the changed arguments is being asked. */
  readonly judging = $derived.by(() => this.judgement.isAsking(this.edited));
  /** Nothing but time stands between a click and an approval. */
  private readonly answerable = $derived.by(
    () =>
      !this.sending &&
      this.editProblem === null &&
      !this.judging &&
      !this.remembered.isHeld(this.reach) &&
      (this.whole || this.selected === undefined),
  );
  /** What a click approves runs inside walls. */
  readonly walled = $derived(
    this.confined && this.reach === null && this.edited === null && !this.missed && !this.together,
  );
  /** A click approves. */
  readonly ready = $derived(this.presses.armed && this.answerable);
  /** Something of the selected request was not on the screen yet: the button leads there. */
  readonly reading = $derived(this.selected !== undefined && !this.whole && !this.sending);
  /** A click answers the question. */
  readonly canAnswer = $derived(this.hasAnswer && this.ready);

  /** A click or key came too early just now, and decided nothing. */
  readonly tooSoon = $derived(this.now - this.presses.earlyAt < SPOKEN_OF);
  /** The person's own answer, while it is worth speaking of. */
  readonly freshAnswer = $derived(
    this.lastAnswer !== null && this.now - this.lastAnswer.at < SPOKEN_OF ? this.lastAnswer : null,
  );

  /** Whether the key that is being handled came when approving by key was possible. */
  mayApproveByKey = false;
  private heldBack: DesktopState | null = null;
  private askedFor = 0;
  private readsOn = false;

  constructor(readonly platform: PromptPlatform) {
    this.judgement = new EditJudgement(platform, ({ risk }) => this.presses.judgedAnew(risk.level));
    this.remembered = new Remembered(platform, () => this.disturbed());
  }

  /** Connects to the desktop; the result disconnects. */
  async start(): Promise<() => void> {
    const stops = await Promise.all([
      this.platform.onDesktopState((state) => this.receive(state)),
      this.platform.onRequestEnded((result) => (this.inbox = inbox.ended(this.inbox, result))),
      this.platform.onQuestionEnded((result) => (this.inbox = inbox.ended(this.inbox, result))),
    ]);
    try {
      this.receive(await this.platform.desktopState());
    } catch (error) {
      this.problem = m.not_connected({ problem: problemWords(error) });
    }
    const seconds = setInterval(() => this.tick(), 250);
    return () => {
      clearInterval(seconds);
      this.presses.stop();
      stops.forEach((stop) => stop());
    };
  }

  /** The selected request is on the screen. */
  painted(): void {
    if (this.stage === 'on_screen') this.presses.painted();
  }

  /** All of the selected request has been on the screen, or not any more; then about so many lines are left. */
  sees(whole: boolean, left = 0): void {
    this.left = left;
    if (whole === this.whole) return;
    this.whole = whole;
    if (this.readsOn) this.presses.readToTheEnd();
    else this.presses.disturbed();
  }

  /** The person wants to see the rest of the request. */
  readOn(): void {
    this.readsOn = true;
    this.readNext?.();
  }

  /** Focus, visibility or size changed. */
  disturbed(): void {
    this.presses.disturbed();
  }

  /** A click or key would have decided, but came too early: the wait starts again, and the window says so. */
  tooEarly(): void {
    this.presses.tooEarly();
    this.now = this.presses.earlyAt;
    this.announcement = said(this.presses.tooSoonWords());
  }

  /** A key was pressed; what it asks for, if anything. */
  keyPressed(key: KeyPress): Command | undefined {
    this.mayApproveByKey = this.readyNow() && this.presses.keysCount();
    const { command, early } = this.presses.keyPressed(key);
    if (early && this.selected) this.tooEarly();
    return command;
  }

  /** Whether a click approves at this very moment. */
  readyNow(): boolean {
    return this.answerable && this.presses.isArmedNow();
  }

  /** The same for text typed to confirm, which is made of key presses. */
  settledNow(): boolean {
    return this.answerable && this.whole && this.presses.isSettledNow();
  }

  select(id: RequestId): void {
    this.change(inbox.select(this.inbox, id));
  }

  move(step: 1 | -1): void {
    this.change(inbox.move(this.inbox, step, (one) => isFound(one, this.search)));
  }

  open(panel: Panel): void {
    if (panel === this.panel) return;
    this.panel = panel;
    this.problem = null;
    if (panel === 'edit' && this.edited === null) {
      this.edited = escapeInvisible(this.shown?.editable_arguments ?? '{}');
      this.forgetJudged(this.edited);
      this.unread();
    }
    this.disturbed();
  }

  /** The arguments are changed to the JSON text `edited`. */
  edit(edited: string): void {
    if (edited === this.edited) return;
    this.edited = edited;
    if (this.selected) this.judgement.typed(this.selected.id, edited);
    this.disturbed();
  }

  discardEdit(): void {
    this.edited = null;
    this.forgetJudged(null);
    this.unread();
    this.open('none');
  }

  /** Nothing is said of changed arguments; `text` is as it came. */
  private forgetJudged(text: string | null): void {
    this.judgement.forget(text);
    if (this.selected) this.presses.judgedAsBefore(this.selected.risk.level);
  }

  /** Shows all calls of the group, to answer them together; or again the selected one alone. */
  lookTogether(together: boolean): void {
    this.discardEdit();
    this.together = together && this.group.length > 1;
    if (this.together) this.reach = null;
    this.unread();
    this.disturbed();
  }

  /** Shows the redacted values of the selected request. */
  async reveal(): Promise<void> {
    const selected = this.selected;
    if (!selected || this.revealing) return;
    const turn = this.turn;
    this.revealing = true;
    this.problem = null;
    try {
      const revealed = await this.platform.reveal(selected.id);
      if (turn === this.turn) {
        this.revealed = revealed;
        this.unread();
        this.disturbed();
      }
    } catch (error) {
      if (turn === this.turn) this.problem = m.redacted_failed({ problem: problemWords(error) });
    }
    this.revealing = false;
  }

  /** Approves with the chosen reach, or the retry of a request that was missed. Callers check that they may. */
  async approve(): Promise<void> {
    const selected = this.selected;
    if (!selected) return;
    if (this.together) return this.decideAll(this.group, 'approve');
    if (this.missed) return this.decide(selected, answer.lateApproval(selected));
    if (this.walled) return this.decide(selected, answer.confinedApproval(selected, this.wider ?? undefined));
    if (this.edited === null) {
      const [rule, commands] = [this.remembered.textOf(this.reach), this.remembered.commandsOf(this.reach)];
      return this.decide(selected, answer.approval(selected, this.reach, { rule, commands }));
    }
    const read = readEdited(this.edited);
    if ('problem' in read) this.problem = read.problem;
    else await this.decide(selected, answer.approval(selected, null, { edited: read.arguments }));
  }

  /** Has the call run inside its walls, or not. What is approved is another thing then, so it has to stand still. */
  confine(confined: boolean, wider: Widening | null = null): void {
    this.confined = confined && this.selected?.confinement !== undefined;
    this.wider = this.confined ? wider : null;
    if (this.confined) this.reach = null;
    this.disturbed();
  }

  async approveSession(): Promise<void> {
    const choice = this.selected && answer.sessionChoice(this.selected);
    if (this.selected && choice) await this.decide(this.selected, answer.approval(this.selected, choice));
  }

  async deny(reason = '', forSession = false): Promise<void> {
    if (!this.selected || this.missed) return;
    if (this.together) return this.decideAll(this.group, 'deny');
    if (this.presses.wasReplaced()) return this.tooEarly();
    const reach = forSession ? (answer.sessionChoice(this.selected) ?? null) : null;
    this.reasons.add(reason);
    await this.decide(this.selected, answer.denial(this.selected, reach, reason));
  }

  /**
   * A key stands for the choice of this number, from 1: takes it, or leaves it again where several can be taken. Nothing
   * is sent by it. The result says whether there is such a choice.
   */
  pick(number: number): boolean {
    const choice = this.question?.choices[number - 1];
    if (!this.question || !choice) return false;
    if (!this.presses.keysCount() || !this.settledForAnswer()) this.tooEarly();
    else {
      const taken = this.question.multiple && this.draft.selected.includes(choice.label);
      this.write({ selected: choose(this.question, this.draft, choice.label, !taken) });
    }
    return true;
  }

  /** Keeps what was chosen or written for the selected question. */
  write(change: Partial<Draft>): void {
    if (this.question) this.drafts = { ...this.drafts, [this.question.id]: { ...this.draft, ...change } };
  }

  /** Answers the selected question with what was chosen and written. */
  async answer(): Promise<void> {
    const answer = this.question && answerOf(this.question, this.draft);
    if (this.question && answer) await this.reply(this.question, answer);
  }

  /** Tells the agent that the selected question will not be answered. */
  async decline(): Promise<void> {
    if (this.question) await this.reply(this.question, declined(this.draft));
  }

  /** Answers several open requests, each for this once. */
  async decideAll(all: readonly Approval[], decision: 'approve' | 'deny'): Promise<void> {
    if (this.sending || all.length === 0) return;
    if (decision === 'deny' && this.presses.wasReplaced()) return this.tooEarly();
    this.sending = true;
    this.problem = null;
    const { over, last, problem } = await decideAll(this.platform, all, decision);
    this.sending = false;
    this.together = false;
    if (last) this.lastAnswer = { decision, title: last.title, at: Date.now() };
    const count = over.length;
    this.announcement = said(decision === 'deny' ? m.decided_step({ count }) : m.decided_together({ count }));
    this.change(over.reduce(inbox.answeredHere, this.inbox), true);
    if (all.some((one) => one.id === this.selected?.id)) this.unread();
    this.problem = problem;
    if (this.heldBack) this.receive(this.heldBack);
  }

  setMode = (mode: Mode): Promise<void> => this.tried(this.platform.setMode(mode));
  openSettings = (): Promise<void> => this.tried(this.platform.openSettings());
  openGuide = (): Promise<void> => this.tried(this.platform.openGuide());

  /** Takes the selected request, which nobody answered in time, out of the list. */
  async dismissMissed(): Promise<void> {
    if (this.missed && this.selected) await this.tried(this.platform.dismissMissed(this.selected.id));
  }

  hide = (): void => void this.platform.hideWindow();

  private async decide(selected: Approval, decision: DecisionRequest): Promise<void> {
    await this.send(selected.id, m.decide_failed, async () => {
      await this.platform.decide(selected.id, decision);
      this.lastAnswer = { decision: decision.decision, title: selected.title, at: Date.now() };
      this.announcement = said(decision.decision === 'approve' ? m.decided_approved() : m.decided_denied());
      return decision.late
        ? inbox.retriedHere(this.inbox, selected.id)
        : inbox.answeredHere(this.inbox, selected.id);
    });
  }

  /** Sends an answer about `id`; `answered` does it, and gives the inbox without what was answered. */
  private async send(
    id: string,
    failed: (inputs: { problem: string }) => string,
    answered: () => Promise<inbox.Inbox>,
  ): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    this.problem = null;
    let next = this.inbox;
    try {
      next = await answered();
    } catch (error) {
      if (asProblem(error).code === 'already_over') {
        next = inbox.tooLate(this.inbox, id, performance.now());
        this.announcement = said(m.too_late());
      } else this.problem = failed({ problem: problemWords(error) });
    }
    this.sending = false;
    this.change(next, true);
    if (this.heldBack) this.receive(this.heldBack);
  }

  /** The question has stood still long enough; keys do not count, since its answer is typed. */
  private settledForAnswer(): boolean {
    return !this.sending && this.presses.isSettledNow();
  }

  private async reply(question: Question, answer: AnswerRequest): Promise<void> {
    if (!this.settledForAnswer()) return this.tooEarly();
    await this.send(question.id, m.answer_failed, async () => {
      await this.platform.answer(question.id, answer);
      const decision = answer.decline ? 'decline' : 'answer';
      this.lastAnswer = { decision, title: question.title, at: Date.now() };
      this.announcement = said(answer.decline ? m.decided_declined() : m.decided_answered());
      return inbox.answeredHere(this.inbox, question.id);
    });
  }

  /** Other text is on the screen: it has to be read like any other. */
  private unread(): void {
    this.whole = false;
    this.readsOn = false;
  }

  /** Says why, where it does not work. */
  private tried(done: Promise<void>): Promise<void> {
    return done.catch((error: unknown) => {
      this.problem = m.settings_failed({ problem: problemWords(error) });
    });
  }

  private receive(state: DesktopState): void {
    applyAppearance(state.appearance, state.accent);
    applyLocale(state.locale);
    this.goTo(state);
    if (state.stage === 'hidden') return;
    // While an answer is on its way, what arrives would look as if somebody else had given it.
    this.heldBack = this.sending ? state : null;
    if (this.sending) return;
    const [before, hadList, group] = [this.inbox, this.hasList, this.group.map(({ id }) => id).join()];
    const open = inbox.openOnes(before);
    if (this.loaded) this.announcement = arrivalWords(open, state) ?? this.announcement;
    this.loaded = true;
    this.notificationsChanged = state.notifications_changed ?? false;
    this.presses.gotKeyboard(state.keyboard_unasked);
    this.change(this.withWanted(inbox.received(before, state, performance.now()), state));
    const kept = Object.entries(this.drafts).filter(([id]) => state.questions.some((one) => one.id === id));
    this.drafts = Object.fromEntries(kept);
    if (!inbox.onlyAdded(open, inbox.openOnes(this.inbox)) || hadList !== this.hasList) this.disturbed();
    // Other calls are on the screen: they have to be read, too.
    if (this.together && group !== this.group.map(({ id }) => id).join()) this.lookTogether(true);
  }

  /** The window is elsewhere on its way to the screen. */
  private goTo({ stage, opening, came_by_itself }: DesktopState): void {
    const arrives = stage === 'on_screen' && this.stage !== 'on_screen';
    // The clock of a page that nobody sees runs slowly.
    this.now = Date.now();
    this.opening = opening;
    this.stage = stage;
    if (!arrives) return;
    this.presses.cameUp();
    // A press may have been meant for what was there before.
    if (came_by_itself) this.presses.replaced();
  }

  /** Selects what the person has asked for, once. */
  private withWanted(next: inbox.Inbox, { wanted }: DesktopState): inbox.Inbox {
    if (wanted === undefined || wanted.number === this.askedFor) return next;
    this.askedFor = wanted.number;
    return inbox.select(next, wanted.id);
  }

  private tick(): void {
    if (Date.now() - this.now >= 1000) this.now = Date.now();
    this.change(inbox.passed(this.inbox, performance.now()));
  }

  /** Takes over `next`; another request, or the same with other content, starts from the beginning. */
  private change(next: inbox.Inbox, afterDecision = false): void {
    if (next === this.inbox) return;
    const before = this.selected;
    const asked = this.question?.id;
    const ended = next.endNotice !== null && next.endNotice !== this.inbox.endNotice;
    this.inbox = next;
    const after = this.selected;
    const sameQuestion = asked === this.question?.id;
    const same = sameQuestion && before?.id === after?.id && before?.arguments_hash === after?.arguments_hash;
    const sameWalls = before?.confinement?.hash === after?.confinement?.hash;
    if (same && sameWalls && before?.risk.level === after?.risk.level) return;
    this.turn += 1;
    this.panel = 'none';
    this.reach = null;
    this.confined = false;
    this.wider = null;
    this.edited = null;
    this.remembered.discard();
    this.together = false;
    this.forgetJudged(null);
    this.revealed = null;
    this.unread();
    if (!afterDecision || after || this.question) this.problem = null;
    if (ended) this.presses.replaced();
    this.presses.begin(after?.risk.level ?? 'write', afterDecision || ended);
  }
}
