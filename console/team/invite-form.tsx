import { useState } from 'preact/hooks';
import { SubmitButton } from '../accounts/submit-button.tsx';
import type { Invitation } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { SelectField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { problemAt, ProblemMessage } from '../ui/problem-message.tsx';
import { Section } from '../ui/section.tsx';
import { invitedRoles } from './team.ts';

export interface InviteFormProps {
  /** Of the workspace's invitations. */
  url: string;
  onInvited(invitation: Invitation): void;
}

export function InviteForm({ url, onInvited }: InviteFormProps) {
  const { client } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<(typeof invitedRoles)[number][0]>('member');
  const invite = useAction(async () => {
    const invitation = await client.post<Invitation>(url, { email: email.trim(), role });
    setEmail('');
    onInvited(invitation);
  });
  return (
    <Section title="Invite somebody">
      <Form class="stack" onSubmit={() => invite.run()}>
        <div class="filters">
          <TextField
            label="E-mail address"
            type="email"
            value={email}
            onChange={setEmail}
            problem={problemAt(invite.problem, 'email', 'The address')}
            minLength={5}
            maxLength={320}
            isRequired
          />
          <SelectField label="Role" value={role} onChange={(next) => setRole(next)} options={invitedRoles} />
          <SubmitButton isBusy={invite.isBusy}>Invite</SubmitButton>
        </div>
        <ProblemMessage problem={invite.problem} toldBy={['email']} />
      </Form>
    </Section>
  );
}
