import type { ConversationRead } from '../client/types.ts';
import { Table } from '../components/table.tsx';
import { useBotNames } from '../bots/use-bots.ts';
import { usePermission } from '../session/use-permission.ts';
import { ConversationRow } from './conversation-row.tsx';

export interface ConversationTableProps {
  conversations: readonly ConversationRead[];
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
}

const columns = ['Visitor', 'Bot', 'Last message', 'Status', 'Rating', 'Messages', 'Began', 'Said last'];

export function ConversationTable({ conversations, selected, onSelect }: ConversationTableProps) {
  const botNames = useBotNames();
  const isSelectable = usePermission()('conversations:write', 'member');
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
    <Table columns={isSelectable ? [selectAll, ...columns] : columns}>
      {conversations.map((conversation) => (
        <ConversationRow
          key={conversation.id}
          conversation={conversation}
          botName={botNames.get(conversation.bot_id)}
          isSelected={selected.has(conversation.id)}
          onToggle={isSelectable ? () => toggle(conversation.id) : null}
        />
      ))}
    </Table>
  );
}
