import { AccountPage } from './account-page.tsx';
import { SignIn } from './sign-in.tsx';

/** @param reason message that says why the session ended; null on a first visit */
export function SignInPage({ reason }: { reason: string | null }) {
  return (
    <AccountPage title="Sign in to Parley">
      {reason !== null && (
        <p class="notice" role="status">
          {reason}
        </p>
      )}
      <SignIn />
    </AccountPage>
  );
}
