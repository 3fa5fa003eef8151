import { useEffect, useRef } from 'react';
import { useStore } from '../../state/use-store.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { Page } from '../../components/page.tsx';
import { StartEmpty } from '../start-empty.tsx';
import { DescriptionForm } from './description-form.tsx';
import { generations } from './generations.ts';
import { GenerationProgress } from './generation-progress.tsx';

/** Page on which the user generates a bot from a description. */
export function GeneratePage() {
  const { me } = useSession();
  const may = usePermission();
  return (
    <Page title="New bot from a description" tools={may('bots:write', 'member') && <StartEmpty />}>
      <p>
        <a className="back" href={buildHref(['bots'])}>
          ← All bots
        </a>
      </p>
      <LoadedView loaded={me}>
        {({ organization }) =>
          organization !== null && may('bots:write', 'member') ? (
            <Generate orgId={organization.id} />
          ) : (
            <p className="empty">
              It takes a member of the workspace, or a key that may write bots, to make one.
            </p>
          )
        }
      </LoadedView>
    </Page>
  );
}

function Generate({ orgId }: { orgId: string }) {
  const { client } = useSession();
  const last = useStore(generations);
  const generation = last?.orgId === orgId ? last : null;
  const isMaking = generation?.state === 'making';
  const isAwaited = useRef(false);
  isAwaited.current ||= isMaking;
  // Resume a pending generation of this workspace only; the client cannot act in another workspace.
  useEffect(() => {
    if (isMaking) generations.resume(client);
  }, [client, generation?.idempotencyKey]);
  const made = generation?.made ?? null;
  useEffect(() => {
    if (!isAwaited.current || made === null) return;
    goTo(buildHref(['bots', made.botId, 'draft']));
    showConfirmation(`The draft of ${made.name} is made.`);
  }, [made?.botId]);
  if (generation !== null && (isMaking || (isAwaited.current && made !== null)))
    return <GenerationProgress generation={generation} />;
  return (
    <>
      {made && (
        <p className="notice">
          The draft that was made last is <a href={buildHref(['bots', made.botId, 'draft'])}>{made.name}</a>.
        </p>
      )}
      <DescriptionForm key={generation?.idempotencyKey} orgId={orgId} last={generation} />
    </>
  );
}
