import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Org } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { Form } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { useSwitchWorkspace } from './use-switch-workspace.ts';
import { WorkspaceNameField } from './name-field.tsx';

/** Form that creates the first workspace of a user without one. */
export function FirstWorkspace() {
  const { client } = useSession();
  const [name, setName] = useState('');
  const change = useSwitchWorkspace();
  const create = useAction(async () => {
    const { id } = await client.post<Org>('/api/orgs', { name: name.trim() });
    change.run(id);
  });
  return (
    <Page title="You are in no workspace">
      <p>Open the link of an invitation, or create a workspace of your own.</p>
      <Form className="card stack" onSubmit={() => create.run()}>
        <WorkspaceNameField value={name} onChange={setName} problem={create.problem} />
        <ProblemMessage problem={create.problem} inlineFields={['name']} />
        <Button type="submit" aria-disabled={create.isBusy || change.isBusy}>
          Create it
        </Button>
      </Form>
    </Page>
  );
}
