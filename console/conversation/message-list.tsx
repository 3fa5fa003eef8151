import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageRead } from '../client/types.ts';
import { LinkedText } from '../ui/linked-text.tsx';
import { MarkdownText } from '../ui/markdown-text.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { Citations } from './citations.tsx';

const speakers = { user: 'Visitor', assistant: 'Bot', agent: 'Team' };

/** So close to the end that somebody reads along. */
const READING_ALONG_PX = 120;

export function MessageList({ messages }: { messages: readonly MessageRead[] }) {
  const list = useRef<HTMLDivElement>(null);
  const isReadingAlong = useRef(true);
  useLayoutEffect(() => {
    const { current } = list;
    if (current && isReadingAlong.current) current.scrollTop = current.scrollHeight;
  }, [messages.length]);
  return (
    <div
      ref={list}
      class="messages"
      role="log"
      aria-label="Messages"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isReadingAlong.current = scrollHeight - scrollTop - clientHeight < READING_ALONG_PX;
      }}
    >
      {messages.length === 0 && <p class="empty">Nothing has been said yet.</p>}
      {messages.map(({ role, ...message }) =>
        role === 'system' ? (
          <p key={message.id} class="event">
            <LinkedText text={message.content} /> <TimeText at={message.created_at} />
          </p>
        ) : (
          <Said key={message.id} role={role} message={message} />
        ),
      )}
    </div>
  );
}

interface SaidProps {
  role: keyof typeof speakers;
  message: Omit<MessageRead, 'role'>;
}

function Said({ role, message }: SaidProps) {
  const { content, author_name: author, error_code: errorCode } = message;
  return (
    <article class={`message ${role}`}>
      <p class="message-head">
        <strong>{author ?? speakers[role]}</strong> <TimeText at={message.created_at} />
        {message.mailed_at !== null && (
          <>
            {' '}
            · mailed <TimeText at={message.mailed_at} />
          </>
        )}
      </p>
      {role === 'user' ? <LinkedText text={content} /> : <MarkdownText text={content} />}
      {message.is_error && <p class="hint">The model failed{errorCode === null ? '' : `: ${errorCode}`}</p>}
      <Citations citations={message.citations ?? []} />
    </article>
  );
}
