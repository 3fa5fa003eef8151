import { path } from '../client/paths.ts';
import type { FlowRead } from '../client/types.ts';
import { useStore } from '../state/use-store.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { IconFlow } from '../shell/icons.ts';
import { ConfirmButton } from '../components/confirm-button.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { showConfirmation } from '../components/notices.ts';
import { RelativeTime } from '../components/relative-time.tsx';
import { Table } from '../components/table.tsx';
import { FlowStatus } from './flow-status.tsx';
import { getFlowFormKey } from './editor/use-stored-editing.ts';
import { describeTrigger } from './graph/trigger-words.ts';
import { NewFlow } from './new-flow.tsx';
import { useFlows } from './use-flows.ts';

const columns = ['Name', 'Trigger', 'Status', 'Steps', 'Updated'] as const;

/** Lists the flows of a bot. */
export function FlowsTab({ botId }: { botId: string }) {
  const flows = useFlows(botId);
  const mayWrite = usePermission()('flows:write', 'member');
  return (
    <>
      {mayWrite && <NewFlow botId={botId} />}
      <LoadedView loaded={flows}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon={<IconFlow size={32} />} title="No flows yet">
              Flows guide visitors step by step: ask, branch and hand off.
            </EmptyState>
          ) : (
            <Table columns={columns} hasActions>
              {rows.map((flow) => (
                <FlowRow key={flow.id} flow={flow} onDeleted={flows.reload} />
              ))}
            </Table>
          )
        }
      </LoadedView>
    </>
  );
}

function FlowRow({ flow, onDeleted }: { flow: FlowRead; onDeleted(): void }) {
  const { client, forms } = useSession();
  const mayDelete = usePermission()('flows:write', 'admin');
  const isChanged = getFlowFormKey(flow.id) in useStore(forms);
  const { id, name, is_active: isActive } = flow;
  const steps = (flow.graph as { nodes: unknown[] }).nodes.length;
  return (
    <tr data-id={id}>
      <td>
        <a href={buildHref(['bots', flow.bot_id, 'flows', id])}>{name}</a>
        {isChanged && <span className="hint"> · Unsaved</span>}
      </td>
      <td className="wide">{describeTrigger(flow.trigger)}</td>
      <td>
        <FlowStatus isActive={isActive} />
      </td>
      <td>{steps}</td>
      <td>
        <RelativeTime at={flow.updated_at} />
      </td>
      <td>
        {mayDelete && (
          <ConfirmButton
            about={name}
            question={isActive ? `“${name}” is active` : `Delete “${name}”?`}
            consequence={
              isActive
                ? 'Deactivate the flow before you delete it.'
                : 'This permanently deletes the flow and its revisions. Running conversations continue without it.'
            }
            onConfirm={async () => {
              await client.delete(path`/api/flows/${id}`);
              forms.put(getFlowFormKey(id), {});
              showConfirmation('Flow deleted');
              onDeleted();
            }}
          >
            Delete
          </ConfirmButton>
        )}
      </td>
    </tr>
  );
}
