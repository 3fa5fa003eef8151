import { path } from '../client/paths.ts';
import type { ConversationDetail, ConversationRead, InboxItem } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { tell } from '../ui/notices.tsx';
import { AssignField } from './assign-field.tsx';

export interface ConversationActionsProps {
  detail: ConversationDetail;
  item: InboxItem | undefined;
  status: ConversationDetail['status'];
  onDone(): void;
}

/** What a member can do with a conversation in its present state. */
export function ConversationActions({ detail, item, status, onDone }: ConversationActionsProps) {
  const { client, feed } = useSession();
  const inbox = path`/api/inbox/${detail.id}`;
  const conversation = path`/api/conversations/${detail.id}`;
  const isMine = item !== undefined && item.assigned_to_id === feed.state.value.memberId;
  const claim = async (): Promise<void> => {
    feed.note(await client.post<InboxItem>(`${inbox}/claim`), true);
    onDone();
  };
  const takeOver = async (): Promise<void> => {
    await client.post<InboxItem>(`${inbox}/assign`, { assigned_to_id: null });
    await claim();
  };
  const release = async (): Promise<void> => {
    feed.note(await client.post<InboxItem>(`${inbox}/release`));
    tell('The bot answers again.');
    onDone();
  };
  const settle = async (step: 'resolve' | 'reopen'): Promise<void> => {
    await client.post<ConversationRead>(`${conversation}/${step}`);
    tell(step === 'resolve' ? 'The conversation is resolved.' : 'The conversation is open again.');
    onDone();
  };
  const isOver = detail.resolved === true || status === 'ended';
  return (
    <div class="row actions">
      {status === 'waiting_human' && (
        <ActionButton kind="primary" onAction={claim}>
          Claim
        </ActionButton>
      )}
      {status === 'active' && <ActionButton onAction={claim}>Take over from the bot</ActionButton>}
      {status === 'human' && !isMine && (
        <ActionButton onAction={takeOver}>
          Take over from {item?.assigned_to_name ?? 'a colleague'}
        </ActionButton>
      )}
      {status === 'human' && item !== undefined && <AssignField item={item} onDone={onDone} />}
      {(status === 'human' || status === 'waiting_human') && (
        <ActionButton onAction={release}>Release to the bot</ActionButton>
      )}
      {isOver ? (
        <ActionButton onAction={() => settle('reopen')}>Reopen</ActionButton>
      ) : (
        <ActionButton onAction={() => settle('resolve')}>Resolve</ActionButton>
      )}
    </div>
  );
}
