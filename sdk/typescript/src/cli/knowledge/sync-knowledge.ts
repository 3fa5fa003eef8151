import { basename } from 'node:path';
import { NotFoundError } from '../../errors.ts';
import type { ExternalDocumentRead, PutDocumentRead } from '../../generated/models.ts';
import { Unsuccessful, UsageError, formatCount, type Context } from '../command.ts';
import { readBytes } from '../files.ts';
import { oneLine } from '../safe-text.ts';
import { createNoFileError } from './knowledge-source.ts';
import { isFolder, listFiles, type FolderFile } from './list-files.ts';
import { EmptyFile, sendEach } from './send-each.ts';
import { SyncReport } from './sync-report.ts';
import { composeName, findSyncedSet } from './synced-set.ts';
import { waitForDocuments } from './wait-for-indexing.ts';

interface Values {
  name?: string;
  encoding?: string;
  force?: boolean;
  wait?: boolean;
}

/**
 * Synchronizes the documents of a bot with a folder. Changes only documents that earlier runs have added for
 * the folder.
 * @throws UsageError if the folder has no files and no documents, without `--force`
 * @throws Unsuccessful if all documents would be removed without `--force`, if a file was refused, or could
 *   not be indexed
 */
export async function syncKnowledge(context: Context): Promise<void> {
  const { client, args, values, isJson, json, out } = context;
  const [botId = '', folder = ''] = args;
  const { name, force, wait } = values as Values;
  const files = listByName(folder);
  const { prefix, documents, renamed } = await findSyncedSet(context, folder, {
    name,
    files: new Set(files.keys()),
  });
  const isGone = (document: ExternalDocumentRead) => !files.has(toFileName(document));
  const known = [...documents, ...renamed];
  if (force !== true && files.size === 0 && known.length === 0) throw createNoFileError(folder);
  if (force !== true && known.length > 0 && known.every(isGone))
    throw new Unsuccessful(describeRemoval(folder, known.length));
  const deleteDocument = ({ external_id: id }: ExternalDocumentRead) =>
    client.knowledge.deleteExternal(botId, id).catch(ignoreMissing);
  const report = new SyncReport(context);
  const changed: PutDocumentRead[] = [];
  const present = new Set<string>();
  try {
    report.refusals = await sendEach(context, [...files.values()], async (file) => {
      const put = await putFile(context, prefix, file);
      report.add(put.outcome, file.name);
      present.add(file.name);
      if (put.outcome !== 'unchanged' || put.status !== 'indexed') changed.push(put);
    });
    for (const document of documents.filter(isGone)) {
      await deleteDocument(document);
      report.add('removed', toFileName(document));
    }
    if (wait === true && changed.length > 0) {
      const names = new Map(changed.map((document) => [document.id, toFileName(document)]));
      const indexed = await waitForDocuments(context, botId, changed, names);
      report.failed = indexed
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => names.get(id) ?? id);
    }
    for (const file of report.failed) present.delete(file);
    const replaced = renamed.filter((document) => isGone(document) || present.has(toFileName(document)));
    for (const document of replaced) await deleteDocument(document);
    if (replaced.length > 0) context.err(describeRename(name, replaced.length));
  } finally {
    if (isJson) json(report.toJson());
  }
  if (!isJson) out(`${report.summarize()}\n`);
  if (!report.isDone) throw new Unsuccessful();
}

/**
 * Lists the files of a folder by their names, in the Unicode form in which letters are composed.
 * @throws UsageError if the folder does not exist, or if two files have the same name
 */
function listByName(folder: string): Map<string, FolderFile> {
  if (!isFolder(folder, 'list'))
    throw new UsageError(`${folder} is a file, not a folder. Add it with parley knowledge add.`);
  const files = new Map<string, FolderFile>();
  for (const file of listFiles(folder)) {
    const name = composeName(file.name);
    if (files.has(name)) throw new UsageError(`Two files in ${folder} are named ${name}.`);
    files.set(name, { ...file, name });
  }
  return files;
}

/**
 * @throws EmptyFile for an empty file; its previous document stays, because another program may be writing
 *   the file at this moment
 */
async function putFile(
  { client, args, values }: Context,
  prefix: string,
  { path, name }: FolderFile,
): Promise<PutDocumentRead> {
  const { encoding } = values as Values;
  const content = readBytes(path);
  if (content.length === 0) throw new EmptyFile();
  const file = { name: basename(path), content };
  return client.knowledge.putFile(args[0] ?? '', file, {
    external_id: `${prefix}${name}`,
    ...(encoding !== undefined && { encoding }),
  });
}

/** Returns a file's path below the folder from a document's external id, without `sync/<set>/`. */
function toFileName({ external_id: id }: { external_id: string | null }): string {
  return (id ?? '').replace(/^sync\/[^/]+\//, '');
}

function describeRename(name: string | undefined, count: number): string {
  return `${oneLine(`The folder was synced without --name ${name}: ${formatCount(count, 'previous document')} removed.`)}\n`;
}

function describeRemoval(folder: string, count: number): string {
  const documents = count === 1 ? 'the only document' : `all ${count} documents`;
  return oneLine(
    `None of the synced files is in ${folder} anymore: this would remove ${documents}. To remove anyway, add --force.`,
  );
}

/** Ignores that a document does not exist: another run may have removed the document at the same time. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}
