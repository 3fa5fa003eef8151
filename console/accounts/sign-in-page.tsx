import { AccountPage } from './account-page.tsx';
import { SignIn } from './sign-in.tsx';

/** @param reason why somebody is here who was signed in before */
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
