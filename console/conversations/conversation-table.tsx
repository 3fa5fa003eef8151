import type { ConversationRead } from '../client/types.ts';
import { ConversationRow } from './conversation-row.tsx';

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
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              isSelected={selected.has(conversation.id)}
              onToggle={() => toggle(conversation.id)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
