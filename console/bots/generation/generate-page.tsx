import { Anchor } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useStore } from '../../state/use-store.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { showConfirmation } from '../../components/page/notices.ts';
import { Page } from '../../components/page/page.tsx';
import { IconBots } from '../../shell/icons.ts';
import { StartEmpty } from '../start-empty.tsx';
import { DescriptionForm } from './description-form.tsx';
import { generations } from './generations.ts';
import { GenerationProgress } from './generation-progress.tsx';

/** Page on which the user generates a bot from a description. */
export function GeneratePage() {
  const { me } = useSession();
  const may = usePermission();
  return (
    <Page title="Create bot" tools={may('bots:write', 'member') && <StartEmpty />}>
      <LoadedView loaded={me}>
        {({ organization }) =>
          organization !== null && may('bots:write', 'member') ? (
            <Generate orgId={organization.id} />
          ) : (
            <EmptyState icon={<IconBots size={32} />} title="You can't create bots">
              Ask an admin of the workspace for the member role.
            </EmptyState>
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
  const isGenerating = generation?.state === 'making';
  const isAwaited = useRef(false);
  isAwaited.current ||= isGenerating;
  // Resume the unfinished generation of a bot only in its workspace; the client cannot act in another
  // workspace.
  useEffect(() => {
    if (isGenerating) generations.resume(client);
  }, [client, generation?.idempotencyKey]);
  const made = generation?.made ?? null;
  useEffect(() => {
    if (!isAwaited.current || made === null) return;
    goTo(buildHref(['bots', made.botId, 'overview']));
    showConfirmation(`${made.name} is ready to review`);
  }, [made?.botId]);
  if (generation !== null && (isGenerating || (isAwaited.current && made !== null)))
    return <GenerationProgress generation={generation} />;
  return (
    <>
      {made && (
        <p className="hint">
          Your last draft: <Anchor href={buildHref(['bots', made.botId, 'overview'])}>{made.name}</Anchor>
        </p>
      )}
      <DescriptionForm key={generation?.idempotencyKey} orgId={orgId} last={generation} />
    </>
  );
}
