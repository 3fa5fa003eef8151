import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import { useAction } from '../hooks/use-action.ts';
import { TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';
import { SubmitButton } from './submit-button.tsx';

export interface KeyFormProps {
  children: ComponentChildren;
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
    <Form class="card stack" onSubmit={() => signIn.run()}>
      <TextField
        label="API key"
        type="password"
        value={entered}
        onChange={setEntered}
        hint="It begins with parley_live_. The first one was shown when Parley was started first; more are made under Team → API keys, by owners and admins who have signed in with an account, or with npm run parley -- create-key."
        isRequired
        isFocused
      />
      {children}
      <ProblemMessage problem={signIn.problem} />
      <SubmitButton isBusy={signIn.isBusy}>Sign in</SubmitButton>
    </Form>
  );
}

/**
 * Checks an API key by a request. Only a 401 means that the key is invalid; other errors depend on its
 * scopes.
 * @throws ApiError
 */
async function checkKey(token: string): Promise<void> {
  // API keys contain only these characters, and a header could not transmit others.
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
    'Parley does not know this key. Check that all of it was copied, and that it was neither revoked nor has expired.',
    { status: 401, code: 'unauthenticated' },
  );
}
