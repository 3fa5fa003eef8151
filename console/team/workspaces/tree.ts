import type { HierarchyNode, Org } from '../../client/types.ts';
import type { Client } from '../../client/client.ts';
import { path } from '../../client/paths.ts';
import type { Team } from '../team.ts';

/** A workspace with its level in the tree of workspaces. */
export interface TreeItem {
  node: HierarchyNode;
  level: number;
}

/** Lists all sub-workspaces of a workspace. Each sub-workspace is followed by its own. */
export function listDescendants({ children }: HierarchyNode, level = 0): TreeItem[] {
  return children.flatMap((node) => [{ node, level }, ...listDescendants(node, level + 1)]);
}

/**
 * Loads all other workspaces in which the user is an owner or admin. Includes the workspaces below them in
 * the hierarchy.
 */
export async function loadOtherWorkspaces(
  team: Team,
  client: Client,
  signal: AbortSignal,
): Promise<TreeItem[]> {
  const own = (await client.get<Org[]>('/api/orgs', signal)).filter(({ role }) => managing.has(role));
  const ids = new Set(own.map(({ id }) => id));
  const tops = own.filter(({ parent_org_id: parent }) => parent === null || !ids.has(parent));
  const trees = await Promise.all(
    [...new Set([...tops.map(({ id }) => id), ...(managing.has(team.role) ? [team.id] : [])])].map((id) =>
      client.get<HierarchyNode>(path`/api/orgs/${id}/hierarchy`, signal),
    ),
  );
  const all = trees.flatMap((node) => [{ node, level: 0 }, ...listDescendants(node, 1)]);
  return [...new Map(all.reverse().map((leaf) => [leaf.node.id, leaf])).values()]
    .reverse()
    .filter(({ node }) => node.id !== team.id);
}

const managing: ReadonlySet<Org['role']> = new Set(['owner', 'admin']);
