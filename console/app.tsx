import { useEffect, useState } from 'preact/hooks';
import type { Arrival } from './accounts/arrival.ts';
import { DevicePage } from './accounts/device-page.tsx';
import { ForgotPasswordPage } from './accounts/forgot-password-page.tsx';
import { IdentityReturn } from './accounts/identity-return.tsx';
import { InvitationPage } from './accounts/invitation-page.tsx';
import { RegisterPage } from './accounts/register-page.tsx';
import { ResetPasswordPage } from './accounts/reset-password-page.tsx';
import { SignInPage } from './accounts/sign-in-page.tsx';
import { VerifyEmailPage } from './accounts/verify-email-page.tsx';
import { useStore } from './hooks/store.ts';
import { deleteUnsavedWork, hasUnsavedWork } from './session/unsaved-work.ts';
import { ProofDialog } from './session/proof-dialog.tsx';
import { followOtherTabs, deleteCredentials, storedCredentials } from './session/stored-credentials.ts';
import { signOut } from './session/sign-out.ts';
import { SignedIn } from './signed-in.tsx';
import { keepFocus } from './ui/keep-focus.ts';
import { Notices } from './ui/notices.tsx';

export function App(arrival: Arrival) {
  useEffect(keepFocus, []);
  return (
    <>
      <ArrivalPage {...arrival} />
      <ProofDialog />
      <Notices />
    </>
  );
}

function ArrivalPage({ segments: [page = 'console', part], query, token }: Arrival) {
  switch (page) {
    case 'sign-in':
      return part === undefined ? <Console /> : <IdentityReturn provider={part} query={query} />;
    case 'register':
      return <RegisterPage />;
    case 'forgot-password':
      return <ForgotPasswordPage />;
    case 'reset-password':
      return <ResetPasswordPage token={token} />;
    case 'verify-email':
      return <VerifyEmailPage token={token} />;
    case 'device':
      return <DevicePage code={query.get('code')} />;
    case 'invitations':
      return <InvitationPage token={part ?? ''} />;
    default:
      return <Console />;
  }
}

/** Renders the console; without a session, the sign-in form. After signing in, the requested page opens. */
function Console() {
  const credentials = useStore(storedCredentials);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(
    () =>
      followOtherTabs(() => {
        deleteUnsavedWork();
        setReason('You have signed out in another tab.');
      }),
    [],
  );
  if (credentials === null) return <SignInPage reason={reason} />;
  return (
    <SignedIn
      key={credentials.refreshToken === null ? credentials.token : credentials.orgId}
      credentials={credentials}
      onRejected={(why) => {
        if (!hasUnsavedWork()) deleteUnsavedWork();
        setReason(why);
        deleteCredentials();
      }}
      onSignOut={async () => {
        const message = await signOut();
        deleteUnsavedWork();
        setReason(message);
      }}
    />
  );
}
