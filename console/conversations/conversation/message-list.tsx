import { useLayoutEffect, useRef } from 'react';
import type { MessageRead } from '../../client/types.ts';
import { useStore } from '../../state/use-store.ts';
import { useSession } from '../../session/session.tsx';
import { LinkedText } from '../../components/linked-text.tsx';
import { MarkdownText } from '../../components/markdown-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { Citations } from './citations.tsx';
import { OutgoingList } from './outgoing-list.tsx';

const speakers = { user: 'Visitor', assistant: 'Bot', agent: 'Team' };

/** Distance from the end of the list, in pixels, up to which the list scrolls to new messages. */
const FOLLOW_DISTANCE_PX = 120;

export interface MessageListProps {
  /** Id of the conversation. */
  id: string;
  messages: readonly MessageRead[];
  onSent(): void;
}

export function MessageList({ id, messages, onSent }: MessageListProps) {
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const replies = useStore(useSession().drafts.getOrCreate(id).outgoing);
  const known = new Set(messages.map((message) => message.id));
  const shown = replies.filter(({ messageId }) => messageId === null || !known.has(messageId));
  const sentIds = new Set(replies.map(({ messageId }) => messageId));
  useLayoutEffect(() => {
    isFollowing.current ||= replies.length > 0;
  }, [replies.length]);
  useLayoutEffect(() => {
    const { current } = list;
    if (current && isFollowing.current) current.scrollTop = current.scrollHeight;
  }, [messages.length, replies]);
  return (
    <div
      ref={list}
      className="messages"
      role="log"
      aria-label="Messages"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowing.current = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE_PX;
      }}
    >
      {messages.length + shown.length === 0 && <p className="empty">Nothing has been said yet.</p>}
      {messages.map(({ role, ...message }) =>
        role === 'system' ? (
          <p key={message.id} className="event">
            <LinkedText text={message.content} /> <TimeText at={message.created_at} />
          </p>
        ) : (
          <MessageItem key={message.id} role={role} message={message} isSentHere={sentIds.has(message.id)} />
        ),
      )}
      <OutgoingList id={id} replies={shown} onDone={onSent} />
    </div>
  );
}

interface MessageItemProps {
  role: keyof typeof speakers;
  message: Omit<MessageRead, 'role'>;
  /** Whether the user sent the message from this page. */
  isSentHere: boolean;
}

function MessageItem({ role, message, isSentHere }: MessageItemProps) {
  const { content, author_name: author, error_code: errorCode } = message;
  return (
    <article className={`message ${role}`}>
      <p className="message-head">
        <strong>{author ?? speakers[role]}</strong> <TimeText at={message.created_at} />
        {isSentHere && ' · sent'}
        {message.mailed_at !== null && (
          <>
            {' '}
            · mailed <TimeText at={message.mailed_at} />
          </>
        )}
      </p>
      {role === 'user' ? (
        <div dir="auto">
          <LinkedText text={content} />
        </div>
      ) : (
        <MarkdownText text={content} citations={message.citations ?? []} />
      )}
      {message.is_error && (
        <p className="hint">The model failed{errorCode === null ? '' : `: ${errorCode}`}</p>
      )}
      <Citations text={content} citations={message.citations ?? []} />
    </article>
  );
}
