import type { Me, SignedInDevice } from '../../client/types.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { IconUser } from '../../shell/icons.ts';
import { useApi } from '../../state/use-api.ts';
import { DeleteAccount } from './delete-account.tsx';
import { EmailPreferencesForm } from './email-preferences-form.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecuritySection } from './security-section.tsx';
import { SessionList } from './session-list.tsx';

/** Page with the settings of the user's own account. */
export function OwnAccountPage() {
  const { me } = useSession();
  return (
    <Page title="Your account">
      <LoadedView loaded={me}>
        {(known) =>
          known.session_id === null ? <AccountRequired me={known} /> : <AccountSettings me={known} />
        }
      </LoadedView>
    </Page>
  );
}

function AccountRequired({ me: { user } }: { me: Me }) {
  return (
    <EmptyState icon={<IconUser size={32} />} title="You've signed in with an API key">
      The key belongs to {user.full_name}. To change the account, sign in as {user.email}.
    </EmptyState>
  );
}

function AccountSettings({ me }: { me: Me }) {
  const sessions = useApi<SignedInDevice[]>('/api/auth/sessions');
  return (
    <div className="settings">
      <ProfileForm me={me} />
      <SecuritySection me={me} onOthersEnded={sessions.reload} />
      <EmailPreferencesForm />
      <PreferencesSection />
      <SessionList sessions={sessions} />
      <DeleteAccount me={me} />
    </div>
  );
}
