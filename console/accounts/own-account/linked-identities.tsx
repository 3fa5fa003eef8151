import { leaveForProvider } from '../leave-for-provider.ts';
import { path } from '../../client/paths.ts';
import type { Identity, Message, Meta } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { ActionButton } from '../../components/action-button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';

/** Lists the identities at providers with which the user can sign in, and links or unlinks them. */
export function LinkedIdentities() {
  const { client } = useSession();
  const linked = useLoad((signal) => client.get<Identity[]>('/api/auth/identities', signal), [client]);
  const { data: meta } = useLoad((signal) => client.get<Meta>('/api/meta', signal), [client]);
  const known = meta?.identity_providers ?? [];
  if (known.length === 0 && !linked.data?.length) return null;
  return (
    <Section title="Identity providers">
      <LoadedView loaded={linked}>
        {(identities) => (
          <>
            {identities.length > 0 && (
              <ul className="plain-list">
                {identities.map((identity) => (
                  <LinkedIdentity key={identity.provider} identity={identity} onUnlinked={linked.reload} />
                ))}
              </ul>
            )}
            <div className="row">
              {known
                .filter((name) => !identities.some(({ provider }) => provider === name))
                .map((name) => (
                  <ActionButton
                    key={name}
                    onAction={() =>
                      leaveForProvider(name, {
                        staysSignedIn: false,
                        linksIdentity: true,
                        confirmsSignIn: false,
                      })
                    }
                  >
                    {`Link ${name}`}
                  </ActionButton>
                ))}
            </div>
          </>
        )}
      </LoadedView>
    </Section>
  );
}

function LinkedIdentity({ identity, onUnlinked }: { identity: Identity; onUnlinked(): void }) {
  const { client } = useSession();
  const { provider, email, last_login_at: usedAt } = identity;
  const unlink = async (): Promise<void> => {
    showConfirmation((await client.delete<Message>(path`/api/auth/identities/${provider}`)).message);
    onUnlinked();
  };
  return (
    <li className="row">
      <span>
        <strong>{provider}</strong> {email}{' '}
        <span className="hint">
          last used: <TimeText at={usedAt} otherwise="never" />
        </span>
      </span>
      <ConfirmButton
        about={provider}
        question={`Unlink ${provider}?`}
        consequence={`${provider} does not sign you in any more.`}
        onConfirm={unlink}
      >
        Unlink
      </ConfirmButton>
    </li>
  );
}
