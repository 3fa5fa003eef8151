import { summaries } from '../../generated/summaries.ts';
import type { Context } from '../command.ts';
import { writeTable } from '../write-list.ts';
import { operationList } from './operation-list.ts';

/** Lists the API operations whose id, path or summary contains each word of the arguments. */
export function listOperations(context: Context): void {
  const words = context.args.map((word) => word.toLowerCase());
  const described = operationList.map(({ id, method, path }) => ({
    id,
    method,
    path,
    summary: summaries[id] ?? '',
  }));
  const found = described.filter(({ id, path, summary }) => {
    const text = `${id} ${path} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  writeTable(context, found, 'such operations', ({ id, method, path, summary }) => [
    id,
    method,
    path,
    summary,
  ]);
}
