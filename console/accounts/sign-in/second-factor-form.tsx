import { Button } from '@mantine/core';
import { useState } from 'react';
import { publicClient } from '../../client/client.ts';
import type { Challenge, Tokens } from '../../client/types.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';

export interface SecondFactorFormProps {
  challenge: Challenge;
  onTokens(tokens: Tokens): void;
  onRestart(): void;
}

export function SecondFactorForm({ challenge, onTokens, onRestart }: SecondFactorFormProps) {
  const [code, setCode] = useState('');
  const verify = useAction(async () => {
    const answer = { challenge_token: challenge.challenge_token, code: code.trim() };
    onTokens(await publicClient.post<Tokens>('/api/auth/mfa/verify', answer));
  });
  return (
    <Form onSubmit={() => verify.run()}>
      <TextField
        name="code"
        label="Authenticator code or recovery code"
        value={code}
        onChange={setCode}
        hint={`Enter the code within ${Math.round(challenge.expires_in / 60)} minutes. Each code works once.`}
        minLength={4}
        maxLength={64}
        autoComplete="one-time-code"
        isRequired
        isFocused
      />
      <ProblemMessage problem={verify.problem} />
      <SubmitButton isWide isBusy={verify.isBusy}>
        Continue
      </SubmitButton>
      <Button variant="subtle" color="gray" onClick={onRestart}>
        Start over
      </Button>
    </Form>
  );
}
