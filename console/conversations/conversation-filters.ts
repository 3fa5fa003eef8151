import type { Bot } from '../client/types.ts';
import type { Filter } from '../components/lists/filter-bar.tsx';
import { statusWords } from './conversation-status.tsx';

/** Returns the filters that the list of conversations offers. */
export function listConversationFilters(bots: readonly Bot[]): Filter[] {
  return [
    {
      key: 'status',
      name: 'Status',
      options: Object.entries(statusWords).map(([status, [, name]]) => [status, name] as const),
    },
    {
      key: 'resolved',
      name: 'Resolution',
      options: [
        ['true', 'Resolved'],
        ['false', 'Not resolved'],
      ],
    },
    {
      key: 'rating',
      name: 'Rating',
      options: [5, 4, 3, 2, 1].map((rating) => [String(rating), '★'.repeat(rating)] as const),
    },
    {
      key: 'is_lead',
      name: 'Lead',
      options: [
        ['true', 'Leads'],
        ['false', 'Not leads'],
      ],
    },
    {
      key: 'has_visitor_message',
      name: 'Messages',
      options: [
        ['true', 'With visitor messages'],
        ['false', 'Without visitor messages'],
      ],
    },
    { key: 'bot_id', name: 'Bot', options: bots.map(({ id, name }) => [id, name] as const) },
  ];
}
