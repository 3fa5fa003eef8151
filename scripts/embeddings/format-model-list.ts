import { findFetchedModel, findModelPath, type Environment } from './fetched-model.ts';
import { DOWNLOADABLE_MODELS } from './model-list.ts';

const HEAD = ['Name', 'Languages', 'Size', 'Dimensions', 'License', 'Per passage', 'Right first', ''];

/** Formats a table of the embedding models that an operator can download. */
export function formatModelList(env: Environment): string {
  const current = findFetchedModel(env);
  const rows = DOWNLOADABLE_MODELS.map(
    ({ name, languages, downloadMb, dimensions, license, passageMs, hits }) => {
      const path = findModelPath(env, name);
      return [
        name,
        languages,
        `${downloadMb} MB`,
        String(dimensions),
        license,
        passageMs === null ? '?' : `${passageMs} ms`,
        hits,
        path === undefined ? '' : path === current ? 'in use' : 'downloaded',
      ];
    },
  );
  const table = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
