import type { ConversationRead } from '../client/types.ts';
import { visitorName } from '../inbox/visitor-name.ts';
import { hrefOf } from '../router.ts';
import { Badge } from '../ui/badge.tsx';
import { TimeText } from '../ui/time-text.tsx';

export interface ConversationTableProps {
  conversations: readonly ConversationRead[];
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

export function ConversationTable({ conversations, selected, onSelect }: ConversationTableProps) {
  const isAll = conversations.every(({ id }) => selected.has(id));
  const toggle = (id: string): void => {
    const changed = new Set(selected);
    if (!changed.delete(id)) changed.add(id);
    onSelect(changed);
  };
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label="Select all that are shown"
                checked={isAll}
                onChange={() => onSelect(new Set(isAll ? [] : conversations.map(({ id }) => id)))}
              />
            </th>
            <th>Visitor</th>
            <th>About</th>
            <th>Status</th>
            <th>Rating</th>
            <th>Messages</th>
            <th>Began</th>
          </tr>
        </thead>
        <tbody>
          {conversations.map((conversation) => (
            <tr key={conversation.id} data-id={conversation.id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={`Select the conversation with ${visitorName(conversation)}`}
                  checked={selected.has(conversation.id)}
                  onChange={() => toggle(conversation.id)}
                />
              </td>
              <td>
                <a href={hrefOf(['conversations', conversation.id])}>{visitorName(conversation)}</a>
                {conversation.is_lead && <span class="badge good">lead</span>}
              </td>
              <td class="wide">{conversation.title ?? '–'}</td>
              <td>
                <Badge state={conversation.status} />
                {conversation.resolved === true && <Badge state="resolved" />}
              </td>
              <td>{conversation.rating === null ? '–' : `${conversation.rating} of 5`}</td>
              <td>{conversation.message_count}</td>
              <td>
                <TimeText at={conversation.started_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
