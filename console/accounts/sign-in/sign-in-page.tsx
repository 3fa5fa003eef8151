import { AccountPage, StatusText } from '../account-page.tsx';
import { SetupHint } from './setup-hint.tsx';
import { SignIn } from './sign-in.tsx';
import { useIsSetupOpen } from './use-is-setup-open.ts';

/** @param reason why the previous session ended; null if the user had no session before */
export function SignInPage({ reason }: { reason: string | null }) {
  const isSetupOpen = useIsSetupOpen();
  return (
    <AccountPage title="Sign in to Parley">
      {reason !== null && <StatusText>{reason}</StatusText>}
      {isSetupOpen && (
        <StatusText>
          This installation isn't set up yet. <SetupHint />
        </StatusText>
      )}
      <SignIn />
    </AccountPage>
  );
}
