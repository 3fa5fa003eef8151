import type { Encryption, Org } from '../client/types.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { useIsOwner } from '../session/use-is-owner.ts';
import type { Team } from '../team/team.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { toEncryptionFacts, modes, type Mode } from './encryption-facts.ts';
import { KeyServicePart } from './key-service-part.tsx';
import { ModeCard } from './mode-card.tsx';
import { CurrentKey } from './current-key.tsx';

const REFRESH_MS = 15_000;
const WHILE_SEALING_MS = 3000;

/** Shows the workspace's encryption mode and key service, and lets an owner change both. */
export function EncryptionPage({ team }: { team: Team }) {
  const { client } = useSession();
  const isOwner = useIsOwner();
  const seesOrg = usePermission()('org:read', 'viewer');
  const loaded = useLoaded(
    ['encryption', team.url, seesOrg],
    async (signal) => {
      const loadPreview = (mode: Mode) => client.get<Encryption>(`/api/encryption?mode=${mode}`, signal);
      const [platform, tenant, org] = await Promise.all([
        loadPreview('platform'),
        loadPreview('tenant'),
        seesOrg ? client.get<Org>(team.url, signal) : Promise.resolve(null),
      ]);
      const keyService = org === null ? undefined : (org.settings?.key_service ?? null);
      return { ...toEncryptionFacts({ platform, tenant }), keyService };
    },
    { reloadsOnVisit: true, everyMs: (facts) => (facts?.isSealing === true ? WHILE_SEALING_MS : REFRESH_MS) },
  );
  return (
    <LoadedView loaded={loaded}>
      {({ keyService, ...facts }) => (
        <div className="encryption">
          <CurrentKey facts={facts} isOwner={isOwner} onChanged={loaded.reload} />
          <div className="mode-cards">
            {modes.map((mode) => (
              <ModeCard
                key={mode}
                mode={mode}
                facts={facts}
                team={team}
                isOwner={isOwner}
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
              isOwner={isOwner}
              onChanged={loaded.reload}
            />
          )}
          {!isOwner && <p className="hint">Only owners can change the encryption settings.</p>}
        </div>
      )}
    </LoadedView>
  );
}
