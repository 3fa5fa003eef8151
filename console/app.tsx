import { lazy, Suspense, useEffect, useState } from 'react';
import type { InitialUrl } from './accounts/initial-url.ts';
import { SignInPage } from './accounts/sign-in/sign-in-page.tsx';
import { ThemeProvider } from './components/theme/theme-provider.tsx';
import { useStore } from './state/use-store.ts';
import { proofRequest } from './session/fresh-proof.ts';
import { signOut } from './session/sign-out.ts';
import { deleteCredentials, followOtherTabs, storedCredentials } from './session/stored-credentials.ts';
import { deleteUnsavedWork, hasUnsavedWork } from './session/unsaved-work.ts';
import { loadShellStyles } from './shell/load-styles.ts';
import { Notices } from './shell/notices.tsx';
import { ShellSkeleton } from './shell/shell-skeleton.tsx';
import { keepFocus } from './components/page/keep-focus.ts';

const loadSignedIn = async () => {
  const [{ SignedIn }] = await Promise.all([import('./shell/signed-in.tsx'), loadShellStyles()]);
  return { default: SignedIn };
};
const SignedIn = lazy(loadSignedIn);
const AccountPages = lazy(async () => ({
  default: (await import('./accounts/account-pages.tsx')).AccountPages,
}));
const ProofDialog = lazy(async () => ({ default: (await import('./session/proof-dialog.tsx')).ProofDialog }));

export function App(url: InitialUrl) {
  useEffect(keepFocus, []);
  return (
    <ThemeProvider>
      <InitialPage {...url} />
      <Proof />
      <Notices />
    </ThemeProvider>
  );
}

function InitialPage(url: InitialUrl) {
  const [page = 'console', part] = url.segments;
  if (page === 'console' || (page === 'sign-in' && part === undefined)) return <Console />;
  return (
    <Suspense>
      <AccountPages {...url} />
    </Suspense>
  );
}

/** Asks the user to sign in again, if an operation needs a recent sign-in. */
function Proof() {
  const request = useStore(proofRequest);
  return (
    request && (
      <Suspense>
        <ProofDialog request={request} />
      </Suspense>
    )
  );
}

/** Renders the console; without a session, the sign-in form. After signing in, the requested page opens. */
function Console() {
  const credentials = useStore(storedCredentials);
  const [reason, setReason] = useState<string | null>(null);
  useEffect(
    () =>
      followOtherTabs(() => {
        deleteUnsavedWork();
        setReason('You signed out in another tab.');
      }),
    [],
  );
  useEffect(prefetchSignedIn, []);
  if (credentials === null) return <SignInPage reason={reason} />;
  return (
    <Suspense fallback={<ShellSkeleton />}>
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
    </Suspense>
  );
}

/**
 * Loads the script of the console's signed-in pages while the user types, so that the console opens at once
 * after the sign-in.
 */
function prefetchSignedIn(): () => void {
  const timer = window.setTimeout(() => void loadSignedIn().catch(() => undefined), 1500);
  return () => window.clearTimeout(timer);
}
