import type { UseQueryResult } from '@tanstack/react-query';
import type { Member } from '../../client/types.ts';
import { useApi } from '../../state/queries.ts';
import type { Team } from '../team.ts';

export function useMembers({ url }: Team): UseQueryResult<Member[]> {
  return useApi<Member[]>(`${url}/members`);
}
