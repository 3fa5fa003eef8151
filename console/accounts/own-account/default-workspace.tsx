import { useState } from 'react';
import { Form, SubmitButton } from '../../components/form.tsx';
import type { Me, Org } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { SelectField } from '../../components/fields.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { Section } from '../../components/section.tsx';

/** Field with which a user of several workspaces chooses the one that opens after signing in. */
export function DefaultWorkspace() {
  const { client } = useSession();
  const { data: orgs = [] } = useLoad((signal) => client.get<Org[]>('/api/orgs', signal), [client]);
  return orgs.length < 2 ? null : <Choice orgs={orgs} />;
}

function Choice({ orgs }: { orgs: readonly Org[] }) {
  const { client } = useSession();
  const [chosen, setChosen] = useState(() => orgs.find(({ is_default }) => is_default)?.id ?? '');
  const save = useAction(async () => {
    await client.patch<Me>('/api/auth/me', { default_org_id: chosen });
    showConfirmation('Where you begin is saved.');
  });
  const unchosen = orgs.some(({ is_default }) => is_default) ? [] : [['', 'The first one joined'] as const];
  return (
    <Section title="Where you begin">
      <Form className="stack" onSubmit={() => save.run()}>
        <SelectField
          label="Workspace after signing in"
          value={chosen}
          onChange={setChosen}
          options={[...unchosen, ...orgs.map(({ id, name }) => [id, name] as const)]}
        />
        <ProblemMessage problem={save.problem} />
        <SubmitButton isBusy={save.isBusy || chosen === ''}>Save where you begin</SubmitButton>
      </Form>
    </Section>
  );
}
