import type { ConversationRead } from '../client/types.ts';
import { LastMessage } from './inbox/last-message.tsx';
import { getConversationName } from './inbox/conversation-name.ts';
import { buildHref } from '../router.ts';
import { Badge } from '../components/badge.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { TimeText } from '../components/time-text.tsx';

export interface ConversationRowProps {
  conversation: ConversationRead;
  /** Name of the bot; undefined if it is unknown. */
  botName: string | undefined;
  isSelected: boolean;
  /** Selects or deselects the conversation; null if the user may not change conversations. */
  onToggle: (() => void) | null;
}

export function ConversationRow({ conversation, botName, isSelected, onToggle }: ConversationRowProps) {
  const { id, rating } = conversation;
  const name = getConversationName(conversation);
  return (
    <tr data-id={id}>
      {onToggle !== null && (
        <td>
          <input
            type="checkbox"
            aria-label={`Select the conversation with ${name}`}
            checked={isSelected}
            onChange={onToggle}
          />
        </td>
      )}
      <td>
        <a className="row-name" dir="auto" href={buildHref(['conversations', id])}>
          {name}
        </a>{' '}
        {conversation.is_lead && <span className="badge good">lead</span>}
      </td>
      <td>{botName ?? '–'}</td>
      <td className="wide" dir="auto">
        {conversation.title}
        <p className={conversation.title === null ? 'last-message' : 'last-message hint'}>
          <LastMessage item={conversation} />
        </p>
      </td>
      <td>
        <Badge state={conversation.status} /> {conversation.resolved === true && <Badge state="resolved" />}
      </td>
      <td>{rating === null ? '–' : `${rating} of 5`}</td>
      <td>{conversation.message_count}</td>
      <td>
        <TimeText at={conversation.started_at} />
      </td>
      <td>
        <RelativeTime at={conversation.last_message_at} />
      </td>
    </tr>
  );
}
