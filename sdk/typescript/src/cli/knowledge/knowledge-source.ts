import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { DocumentRead } from '../../generated/models.ts';
import { UsageError, type Context } from '../command.ts';
import { readBytes } from '../files.ts';
import { parseCount } from '../option-values.ts';
import { isFolder, listFiles } from './list-files.ts';
import { EmptyFile } from './send-each.ts';

/** A file or an address to add to the knowledge of a bot. */
export interface KnowledgeSource {
  /** Path or address. */
  name: string;
  isAddress: boolean;
  /** True for a file that was found in a folder. Empty files of folders are skipped. */
  isListed?: boolean;
}

interface Values {
  title?: string;
  site?: boolean;
  'max-pages'?: string;
  encoding?: string;
}

const ADDRESS = /^https?:\/\//;

/** Returns whether an argument names several sources. */
export function isManySources(name: string): boolean {
  return !ADDRESS.test(name) && isFolder(name, 'find');
}

/**
 * Lists the sources that the command's arguments name, with the files of folders.
 * @throws UsageError for a word without a source
 */
export function listSources(names: readonly string[]): KnowledgeSource[] {
  const path = names.join(' ');
  if (names.length > 1 && !existsSync(names[0]!) && existsSync(path))
    throw new UsageError(`There is no file or folder ${names[0]}. Put the path in quotes: "${path}".`);
  return names.flatMap((name): KnowledgeSource[] => {
    if (ADDRESS.test(name)) return [{ name, isAddress: true }];
    if (!isFolder(name, 'find')) return [{ name, isAddress: false }];
    const files = listFiles(name);
    if (files.length === 0) throw createNoFileError(name);
    return files.map(({ path }) => ({ name: path, isAddress: false, isListed: true }));
  });
}

/** Creates the error about a folder without visible files. */
export function createNoFileError(folder: string): UsageError {
  return new UsageError(`${folder} contains no files except hidden ones.`);
}

/** @throws UsageError for options that do not fit the added sources */
export function checkSourceOptions({ values }: Pick<Context, 'values'>, names: readonly string[]): void {
  const { title, site = false, 'max-pages': pages } = values as Values;
  if (!site && pages !== undefined) throw new UsageError('--max-pages requires --site.');
  if (pages !== undefined) parseCount('--max-pages', pages);
  if (site && !names.every((name) => ADDRESS.test(name)))
    throw new UsageError('--site requires the address of a website, https://…');
  if (title !== undefined && (names.length > 1 || isManySources(names[0] ?? '')))
    throw new UsageError('--title is only for a single document.');
}

/** @throws EmptyFile for an empty file of a folder */
export async function addSource(
  { client, args, values }: Context,
  { name, isAddress, isListed }: KnowledgeSource,
): Promise<DocumentRead> {
  const [botId = ''] = args;
  const { title, site, 'max-pages': pages, encoding } = values as Values;
  const fields = { ...(title !== undefined && { title }), ...(encoding !== undefined && { encoding }) };
  if (!isAddress) {
    const content = readBytes(name);
    if (isListed && content.length === 0) throw new EmptyFile();
    return client.knowledge.upload(botId, { name: basename(name), content }, fields);
  }
  return client.knowledge.create(botId, {
    source_type: site === true ? 'sitemap' : 'url',
    url: name,
    ...fields,
    ...(pages !== undefined && { max_pages: parseCount('--max-pages', pages) }),
  });
}
