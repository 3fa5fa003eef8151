import type { Member } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useApi } from '../../state/use-api.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { toTeam } from '../../team/team.ts';

/**
 * Returns the names of members who may answer visitors, by id; the user comes first. For an API key that may
 * not list members, returns only members with assigned conversations.
 */
export function useColleagues(): ReadonlyMap<string, string> {
  const { feed, me } = useSession();
  const { entries, memberId } = useStore(feed.state);
  const mayRead = usePermission()('members:read', 'viewer');
  const team = me.data && mayRead ? toTeam(me.data) : null;
  const { data: members = [] } = useApi<Member[]>(team && `${team.url}/members`);
  const own = members.filter(({ user_id: id }) => id === memberId);
  const colleagues = new Map<string, string>();
  for (const { user_id: id, full_name: name, role } of [...own, ...members])
    if (role !== 'viewer') colleagues.set(id, name);
  for (const { item } of entries.values())
    if (item.assigned_to_id !== null && !colleagues.has(item.assigned_to_id))
      colleagues.set(item.assigned_to_id, item.assigned_to_name ?? 'A teammate');
  return colleagues;
}
