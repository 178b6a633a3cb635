import { sessionChoice } from '../model/decision/choice';
import type { Command, KeyPress } from '../model/keyboard';
import type { PromptModel } from '../model/prompt-model.svelte';

/** A key press, as far as the rules for keys care. */
export function keyPressOf(event: KeyboardEvent): KeyPress {
  const target = event.target instanceof HTMLElement ? event.target : null;
  const typing = target?.matches(
    'textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])',
  );
  return {
    key: event.key,
    repeat: event.repeat,
    modified: event.ctrlKey || event.altKey || event.metaKey,
    typing: typing ?? false,
  };
}

/** Does what a key asks for. The result says whether the key is used up. */
export function carryOut(
  command: Command,
  model: PromptModel,
  event: KeyboardEvent,
  help: () => void,
): boolean {
  switch (command) {
    case 'next':
    case 'previous':
      return go(command === 'next' ? 1 : -1, model, event);
    case 'help':
      help();
      return true;
    case 'hide':
      if (model.together) model.lookTogether(false);
      else if (model.panel === 'edit') model.discardEdit();
      else if (model.panel !== 'none') model.open('none');
      else if (model.remembered.textOf(model.reach) !== null) model.remembered.forgetText();
      else model.hide();
      return true;
    default:
      if (!model.selected) return false;
      decide(command, model);
      return true;
  }
}

function go(step: 1 | -1, model: PromptModel, event: KeyboardEvent): boolean {
  const arrow = event.key.startsWith('Arrow');
  const inRadios = event.target instanceof HTMLInputElement;
  if (arrow && (inRadios || model.listed < 2)) return false;
  model.move(step);
  return true;
}

function decide(command: Command, model: PromptModel): void {
  if (command === 'approve' && model.reading) model.readOn();
  else if (command === 'approve' && model.destructive) model.open('confirm');
  else if (command === 'approve' && model.mayApproveByKey) void model.approve();
  else if (command === 'approve') model.tooEarly();
  if (model.missed) return;
  if (command === 'deny') void model.deny();
  if (command === 'together') model.lookTogether(!model.together);
  if (model.together) return;
  if (command === 'deny_with_reason') model.open('reason');
  if (command === 'edit' && model.shown?.editable_arguments !== undefined) model.open('edit');
  const offered =
    model.selected &&
    sessionChoice(model.selected) &&
    model.reach === null &&
    !model.walled &&
    !model.destructive &&
    model.edited === null;
  if (command !== 'approve_session' || !offered) return;
  if (model.reading) model.readOn();
  else if (model.mayApproveByKey) void model.approveSession();
  else model.tooEarly();
}
