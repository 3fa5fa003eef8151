import { createUnexpectedResponseError } from '../unexpected-response.ts';
import { formatTable, type Context } from './command.ts';
import { URL_VARIABLE } from './credentials.ts';

type ListContext = Pick<Context, 'isJson' | 'json' | 'out' | 'err' | 'isTerminal'>;

/**
 * Writes the items of a list as JSON or as text for people. The text of an empty list is empty; only a
 * terminal gets a note.
 * @param things name of the items, for the note
 * @throws ParleyError if the server sent no list
 */
export function writeList<T>(
  { isJson, json, out, err, isTerminal }: ListContext,
  items: readonly T[],
  things: string,
  format: (items: readonly T[]) => string,
): void {
  if (!Array.isArray(items)) throw createUnexpectedResponseError('', URL_VARIABLE);
  if (isJson) json(items);
  else if (items.length > 0) out(`${format(items)}\n`);
  else if (isTerminal) err(`There are no ${things}.\n`);
}

/** Writes a list as a table with one row for each item. */
export function writeTable<T>(
  context: ListContext,
  items: readonly T[],
  things: string,
  toRow: (item: T) => readonly string[],
): void {
  writeList(context, items, things, (rows) => formatTable(rows.map(toRow)));
}
