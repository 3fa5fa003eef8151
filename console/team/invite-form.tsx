import { useState } from 'react';
import { Form, SubmitButton } from '../components/form.tsx';
import type { Invitation } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useFormDraft } from '../state/use-form-draft.ts';
import { useSession } from '../session/session.tsx';
import { SelectField, TextField } from '../components/fields.tsx';
import { describeFieldProblem } from '../client/describe-problem.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { Section } from '../components/section.tsx';
import { invitedRoles } from './team.ts';

export interface InviteFormProps {
  /** URL of the workspace's invitations in the API. */
  url: string;
  onInvited(invitation: Invitation): void;
}

interface Invited {
  email: string;
  role: (typeof invitedRoles)[number][0];
}

export function InviteForm({ url, onInvited }: InviteFormProps) {
  const { client } = useSession();
  const { draft, change, markSaved } = useFormDraft<Invited>(url, { email: '', role: 'member' });
  const { email } = draft;
  // Keep the selected role after an invitation, since the next one often has the same role.
  const [role, setRole] = useState(draft.role);
  const chooseRole = (chosen: Invited['role']): void => {
    setRole(chosen);
    if (email !== '') change({ role: chosen });
  };
  const invite = useAction(async () => {
    const invitation = await client.post<Invitation>(url, { email: email.trim(), role });
    markSaved(draft);
    onInvited(invitation);
  });
  return (
    <Section title="Invite somebody">
      <Form className="stack" onSubmit={() => invite.run()}>
        <div className="filters">
          <TextField
            label="E-mail address"
            type="email"
            value={email}
            onChange={(typed) => change({ email: typed, role })}
            problem={describeFieldProblem(invite.problem, 'email', 'The address')}
            minLength={5}
            maxLength={320}
            isRequired
          />
          <SelectField label="Role" value={role} onChange={chooseRole} options={invitedRoles} />
          <SubmitButton isBusy={invite.isBusy}>Invite</SubmitButton>
        </div>
        <ProblemMessage problem={invite.problem} inlineFields={['email']} />
      </Form>
    </Section>
  );
}
