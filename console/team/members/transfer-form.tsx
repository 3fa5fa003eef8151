import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Member, Confirmation } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { CurrentPasswordField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { SubmitOrCancel } from '../../components/forms/submit-or-cancel.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { describeFieldProblem } from '../../client/describe-problem.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import type { Team } from '../team.ts';

export interface TransferFormProps {
  team: Team;
  member: Member;
  onTransferred(): void;
}

/** Form with which the owner makes another member the owner and becomes an admin. */
export function TransferForm({ team, member, onTransferred }: TransferFormProps) {
  const { client, me } = useSession();
  const [password, setPassword] = useState('');
  const transfer = useAction(async () => {
    const request = { membership_id: member.membership_id, password: password || null };
    showConfirmation((await client.post<Confirmation>(`${team.url}/transfer-ownership`, request)).message);
    onTransferred();
    me.reload();
  });
  return (
    <Form onSubmit={() => transfer.run()}>
      <Text>{member.full_name} becomes an owner, and you become an admin. Only an owner can undo this.</Text>
      {me.data?.user.has_password && (
        <CurrentPasswordField
          label="Your password"
          value={password}
          onChange={setPassword}
          problem={describeFieldProblem(transfer.problem, 'password', 'This')}
          isFocused
        />
      )}
      <ProblemMessage problem={transfer.problem} inlineFields={['password']} />
      <SubmitOrCancel isBusy={transfer.isBusy}>Transfer ownership</SubmitOrCancel>
    </Form>
  );
}
