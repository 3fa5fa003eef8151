import { Group } from '@mantine/core';
import { useState } from 'react';
import { useBots } from '../bots/use-bots.ts';
import type { ArchiveJob } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { Choices } from '../components/forms/choices.tsx';
import { CheckboxField, TextField } from '../components/forms/fields.tsx';
import { Form, SubmitButton } from '../components/forms/form.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { ProblemMessage } from '../components/page/problem-message.tsx';

export interface StartFormProps {
  onStarted(job: ArchiveJob): void;
}

interface Draft {
  botIds: ReadonlySet<string>;
  /** First day of the exported conversations in the browser's time zone; empty for no limit. */
  from: string;
  to: string;
  includesContacts: boolean;
}

const ALL: Draft = { botIds: new Set(), from: '', to: '', includesContacts: true };

/** Form that starts an export of conversations. By default, the export includes all bots and all times. */
export function ExportForm({ onStarted }: StartFormProps) {
  const { client } = useSession();
  const bots = useBots();
  const [draft, setDraft] = useState(ALL);
  const updateDraft = (changes: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changes }));
  const start = useAction(async () => {
    onStarted(await client.post<ArchiveJob>('/api/archive/export', toExportRequest(draft)));
    showConfirmation('Export started');
  });
  return (
    <Form onSubmit={() => start.run()} isReady={!start.isBusy}>
      {bots.length > 1 && (
        <Choices
          legend="Bots (all if none is selected)"
          choices={bots.map(({ id, name }) => ({ name: id, title: name }))}
          chosen={draft.botIds}
          onChange={(botIds) => updateDraft({ botIds })}
        />
      )}
      <div className="field-row">
        <TextField label="From" type="date" value={draft.from} onChange={(from) => updateDraft({ from })} />
        <TextField
          label="To (inclusive)"
          type="date"
          value={draft.to}
          onChange={(to) => updateDraft({ to })}
        />
      </div>
      <CheckboxField
        label="Include contacts and captured fields"
        isChecked={draft.includesContacts}
        onChange={(includesContacts) => updateDraft({ includesContacts })}
      />
      <ProblemMessage problem={start.problem} labels={{ bot_ids: 'The bots', from: 'From', to: 'To' }} />
      <Group>
        <SubmitButton isBusy={start.isBusy}>Export archive</SubmitButton>
      </Group>
    </Form>
  );
}

/** Converts the first and last day of an export to times in the browser's time zone. */
function toExportRequest({ botIds, from, to, includesContacts }: Draft) {
  return {
    bot_ids: botIds.size === 0 ? null : [...botIds],
    from: from === '' ? null : new Date(`${from}T00:00:00`).toISOString(),
    to: to === '' ? null : parseNextDay(to).toISOString(),
    include_contacts: includesContacts,
  };
}

function parseNextDay(day: string): Date {
  const next = new Date(`${day}T00:00:00`);
  next.setDate(next.getDate() + 1);
  return next;
}
