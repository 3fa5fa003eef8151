import { UsageError, type Context } from './command.ts';
import { readText } from './files.ts';
import { oneLine } from './safe-text.ts';

/**
 * Parses the JSON of an option: inline, from an `@file`, or `-` for stdin.
 * @param name name of the value, for the error message
 * @throws UsageError if the value is not JSON
 */
export async function readJsonOption({ input }: Pick<Context, 'input'>, value: string, name: string) {
  if (value === '-') return parseJsonText(await input(), name);
  return parseJsonText(value.startsWith('@') ? readText(value.slice(1)) : value, name);
}

/** @throws UsageError if the text is not JSON */
export function parseJsonText(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch (error) {
    throw new UsageError(oneLine(`${name} is not JSON: ${(error as Error).message}.`));
  }
}

/** @throws UsageError if the text is not `<name=value>` */
export function parsePair(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${option} must be <name=value>, not ${text}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Parses a positive integer.
 * @throws UsageError for any other value
 */
export function parseCount(option: string, value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1)
    throw new UsageError(`${option} must be a whole number of at least 1, not ${value}.`);
  return count;
}
