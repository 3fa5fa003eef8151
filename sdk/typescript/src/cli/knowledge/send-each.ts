import { ApiError, listOmittedDetails } from '../../errors.ts';
import { UsageError, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';

/** A file or other item that was not accepted, and why. */
export interface Refusal {
  name: string;
  message: string;
  /**
   * True for an empty file, and for a kind of file that Parley does not read, such as an image in a handbook.
   */
  isLeftOut: boolean;
}

/** Error for an empty file of a folder, which the command skips. */
export class EmptyFile extends Error {
  override name = 'EmptyFile';
  override message = 'The file is empty.';
}

/** HTTP statuses that concern the content of one request: later requests may succeed. */
const STATUSES_OF_ONE = new Set([400, 409, 413, 415, 422]);

/**
 * Sends items, such as files, to the server one after another. If a file is empty, or the server or the file
 * system refuses an item, writes the reason to stderr and continues.
 * @throws the error if the error would also concern the other items, such as a quota or a broken connection
 */
export async function sendEach<T extends { name: string }>(
  { err }: Pick<Context, 'err'>,
  items: readonly T[],
  send: (item: T) => Promise<void>,
): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (const item of items) {
    try {
      await send(item);
    } catch (error) {
      const refusal = toRefusal(item.name, error);
      if (!refusal) throw error;
      refusals.push(refusal);
      err(`${oneLine(`${refusal.name}${refusal.isLeftOut ? ' is left out' : ''}: ${refusal.message}`)}\n`);
    }
  }
  return refusals;
}

/** Sends one item. If the server refuses the item, names it in the error. */
export async function sendOne<T extends { name: string }, R>(
  item: T,
  send: (item: T) => Promise<R>,
): Promise<R> {
  try {
    return await send(item);
  } catch (error) {
    if (error instanceof ApiError && STATUSES_OF_ONE.has(error.status))
      error.message = `${item.name}: ${error.message}`;
    throw error;
  }
}

/**
 * Converts an error about one item to a refusal; returns null for an error that concerns more than one item.
 */
function toRefusal(name: string, error: unknown): Refusal | null {
  if (error instanceof EmptyFile) return { name, message: error.message, isLeftOut: true };
  if (error instanceof UsageError) return { name, message: error.message, isLeftOut: false };
  if (!(error instanceof ApiError) || !STATUSES_OF_ONE.has(error.status)) return null;
  return {
    name,
    message: [error.message, ...listOmittedDetails(error)].join(' '),
    isLeftOut: error.code === 'unsupported_media_type',
  };
}
