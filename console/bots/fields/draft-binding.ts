import type { ApiError } from '../../client/api-error.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import type { Bot } from '../../client/types.ts';
import { toRequestField, type BotDraft } from './bot-draft.ts';

type KeysOfType<V> = { [K in keyof BotDraft]: BotDraft[K] extends V ? K : never }[keyof BotDraft];

/** Values of the bot form, with functions that return the properties of an input. */
export interface DraftBinding {
  bot: Bot;
  draft: BotDraft;
  text(name: KeysOfType<string>): {
    value: string;
    onChange(value: string): void;
    problem: string | undefined;
  };
  choice(name: KeysOfType<boolean>): { isChecked: boolean; onChange(isChecked: boolean): void };
  describeProblem(name: keyof BotDraft): string | undefined;
  change(changed: Partial<BotDraft>): void;
}

export function bindDraft(
  bot: Bot,
  draft: BotDraft,
  onChange: (changed: Partial<BotDraft>) => void,
  saveProblem: ApiError | null,
): DraftBinding {
  const describeProblem = (name: keyof BotDraft): string | undefined =>
    describeFieldProblem(saveProblem, toRequestField(name), 'This');
  return {
    bot,
    draft,
    text: (name) => ({
      value: draft[name],
      onChange: (value) => onChange({ [name]: value }),
      problem: describeProblem(name),
    }),
    describeProblem,
    change: onChange,
    choice: (name) => ({ isChecked: draft[name], onChange: (isChecked) => onChange({ [name]: isChecked }) }),
  };
}
