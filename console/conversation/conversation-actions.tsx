import type { ConversationDetail, InboxItem } from '../client/types.ts';
import { useSession } from '../session/session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { AssignField } from './assign-field.tsx';
import { useConversationSteps } from './use-conversation-steps.ts';

export interface ConversationActionsProps {
  detail: ConversationDetail;
  item: InboxItem | undefined;
  status: ConversationDetail['status'];
  onDone(): void;
}

/** What a member can do with a conversation in its present state. */
export function ConversationActions({ detail, item, status, onDone }: ConversationActionsProps) {
  const { feed } = useSession();
  const { claim, takeOver, release, resolve, reopen } = useConversationSteps(detail.id, onDone);
  const isMine = item !== undefined && item.assigned_to_id === feed.state.value.memberId;
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
      <ActionButton onAction={isOver ? reopen : resolve}>{isOver ? 'Reopen' : 'Resolve'}</ActionButton>
    </div>
  );
}
