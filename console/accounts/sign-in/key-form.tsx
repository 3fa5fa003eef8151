import { useState, type ReactNode } from 'react';
import { ApiError } from '../../client/api-error.ts';
import { Client } from '../../client/client.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useAction } from '../../state/use-action.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form, SubmitButton } from '../../components/forms/form.tsx';

export interface KeyFormProps {
  children: ReactNode;
  onKey(apiKey: string): void;
}

export function KeyForm({ children, onKey }: KeyFormProps) {
  const [entered, setEntered] = useState('');
  const signIn = useAction(async () => {
    const apiKey = entered.trim();
    await checkKey(apiKey);
    onKey(apiKey);
  });
  return (
    <Form onSubmit={() => signIn.run()}>
      <TextField
        name="api_key"
        label="API key"
        type="password"
        value={entered}
        onChange={setEntered}
        hint="Starts with parley_live_. Create keys in Settings → API keys."
        isRequired
        isFocused
      />
      {children}
      <ProblemMessage problem={signIn.problem} />
      <SubmitButton isWide isBusy={signIn.isBusy}>
        Sign in
      </SubmitButton>
    </Form>
  );
}

/**
 * Checks an API key with a request. Only a 401 means that the key is invalid: a key without the scope for the
 * request gets a 403.
 * @throws ApiError
 */
async function checkKey(token: string): Promise<void> {
  // API keys contain only these characters, and an HTTP header could not transmit others.
  if (!/^[\x21-\x7e]+$/.test(token)) throw createUnknownKeyError();
  try {
    await new Client({ token, renew: async () => false }).get('/api/auth/me');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 403) return;
    throw error.status === 401 ? createUnknownKeyError() : error;
  }
}

function createUnknownKeyError(): ApiError {
  return new ApiError(
    "Invalid API key. Check that you copied the whole key and that it hasn't been revoked or expired.",
    { status: 401, code: 'unauthenticated' },
  );
}
