import { basename } from 'node:path';
import { NotFoundError } from '../../errors.ts';
import type { PutDocumentRead } from '../../generated/models.ts';
import { Unsuccessful, UsageError, type Context } from '../command.ts';
import { readBytes } from '../files.ts';
import { oneLine } from '../safe-text.ts';
import { isFolder, listFiles, type FolderFile } from './list-files.ts';
import { sendEach } from './send-each.ts';
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
 * Makes the documents of a bot follow a folder. Only touches files that earlier runs have added for it.
 * @throws Unsuccessful if all documents would be removed without `--force`, if a file was refused, or if one could
 *   not be indexed
 */
export async function syncKnowledge(context: Context): Promise<void> {
  const { client, args, values, isJson, json, out } = context;
  const [botId = '', folder = ''] = args;
  const { name, force, wait } = values as Values;
  const files = listByName(folder);
  const { prefix, documents } = await findSyncedSet(context, folder, name);
  const toName = ({ external_id: id }: { external_id: string | null }) => (id ?? '').slice(prefix.length);
  const gone = documents.filter((document) => !files.has(toName(document)));
  if (force !== true && documents.length > 0 && gone.length === documents.length)
    throw new Unsuccessful(describeRemoval(folder, gone.length));
  const report = new SyncReport(context);
  const changed: PutDocumentRead[] = [];
  try {
    report.refusals = await sendEach(context, [...files.values()], async (file) => {
      const put = await putFile(context, prefix, file);
      report.add(put.outcome, file.name);
      if (put.outcome !== 'unchanged' || put.status !== 'indexed') changed.push(put);
    });
    for (const document of gone) {
      await client.knowledge.deleteExternal(botId, document.external_id).catch(ignoreMissing);
      report.add('removed', toName(document));
    }
    if (wait === true && changed.length > 0) {
      const names = new Map(changed.map((document) => [document.id, toName(document)]));
      const indexed = await waitForDocuments(context, botId, changed, names);
      report.failed = indexed
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => names.get(id) ?? id);
    }
  } finally {
    if (isJson) json(report.toJson());
  }
  if (!isJson) out(`${report.summarize()}\n`);
  if (!report.isDone) throw new Unsuccessful();
}

/**
 * Lists the files of a folder by their names, whose letters are composed.
 * @throws UsageError if there is no such folder, or if two files have the same name
 */
function listByName(folder: string): Map<string, FolderFile> {
  if (!isFolder(folder, 'list'))
    throw new UsageError(`${folder} is a file, not a folder. Add it with parley knowledge add.`);
  const files = new Map<string, FolderFile>();
  for (const file of listFiles(folder)) {
    const name = composeName(file.name);
    if (files.has(name)) throw new UsageError(`Two files of ${folder} have the name ${name}.`);
    files.set(name, { ...file, name });
  }
  return files;
}

function putFile(
  { client, args, values }: Context,
  prefix: string,
  { path, name }: FolderFile,
): Promise<PutDocumentRead> {
  const { encoding } = values as Values;
  const file = { name: basename(path), content: readBytes(path) };
  return client.knowledge.putFile(args[0] ?? '', file, {
    external_id: `${prefix}${name}`,
    ...(encoding !== undefined && { encoding }),
  });
}

function describeRemoval(folder: string, count: number): string {
  const documents = count === 1 ? 'the only document' : `all ${count} documents`;
  return oneLine(
    `None of the synced files is in ${folder} any more: this would remove ${documents}. Add --force to remove.`,
  );
}

/** Another run may have removed the document at the same time. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}
