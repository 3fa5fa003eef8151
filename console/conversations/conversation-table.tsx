import { Checkbox } from '@mantine/core';
import type { Conversation } from '../client/types.ts';
import { DataTable, type DataColumn } from '../components/lists/data-table.tsx';
import { PersonAvatar } from '../components/person-avatar.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { buildHref } from '../router.ts';
import { usePermission } from '../session/use-permission.ts';
import { ConversationStatus } from './conversation-status.tsx';
import { Stars } from './conversation/details/conversation-facts.tsx';
import { getConversationName, getKnownName } from './inbox/conversation-name.ts';
import { LastMessage } from './inbox/last-message.tsx';

export interface ConversationTableProps {
  conversations: readonly Conversation[];
  /** Names of bots by id. */
  botNames: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  onSelect(selected: ReadonlySet<string>): void;
  /** Order in which the API has sorted the conversations. */
  order: 'started' | 'last_message';
  onOrder(order: 'started' | 'last_message'): void;
}

export function ConversationTable(props: ConversationTableProps) {
  const { conversations, botNames, selected, onSelect, order, onOrder } = props;
  const isSelectable = usePermission()('conversations:write', 'member');
  const sortBy = (each: typeof order) => ({ isActive: order === each, apply: () => onOrder(each) });
  const columns: DataColumn<Conversation>[] = [
    ...(isSelectable ? [createCheckColumn(conversations, selected, onSelect)] : []),
    {
      name: 'Visitor',
      render: (conversation) => (
        <span className="person-cell">
          <PersonAvatar name={getKnownName(conversation)} size={28} />
          <span>
            <a className="cell-link" dir="auto" href={buildHref(['conversations', conversation.id])}>
              {getConversationName(conversation)}
            </a>
            {conversation.is_lead && <span className="tag">Lead</span>}
            <span className="cell-note">{botNames.get(conversation.bot_id)}</span>
          </span>
        </span>
      ),
    },
    {
      name: 'Conversation',
      render: (conversation) => {
        const { title, first_question: question } = conversation;
        return (
          <span className="words-cell">
            <span dir="auto">{title ?? question ?? 'No messages yet'}</span>
            <span className="cell-note" dir="auto">
              <LastMessage item={conversation} />
            </span>
          </span>
        );
      },
    },
    { name: 'Status', render: (conversation) => <ConversationStatus {...conversation} /> },
    {
      name: 'Rating',
      isSecondary: true,
      render: ({ rating }) => (rating === null ? '–' : <Stars rating={rating} />),
    },
    { name: 'Messages', kind: 'number', isSecondary: true, render: ({ message_count: count }) => count },
    {
      name: 'Started',
      isSecondary: true,
      apiOrder: sortBy('started'),
      render: ({ started_at: at }) => <RelativeTime at={at} />,
    },
    {
      name: 'Last activity',
      apiOrder: sortBy('last_message'),
      render: ({ last_message_at: at }) => <RelativeTime at={at} />,
    },
  ];
  return <DataTable label="Conversations" rows={conversations} columns={columns} />;
}

function createCheckColumn(
  conversations: readonly Conversation[],
  selected: ReadonlySet<string>,
  onSelect: (selected: ReadonlySet<string>) => void,
): DataColumn<Conversation> {
  const isAll = conversations.every(({ id }) => selected.has(id));
  const toggle = (id: string): void => {
    const changed = new Set(selected);
    if (!changed.delete(id)) changed.add(id);
    onSelect(changed);
  };
  return {
    name: 'Select',
    kind: 'check',
    heading: (
      <Checkbox
        size="xs"
        aria-label="Select all shown"
        checked={isAll}
        indeterminate={!isAll && selected.size > 0}
        onChange={() => onSelect(new Set(isAll ? [] : conversations.map(({ id }) => id)))}
      />
    ),
    render: (conversation) => (
      <Checkbox
        size="xs"
        aria-label={`Select conversation with ${getConversationName(conversation)}`}
        checked={selected.has(conversation.id)}
        onChange={() => toggle(conversation.id)}
      />
    ),
  };
}
