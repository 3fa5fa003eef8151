import type { ConversationRead } from '../client/types.ts';
import { Table } from '../ui/table.tsx';
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
  const selectAll = (
    <input
      type="checkbox"
      aria-label="Select all that are shown"
      checked={isAll}
      onChange={() => onSelect(new Set(isAll ? [] : conversations.map(({ id }) => id)))}
    />
  );
  return (
    <Table columns={[selectAll, 'Visitor', 'About', 'Status', 'Rating', 'Messages', 'Began']}>
      {conversations.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          conversation={conversation}
          isSelected={selected.has(conversation.id)}
          onToggle={() => toggle(conversation.id)}
        />
      ))}
    </Table>
  );
}
