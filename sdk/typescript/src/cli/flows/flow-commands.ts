import { collect } from '../collect.ts';
import type { Command, CommandOptions } from '../command.ts';
import { NO_ARGUMENTS, ONE_ARGUMENT } from '../argument-counts.ts';
import { writeTable } from '../write-list.ts';
import { checkFlow } from './check-flow.ts';
import { pullFlow } from './pull-flow.ts';
import { pushFlow } from './push-flow.ts';
import { MAX_INPUTS, runFlow } from './run-flow.ts';

const bot: CommandOptions = {
  bot: {
    type: 'string',
    value: '<bot_id>',
    about: 'The bot of the flow, if the file does not specify a bot.',
  },
};

export const flowCommands: readonly Command[] = [
  {
    name: 'flows list',
    args: '',
    about: 'List all flows, or those of one bot.',
    options: { bot: { type: 'string', value: '<bot_id>', about: 'Only flows of this bot.' } },
    argumentCount: NO_ARGUMENTS,
    async run(context) {
      const { bot: botId } = context.values as { bot?: string };
      const flows = await collect(context.client.flows.list({ bot_id: botId }));
      writeTable(context, flows, 'flows', ({ id, is_active: isActive, trigger, name }) => [
        id,
        isActive ? 'active' : 'inactive',
        trigger ?? '-',
        name,
      ]);
    },
  },
  {
    name: 'flows pull',
    args: '<flow_id> [<file>]',
    about:
      'Write a flow as JSON, without secrets, to a file or to stdout. The keys of an existing file keep their order.',
    argumentCount: { min: 1, max: 2 },
    run: pullFlow,
  },
  {
    name: 'flows push',
    args: '<file>',
    about:
      'Save a flow. A pulled file replaces its flow. Any other file becomes a new flow of the bot, whose id is written to the file. A flow that was saved after the pull is only overwritten with --force.',
    options: {
      ...bot,
      activate: { type: 'boolean', about: 'Activate the flow after saving.' },
      force: { type: 'boolean', about: 'Overwrite a flow that was saved after the pull.' },
    },
    argumentCount: ONE_ARGUMENT,
    run: pushFlow,
  },
  {
    name: 'flows check',
    args: '<file>',
    about: 'List, node by node, the problems that prevent the server from saving or activating a flow.',
    options: bot,
    argumentCount: ONE_ARGUMENT,
    run: checkFlow,
  },
  {
    name: 'flows run',
    args: '<flow_id | file> [<message>…]',
    about:
      'Test a flow with a visitor’s messages, and show the path through the flow. Nothing is stored or sent.',
    options: {
      ...bot,
      said: { type: 'string', value: '<text>', about: 'The message that starts the flow.' },
      page: { type: 'string', value: '<address>', about: 'The page that the visitor is viewing.' },
      var: { type: 'string', value: '<name=value>', multiple: true, about: 'A variable of the flow.' },
      samples: {
        type: 'string',
        value: '<json | @file | ->',
        about: 'Sample responses to the flow’s requests, by node.',
      },
      model: { type: 'boolean', about: 'Call the model of the bot for steps without a sample.' },
    },
    argumentCount: { min: 1, max: 1 + MAX_INPUTS },
    run: runFlow,
  },
];
