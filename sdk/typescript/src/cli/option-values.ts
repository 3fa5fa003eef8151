import { existsSync } from 'node:fs';
import { UsageError, type Context } from './command.ts';
import { readText } from './files.ts';
import { oneLine } from './safe-text.ts';

/**
 * Parses the JSON value of an option: inline, from an `@file`, or `-` for stdin.
 * @param name name of the value, for the error message
 * @throws UsageError if the value is not JSON
 */
export async function readJsonOption({ input }: Pick<Context, 'input'>, value: string, name: string) {
  if (value === '-') return parseJsonText(await input(), `${name} from stdin`);
  if (!value.startsWith('@')) return parseJsonText(value, name);
  const path = value.slice(1);
  if (path === '') throw new UsageError('Enter the name of a file after @.');
  return parseJsonText(readText(path), path);
}

/** @throws UsageError if the text is not JSON */
export function parseJsonText(text: string, name: string): unknown {
  if (text.trim() === '') throw new UsageError(`${name} is empty.`);
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      oneLine(`${name} is not JSON: ${message}${locate(message, text)}.${suggestJson(text)}`),
    );
  }
}

/** Returns line and column of the position in a JSON parser's error message, unless the message has them. */
function locate(message: string, text: string): string {
  const [, position] = /at position (\d+)$/.exec(message) ?? [];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return lines.length === 1 ? '' : ` (line ${lines.length} column ${lines.at(-1)!.length + 1})`;
}

/** Names the usual cause of an option's text that is not JSON. */
function suggestJson(text: string): string {
  if (/^\s*[[{]\s*'/.test(text)) return ' Write names and texts in double quotes.';
  if (/^\w+=/.test(text)) return ` Write {"<name>": "<value>"}.`;
  return /^[^\s{}[\]"]+$/.test(text) && existsSync(text) ? ` To read the file, write @${text}.` : '';
}

/** @throws UsageError if the text is not `<name=value>` */
export function parsePair(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${option} must be <name=value>, not ${text}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Parses the value of an option as a positive integer.
 * @throws UsageError for any other value
 */
export function parseCount(option: string, value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`${option} must be a whole number of at least 1, not ${value}.`);
  return count;
}
