import { useState } from 'preact/hooks';
import { publicClient } from '../client/client.ts';
import type { Challenge, Tokens } from '../client/types.ts';
import { useAction } from '../hooks/use-action.ts';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { SubmitButton } from './submit-button.tsx';

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
    <Form class="card stack" onSubmit={() => verify.run()}>
      <TextField
        label="Code of your authenticator app, or a recovery code"
        value={code}
        onChange={setCode}
        hint={`Within ${Math.round(challenge.expires_in / 60)} minutes. Each code is good once.`}
        minLength={4}
        maxLength={64}
        autoComplete="one-time-code"
        isRequired
        isFocused
      />
      <ProblemMessage problem={verify.problem} />
      <div class="row">
        <SubmitButton isBusy={verify.isBusy}>Go on</SubmitButton>
        <button type="button" class="plain" onClick={onRestart}>
          Start again
        </button>
      </div>
    </Form>
  );
}
