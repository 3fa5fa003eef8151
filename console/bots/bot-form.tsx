import { useState } from 'preact/hooks';
import { path } from '../client/paths.ts';
import type { BotRead, Model } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useSession } from '../session/session.tsx';
import { CheckboxField, SelectField, TextArea, TextField } from '../ui/fields.tsx';
import { tell } from '../ui/notices.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { changesOf, draftOf, type BotDraft } from './bot-draft.ts';

export interface BotFormProps {
  bot: BotRead;
  onSaved(bot: BotRead): void;
}

/** The values of one kind, and how to change them. */
type FieldsOf<V> = {
  [K in keyof BotDraft as BotDraft[K] extends V ? K : never]: BotDraft[K];
};

export function BotForm({ bot, onSaved }: BotFormProps) {
  const { client } = useSession();
  const [draft, setDraft] = useState(() => draftOf(bot));
  const changes = changesOf(bot, draft);
  const save = useAction(async () => {
    const saved = await client.patch<BotRead>(path`/api/bots/${bot.id}`, changes);
    setDraft(draftOf(saved));
    onSaved(saved);
    tell('The bot is saved.');
  });
  const text = (name: keyof FieldsOf<string>) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  });
  const choice = (name: keyof FieldsOf<boolean>) => ({
    isChecked: draft[name],
    onChange: (value: boolean) => setDraft((before) => ({ ...before, [name]: value })),
  });
  return (
    <form
      class="card stack"
      onSubmit={(event) => {
        event.preventDefault();
        save.run();
      }}
    >
      <TextField label="Name" {...text('name')} maxLength={255} isRequired />
      <TextField label="Description" hint="For the team; visitors do not see it." {...text('description')} />
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
      <CheckboxField label="Answer from the documents or not at all" {...choice('strict_kb_mode')} />
      <TextArea
        label="When the documents have no answer"
        rows={2}
        maxLength={1000}
        {...text('fallback_message')}
      />
      <CheckboxField label="Visitors can ask for a person" {...choice('handoff_enabled')} />
      <ModelField bot={bot} {...text('model')} />
      <TextField label="Language" hint="A language tag, or auto for the visitor’s." {...text('language')} />
      <div class="row">
        <TextField label="Temperature" type="number" min={0} max={2} step="any" {...text('temperature')} />
        <TextField
          label="Longest answer, in tokens"
          type="number"
          min={64}
          max={32768}
          {...text('max_tokens')}
        />
      </div>
      <CheckboxField label="The widget serves the bot" {...choice('is_public')} />
      <CheckboxField label="Only on certain hosts" {...choice('isLimitedToDomains')} />
      {draft.isLimitedToDomains && (
        <TextArea
          label="Hosts"
          hint="One a line, exact or *.host; none at all when empty."
          {...text('allowed_domains')}
        />
      )}
      <div class="row">
        <TextField
          label="Visitors’ messages a minute"
          type="number"
          min={1}
          max={1000}
          {...text('rate_limit_per_minute')}
        />
        <TextField
          label="Answers a month"
          hint="Empty for no cap."
          type="number"
          min={0}
          {...text('monthly_message_cap')}
        />
      </div>
      <ProblemMessage problem={save.problem} />
      <div class="row">
        <button class="primary" type="submit" disabled={save.isBusy || Object.keys(changes).length === 0}>
          {save.isBusy ? 'Saving …' : 'Save'}
        </button>
        <button type="button" onClick={() => setDraft(draftOf(bot))}>
          Undo
        </button>
      </div>
    </form>
  );
}

interface ModelFieldProps {
  bot: BotRead;
  value: string;
  onChange(model: string): void;
}

function ModelField({ bot, value, onChange }: ModelFieldProps) {
  const { client } = useSession();
  const { data = [] } = useLoad((signal) => client.get<Model[]>('/api/models', signal), [client]);
  const known = data.filter(({ provider }) => provider === bot.llm_provider);
  const options = known.map(({ id, name }) => [id, name] as const);
  const isListed = value === '' || known.some(({ id }) => id === value);
  return (
    <SelectField
      label="Model"
      hint={`Of the provider ${bot.llm_provider}.`}
      value={value}
      options={[['', 'The provider’s default'], ...options, ...(isListed ? [] : [[value, value] as const])]}
      onChange={onChange}
    />
  );
}
