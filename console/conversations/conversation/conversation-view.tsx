import { useState } from 'react';
import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { ProblemMessage } from '../../components/page/problem-message.tsx';
import { useSession } from '../../session/session.tsx';
import { getKnownName } from '../inbox/conversation-name.ts';
import { Composer } from './composer/composer.tsx';
import { ContactPanel } from './details/contact-panel.tsx';
import { MessageList } from './thread/message-list.tsx';
import { SavedRepliesDialog } from './composer/saved-replies-dialog.tsx';
import { ThreadHeader } from './thread-header.tsx';
import { useConversationSteps } from './use-conversation-steps.ts';
import { useSendReply } from './composer/use-send-reply.ts';
import { useAnswerRatings } from './use-answer-ratings.ts';
import { useConversation, type LiveConversation } from './use-conversation.ts';
import { useFiles } from './use-files.ts';
import { useNotes } from './use-notes.ts';

export interface ConversationViewProps {
  id: string;
  backHref: string;
  /** Opens the next conversation of the inbox, once the user has finished with the current conversation. */
  onFinished?: () => void;
}

/** Shows a conversation with its messages, actions and contact. */
export function ConversationView({ id, ...props }: ConversationViewProps) {
  const { reads } = useSession();
  // Remember up to which time the user had read, before an effect marks the conversation as read.
  const [readUntil] = useState(() => reads.value[id]);
  const conversation = useConversation(id);
  const { detail } = conversation;
  if (detail.data === undefined)
    return (
      <div className="detail-pane">
        <LoadedView loaded={detail}>{() => null}</LoadedView>
      </div>
    );
  return (
    <LoadedConversation conversation={conversation} detail={detail.data} readUntil={readUntil} {...props} />
  );
}

interface LoadedConversationProps extends Omit<ConversationViewProps, 'id'> {
  conversation: LiveConversation;
  detail: ConversationDetail;
  readUntil: string | undefined;
}

function LoadedConversation({
  conversation,
  detail,
  readUntil,
  backHref,
  onFinished,
}: LoadedConversationProps) {
  const { item, messages, problem, refresh } = conversation;
  const { id } = detail;
  const status = getCurrentStatus(detail, item);
  const steps = useConversationSteps(id, { onDone: refresh, onFinished });
  const send = useSendReply(id, { onDone: refresh, resolveConversation: steps.resolve });
  const notes = useNotes(id);
  const ratings = useAnswerRatings(id);
  const files = useFiles(id, messages.length);
  const [isPanelOpen, setPanelOpen] = useState(false);
  return (
    <>
      <section className="thread" aria-label="Conversation">
        <ThreadHeader
          detail={detail}
          item={item}
          status={status}
          steps={steps}
          backHref={backHref}
          isPanelOpen={isPanelOpen}
          onTogglePanel={() => setPanelOpen(!isPanelOpen)}
        />
        <ProblemMessage problem={conversation.detail.problem} onRetry={refresh} />
        <MessageList
          id={id}
          messages={messages}
          notes={notes}
          ratings={ratings}
          files={files}
          visitorName={getKnownName(detail)}
          readUntil={readUntil}
          send={send}
        />
        <ProblemMessage problem={problem} onRetry={refresh} />
        <Composer
          key={id}
          id={id}
          botId={detail.bot_id}
          status={status}
          item={item}
          steps={steps}
          send={send}
        />
      </section>
      <aside
        className="contact-panel"
        aria-label="About the visitor and the conversation"
        data-open={isPanelOpen || undefined}
      >
        <ContactPanel detail={detail} onChange={refresh} onClose={() => setPanelOpen(false)} />
      </aside>
      <SavedRepliesDialog />
    </>
  );
}

/**
 * Returns the current status of the conversation. Its inbox item is more recent than the loaded conversation.
 */
function getCurrentStatus(
  { status }: ConversationDetail,
  item: InboxItem | undefined,
): ConversationDetail['status'] {
  if (item === undefined) return status;
  return item.assigned_to_id === null ? 'waiting_human' : 'human';
}
