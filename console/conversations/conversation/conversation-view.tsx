import type { ConversationDetail, InboxItem } from '../../client/types.ts';
import { getConversationName } from '../inbox/conversation-name.ts';
import { Badge } from '../../components/badge.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { ProblemMessage } from '../../components/problem-message.tsx';
import { ContactPanel } from './contact-panel.tsx';
import { ConversationActions } from './conversation-actions.tsx';
import { MessageList } from './message-list.tsx';
import { ReplyForm } from './reply-form.tsx';
import { TranscriptLinks } from './transcript-links.tsx';
import { useConversation, type LiveConversation } from './use-conversation.ts';

export interface ConversationViewProps {
  id: string;
  backHref: string;
}

/** Shows a conversation with its messages, actions and contact. */
export function ConversationView({ id, backHref }: ConversationViewProps) {
  const conversation = useConversation(id);
  return (
    <LoadedView loaded={conversation.detail}>
      {(detail) => <Shown conversation={conversation} detail={detail} backHref={backHref} />}
    </LoadedView>
  );
}

interface ShownProps {
  conversation: LiveConversation;
  detail: ConversationDetail;
  backHref: string;
}

function Shown({ conversation, detail, backHref }: ShownProps) {
  const { item, messages, problem, refresh } = conversation;
  const status = getCurrentStatus(detail, item);
  return (
    <div className="conversation">
      <section className="thread" aria-label="Conversation">
        <header className="thread-header">
          <a className="back" href={backHref}>
            ← Back
          </a>
          <h2 dir="auto" title={getConversationName(detail)}>
            {getConversationName(detail)}
          </h2>
          <Badge state={status} />
          {detail.resolved === true && <Badge state="resolved" />}
          <ConversationActions detail={detail} item={item} status={status} onDone={refresh} />
        </header>
        {item?.handoff_reason && (
          <p className="reason">
            Asks for a person: <bdi>{item.handoff_reason}</bdi>
          </p>
        )}
        <MessageList id={detail.id} messages={messages} onSent={refresh} />
        <ProblemMessage problem={problem} onRetry={refresh} />
        <ReplyForm key={detail.id} id={detail.id} status={status} item={item} onSent={refresh} />
      </section>
      <aside className="contact-panel" aria-label="About the visitor and the conversation">
        <ContactPanel detail={detail} onChange={refresh} />
        <TranscriptLinks id={detail.id} />
      </aside>
    </div>
  );
}

/**
 * Returns the current status of the conversation. The inbox item, if there is one, is more recent than the
 * loaded conversation.
 */
function getCurrentStatus(
  { status }: ConversationDetail,
  item: InboxItem | undefined,
): ConversationDetail['status'] {
  if (item === undefined) return status;
  return item.assigned_to_id === null ? 'waiting_human' : 'human';
}
