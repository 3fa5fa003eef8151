import { useSession } from '../../session/session.tsx';
import { MarkdownText } from '../../ui/markdown-text.tsx';
import type { OutgoingReply } from './outgoing-replies.ts';
import { useSendReply } from './use-send-reply.ts';

export interface OutgoingListProps {
  /** Id of the conversation. */
  id: string;
  replies: readonly OutgoingReply[];
  onDone(): void;
}

const words: Record<OutgoingReply['state'], string> = {
  sending: 'sending …',
  sent: 'sent',
  failed: 'not sent',
};

/** Lists outgoing replies until they appear among the conversation's messages. */
export function OutgoingList({ id, replies, onDone }: OutgoingListProps) {
  return (
    <>
      {replies.map((reply) => (
        <article key={reply.idempotencyKey} class={`message agent ${reply.state}`}>
          <p class="message-head" role="status">
            <strong>You</strong> · {words[reply.state]}
          </p>
          <MarkdownText text={reply.text} />
          {reply.state === 'failed' && <Failed id={id} reply={reply} onDone={onDone} />}
        </article>
      ))}
    </>
  );
}

function Failed({ id, reply, onDone }: Omit<OutgoingListProps, 'replies'> & { reply: OutgoingReply }) {
  const { draft, outgoing } = useSession().drafts.getOrCreate(id);
  const send = useSendReply(id, onDone);
  const edit = (): void => {
    outgoing.drop(reply);
    draft.set([reply.text, draft.value].filter(Boolean).join('\n'));
  };
  return (
    <>
      <p class="field-problem" role="alert">
        {reply.problem}
      </p>
      <div class="row">
        <button type="button" onClick={() => outgoing.retryFailed(send)}>
          Try again
        </button>
        {reply.isRefused && (
          <button type="button" onClick={edit}>
            Edit
          </button>
        )}
        <button type="button" class="plain" onClick={() => outgoing.drop(reply)}>
          Discard
        </button>
      </div>
    </>
  );
}
