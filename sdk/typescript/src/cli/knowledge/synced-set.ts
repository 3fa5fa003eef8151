import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { ExternalDocumentRead } from '../../generated/models.ts';
import { collect } from '../collect.ts';
import { Unsuccessful, UsageError, type Context } from '../command.ts';
import { explain } from '../files.ts';
import { oneLine } from '../safe-text.ts';

/** Length of a digest that tells folders with the same name apart. */
const DIGEST_LENGTH = 8;

/** The documents that follow one folder. */
export interface SyncedSet {
  /** Beginning of their external ids. */
  prefix: string;
  documents: readonly ExternalDocumentRead[];
}

/**
 * Finds the documents that earlier runs have added for a folder. Without a name, the path of the folder tells it
 * apart from others with the same name.
 * @throws Unsuccessful if another folder with the same name is synced, and this one was never
 */
export async function findSyncedSet(
  context: Context,
  folder: string,
  name: string | undefined,
): Promise<SyncedSet> {
  if (name !== undefined) {
    if (name === '' || name.includes('/')) throw new UsageError('--name must be a word without a slash.');
    return listSet(context, `sync/${name}/`);
  }
  const path = explain(folder, 'read', () => realpathSync(folder));
  const digest = createHash('sha256').update(path).digest('hex').slice(0, DIGEST_LENGTH);
  const start = `${composeName(basename(path))}@`;
  const set = await listSet(context, `sync/${start}${digest}/`);
  if (set.documents.length > 0) return set;
  const { documents: others } = await listSet(context, `sync/${start}`);
  const [, known] = /^sync\/([^/]+)\//.exec(others[0]?.external_id ?? '') ?? [];
  if (known === undefined) return set;
  throw new Unsuccessful(
    oneLine(
      `Documents of another folder with this name follow it as ${known}. If it is the same folder, add --name ${known}; if not, choose another --name.`,
    ),
  );
}

/** Composes the letters of a file name, which some systems decompose, so that its id is the same on all. */
export function composeName(name: string): string {
  // oxlint-disable-next-line no-restricted-properties -- names of files are short
  return name.normalize('NFC');
}

/** Lists files only: another document with such an id was added by hand. */
async function listSet({ client, args }: Context, prefix: string): Promise<SyncedSet> {
  const documents = await collect(client.knowledge.listExternal(args[0] ?? '', { prefix, page_size: 100 }));
  return {
    prefix,
    documents: documents.filter(
      ({ source_type: type, external_id: id }) => type === 'file' && id.startsWith(prefix),
    ),
  };
}
