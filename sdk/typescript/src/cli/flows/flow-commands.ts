import { collect } from '../collect.ts';
import { writeResult, formatTable, type Command } from '../command.ts';
import { checkFlow } from './check-flow.ts';
import { pullFlow } from './pull-flow.ts';
import { pushFlow } from './push-flow.ts';
import { MAX_INPUTS, runFlow } from './run-flow.ts';

const bot = { bot: { type: 'string' } } as const;

export const flowCommands: readonly Command[] = [
  {
    name: 'flows list',
    args: '[--bot <bot_id>]',
    about: 'All flows, or those of one bot.',
    options: bot,
    takes: { min: 0, max: 0 },
    async run(context) {
      const { bot: botId } = context.values as { bot?: string };
      const flows = await collect(context.client.flows.list({ bot_id: botId }));
      writeResult(context, flows, () =>
        formatTable(
          flows.map(({ id, is_active: isActive, trigger, name }) => [
            id,
            isActive ? 'active' : 'inactive',
            trigger ?? '-',
            name,
          ]),
        ),
      );
    },
  },
  {
    name: 'flows pull',
    args: '<flow_id> [<file>]',
    about: 'Write a flow as JSON, without secrets, into a file or else to stdout.',
    takes: { min: 1, max: 2 },
    run: pullFlow,
  },
  {
    name: 'flows push',
    args: '<file> [--bot <bot_id>] [--activate] [--force]',
    about:
      'Save a flow: one that was pulled in its place, any other as a new one of the bot; its id is written to the file. What others have saved meanwhile is kept, unless forced.',
    options: { ...bot, activate: { type: 'boolean' }, force: { type: 'boolean' } },
    takes: { min: 1, max: 1 },
    run: pushFlow,
  },
  {
    name: 'flows check',
    args: '<file> [--bot <bot_id>]',
    about: 'Have the server say, node by node, what keeps a flow from being saved or activated.',
    options: bot,
    takes: { min: 1, max: 1 },
    run: checkFlow,
  },
  {
    name: 'flows run',
    args: '<flow_id | file> [<message>…] [--said <text>] [--page <address>] [--var <name=value>]… [--samples <json | @file | ->] [--model] [--bot <bot_id>]',
    about:
      'Try a flow with what a visitor would write, and show the way that it takes; nothing is kept or sent. --said is what began it, --samples what its requests would get.',
    options: {
      ...bot,
      said: { type: 'string' },
      page: { type: 'string' },
      var: { type: 'string', multiple: true },
      samples: { type: 'string' },
      model: { type: 'boolean' },
    },
    takes: { min: 1, max: 1 + MAX_INPUTS },
    run: runFlow,
  },
];
