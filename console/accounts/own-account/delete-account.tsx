import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Me, Confirmation } from '../../client/types.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { Form } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { Section } from '../../components/page/section.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { ProofFields } from './proof-fields.tsx';

export function DeleteAccount({ me }: { me: Me }) {
  return (
    <Section title="Danger zone">
      <SettingRow
        title="Delete account"
        description="You'll be removed from all workspaces and your API keys will be revoked immediately. Messages that you sent are kept. Before you delete your account, transfer or delete each workspace of which you are the only owner."
      >
        <DialogButton name="Delete my account" kind="danger">
          {() => <DeleteForm me={me} />}
        </DialogButton>
      </SettingRow>
    </Section>
  );
}

/**
 * Form that deletes the user's account. Asks for the password and a second factor; users who have neither
 * sign in again instead.
 */
function DeleteForm({ me: { user } }: { me: Me }) {
  const { client, signOut } = useSession();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const deletion = useAction(async () => {
    const proof = { password: password || null, code: code.trim() || null };
    const { message } = await client.post<Confirmation>('/api/auth/me/delete', proof);
    await signOut();
    showConfirmation(message);
  });
  return (
    <Form onSubmit={() => deletion.run()}>
      <Text>This can't be undone.</Text>
      <ProofFields
        password={password}
        onPassword={setPassword}
        code={code}
        onCode={setCode}
        problem={deletion.problem}
        hasPassword={user.has_password}
        hasSecondFactor={user.mfa_enabled}
      />
      <ProblemMessage problem={deletion.problem} inlineFields={['password', 'code']} />
      <SubmitOrCancel isBusy={deletion.isBusy} isDangerous>
        Delete my account
      </SubmitOrCancel>
    </Form>
  );
}
