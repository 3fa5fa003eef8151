import { Text } from '@mantine/core';
import { useState } from 'react';
import { path } from '../../client/paths.ts';
import type { Invitation, Member, Confirmation } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { useSession } from '../../session/session.tsx';
import { CheckboxField, SelectField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { SentInvitations } from './sent-invitations.tsx';
import { invitedRoleOptions, type InvitedRole, type Team } from '../team.ts';
import { loadOtherWorkspaces, type TreeItem } from '../workspaces/tree.ts';

export interface MoveFormProps {
  team: Team;
  member: Member;
  /** URL of the membership that the user may remove after the invitation. */
  url: string;
  onDone(): void;
}

/** Form that invites a member to another workspace, and optionally removes the member from this workspace. */
export function MoveForm(props: MoveFormProps) {
  const { client } = useSession();
  const { team } = props;
  const others = useLoaded(['sibling workspaces', team.id], (signal) =>
    loadOtherWorkspaces(team, client, signal),
  );
  return (
    <LoadedView loaded={others}>
      {([first, ...rest]) =>
        first === undefined ? (
          <Text c="dimmed">You don't manage members of any other workspace.</Text>
        ) : (
          <Move {...props} first={first} rest={rest} />
        )
      }
    </LoadedView>
  );
}

function Move({
  team,
  member,
  url,
  onDone,
  first,
  rest,
}: MoveFormProps & { first: TreeItem; rest: TreeItem[] }) {
  const { client } = useSession();
  const name = member.full_name;
  const [orgId, setOrgId] = useState(first.node.id);
  const [role, setRole] = useState<InvitedRole>('member');
  const [leavesWorkspace, setLeavesWorkspace] = useState(false);
  const [sent, setSent] = useState<Invitation | null>(null);
  const move = useAction(async () => {
    // Send the invitation only once: an earlier attempt may have sent it and then failed to remove the
    // member.
    const invitation =
      sent ??
      (await client.post<Invitation>(path`/api/orgs/${orgId}/invitations`, { email: member.email, role }));
    setSent(invitation);
    if (leavesWorkspace) await client.delete<Confirmation>(url);
  });
  if (sent !== null && !move.isBusy && move.problem === null)
    return <SentInvitations invitations={[sent]} onClose={onDone} />;
  return (
    <Form onSubmit={() => move.run()}>
      <Text>{name} gets an invitation link to join the other workspace.</Text>
      <SelectField
        label="Workspace"
        value={orgId}
        onChange={setOrgId}
        options={[first, ...rest].map(
          ({ node, level }) => [node.id, '\u2003'.repeat(level) + node.name] as const,
        )}
      />
      <SelectField
        label="Role"
        value={role}
        onChange={(next) => setRole(next)}
        options={invitedRoleOptions}
      />
      <CheckboxField
        label={`Remove ${name} from ${team.name} now`}
        hint="Their API keys in that workspace are revoked."
        isChecked={leavesWorkspace}
        onChange={setLeavesWorkspace}
      />
      <ProblemMessage problem={move.problem} />
      <SubmitOrCancel isBusy={move.isBusy}>Send invitation</SubmitOrCancel>
    </Form>
  );
}
