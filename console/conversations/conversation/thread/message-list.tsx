import { Button } from '@mantine/core';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { AnswerRating, ConversationNote, Message } from '../../../client/types.ts';
import { formatFullTime } from '../../../components/text/format-time.ts';
import { LinkedText } from '../../../components/text/linked-text.tsx';
import type { FilesByMessage } from '../use-files.ts';
import { useSession } from '../../../session/session.tsx';
import { IconDown } from '../../../shell/icons.ts';
import { useStore } from '../../../state/use-store.ts';
import type { SendReply } from '../composer/outgoing-replies.ts';
import { buildThread, type ThreadPart } from './build-thread.ts';
import { formatClock, formatDayName } from './format-day.ts';
import { MessageGroupItem } from './message-group.tsx';
import { NoteItem } from './note-item.tsx';
import { OutgoingList } from './outgoing-list.tsx';

/**
 * Maximum distance in pixels from the end of the messages at which the list still scrolls to new messages.
 */
const FOLLOW_DISTANCE_PX = 120;

export interface MessageListProps {
  /** Id of the conversation. */
  id: string;
  messages: readonly Message[];
  notes: readonly ConversationNote[];
  /** The visitor's ratings of the bot's answers, by the ids of the answers. */
  ratings: ReadonlyMap<string, AnswerRating>;
  /** Files of the conversation, by the ids of their messages. */
  files: FilesByMessage;
  /** Name of the visitor; null if the name is unknown. */
  visitorName: string | null;
  /** Time up to which the user had read the conversation before opening it. */
  readUntil: string | undefined;
  send: SendReply;
}

export function MessageList({
  id,
  messages,
  notes,
  ratings,
  files,
  visitorName,
  readUntil,
  send,
}: MessageListProps) {
  const { drafts } = useSession();
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [seen, setSeen] = useState<number | null>(null);
  const replies = useStore(drafts.getOrCreate(id).outgoing);
  const known = new Set(messages.map((message) => message.id));
  const shown = replies.filter(({ messageId }) => messageId === null || !known.has(messageId));
  const sentIds = new Set(replies.map(({ messageId }) => messageId));
  const parts = useMemo(() => buildThread({ messages, notes, readUntil }), [messages, notes, readUntil]);
  const count = messages.length + notes.length;
  const isBehind = seen !== null && count > seen;
  const scrollDown = (): void => {
    const { current } = list;
    if (current) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    isFollowing.current ||= replies.length > 0;
  }, [replies.length]);
  useLayoutEffect(() => {
    if (isFollowing.current) scrollDown();
  }, [count, replies]);
  useEffect(() => {
    // The reply form below the messages may grow after the messages have been drawn.
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) scrollDown();
    });
    observer.observe(list.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div className="thread-frame">
      <div
        ref={list}
        className="thread-log"
        role="log"
        aria-label="Messages"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isFollowing.current = scrollHeight - scrollTop - clientHeight < FOLLOW_DISTANCE_PX;
          setSeen((before) => (isFollowing.current ? null : (before ?? count)));
        }}
      >
        {count + shown.length === 0 && <p className="no-messages">No messages yet</p>}
        {parts.map((part) => (
          <Part
            key={part.key}
            part={part}
            conversationId={id}
            visitorName={visitorName}
            sentIds={sentIds}
            ratings={ratings}
            files={files}
          />
        ))}
        <OutgoingList id={id} replies={shown} send={send} />
      </div>
      {isBehind && (
        <Button
          className="new-messages"
          size="compact-sm"
          radius="xl"
          rightSection={<IconDown size={14} />}
          onClick={scrollDown}
        >
          New messages
        </Button>
      )}
    </div>
  );
}

interface PartProps {
  part: ThreadPart;
  conversationId: string;
  visitorName: string | null;
  sentIds: ReadonlySet<string | null>;
  ratings: ReadonlyMap<string, AnswerRating>;
  files: FilesByMessage;
}

function Part({ part, conversationId, visitorName, sentIds, ratings, files }: PartProps) {
  switch (part.kind) {
    case 'day':
      return (
        <p className="thread-line">
          <time dateTime={part.at}>{formatDayName(part.at)}</time>
        </p>
      );
    case 'unread':
      return (
        <p className="thread-line" data-unread>
          New
        </p>
      );
    case 'event':
      return (
        <p className="event">
          <LinkedText text={part.message.content} />{' '}
          <time dateTime={part.message.created_at} title={formatFullTime(part.message.created_at)}>
            {formatClock(part.message.created_at)}
          </time>
        </p>
      );
    case 'note':
      return <NoteItem note={part.note} conversationId={conversationId} />;
    case 'messages':
      return (
        <MessageGroupItem
          group={part}
          visitorName={visitorName}
          sentIds={sentIds}
          ratings={ratings}
          files={files}
        />
      );
  }
}
