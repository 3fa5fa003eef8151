import { useEffect, useState } from 'preact/hooks';
import { Notices } from './ui/notices.tsx';
import { forgetKey, onForgottenElsewhere, saveKey, savedKey } from './session/saved-key.ts';
import { SignIn } from './session/sign-in.tsx';
import { SignedIn } from './signed-in.tsx';

export function App() {
  const [apiKey, setApiKey] = useState(savedKey);
  const [reason, setReason] = useState<string | null>(null);
  const signOut = (why: string | null): void => {
    forgetKey();
    setReason(why);
    setApiKey(null);
  };
  useEffect(() => onForgottenElsewhere(() => signOut('You have signed out in another tab.')), []);
  return (
    <>
      {apiKey === null ? (
        <SignIn
          reason={reason}
          onSignedIn={(entered, isToStay) => {
            saveKey(entered, isToStay);
            setApiKey(entered);
          }}
        />
      ) : (
        <SignedIn key={apiKey} apiKey={apiKey} onSignOut={signOut} />
      )}
      <Notices />
    </>
  );
}
