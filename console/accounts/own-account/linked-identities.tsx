import { path } from '../../client/paths.ts';
import type { Identity, Confirmation } from '../../client/types.ts';
import { ActionButton } from '../../components/dialogs/action-button.tsx';
import { capitalize } from '../../components/text/capitalize.ts';
import { ConfirmButton } from '../../components/dialogs/confirm-button.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { RelativeTime } from '../../components/text/relative-time.tsx';
import { SettingRow } from '../../components/page/setting-row.tsx';
import { useSession } from '../../session/session.tsx';
import { useApi } from '../../state/use-api.ts';
import { useMeta } from '../../state/use-meta.ts';
import { leaveForProvider } from '../identities/leave-for-provider.ts';

/** Lists the identity providers with which the user can sign in, and links or unlinks them. */
export function LinkedIdentities() {
  const linked = useApi<Identity[]>('/api/auth/identities');
  const known = useMeta()?.identity_providers ?? [];
  const identities = linked.data ?? [];
  const unlinked = known.filter((name) => !identities.some(({ provider }) => provider === name));
  return (
    <>
      <ProblemMessage problem={linked.problem} onRetry={linked.reload} />
      {identities.map((identity) => (
        <LinkedIdentity key={identity.provider} identity={identity} onUnlinked={linked.reload} />
      ))}
      {linked.data !== undefined &&
        unlinked.map((name) => (
          <SettingRow key={name} title={capitalize(name)} description="Not linked">
            <ActionButton
              onAction={() =>
                leaveForProvider(name, { staysSignedIn: false, linksIdentity: true, confirmsSignIn: false })
              }
            >
              {`Link ${capitalize(name)}`}
            </ActionButton>
          </SettingRow>
        ))}
    </>
  );
}

function LinkedIdentity({ identity, onUnlinked }: { identity: Identity; onUnlinked(): void }) {
  const { client } = useSession();
  const { provider, email, last_login_at: usedAt } = identity;
  const unlink = async (): Promise<void> => {
    showConfirmation((await client.delete<Confirmation>(path`/api/auth/identities/${provider}`)).message);
    onUnlinked();
  };
  return (
    <SettingRow
      title={capitalize(provider)}
      description={
        <>
          Linked as {email} ·{' '}
          {usedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <RelativeTime at={usedAt} />
            </>
          )}
        </>
      }
    >
      <ConfirmButton
        about={capitalize(provider)}
        question={`Unlink ${capitalize(provider)}?`}
        consequence={`You'll no longer be able to sign in with ${capitalize(provider)}.`}
        onConfirm={unlink}
      >
        Unlink
      </ConfirmButton>
    </SettingRow>
  );
}
