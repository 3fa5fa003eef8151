import type { EventDescriptor, Webhook } from '../client/types.ts';
import { BotFilter } from '../bots/bot-filter.tsx';
import { useAction } from '../hooks/use-action.ts';
import { useFormDraft } from '../hooks/use-form-draft.ts';
import { Choices } from '../ui/choices.tsx';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { describeFieldProblem, ProblemMessage } from '../ui/problem-message.tsx';

export interface EndpointChanges {
  url: string;
  description: string | null;
  bot_id: string | null;
  events: string[];
}

export interface EndpointFormProps {
  /** Unique key under which the form's values are stored until the user saves or cancels. */
  form: string;
  /** Endpoint to edit; null to create one, for which all events are selected initially. */
  endpoint: Webhook | null;
  events: readonly EventDescriptor[];
  onSave(changes: EndpointChanges): Promise<void>;
  onCancel(): void;
}

export function EndpointForm({ form, endpoint, events, onSave, onCancel }: EndpointFormProps) {
  const { draft, change, discard } = useFormDraft(form, {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    botId: endpoint?.bot_id ?? '',
    chosen: joinEventNames(events, new Set(endpoint?.events ?? events.map(({ name }) => name))),
  });
  const { url, description, botId } = draft;
  const wanted = draft.chosen.split(' ').filter(Boolean);
  const save = useAction(async () => {
    await onSave({
      url: url.trim(),
      description: description.trim() || null,
      bot_id: botId || null,
      events: wanted,
    });
    discard();
  });
  const discardChanges = (): void => {
    discard();
    onCancel();
  };
  return (
    <Form class="stack" isReady={wanted.length > 0} onSubmit={() => save.run()}>
      <TextField
        label="Address"
        type="url"
        value={url}
        onChange={(typed) => change({ url: typed })}
        hint="A public https address."
        problem={describeFieldProblem(save.problem, 'url', 'The address')}
        isRequired
        isFocused
      />
      <TextField
        label="Description"
        value={description}
        onChange={(typed) => change({ description: typed })}
        problem={describeFieldProblem(save.problem, 'description', 'The description')}
        maxLength={500}
      />
      <BotFilter value={botId} onChange={(id) => change({ botId: id })} />
      <Choices
        legend="Events"
        choices={events}
        chosen={new Set(wanted)}
        onChange={(chosen) => change({ chosen: joinEventNames(events, chosen) })}
      />
      <ProblemMessage problem={save.problem} inlineFields={['url', 'description']} />
      <div class="row end">
        <button type="button" onClick={discardChanges}>
          Cancel
        </button>
        <button class="primary" type="submit" aria-disabled={save.isBusy || wanted.length === 0}>
          Save
        </button>
      </div>
    </Form>
  );
}

/** Joins names of events in a fixed order, so that equal selections are equal strings. */
function joinEventNames(events: readonly EventDescriptor[], chosen: ReadonlySet<string>): string {
  const names = events.map(({ name }) => name).filter((name) => chosen.has(name));
  return names.join(' ');
}
