import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ExternalDocumentRead } from '../../generated/models.ts';
import { collect } from '../collect.ts';
import { Unsuccessful, UsageError, type Context } from '../command.ts';
import { explain } from '../files.ts';
import { oneLine } from '../safe-text.ts';

/** Number of characters of the digest in a set's name that distinguishes folders with the same name. */
const DIGEST_LENGTH = 8;

/** Matches the name of a set of documents that was synchronized without the option `--name`. */
const UNNAMED = new RegExp(`@[0-9a-f]{${DIGEST_LENGTH}}$`);

/** The set of documents that is synchronized with one folder. */
export interface SyncedSet {
  /** Prefix of the external ids of the set's documents. */
  prefix: string;
  documents: readonly ExternalDocumentRead[];
  /** Documents that earlier runs added for the same folder without `--name`. The named documents replace them. */
  renamed: readonly ExternalDocumentRead[];
}

/**
 * Finds the documents that earlier runs have added for a folder. Without `--name`, a digest of the folder's path
 * distinguishes it from other folders with the same name.
 * @param files names of the files of the folder
 * @throws Unsuccessful if the folder has no documents, but documents of a folder with the same name, or of
 *   most of its files, exist
 */
export async function findSyncedSet(
  context: Context,
  folder: string,
  { name, files }: { name: string | undefined; files: ReadonlySet<string> },
): Promise<SyncedSet> {
  if (name === '' || name?.includes('/')) throw new UsageError('--name must be a word without a slash.');
  const path = explain(folder, 'read', () => realpathSync(folder));
  const digest = createHash('sha256').update(path).digest('hex').slice(0, DIGEST_LENGTH);
  const base = composeName(basename(path));
  const unnamed = `${base}@${digest}`;
  const prefix = `sync/${name ?? unnamed}/`;
  const documents = await listDocuments(context, prefix);
  if (name !== undefined && name !== unnamed)
    return { prefix, documents, renamed: await listDocuments(context, `sync/${unnamed}/`) };
  const set = { prefix, documents, renamed: [] };
  if (name !== undefined || documents.length > 0) return set;
  const synced = groupBySet(await listDocuments(context, 'sync/'));
  const known = [...synced.keys()].find((other) => other === base || other.startsWith(`${base}@`));
  if (known === undefined) {
    const named = findNamedSet(synced, files);
    if (named === undefined) return set;
    throw new Unsuccessful(
      oneLine(
        `Documents with the names of these files are synced with --name ${named}. If this is the same set of files, add --name ${named}. If not, add --name with a new word.`,
      ),
    );
  }
  throw new Unsuccessful(
    oneLine(
      `The set ${known} contains documents of a folder with this name, but with a different path. If this is the same set of files, add --name ${known}. If not, add --name with a new word.`,
    ),
  );
}

/** Groups the names of synchronized files by the set to which they belong. */
function groupBySet(documents: readonly ExternalDocumentRead[]): Map<string, Set<string>> {
  const sets = new Map<string, Set<string>>();
  for (const { external_id: id } of documents) {
    const [, set = '', ...rest] = id.split('/');
    sets.set(set, (sets.get(set) ?? new Set()).add(rest.join('/')));
  }
  return sets;
}

/**
 * Finds the set with a `--name` that has most of the folder's files. Sets of unnamed folders do not count,
 * because their names distinguish folders with equal files, such as translations.
 */
function findNamedSet(
  sets: ReadonlyMap<string, ReadonlySet<string>>,
  files: ReadonlySet<string>,
): string | undefined {
  const hasMost = (known: ReadonlySet<string>) =>
    files.size > 0 && [...files].filter((file) => known.has(file)).length * 2 > files.size;
  return [...sets].find(([name, known]) => !UNNAMED.test(name) && hasMost(known))?.[0];
}

/**
 * Composes the letters of a file name, which some systems decompose, so that the document's external id is
 * the same on all systems.
 */
export function composeName(name: string): string {
  // oxlint-disable-next-line no-restricted-properties -- names of files are short
  return name.normalize('NFC');
}

/**
 * Lists the documents that come from files. A document of another type with such an external id was not added
 * by `knowledge sync`.
 */
async function listDocuments({ client, args }: Context, prefix: string): Promise<ExternalDocumentRead[]> {
  const documents = await collect(client.knowledge.listExternal(args[0] ?? '', { prefix, page_size: 100 }));
  return documents.filter(
    ({ source_type: type, external_id: id }) => type === 'file' && id.startsWith(prefix),
  );
}
