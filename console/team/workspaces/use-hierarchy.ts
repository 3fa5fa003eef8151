import { useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { HierarchyNode } from '../../client/types.ts';
import { useApi } from '../../state/queries.ts';
import type { Team } from '../team.ts';

const PATH = '/hierarchy';

/** Loads a workspace with the workspaces below it. */
export function useHierarchy(
  { url }: Team,
  options: { isEnabled?: boolean } = {},
): UseQueryResult<HierarchyNode> {
  return useApi<HierarchyNode>(url + PATH, options);
}

/** Provides a function that loads all hierarchies again. A changed workspace is in those of the workspaces above it. */
export function useHierarchyRefresh(): () => void {
  const queries = useQueryClient();
  return () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey: [url] }) => typeof url === 'string' && url.endsWith(PATH),
    });
}
