import { useState } from 'preact/hooks';
import type { Member } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { SelectField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { showConfirmation } from '../ui/notices.ts';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { SubmitOrCancel } from '../ui/submit-or-cancel.tsx';
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
    <Form class="stack" onSubmit={() => save.run()}>
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
