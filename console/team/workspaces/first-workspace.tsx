import { Group } from '@mantine/core';
import { useState } from 'react';
import type { Org } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';
import { Page } from '../../components/page/page.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { useSwitchWorkspace } from './use-switch-workspace.ts';
import { WorkspaceNameField } from './name-field.tsx';

/** Form that creates the first workspace of a user without a workspace. */
export function FirstWorkspace() {
  const { client } = useSession();
  const [name, setName] = useState('');
  const change = useSwitchWorkspace();
  const create = useAction(async () => {
    const { id } = await client.post<Org>('/api/orgs', { name: name.trim() });
    change.run(id);
  });
  return (
    <Page title="Create a workspace">
      <div className="settings">
        <Section
          title="Workspace"
          description="You're not in a workspace yet. Open an invitation link, or create your own workspace."
        >
          <Form onSubmit={() => create.run()}>
            <WorkspaceNameField value={name} onChange={setName} problem={create.problem} />
            <ProblemMessage problem={create.problem} inlineFields={['name']} />
            <Group>
              <SubmitButton isBusy={create.isBusy || change.isBusy}>Create workspace</SubmitButton>
            </Group>
          </Form>
        </Section>
      </div>
    </Page>
  );
}
