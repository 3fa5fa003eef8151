import { useState } from 'preact/hooks';
import { ApiError } from '../client/api-error.ts';
import { Client } from '../client/client.ts';
import { useAction } from '../hooks/use-action.ts';
import { CheckboxField, TextField } from '../ui/fields.tsx';
import { Form } from '../ui/form.tsx';
import { ProblemMessage } from '../ui/problem-message.tsx';

export interface SignInProps {
  /** Why somebody is here who was signed in before. */
  reason: string | null;
  onSignedIn(apiKey: string, isToStay: boolean): void;
}

export function SignIn({ reason, onSignedIn }: SignInProps) {
  const [apiKey, setApiKey] = useState('');
  const [isToStay, setToStay] = useState(false);
  const signIn = useAction(async () => {
    await checkKey(apiKey.trim());
    onSignedIn(apiKey.trim(), isToStay);
  });
  return (
    <main class="sign-in">
      <h1>Parley console</h1>
      {reason !== null && (
        <p class="notice" role="status">
          {reason}
        </p>
      )}
      <Form class="card stack" onSubmit={() => signIn.run()}>
        <TextField
          label="API key"
          type="password"
          value={apiKey}
          onChange={setApiKey}
          hint="It begins with parley_live_. The first one was shown when Parley was started first; more are made with npm run parley -- create-key."
          autoComplete="current-password"
          isRequired
          isFocused
        />
        <CheckboxField label="Stay signed in on this computer" isChecked={isToStay} onChange={setToStay} />
        <ProblemMessage problem={signIn.problem} />
        <button class="primary" type="submit" disabled={signIn.isBusy || apiKey.trim() === ''}>
          {signIn.isBusy ? 'Signing in …' : 'Sign in'}
        </button>
      </Form>
    </main>
  );
}

/** Any answer but 401 shows that the key is one; what it may see is told page by page. @throws ApiError */
async function checkKey(apiKey: string): Promise<void> {
  // A header takes nothing else, and no key has anything else.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw unknownKey();
  try {
    await new Client(apiKey, () => {}).get('/api/bots?page_size=1');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 403) return;
    throw error.status === 401 ? unknownKey() : error;
  }
}

function unknownKey(): ApiError {
  return new ApiError(
    'Parley does not know this key. Check that all of it was copied, and that it was neither revoked nor has expired.',
    { status: 401, code: 'unauthenticated' },
  );
}
