import { useLayoutEffect, useRef } from 'preact/hooks';
import type { MessageRead } from '../client/types.ts';
import { LinkedText } from '../ui/linked-text.tsx';
import { MarkdownText } from '../ui/markdown-text.tsx';
import { TimeText } from '../ui/time-text.tsx';
import { Citations } from './citations.tsx';

const speakers: Record<MessageRead['role'], string> = {
  user: 'Visitor',
  assistant: 'Bot',
  agent: 'Team',
  system: 'Parley',
};

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
      {messages.map((message) => (
        <article key={message.id} class={`message ${message.role}`}>
          <p class="message-head">
            <strong>{speakers[message.role]}</strong> <TimeText at={message.created_at} />
          </p>
          {message.role === 'user' ? (
            <LinkedText text={message.content} />
          ) : (
            <MarkdownText text={message.content} />
          )}
          {message.is_error && (
            <p class="hint">The model failed{message.error_code === null ? '' : `: ${message.error_code}`}</p>
          )}
          <Citations citations={message.citations ?? []} />
        </article>
      ))}
    </div>
  );
}
