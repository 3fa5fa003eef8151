import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { AssignField } from './assign-field.tsx';
import { useConversationSteps, type ConversationSteps } from './use-conversation-steps.ts';

export interface ConversationActionsProps {
  detail: ConversationDetail;
  item: InboxItem | undefined;
  status: ConversationDetail['status'];
  onDone(): void;
}

/** Buttons for the actions that are possible in the current state of the conversation. */
export function ConversationActions({ detail, item, status, onDone }: ConversationActionsProps) {
  const may = usePermission();
  const steps = useConversationSteps(detail.id, onDone);
  const { memberId } = useStore(useSession().feed.state);
  const isOver = detail.resolved === true || status === 'ended';
  const isColleagues = status === 'human' && item !== undefined && item.assigned_to_id !== memberId;
  const holder = isColleagues ? (item.assigned_to_name ?? 'A colleague') : null;
  return (
    <div className="row actions">
      {may('inbox:write', 'member') && (
        <HandoverActions status={status} item={item} holder={holder} steps={steps} onDone={onDone} />
      )}
      {may('conversations:write', 'member') && (
        <EndButton
          key={isOver ? 'reopen' : 'resolve'}
          name={isOver ? 'Reopen' : 'Resolve'}
          holder={holder}
          onEnd={isOver ? steps.reopen : steps.resolve}
        />
      )}
    </div>
  );
}

interface HandoverActionsProps extends Omit<ConversationActionsProps, 'detail'> {
  /** Name of the colleague who handles the conversation; null if no one does or if it is the user. */
  holder: string | null;
  steps: ConversationSteps;
}

/**
 * Buttons that change who handles the conversation. The button that replaces a colleague by the user is at the
 * reply form.
 */
function HandoverActions({ status, item, holder, steps, onDone }: HandoverActionsProps) {
  return (
    <>
      {status === 'waiting_human' && (
        <ActionButton kind="primary" onAction={steps.claim}>
          Claim
        </ActionButton>
      )}
      {status === 'active' && <ActionButton onAction={steps.claim}>Take over</ActionButton>}
      {status === 'human' && item !== undefined && <AssignField item={item} onDone={onDone} />}
      {(status === 'human' || status === 'waiting_human') && (
        <EndButton name="Release to the bot" holder={holder} onEnd={steps.release} />
      )}
    </>
  );
}

interface EndButtonProps {
  name: string;
  holder: string | null;
  onEnd(): Promise<void>;
}

/** Button for an action that would interrupt a colleague; asks for confirmation if there is such a colleague. */
function EndButton({ name, holder, onEnd }: EndButtonProps) {
  if (holder === null) return <ActionButton onAction={onEnd}>{name}</ActionButton>;
  return (
    <ConfirmButton
      question={`${name}?`}
      consequence={`${holder} has this conversation, and could not go on answering.`}
      onConfirm={onEnd}
    >
      {name}
    </ConfirmButton>
  );
}
