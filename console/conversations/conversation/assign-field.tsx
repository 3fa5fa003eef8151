import { path } from '../../client/paths.ts';
import type { InboxItem } from '../../client/types.ts';
import { useAction } from '../../state/use-action.ts';
import { useSession } from '../../session/session.tsx';
import { showError } from '../../components/notices.ts';
import { useColleagues } from './use-colleagues.ts';

/**
 * Select field that assigns the conversation to a member of the team, or to no one, so that it waits for any
 * member.
 */
export function AssignField({ item, onDone }: { item: InboxItem; onDone(): void }) {
  const { client, feed } = useSession();
  const colleagues = useColleagues();
  const assign = useAction(
    async (memberId: string) => {
      const assignedToId = memberId === '' ? null : memberId;
      feed.applyItem(
        await client.post<InboxItem>(path`/api/inbox/${item.id}/assign`, { assigned_to_id: assignedToId }),
      );
      onDone();
    },
    ({ message }) => showError(message),
  );
  return (
    <label className="row">
      Assigned to
      <select
        value={item.assigned_to_id ?? ''}
        aria-disabled={assign.isBusy}
        onChange={(event) => assign.run(event.currentTarget.value)}
      >
        <option value="">no one, let it wait</option>
        {[...colleagues].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
