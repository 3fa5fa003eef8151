import { Avatar } from '@mantine/core';
import type { AnswerRating, Citation, ConversationFile, Message } from '../../../client/types.ts';
import { formatFullTime } from '../../../components/text/format-time.ts';
import { LinkedText } from '../../../components/text/linked-text.tsx';
import { MarkdownText } from '../../../components/text/markdown-text.tsx';
import { PersonAvatar } from '../../../components/person-avatar.tsx';
import { IconBots } from '../../../shell/icons.ts';
import { RatingMark } from '../../ratings/rating-mark.tsx';
import type { MessageGroup } from './build-thread.ts';
import { Citations } from './citations.tsx';
import { MessageFiles } from './message-files.tsx';
import type { FilesByMessage } from '../use-files.ts';
import { formatClock } from './format-day.ts';

const speakers = { user: 'Visitor', assistant: 'Bot', agent: 'Team' };

export interface MessageGroupItemProps {
  group: MessageGroup;
  visitorName: string | null;
  /**
   * Ids of the messages that the signed-in member sent from this page; null for a message without an id yet.
   */
  sentIds: ReadonlySet<string | null>;
  /** The visitor's ratings of the bot's answers, by the ids of the answers. */
  ratings: ReadonlyMap<string, AnswerRating>;
  /** Files of the conversation, by the ids of their messages. */
  files: FilesByMessage;
}

/** Shows consecutive messages of one author: the visitor at the left, the bot and the team at the right. */
export function MessageGroupItem({ group, visitorName, sentIds, ratings, files }: MessageGroupItemProps) {
  const { role, author, messages } = group;
  const name = role === 'user' ? (visitorName ?? speakers.user) : (author ?? speakers[role]);
  return (
    <div className="message-group" data-role={role}>
      {role === 'assistant' ? (
        <Avatar size={28} radius="xl" aria-hidden="true" className="bot-avatar">
          <IconBots size={16} />
        </Avatar>
      ) : (
        <PersonAvatar name={role === 'user' ? visitorName : name} size={28} />
      )}
      <p className="message-head">
        <strong dir="auto">{name}</strong>
      </p>
      {messages.map((message) => (
        <MessageItem
          key={message.id}
          role={role}
          message={message}
          isSentHere={sentIds.has(message.id)}
          rating={ratings.get(message.id)}
          files={files.get(message.id)}
        />
      ))}
    </div>
  );
}

interface MessageItemProps {
  role: MessageGroup['role'];
  message: Message;
  isSentHere: boolean;
  rating: AnswerRating | undefined;
  files: readonly ConversationFile[] | undefined;
}

/** Whether a message with files has no text of its own: then its content lists the names of its files. */
function isListOfNames(content: string, files: readonly ConversationFile[] = []): boolean {
  return content === files.map(({ name }) => name).join(', ');
}

function MessageText({
  role,
  text,
  citations,
}: {
  role: string;
  text: string;
  citations: readonly Citation[];
}) {
  if (role !== 'user') return <MarkdownText text={text} citations={citations} />;
  return (
    <div dir="auto">
      <LinkedText text={text} />
    </div>
  );
}

function MessageItem({ role, message, isSentHere, rating, files }: MessageItemProps) {
  const { content, created_at: at, mailed_at: mailedAt, error_code: errorCode } = message;
  const citations = message.citations ?? [];
  const { stopped_at: stoppedAt } = message;
  const isStopped = stoppedAt !== undefined;
  return (
    <>
      <article className="bubble" data-role={role} hidden={content === '' && isStopped}>
        {!isListOfNames(content, files) && <MessageText text={content} role={role} citations={citations} />}
        {message.is_error && (
          <p className="message-note">The model failed{errorCode === null ? '' : `: ${errorCode}`}</p>
        )}
        <Citations text={content} citations={citations} />
        {files && <MessageFiles files={files} />}
        <BubbleTime at={at} />
      </article>
      {isStopped && (
        <p className="message-foot" title={formatFullTime(stoppedAt)}>
          Stopped by the visitor
        </p>
      )}
      {rating && (
        <p className="message-foot" title={formatFullTime(rating.updated_at)}>
          <RatingMark rating={rating} />
          {rating.comment !== null && (
            <q className="rating-comment" dir="auto">
              {rating.comment}
            </q>
          )}
        </p>
      )}
      {mailedAt !== null ? (
        <p className="message-foot" title={formatFullTime(mailedAt)}>
          Emailed
        </p>
      ) : (
        isSentHere && <p className="message-foot">Sent</p>
      )}
    </>
  );
}

/** Time of a message, which is visible while the pointer is over the message. */
export function BubbleTime({ at }: { at: string }) {
  return (
    <time className="bubble-time" dateTime={at} title={formatFullTime(at)}>
      {formatClock(at)}
    </time>
  );
}
