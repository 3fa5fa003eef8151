import { useState } from 'react';
import type { ApiKeyCreated } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { SubmitOrCancel } from '../components/submit-or-cancel.tsx';
import { ProblemMessage } from '../components/problem-message.tsx';

const graces = [
  ['0', 'It stops at once'],
  ['1', 'For an hour'],
  ['4', 'For four hours'],
  ['24', 'For a day'],
] as const;

export interface RotateKeyFormProps {
  /** URL of the API key in the API. */
  url: string;
  onMade(key: ApiKeyCreated): void;
}

export function RotateKeyForm({ url, onMade }: RotateKeyFormProps) {
  const { client } = useSession();
  const [hours, setHours] = useState<(typeof graces)[number][0]>('1');
  const rotate = useAction(async () =>
    onMade(await client.post<ApiKeyCreated>(`${url}/rotate`, { grace_hours: Number(hours) })),
  );
  return (
    <Form className="stack" onSubmit={() => rotate.run()}>
      <p>The next key may do the same as this one, and lasts as long as this one was made for.</p>
      <SelectField
        label="The old key still works"
        value={hours}
        onChange={(next) => setHours(next)}
        options={graces}
      />
      <ProblemMessage problem={rotate.problem} />
      <SubmitOrCancel isBusy={rotate.isBusy}>Make the next key</SubmitOrCancel>
    </Form>
  );
}
