import { AccountPage, StatusText } from './account-page.tsx';
import { SignIn } from './sign-in.tsx';

/** @param reason why the previous session ended; null if there was none */
export function SignInPage({ reason }: { reason: string | null }) {
  return (
    <AccountPage title="Sign in to Parley">
      {reason !== null && <StatusText>{reason}</StatusText>}
      <SignIn />
    </AccountPage>
  );
}
