import type { Member } from '../client/types.ts';
import { useLoad, type Loaded } from '../state/use-load.ts';
import { useSession } from '../session/session.tsx';
import type { Team } from './team.ts';

export function useMembers({ url }: Team): Loaded<Member[]> {
  const { client } = useSession();
  return useLoad((signal) => client.get<Member[]>(`${url}/members`, signal), [client, url]);
}
