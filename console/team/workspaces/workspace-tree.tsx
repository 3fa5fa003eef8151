import { ActionIcon, Button, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { HierarchyNode } from '../../client/types.ts';
import { capitalize } from '../../components/text/capitalize.ts';
import { DataTable, type DataColumn } from '../../components/lists/data-table.tsx';
import { EmptyState } from '../../components/lists/empty-state.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { RowMenu } from '../../components/dialogs/row-menu.tsx';
import { Status } from '../../components/lists/status.tsx';
import { buildHref } from '../../router.ts';
import { IconChevron, IconMove, IconSearch, IconWorkspace } from '../../shell/icons.ts';
import type { Team } from '../team.ts';
import { NewWorkspace } from './new-workspace.tsx';
import { listDescendants } from './tree.ts';
import { useHierarchy } from './use-hierarchy.ts';
import { useSwitchWorkspace } from './use-switch-workspace.ts';

/** Number of the tree's rows to show at a time: there may be thousands of workspaces. */
const STEP = 100;
/** Minimum number of workspaces for which the tree has a search field. */
const SEARCH_FIELD_FROM = 10;

interface TreeRow {
  id: string;
  node: HierarchyNode;
  level: number;
}

/** Tree of the sub-workspaces of the given workspace. */
export function WorkspaceTree({ team }: { team: Team }) {
  const tree = useHierarchy(team);
  return (
    <LoadedView loaded={tree}>
      {(top) =>
        top.children.length === 0 ? (
          <EmptyState
            icon={<IconWorkspace size={32} />}
            title="No sub-workspaces yet"
            action={<NewWorkspace team={team} />}
          >
            Create a sub-workspace for each client or branch that needs its own bots, conversations and
            members.
          </EmptyState>
        ) : (
          <WorkspaceTable team={team} top={top} />
        )
      }
    </LoadedView>
  );
}

function WorkspaceTable({ team, top }: { team: Team; top: HierarchyNode }) {
  const [search, setSearch] = useState('');
  const [max, setMax] = useState(STEP);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const switchTo = useSwitchWorkspace();
  const all = listDescendants(top);
  const searchText = search.trim().toLocaleLowerCase();
  const matches =
    searchText === ''
      ? listVisible(top, collapsed)
      : all.filter(({ node }) => node.name.toLocaleLowerCase().includes(searchText));
  const toggle = (id: string): void => {
    const next = new Set(collapsed);
    if (!next.delete(id)) next.add(id);
    setCollapsed(next);
  };
  const columns: DataColumn<TreeRow>[] = [
    {
      name: 'Name',
      render: ({ node, level }) => (
        <span className="tree-name" data-level={searchText === '' ? level : 0}>
          {node.children.length > 0 && searchText === '' ? (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              className="tree-toggle"
              aria-expanded={!collapsed.has(node.id)}
              aria-label={`Sub-workspaces of ${node.name}`}
              onClick={() => toggle(node.id)}
            >
              <IconChevron size={16} />
            </ActionIcon>
          ) : (
            <span className="tree-leaf" />
          )}
          <a className="cell-link" href={buildHref(['team', 'workspaces', node.id])}>
            {node.name}
          </a>
        </span>
      ),
    },
    {
      name: 'Status',
      render: ({ node }) => (
        <Status tone={node.is_active ? 'good' : 'quiet'}>{node.is_active ? 'On' : 'Off'}</Status>
      ),
    },
    { name: 'Plan', render: ({ node }) => capitalize(node.plan_tier) },
    ...(team.isSession
      ? [
          {
            name: 'Actions',
            kind: 'actions' as const,
            render: ({ node }: TreeRow) => (
              <RowMenu about={node.name}>
                <Menu.Item leftSection={<IconMove />} onClick={() => switchTo.run(node.id)}>
                  Open workspace
                </Menu.Item>
              </RowMenu>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      {all.length > SEARCH_FIELD_FROM && (
        <TextInput
          type="search"
          maw={320}
          aria-label="Search by name"
          placeholder="Search by name"
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {matches.length === 0 ? (
        <EmptyState icon={<IconWorkspace size={32} />} title="No results">
          No workspaces match your search.
        </EmptyState>
      ) : (
        <DataTable
          label="Sub-workspaces"
          rows={matches.slice(0, max).map(({ node, level }) => ({ id: node.id, node, level }))}
          columns={columns}
        />
      )}
      <div className="list-foot">
        <span>
          {Math.min(max, matches.length)} of {formatCount(all.length, 'workspace')}
        </span>
        {matches.length > max && (
          <Button variant="default" size="xs" onClick={() => setMax(max + STEP)}>
            Show more
          </Button>
        )}
      </div>
    </>
  );
}

/**
 * Lists the visible rows of the tree: the sub-workspaces of a workspace, except those below a collapsed
 * workspace.
 */
function listVisible(
  { children }: HierarchyNode,
  collapsed: ReadonlySet<string>,
  level = 0,
): { node: HierarchyNode; level: number }[] {
  return children.flatMap((node) => [
    { node, level },
    ...(collapsed.has(node.id) ? [] : listVisible(node, collapsed, level + 1)),
  ]);
}
