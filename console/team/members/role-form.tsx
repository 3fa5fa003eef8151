import { useState } from 'react';
import type { Member } from '../../client/types.ts';
import { Form } from '../../components/forms/form.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RadioChoices } from '../../components/forms/radio-choices.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { useSession } from '../../session/session.tsx';
import { useAction } from '../../state/use-action.ts';
import { listAssignableRoles, roleNames, toRoleChoice, type Team } from '../team.ts';

export interface RoleFormProps {
  team: Team;
  member: Member;
  url: string;
  onChanged(): void;
}

export function RoleForm({ team, member, url, onChanged }: RoleFormProps) {
  const { client } = useSession();
  const [role, setRole] = useState(member.role);
  const save = useAction(async () => {
    await client.put<Member>(url, { role });
    showConfirmation(`Role changed to ${roleNames[role]}`);
    onChanged();
  });
  return (
    <Form onSubmit={() => save.run()}>
      <RadioChoices
        legend="Role"
        choices={listAssignableRoles(team).map(toRoleChoice)}
        value={role}
        onChange={setRole}
      />
      <ProblemMessage problem={save.problem} />
      <SubmitOrCancel isBusy={save.isBusy}>Change role</SubmitOrCancel>
    </Form>
  );
}
