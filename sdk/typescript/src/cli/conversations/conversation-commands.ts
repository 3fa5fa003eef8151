import { collect } from '../collect.ts';
import type { Command } from '../command.ts';
import { labelText } from '../safe-text.ts';
import { NO_ARGUMENTS, ONE_ARGUMENT } from '../argument-counts.ts';
import { writeList } from '../write-list.ts';
import { listConversations } from './list-conversations.ts';

export const conversationCommands: readonly Command[] = [
  {
    name: 'conversations list',
    args: '',
    about: 'List the latest conversations with status, start, bot, visitor and first words.',
    options: {
      bot: { type: 'string', value: '<bot_id>', about: 'Only conversations of this bot.' },
      status: { type: 'string', value: '<status>', about: 'active, waiting_human, human or ended.' },
      limit: {
        type: 'string',
        value: '<number>',
        default: '20',
        about: 'Maximum number of conversations; 20 by default.',
      },
    },
    argumentCount: NO_ARGUMENTS,
    run: listConversations,
  },
  {
    name: 'conversations get',
    args: '<conversation_id>',
    about: 'Show the messages of a conversation.',
    argumentCount: ONE_ARGUMENT,
    async run(context) {
      const messages = await collect(context.client.conversations.listMessages(context.args[0] ?? ''));
      writeList(context, messages, 'messages', (items) =>
        items.map(({ role, content }) => labelText(role, content)).join('\n'),
      );
    },
  },
];
