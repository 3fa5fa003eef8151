import { collect } from '../collect.ts';
import { formatCount, writeResult, type Command } from '../command.ts';
import { readText } from '../files.ts';
import { ONE_ARGUMENT } from '../argument-counts.ts';
import { writeTable } from '../write-list.ts';
import { formatOutcome, runTestSet } from './run-test-set.ts';

export const testSetCommands: readonly Command[] = [
  {
    name: 'test-sets list',
    alias: 'test-set list',
    args: '<bot_id>',
    about: 'List the test sets of a bot with their newest runs.',
    argumentCount: ONE_ARGUMENT,
    async run(context) {
      const [botId = ''] = context.args;
      const sets = await collect(context.client.testSets.list(botId, { page_size: 100 }));
      writeTable(context, sets, 'test sets', ({ id, name, question_count: count, last_run: run }) => [
        id,
        name,
        formatCount(count, 'question'),
        run === null ? 'not run yet' : formatOutcome(run),
      ]);
    },
  },
  {
    name: 'test-sets import',
    alias: 'test-set import',
    args: '<bot_id> <name> <file.csv>',
    about:
      'Add the questions of a CSV file to the test set with this name, which is created if needed. Existing questions of the test set get the expectations from the file. The first line names the columns: question, expects, source, words.',
    argumentCount: { min: 3, max: 3 },
    async run(context) {
      const { client, args } = context;
      const [botId = '', name = '', file = ''] = args;
      const csv = readText(file);
      const sets = await collect(client.testSets.list(botId, { page_size: 100 }));
      const known = sets.find((set) => set.name === name);
      const { id } = known ?? (await client.testSets.create(botId, { name }));
      const set = await client.testSets.addQuestions(botId, id, { csv }).catch(async (error: unknown) => {
        // Delete the new test set if the server refuses the file, so that no empty set remains.
        if (!known) await client.testSets.delete(botId, id).catch(() => undefined);
        throw error;
      });
      writeResult(context, set, () => `${id}  ${formatCount(set.questions.length, 'question')}`);
    },
  },
  {
    name: 'test-sets run',
    alias: 'test-set run',
    args: '<bot_id> <test_set_id>',
    about:
      'Let a bot answer the questions of a test set, wait, and write the answers that failed. Fails if fewer answers pass than --bar requires.',
    options: {
      bar: {
        type: 'string',
        value: '<percent>',
        default: '100',
        about: 'Percentage of answers that must pass, from 1 to 100 (default: 100).',
      },
      version: {
        type: 'string',
        value: '<number>',
        about: 'Version of the bot to test; by default its current settings.',
      },
      timeout: {
        type: 'string',
        value: '<seconds>',
        default: '1800',
        about: 'How long to wait for the run (default: 1800).',
      },
    },
    argumentCount: { min: 2, max: 2 },
    run: runTestSet,
  },
];
