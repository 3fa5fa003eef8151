import { Button, Group } from '@mantine/core';
import { useSession } from '../../../session/session.tsx';
import { MarkdownText } from '../../../components/text/markdown-text.tsx';
import type { OutgoingReply, SendReply } from '../composer/outgoing-replies.ts';

export interface OutgoingListProps {
  /** Id of the conversation. */
  id: string;
  replies: readonly OutgoingReply[];
  send: SendReply;
}

const words: Record<OutgoingReply['state'], string> = {
  sending: 'Sending…',
  sent: 'Sent',
  failed: 'Not sent',
};

/** Lists the user's outgoing replies until they appear among the conversation's messages. */
export function OutgoingList({ id, replies, send }: OutgoingListProps) {
  return (
    <>
      {replies.map((reply) => (
        <div key={reply.idempotencyKey} className="message-group" data-role="agent">
          <article className="bubble" data-role="agent" data-state={reply.state}>
            <MarkdownText text={reply.text} />
            {reply.state === 'failed' && <Failed id={id} reply={reply} send={send} />}
          </article>
          <p className="message-foot" role="status">
            {words[reply.state]}
          </p>
        </div>
      ))}
    </>
  );
}

function Failed({ id, reply, send }: Omit<OutgoingListProps, 'replies'> & { reply: OutgoingReply }) {
  const { draft, outgoing } = useSession().drafts.getOrCreate(id);
  const edit = (): void => {
    outgoing.drop(reply);
    draft.set([reply.text, draft.value].filter(Boolean).join('\n'));
  };
  return (
    <>
      <p className="field-problem" role="alert">
        {reply.problem}
      </p>
      <Group gap="xs" mt="xs">
        <Button variant="default" size="compact-sm" onClick={() => outgoing.retryFailed(send)}>
          Try again
        </Button>
        {reply.isRefused && (
          <Button variant="default" size="compact-sm" onClick={edit}>
            Edit
          </Button>
        )}
        <Button variant="subtle" size="compact-sm" color="gray" onClick={() => outgoing.drop(reply)}>
          Discard
        </Button>
      </Group>
    </>
  );
}
