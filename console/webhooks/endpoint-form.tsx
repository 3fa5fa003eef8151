import { useState } from 'preact/hooks';
import type { EventDescriptor, Webhook } from '../client/types.ts';
import { BotFilter } from '../bots/bot-filter.tsx';
import { useAction } from '../hooks/use-action.ts';
import { Choices } from '../ui/choices.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';

export interface EndpointChanges {
  url: string;
  description: string | null;
  bot_id: string | null;
  events: string[];
}

export interface EndpointFormProps {
  /** Null for a new one, which gets all events at first. */
  endpoint: Webhook | null;
  events: readonly EventDescriptor[];
  onSave(changes: EndpointChanges): Promise<void>;
  onCancel(): void;
}

export function EndpointForm({ endpoint, events, onSave, onCancel }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [botId, setBotId] = useState(endpoint?.bot_id ?? '');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(endpoint?.events ?? events.map(({ name }) => name)),
  );
  const wanted = events.map(({ name }) => name).filter((name) => chosen.has(name));
  const save = useAction(() =>
    onSave({
      url: url.trim(),
      description: description.trim() || null,
      bot_id: botId || null,
      events: wanted,
    }),
  );
  return (
    <Form class="stack" isReady={wanted.length > 0} onSubmit={() => save.run()}>
      <TextField
        label="Address"
        type="url"
        value={url}
        onChange={setUrl}
        hint="A public https address."
        problem={problemAt(save.problem, 'url', 'The address')}
        isRequired
        isFocused
      />
      <TextField
        label="Description"
        value={description}
        onChange={setDescription}
        problem={problemAt(save.problem, 'description', 'The description')}
        maxLength={500}
      />
      <BotFilter value={botId} onChange={setBotId} />
      <Choices legend="Events" choices={events} chosen={chosen} onChange={setChosen} />
      <ProblemMessage problem={save.problem} toldBy={['url', 'description']} />
      <div class="row end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button class="primary" type="submit" aria-disabled={save.isBusy || wanted.length === 0}>
          Save
        </button>
      </div>
    </Form>
  );
}
