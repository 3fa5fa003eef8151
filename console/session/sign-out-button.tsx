import { useState } from 'preact/hooks';
import { ActionButton } from '../ui/action-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { hasUnsavedWork } from './unsaved-work.ts';
import { useSession } from './session.tsx';

/** Button that signs the user out. Asks for confirmation if unsaved work would be lost. */
export function SignOutButton() {
  const { signOut } = useSession();
  const [isAsking, setAsking] = useState(false);
  const stay = (): void => setAsking(false);
  return (
    <>
      <ActionButton kind="plain" onAction={async () => (hasUnsavedWork() ? setAsking(true) : signOut())}>
        Sign out
      </ActionButton>
      {isAsking && (
        <Dialog title="Sign out without saving?" onClose={stay}>
          <p>What you have changed or written here and neither saved nor sent is lost.</p>
          <div class="row end">
            <button type="button" onClick={stay}>
              Stay
            </button>
            <ActionButton kind="danger" onAction={signOut}>
              Sign out
            </ActionButton>
          </div>
        </Dialog>
      )}
    </>
  );
}
