import type { BotUpdate } from '../../generated/models.ts';
import { ValidationError } from '../../errors.ts';
import { formatTable, UsageError, writeResult, type Context } from '../command.ts';
import { readText } from '../files.ts';
import { parsePair, readJsonOption } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';

export async function createBot(context: Context): Promise<void> {
  const { bots } = context.client;
  const settings = { ...(await readSettings(context)), name: context.args[0] ?? '' };
  const created = await bots.create(settings).catch(explainList);
  const bot = context.values['active'] ? await bots.update(created.id, { status: 'active' }) : created;
  writeResult(context, bot, () => oneLine(bot.id));
}

const MUST_BE_LIST = /^must be a list\b/;

/** @throws UsageError if no option changes the bot */
export async function updateBot(context: Context): Promise<void> {
  const { client, args, values } = context;
  const { name, status } = values as { name?: string; status?: 'active' };
  const changes: BotUpdate = {
    ...(await readSettings(context)),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
  };
  if (Object.keys(changes).length === 0)
    throw new UsageError('Nothing to change: add --name, --status, --set or --body.');
  const bot = await client.bots.update(args[0] ?? '', changes).catch(explainList);
  writeResult(context, bot, () => formatTable([[bot.id, bot.status, bot.name]]));
}

/** Reads the bot's fields from `--body` and `--set`; the fields of `--set` take precedence. */
async function readSettings(context: Context): Promise<Record<string, unknown>> {
  const { body, set = [] } = context.values as { body?: string; set?: string[] };
  const fields = body === undefined ? {} : await readJsonOption(context, body, 'The body');
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    throw new UsageError('The body must be an object of fields, such as {"name": "Shop"}.');
  const pairs = set.map((text): [string, unknown] => {
    const [name, value] = parsePair('--set', text);
    return [name, parseValue(value)];
  });
  const names = pairs.map(([name]) => name);
  const nested = names.find((name) => name.includes('.'));
  if (nested !== undefined) throw new UsageError(oneLine(describeNested(nested)));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(oneLine(`--set contains ${twice} twice. ${describeList(twice)}`));
  return { ...fields, ...Object.fromEntries(pairs) };
}

/** Adds to an error an explanation of how to write a list, if a field must be a list. */
function explainList(error: unknown): never {
  const field =
    error instanceof ValidationError && error.details.find(({ message }) => MUST_BE_LIST.test(message));
  if (field) error.message = `${error.message}. ${describeList(field.field)}`;
  throw error;
}

function describeNested(name: string): string {
  const [field, key] = name.split('.');
  return `--set does not accept the field ${name}. Write an object as JSON: --set '${field}={"${key}": …}'.`;
}

function describeList(field: string): string {
  return `Write a list as JSON: --set '${field}=["first", "second"]'.`;
}

/** Parses the value of a bot's field: JSON, or the text of an `@file`. Any other value is a text. */
function parseValue(text: string): unknown {
  if (text.startsWith('@')) return readText(text.slice(1));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
