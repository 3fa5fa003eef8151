import type { Member } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import type { Cached } from '../../state/use-loaded.ts';
import type { Team } from '../team.ts';

export function useMembers({ url }: Team): Cached<Member[]> {
  return useApi<Member[]>(`${url}/members`);
}
