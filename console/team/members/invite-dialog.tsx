import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { toApiError } from '../../client/api-error.ts';
import type { Invitation } from '../../client/types.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { Form } from '../../components/forms/form.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { useFormDraft } from '../../state/use-form-draft.ts';
import { invitedRoles, toRoleChoice, type InvitedRole, type Team } from '../team.ts';
import { SentInvitations } from './sent-invitations.tsx';
import { useReload } from '../../state/use-reload.ts';

const MAX_EMAILS = 20;

interface InviteDraft {
  /** Email addresses of the invited people, separated by spaces. */
  emails: string;
  role: InvitedRole;
}

/** Dialog that invites several people with one role. */
export function InviteDialog({ team, onClose }: { team: Team; onClose(): void }) {
  const [sent, setSent] = useState<Invitation[]>([]);
  const [isDone, setDone] = useState(false);
  return isDone ? (
    <Dialog title={`${formatCount(sent.length, 'invitation')} sent`} size="lg" onClose={onClose}>
      <SentInvitations invitations={sent} onClose={onClose} />
    </Dialog>
  ) : (
    <Dialog title="Invite teammates" size="lg" onClose={onClose}>
      <InviteForm
        team={team}
        onSent={(invitation) => setSent((before) => [...before, invitation])}
        onDone={() => setDone(true)}
      />
    </Dialog>
  );
}

interface InviteFormProps {
  team: Team;
  onSent(invitation: Invitation): void;
  /** Called once all invitations have been sent. */
  onDone(): void;
}

function InviteForm({ team, onSent, onDone }: InviteFormProps) {
  const { client } = useSession();
  const reload = useReload();
  const url = `${team.url}/invitations`;
  const { draft, change, discard } = useFormDraft<InviteDraft>(url, { emails: '', role: 'member' });
  const [problem, setProblem] = useState<string>();
  const emails = draft.emails.split(' ').filter(Boolean);
  const invite = useAction(async () => {
    const failed: string[] = [];
    const problems: string[] = [];
    for (const email of emails)
      try {
        onSent(await client.post<Invitation>(url, { email, role: draft.role }));
      } catch (error) {
        const { message, details } = toApiError(error);
        failed.push(email);
        problems.push(`${email}: ${details[0]?.message ?? message}`);
      }
    await reload(url);
    if (failed.length === 0) {
      discard();
      onDone();
    } else {
      change({ emails: failed.join(' ') });
      setProblem(problems.join('\n'));
    }
  });
  const submit = (): void => {
    setProblem(emails.length === 0 ? 'Enter at least one email.' : undefined);
    if (emails.length > 0) invite.run();
  };
  return (
    <Form onSubmit={submit}>
      <TagsInput
        data-autofocus
        label="Emails"
        placeholder={emails.length === 0 ? 'ada@example.com' : ''}
        description="Press Enter or comma after each address."
        value={emails}
        onChange={(values) => change({ emails: [...new Set(values.map((each) => each.trim()))].join(' ') })}
        splitChars={[',', ';', ' ', '\n']}
        maxTags={MAX_EMAILS}
        acceptValueOnBlur
        error={problem}
        errorProps={{ className: 'field-problem pre-line' }}
      />
      <RadioChoices
        legend="Role"
        choices={invitedRoles.map(toRoleChoice)}
        value={draft.role}
        onChange={(role) => change({ role })}
      />
      <SubmitOrCancel isBusy={invite.isBusy} onCancel={discard}>
        {emails.length > 1 ? `Send ${emails.length} invitations` : 'Send invitation'}
      </SubmitOrCancel>
    </Form>
  );
}
