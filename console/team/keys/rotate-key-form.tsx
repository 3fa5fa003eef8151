import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKeyCreated } from '../../client/types.ts';
import { SelectField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';

const graces = [
  ['0', 'Immediately'],
  ['1', 'In 1 hour'],
  ['4', 'In 4 hours'],
  ['24', 'In 1 day'],
] as const;

export interface RotateKeyFormProps {
  /** URL under which the API manages the API key. */
  url: string;
  onCreated(key: ApiKeyCreated): void;
}

export function RotateKeyForm({ url, onCreated }: RotateKeyFormProps) {
  const { client } = useSession();
  const [hours, setHours] = useState<(typeof graces)[number][0]>('1');
  const rotate = useAction(async () =>
    onCreated(await client.post<ApiKeyCreated>(`${url}/rotate`, { grace_hours: Number(hours) })),
  );
  return (
    <Form onSubmit={() => rotate.run()}>
      <Text>The new key has the same scopes and lifetime.</Text>
      <SelectField
        label="Current key stops working"
        value={hours}
        onChange={(next) => setHours(next)}
        options={graces}
      />
      <ProblemMessage problem={rotate.problem} />
      <SubmitOrCancel isBusy={rotate.isBusy}>Create new key</SubmitOrCancel>
    </Form>
  );
}
