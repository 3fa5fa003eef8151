import { useState } from 'react';
import { path } from '../client/paths.ts';
import type { Bot, Flow } from '../client/types.ts';
import { useStore } from '../state/use-store.ts';
import { useApi } from '../state/use-api.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { Page } from '../components/page/page.tsx';
import { Status } from '../components/lists/status.tsx';
import { DeletedFlow } from './deleted-flow.tsx';
import { FlowEditor } from './editor/flow-editor.tsx';
import { FlowStatus } from './flow-status.tsx';
import { getFlowFormKey } from './editor/use-stored-editing.ts';
import { useFlows } from './use-flows.ts';

export interface FlowPageProps {
  botId: string;
  flowId: string;
}

/** Page that loads a flow and opens it in the editor. */
export function FlowPage({ botId, flowId }: FlowPageProps) {
  const { client, forms } = useSession();
  const mayWrite = usePermission()('flows:write', 'member');
  // An earlier response in the cache may be older than the stored flow, and the editor would begin with the
  // older version.
  const [openedAt] = useState(() => Date.now());
  const url = path`/api/flows/${flowId}`;
  const flow = useLoaded([url, openedAt], (signal) => client.get<Flow>(url, signal));
  const { data: bot } = useApi<Bot>(path`/api/bots/${botId}`);
  const { data: all = [] } = useFlows(botId);
  const others = all.filter(({ id }) => id !== flowId).map(({ id, name }) => [id, name] as const);
  const isChanged = getFlowFormKey(flowId) in useStore(forms);
  return (
    <Page
      title={flow.data?.name ?? 'Flow'}
      tools={
        <>
          {flow.data && <FlowStatus isActive={flow.data.is_active} />}
          {isChanged && <Status tone="busy">Unsaved changes</Status>}
          <a href={buildHref(['bots', botId, 'flows'])}>All flows of {bot?.name ?? 'the bot'}</a>
        </>
      }
    >
      {flow.problem?.status === 404 && <DeletedFlow flowId={flowId} />}
      <LoadedView loaded={flow}>
        {(loaded) => (
          <FlowEditor
            key={loaded.id}
            flow={loaded}
            isReadOnly={!mayWrite}
            others={others}
            onSaved={flow.set}
          />
        )}
      </LoadedView>
    </Page>
  );
}
