import { useQueryClient } from '@tanstack/react-query';
import type { HierarchyNode } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import type { Cached } from '../../state/use-loaded.ts';
import type { Team } from '../team.ts';

const PATH = '/hierarchy';

/**
 * Loads a workspace with the hierarchy of workspaces below it.
 * @param team null to load nothing
 */
export function useHierarchy(team: Team | null): Cached<HierarchyNode> {
  return useApi<HierarchyNode>(team && team.url + PATH);
}

/**
 * Provides a function that loads all cached hierarchies of workspaces again. A changed workspace appears in
 * the hierarchies of all workspaces above it.
 */
export function useHierarchyRefresh(): () => void {
  const queries = useQueryClient();
  return () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.endsWith(PATH),
    });
}
