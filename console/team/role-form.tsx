import { useState } from 'react';
import type { Member } from '../client/types.ts';
import { useAction } from '../state/use-action.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../components/fields.tsx';
import { Form } from '../components/form.tsx';
import { SubmitOrCancel } from '../components/submit-or-cancel.tsx';
import { showConfirmation } from '../components/notices.ts';
import { ProblemMessage } from '../components/problem-message.tsx';
import { listAssignableRoles, type Team } from './team.ts';

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
    showConfirmation(`${member.full_name} is ${role} now.`);
    onChanged();
  });
  return (
    <Form className="stack" onSubmit={() => save.run()}>
      <SelectField
        label="Role"
        value={role}
        onChange={(next) => setRole(next)}
        options={listAssignableRoles(team)}
      />
      <ProblemMessage problem={save.problem} />
      <SubmitOrCancel isBusy={save.isBusy}>Save</SubmitOrCancel>
    </Form>
  );
}
