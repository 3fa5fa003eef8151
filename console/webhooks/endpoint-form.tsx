import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import type { Bot, EventDescriptor, Page, Webhook } from '../client/types.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { useAction } from '../state/use-action.ts';
import { useApi } from '../state/use-api.ts';
import { useFormDraft } from '../state/use-form-draft.ts';

export interface EndpointChanges {
  url: string;
  description: string | null;
  bot_id: string | null;
  events: string[];
}

export interface EndpointFormProps {
  /** Unique key under which the values of the endpoint's form are stored until the user saves or cancels. */
  form: string;
  /** Webhook endpoint to edit; null for a new endpoint, with all events selected at first. */
  endpoint: Webhook | null;
  events: readonly EventDescriptor[];
  onSave(changes: EndpointChanges): Promise<void>;
  onCancel(): void;
}

export function EndpointForm({ form, endpoint, events, onSave, onCancel }: EndpointFormProps) {
  const { data: bots } = useApi<Page<Bot>>('/api/bots?page_size=100');
  const { draft, change, discard } = useFormDraft(form, {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    botId: endpoint?.bot_id ?? '',
    chosen: joinEventNames(events, endpoint?.events ?? events.map(({ name }) => name)),
  });
  const { url, description, botId } = draft;
  const chosenEvents = draft.chosen.split(' ').filter(Boolean);
  const save = useAction(async () => {
    await onSave({
      url: url.trim(),
      description: description.trim() || null,
      bot_id: botId || null,
      events: chosenEvents,
    });
    discard();
  });
  const discardChanges = (): void => {
    discard();
    onCancel();
  };
  return (
    <Form onSubmit={() => chosenEvents.length > 0 && save.run()}>
      <TextField
        name="url"
        label="URL"
        type="url"
        value={url}
        onChange={(typed) => change({ url: typed })}
        hint="A public HTTPS URL."
        problem={describeFieldProblem(save.problem, 'url', 'The URL')}
        isRequired
        isFocused
      />
      <TextField
        name="description"
        label="Description"
        value={description}
        onChange={(typed) => change({ description: typed })}
        problem={describeFieldProblem(save.problem, 'description', 'The description')}
        maxLength={500}
      />
      <NativeSelect
        label="Bot"
        value={botId}
        onChange={({ currentTarget }) => change({ botId: currentTarget.value })}
        data={[
          { value: '', label: 'All bots' },
          ...(bots?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Checkbox.Group
        label="Events"
        value={chosenEvents}
        onChange={(chosen) => change({ chosen: joinEventNames(events, chosen) })}
      >
        <div className="event-list">
          {events.map(({ name, description: about }) => (
            <Checkbox key={name} value={name} label={name} description={about} />
          ))}
        </div>
      </Checkbox.Group>
      <ProblemMessage problem={save.problem} inlineFields={['url', 'description']} />
      <Group justify="flex-end">
        <Button variant="default" onClick={discardChanges}>
          Cancel
        </Button>
        <SubmitButton isBusy={save.isBusy} isDisabled={chosenEvents.length === 0}>
          {endpoint === null ? 'Add endpoint' : 'Save changes'}
        </SubmitButton>
      </Group>
    </Form>
  );
}

/** Joins names of webhook events in a fixed order, so that equal selections are equal strings. */
function joinEventNames(events: readonly EventDescriptor[], chosen: readonly string[]): string {
  const names = events.map(({ name }) => name).filter((name) => (chosen as string[]).includes(name));
  return names.join(' ');
}
