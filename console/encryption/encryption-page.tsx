import type { Encryption, Org } from '../client/types.ts';
import { useInterval } from '../hooks/use-interval.ts';
import { useLoad } from '../hooks/use-load.ts';
import { useRefresh } from '../hooks/use-refresh.ts';
import { useSession } from '../session/session.tsx';
import { useMay } from '../session/use-may.ts';
import { useOwnsHere } from '../session/use-owns-here.ts';
import type { Team } from '../team/team.ts';
import { LoadedView } from '../ui/loaded-view.tsx';
import { encryptionFacts, modes, type Mode } from './encryption-facts.ts';
import { KeyServicePart } from './key-service-part.tsx';
import { ModeCard } from './mode-card.tsx';
import { PresentKey } from './present-key.tsx';

const WHILE_SEALING_MS = 3000;

/** Encryption mode, its consequences and the key service. */
export function EncryptionPage({ team }: { team: Team }) {
  const { client } = useSession();
  const isOwners = useOwnsHere();
  const seesOrg = useMay()('org:read', 'viewer');
  const loaded = useLoad(
    async (signal) => {
      const previewOf = (mode: Mode) => client.get<Encryption>(`/api/encryption?mode=${mode}`, signal);
      const [platform, tenant, org] = await Promise.all([
        previewOf('platform'),
        previewOf('tenant'),
        seesOrg ? client.get<Org>(team.url, signal) : Promise.resolve(null),
      ]);
      const keyService = org === null ? undefined : (org.settings?.key_service ?? null);
      return { ...encryptionFacts({ platform, tenant }), keyService };
    },
    [client, team.url, seesOrg],
  );
  useRefresh(loaded.reload);
  useInterval(loaded.reload, loaded.data?.isSealing === true ? WHILE_SEALING_MS : null);
  return (
    <LoadedView of={loaded}>
      {({ keyService, ...facts }) => (
        <div class="stack">
          <PresentKey facts={facts} isOwners={isOwners} onChanged={loaded.reload} />
          <div class="columns">
            {modes.map((mode) => (
              <ModeCard
                key={mode}
                mode={mode}
                facts={facts}
                team={team}
                isOwners={isOwners}
                hasService={keyService !== null}
                onSwitched={loaded.reload}
              />
            ))}
          </div>
          {keyService !== undefined && (
            <KeyServicePart
              url={team.url}
              service={keyService}
              isInUse={facts.mode === 'tenant'}
              isOwners={isOwners}
              onChanged={loaded.reload}
            />
          )}
          {!isOwners && <p class="hint">An owner who has signed in with an account can change this.</p>}
        </div>
      )}
    </LoadedView>
  );
}
