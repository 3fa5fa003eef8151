import { collect } from '../collect.ts';
import { writeResult, formatTable, type Command } from '../command.ts';
import { addKnowledge, showStatus } from './add-knowledge.ts';

const waiting = { wait: { type: 'boolean' }, timeout: { type: 'string', default: '600' } } as const;

export const knowledgeCommands: readonly Command[] = [
  {
    name: 'knowledge add',
    args: '<bot_id> <file | address> [--title <title>] [--site] [--max-pages <number>] [--wait] [--timeout <seconds>]',
    about:
      'Add a file, a page, or with --site the pages of a website to the knowledge of a bot. --wait waits until it is indexed, and shows the progress.',
    options: {
      title: { type: 'string' },
      site: { type: 'boolean' },
      'max-pages': { type: 'string' },
      ...waiting,
    },
    takes: { min: 2, max: 2 },
    run: addKnowledge,
  },
  {
    name: 'knowledge status',
    args: '<bot_id> <document_id> [--wait] [--timeout <seconds>]',
    about: 'The progress of a document. --wait waits until it is indexed.',
    options: waiting,
    takes: { min: 2, max: 2 },
    run: showStatus,
  },
  {
    name: 'knowledge list',
    args: '<bot_id>',
    about: 'The documents of a bot.',
    takes: { min: 1, max: 1 },
    async run(context) {
      const documents = await collect(
        context.client.knowledge.list(context.args[0] ?? '', { page_size: 100 }),
      );
      writeResult(context, documents, () =>
        formatTable(documents.map(({ id, status, title }) => [id, status, title])),
      );
    },
  },
];
