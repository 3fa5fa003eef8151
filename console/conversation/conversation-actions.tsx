import type { ConversationDetail, InboxItem } from '../client/types.ts';
import { useMay } from '../session/use-may.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { AssignField } from './assign-field.tsx';
import { useConversationSteps, type ConversationSteps } from './use-conversation-steps.ts';

export interface ConversationActionsProps {
  detail: ConversationDetail;
  item: InboxItem | undefined;
  status: ConversationDetail['status'];
  onDone(): void;
}

/** What a member can do with a conversation in its present state. */
export function ConversationActions({ detail, item, status, onDone }: ConversationActionsProps) {
  const may = useMay();
  const steps = useConversationSteps(detail.id, onDone);
  const isOver = detail.resolved === true || status === 'ended';
  return (
    <div class="row actions">
      {may('inbox:write', 'member') && (
        <HandoverActions status={status} item={item} steps={steps} onDone={onDone} />
      )}
      {may('conversations:write', 'member') && (
        <ActionButton onAction={isOver ? steps.reopen : steps.resolve}>
          {isOver ? 'Reopen' : 'Resolve'}
        </ActionButton>
      )}
    </div>
  );
}

interface HandoverActionsProps extends Omit<ConversationActionsProps, 'detail'> {
  steps: ConversationSteps;
}

/** Who has it: the bot, nobody, or somebody of the team. Taking it over from a colleague stands where one would write. */
function HandoverActions({ status, item, steps, onDone }: HandoverActionsProps) {
  return (
    <>
      {status === 'waiting_human' && (
        <ActionButton kind="primary" onAction={steps.claim}>
          Claim
        </ActionButton>
      )}
      {status === 'active' && <ActionButton onAction={steps.claim}>Take over from the bot</ActionButton>}
      {status === 'human' && item !== undefined && <AssignField item={item} onDone={onDone} />}
      {(status === 'human' || status === 'waiting_human') && (
        <ActionButton onAction={steps.release}>Release to the bot</ActionButton>
      )}
    </>
  );
}
