import type { Me, SignedInDevice } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { Page } from '../../components/page.tsx';
import { CloseAccount } from './close-account.tsx';
import { DefaultWorkspace } from './default-workspace.tsx';
import { EmailPreferencesForm } from './email-preferences-form.tsx';
import { LinkedIdentities } from './linked-identities.tsx';
import { PasswordChangeForm } from './password-change-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';
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
    <p className="empty">
      You have signed in with an API key. {user.full_name}, whose key it is, signs in with {user.email} to
      change the account.
    </p>
  );
}

function AccountSettings({ me }: { me: Me }) {
  const { client } = useSession();
  const sessions = useLoad((signal) => client.get<SignedInDevice[]>('/api/auth/sessions', signal), [client]);
  return (
    <>
      <div className="columns">
        <div className="stack">
          <ProfileForm me={me} />
          <DefaultWorkspace />
          <PasswordChangeForm me={me} onOthersEnded={sessions.reload} />
          <LinkedIdentities />
        </div>
        <div className="stack">
          <SecondFactor hasPassword={me.user.has_password} onOthersEnded={sessions.reload} />
          <EmailPreferencesForm />
        </div>
      </div>
      <SessionList sessions={sessions} />
      <CloseAccount me={me} />
    </>
  );
}
