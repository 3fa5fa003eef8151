import { Group, Menu } from '@mantine/core';
import { useState } from 'react';
import { path } from '../client/paths.ts';
import type { Flow } from '../client/types.ts';
import { useStore } from '../state/use-store.ts';
import { buildHref } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';
import { IconFlow, IconTrash } from '../shell/icons.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { FlowStatus } from './flow-status.tsx';
import { getFlowFormKey } from './editor/use-stored-editing.ts';
import { describeTrigger } from './graph/trigger-words.ts';
import { NewFlow } from './new-flow.tsx';
import { useFlows } from './use-flows.ts';

/** Lists the flows of a bot. */
export function FlowsTab({ botId }: { botId: string }) {
  const flows = useFlows(botId);
  const mayWrite = usePermission()('flows:write', 'member');
  return (
    <>
      {mayWrite && flows.data?.length !== 0 && (
        <Group justify="flex-end" gap="xs">
          <NewFlow botId={botId} />
        </Group>
      )}
      <LoadedView loaded={flows}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon={<IconFlow size={32} />}
              title="No flows yet"
              action={mayWrite && <NewFlow botId={botId} />}
            >
              Flows guide visitors step by step. They ask questions, branch and hand off to your team.
            </EmptyState>
          ) : (
            <FlowTable flows={rows} onDeleted={flows.reload} />
          )
        }
      </LoadedView>
    </>
  );
}

interface FlowTableProps {
  flows: readonly Flow[];
  onDeleted(): void;
}

function FlowTable({ flows, onDeleted }: FlowTableProps) {
  const { forms } = useSession();
  const unsaved = useStore(forms);
  const mayDelete = usePermission()('flows:write', 'admin');
  const [deleting, setDeleting] = useState<Flow | null>(null);
  const columns: DataColumn<Flow>[] = [
    {
      name: 'Name',
      render: ({ id, bot_id: botId, name }) => (
        <>
          <a className="cell-link" href={buildHref(['bots', botId, 'flows', id])}>
            {name}
          </a>
          {getFlowFormKey(id) in unsaved && <span className="cell-note">Unsaved changes</span>}
        </>
      ),
    },
    { name: 'Trigger', render: ({ trigger }) => describeTrigger(trigger) },
    { name: 'Status', render: ({ is_active: isActive }) => <FlowStatus isActive={isActive} /> },
    { name: 'Steps', kind: 'number', render: ({ graph }) => (graph as { nodes: unknown[] }).nodes.length },
    { name: 'Updated', render: ({ updated_at: at }) => <RelativeTime at={at} /> },
    ...(mayDelete
      ? [
          {
            name: 'Actions',
            kind: 'actions' as const,
            render: (flow: Flow) => (
              <RowMenu about={flow.name}>
                <Menu.Item
                  className="danger-item"
                  leftSection={<IconTrash />}
                  onClick={() => setDeleting(flow)}
                >
                  Delete
                </Menu.Item>
              </RowMenu>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <DataTable label="Flows" rows={flows} columns={columns} />
      {deleting !== null && (
        <DeleteDialog flow={deleting} onDeleted={onDeleted} onClose={() => setDeleting(null)} />
      )}
    </>
  );
}

interface DeleteDialogProps {
  flow: Flow;
  onDeleted(): void;
  onClose(): void;
}

function DeleteDialog({ flow: { id, name, is_active: isActive }, onDeleted, onClose }: DeleteDialogProps) {
  const { client, forms } = useSession();
  return (
    <ConfirmDialog
      question={`Delete “${name}”?`}
      consequence={
        isActive
          ? 'This flow is live. Deactivate it before you delete it.'
          : 'This permanently deletes the flow and its revisions. Conversations in progress continue without the flow.'
      }
      action="Delete"
      onConfirm={async () => {
        await client.delete(path`/api/flows/${id}`);
        forms.put(getFlowFormKey(id), {});
        showConfirmation('Flow deleted');
        onDeleted();
      }}
      onClose={onClose}
    />
  );
}
