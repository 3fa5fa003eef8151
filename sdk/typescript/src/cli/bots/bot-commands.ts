import { collect } from '../collect.ts';
import { formatTable, writeResult, type Command, type CommandOptions, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import { NO_ARGUMENTS, ONE_ARGUMENT } from '../argument-counts.ts';
import { writeTable } from '../write-list.ts';
import { createBot, updateBot } from './save-bot.ts';

const settings: CommandOptions = {
  set: {
    type: 'string',
    value: '<name=value>',
    multiple: true,
    about:
      'A field of the bot: text, @file for the text of a file, or JSON, for example for a list: \'starter_questions=["Open?", "Price?"]\'.',
  },
  body: {
    type: 'string',
    value: '<json | @file | ->',
    about: 'Several fields as JSON: inline, from a file, or from stdin.',
  },
};

export const botCommands: readonly Command[] = [
  {
    name: 'bots list',
    args: '',
    about: 'List all bots.',
    argumentCount: NO_ARGUMENTS,
    async run(context) {
      const bots = await collect(context.client.bots.list({ page_size: 100 }));
      writeTable(context, bots, 'bots', ({ id, status, name }) => [id, status, name]);
    },
  },
  {
    name: 'bots show',
    alias: 'bots get',
    args: '<bot_id>',
    about: 'Show a bot, field by field.',
    argumentCount: ONE_ARGUMENT,
    run: showBot,
  },
  {
    name: 'bots create',
    args: '<name>',
    about: 'Create a bot and write its id.',
    options: { active: { type: 'boolean', about: 'Activate the bot.' }, ...settings },
    argumentCount: ONE_ARGUMENT,
    run: createBot,
  },
  {
    name: 'bots update',
    args: '<bot_id>',
    about: 'Change fields of a bot. Other fields keep their values.',
    options: {
      name: { type: 'string', value: '<name>', about: 'A new name.' },
      status: { type: 'string', value: '<status>', about: 'draft, active, paused or archived.' },
      ...settings,
    },
    argumentCount: ONE_ARGUMENT,
    run: updateBot,
  },
  {
    name: 'bots delete',
    args: '<bot_id>',
    about: 'Delete a bot with its documents and conversations.',
    argumentCount: ONE_ARGUMENT,
    async run(context) {
      const result = await context.client.bots.delete(context.args[0] ?? '');
      writeResult(context, result, () => oneLine(result.message));
    },
  },
];

async function showBot(context: Context): Promise<void> {
  const bot = await context.client.bots.get(context.args[0] ?? '');
  writeResult(context, bot, () =>
    formatTable(Object.entries(bot).map(([name, value]) => [name, JSON.stringify(value)])),
  );
}
