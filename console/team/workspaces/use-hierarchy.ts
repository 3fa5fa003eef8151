import type { UseQueryResult } from '@tanstack/react-query';
import type { HierarchyNode } from '../../client/types.ts';
import { useApi } from '../../state/queries.ts';
import type { Team } from '../team.ts';

/** Loads a workspace with the workspaces below it. */
export function useHierarchy({ url }: Team): UseQueryResult<HierarchyNode> {
  return useApi<HierarchyNode>(`${url}/hierarchy`);
}
