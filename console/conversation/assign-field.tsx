import { path } from '../client/paths.ts';
import type { InboxItem } from '../client/types.ts';
import { useStore } from '../hooks/store.ts';
import { useAction } from '../hooks/use-action.ts';
import { useSession } from '../session/session.tsx';
import { tellProblem } from '../ui/notices.tsx';

/** Gives a conversation back to those that wait, or to a colleague who has one as well. */
export function AssignField({ item, onDone }: { item: InboxItem; onDone(): void }) {
  const { client, feed } = useSession();
  const { entries } = useStore(feed.state);
  const members = new Map<string, string>();
  for (const { item: each } of entries.values()) {
    if (each.assigned_to_id !== null)
      members.set(each.assigned_to_id, each.assigned_to_name ?? 'a colleague');
  }
  const assign = useAction(
    async (memberId: string) => {
      const assignedToId = memberId === '' ? null : memberId;
      feed.note(
        await client.post<InboxItem>(path`/api/inbox/${item.id}/assign`, { assigned_to_id: assignedToId }),
      );
      onDone();
    },
    ({ message }) => tellProblem(message),
  );
  return (
    <label class="row">
      Assigned to
      <select
        value={item.assigned_to_id ?? ''}
        disabled={assign.isBusy}
        onChange={(event) => assign.run(event.currentTarget.value)}
      >
        <option value="">nobody, let it wait</option>
        {[...members].map(([id, name]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
