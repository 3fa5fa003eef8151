import { Button } from '@mantine/core';
import { useSession } from '../../session/session.tsx';
import { MarkdownText } from '../../components/markdown-text.tsx';
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
        <article key={reply.idempotencyKey} className={`message agent ${reply.state}`}>
          <p className="message-head" role="status">
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
      <p className="field-problem" role="alert">
        {reply.problem}
      </p>
      <div className="row">
        <Button variant="default" onClick={() => outgoing.retryFailed(send)}>
          Try again
        </Button>
        {reply.isRefused && (
          <Button variant="default" onClick={edit}>
            Edit
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => outgoing.drop(reply)}>
          Discard
        </Button>
      </div>
    </>
  );
}
