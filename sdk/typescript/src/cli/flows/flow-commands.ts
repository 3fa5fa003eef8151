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
    about: 'Write a flow as JSON, without secrets, to a file or to stdout.',
    takes: { min: 1, max: 2 },
    run: pullFlow,
  },
  {
    name: 'flows push',
    args: '<file> [--bot <bot_id>] [--activate] [--force]',
    about:
      'Save a flow. A pulled file replaces its flow; any other becomes a new flow of the bot, whose id is written to the file. A flow that was saved after the pull is not overwritten without --force.',
    options: { ...bot, activate: { type: 'boolean' }, force: { type: 'boolean' } },
    takes: { min: 1, max: 1 },
    run: pushFlow,
  },
  {
    name: 'flows check',
    args: '<file> [--bot <bot_id>]',
    about: 'Let the server list, node by node, the problems that prevent saving or activating a flow.',
    options: bot,
    takes: { min: 1, max: 1 },
    run: checkFlow,
  },
  {
    name: 'flows run',
    args: '<flow_id | file> [<message>…] [--said <text>] [--page <address>] [--var <name=value>]… [--samples <json | @file | ->] [--model] [--bot <bot_id>]',
    about:
      'Test a flow with a visitor’s messages, and show its path. Nothing is stored or sent. --said is the message that starts it, --samples are the responses to its requests.',
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
