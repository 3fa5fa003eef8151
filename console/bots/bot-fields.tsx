import type { ApiError } from '../client/api-error.ts';
import type { BotRead } from '../client/types.ts';
import { CheckboxField, TextArea, TextField } from '../components/fields.tsx';
import { LanguageField } from '../components/language-field.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { toRequestField, type BotDraft } from './bot-draft.ts';
import { ModelField } from './model-field.tsx';

type KeysOfType<V> = { [K in keyof BotDraft]: BotDraft[K] extends V ? K : never }[keyof BotDraft];

/** Values of the bot form, with functions that return the properties of an input. */
export interface DraftBinding {
  draft: BotDraft;
  text(name: KeysOfType<string>): {
    value: string;
    onChange(value: string): void;
    problem: string | undefined;
  };
  choice(name: KeysOfType<boolean>): { isChecked: boolean; onChange(isChecked: boolean): void };
  change(changed: Partial<BotDraft>): void;
}

export function bindDraft(
  draft: BotDraft,
  onChange: (changed: Partial<BotDraft>) => void,
  refusal: ApiError | null,
): DraftBinding {
  return {
    draft,
    text: (name) => ({
      value: draft[name],
      onChange: (value) => onChange({ [name]: value }),
      problem: describeFieldProblem(refusal, toRequestField(name), 'This'),
    }),
    change: onChange,
    choice: (name) => ({ isChecked: draft[name], onChange: (isChecked) => onChange({ [name]: isChecked }) }),
  };
}

export function WordsFields({ text }: DraftBinding) {
  return (
    <>
      <TextField label="Name" {...text('name')} maxLength={255} isRequired />
      <TextField
        label="Description"
        hint="For the team; visitors do not see it."
        maxLength={2000}
        {...text('description')}
      />
      <TextArea
        label="Prompt"
        hint="What the bot is and how it speaks."
        rows={6}
        maxLength={20000}
        {...text('system_prompt')}
      />
      <TextArea
        label="Welcome"
        hint="The first thing a visitor reads."
        maxLength={1000}
        {...text('welcome_message')}
      />
      <TextArea label="Starter questions" hint="One a line, up to six." {...text('starter_questions')} />
    </>
  );
}

export function AnswerFields({ bot, text, choice }: DraftBinding & { bot: BotRead }) {
  return (
    <>
      <CheckboxField label="Answer from the documents or not at all" {...choice('strict_kb_mode')} />
      <TextArea
        label="When the documents have no answer"
        rows={2}
        maxLength={1000}
        {...text('fallback_message')}
      />
      <CheckboxField label="Visitors can ask for a person" {...choice('handoff_enabled')} />
      <ModelField bot={bot} {...text('model')} />
      <LanguageField label="Language" auto="auto" {...text('language')} />
      <div className="row">
        <TextField
          label="Temperature"
          type="number"
          min={0}
          max={2}
          step="any"
          isRequired
          {...text('temperature')}
        />
        <TextField
          label="Longest answer, in tokens"
          type="number"
          min={64}
          max={32768}
          isRequired
          {...text('max_tokens')}
        />
      </div>
    </>
  );
}

export function LimitFields({ draft, text, choice }: DraftBinding) {
  return (
    <>
      <CheckboxField label="The widget serves the bot" {...choice('is_public')} />
      <CheckboxField label="Only on certain hosts" {...choice('isLimitedToDomains')} />
      {draft.isLimitedToDomains && (
        <TextArea
          label="Hosts"
          hint="One a line, exact or *.host, with a port where only that one will do (localhost:5173); none at all when empty."
          {...text('allowed_domains')}
        />
      )}
      <div className="row">
        <TextField
          label="Visitors’ messages a minute"
          type="number"
          min={1}
          max={1000}
          isRequired
          {...text('rate_limit_per_minute')}
        />
        <TextField
          label="Answers a month, empty for no cap"
          type="number"
          min={0}
          {...text('monthly_message_cap')}
        />
      </div>
    </>
  );
}
