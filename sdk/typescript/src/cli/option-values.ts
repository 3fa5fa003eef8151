import { readFileSync } from 'node:fs';
import { UsageError, type Context } from './command.ts';

/**
 * JSON as options have it: itself, `@file`, or `-` for what is piped in.
 * @param what names it where it is none
 * @throws UsageError
 */
export async function jsonValue({ input }: Pick<Context, 'input'>, given: string, what: string) {
  if (given === '-') return parsedJson(await input(), what);
  return parsedJson(given.startsWith('@') ? readFileSync(given.slice(1), 'utf8') : given, what);
}

/** @throws UsageError */
export function parsedJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    throw new UsageError(`${what} is not JSON.`);
  }
}

/** @throws UsageError */
export function pairOf(option: string, text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`${option} is <name=value>, and not ${text}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/**
 * A whole number that an option gives.
 * @throws UsageError
 */
export function countOf(option: string, given: string): number {
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1) throw new UsageError(`${option} is a number, at least 1.`);
  return count;
}
