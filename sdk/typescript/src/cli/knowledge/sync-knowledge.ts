import { basename, resolve } from 'node:path';
import { NotFoundError } from '../../errors.ts';
import type { ExternalDocumentRead, PutDocumentRead } from '../../generated/models.ts';
import { collect } from '../collect.ts';
import { Unsuccessful, UsageError, type Context } from '../command.ts';
import { readBytes } from '../files.ts';
import { oneLine } from '../safe-text.ts';
import { isFolder, listFiles, type FolderFile } from './list-files.ts';
import { sendEach } from './send-each.ts';
import { SyncReport } from './sync-report.ts';
import { waitForDocuments } from './wait-for-indexing.ts';

interface Values {
  name?: string;
  encoding?: string;
  force?: boolean;
  wait?: boolean;
}

/**
 * Makes the documents of a bot follow a folder. Only touches files that an earlier run with the same name has added:
 * their external ids begin with `sync/<name>/`.
 * @throws Unsuccessful if all documents would be removed without `--force`, if a file was refused, or if one could
 *   not be indexed
 */
export async function syncKnowledge(context: Context): Promise<void> {
  const { client, args, values, isJson, json } = context;
  const [botId = '', folder = ''] = args;
  const { force, wait } = values as Values;
  const prefix = `sync/${readName(values as Values, folder)}/`;
  const files = listById(folder, prefix);
  const known = await listKnown(context, botId, prefix);
  const gone = known.filter(({ external_id: id }) => !files.has(id));
  if (force !== true && known.length > 0 && gone.length === known.length)
    throw new Unsuccessful(describeRemoval(folder, prefix, gone.length));
  const report = new SyncReport(context);
  const changed: PutDocumentRead[] = [];
  try {
    const items = [...files].map(([id, file]) => ({ ...file, id }));
    report.refusals = await sendEach(context, items, async ({ id, path, name }) => {
      const put = await putFile(context, id, path);
      report.add(put.outcome, name);
      if (put.outcome !== 'unchanged' || put.status !== 'indexed') changed.push(put);
    });
    for (const { external_id: id } of gone) {
      await client.knowledge.deleteExternal(botId, id).catch(ignoreMissing);
      report.add('removed', id.slice(prefix.length));
    }
    if (wait === true) {
      const names = new Map(
        changed.map(({ id, external_id: externalId }) => [id, (externalId ?? '').slice(prefix.length)]),
      );
      const documents = await waitForDocuments(context, botId, changed, names);
      report.failed = documents
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => names.get(id) ?? id);
    }
  } finally {
    if (isJson) json(report.toJson());
  }
  if (!isJson) context.out(`${report.summarize()}\n`);
  if (!report.isDone) throw new Unsuccessful();
}

/** @throws UsageError for a name that could contain the documents of another name */
function readName({ name }: Values, folder: string): string {
  const chosen = name ?? composeName(basename(resolve(folder)));
  if (chosen === '' || chosen.includes('/'))
    throw new UsageError('Name the documents of the folder with --name, without a slash.');
  return chosen;
}

/** @throws UsageError if there is no such folder, or if two files have the same id */
function listById(folder: string, prefix: string): Map<string, FolderFile> {
  if (!isFolder(folder))
    throw new UsageError(`${folder} is a file, and not a folder: add it with parley knowledge add.`);
  const files = new Map<string, FolderFile>();
  for (const file of listFiles(folder)) {
    const id = `${prefix}${composeName(file.name)}`;
    if (files.has(id)) throw new UsageError(`Two files of ${folder} have the name ${file.name}.`);
    files.set(id, file);
  }
  return files;
}

/** Composes the letters of a file name, which some systems decompose, so that its id is the same on all. */
function composeName(name: string): string {
  // oxlint-disable-next-line no-restricted-properties -- names of files are short
  return name.normalize('NFC');
}

/** Lists what earlier runs have added. A document with such an id that is no file was added by hand. */
async function listKnown(
  { client }: Context,
  botId: string,
  prefix: string,
): Promise<ExternalDocumentRead[]> {
  const documents = await collect(client.knowledge.listExternal(botId, { prefix, page_size: 100 }));
  return documents.filter(
    ({ source_type: type, external_id: id }) => type === 'file' && id.startsWith(prefix),
  );
}

function putFile({ client, args, values }: Context, id: string, path: string): Promise<PutDocumentRead> {
  const { encoding } = values as Values;
  const file = { name: basename(path), content: readBytes(path) };
  return client.knowledge.putFile(args[0] ?? '', file, {
    external_id: id,
    ...(encoding !== undefined && { encoding }),
  });
}

function describeRemoval(folder: string, prefix: string, count: number): string {
  const documents = count === 1 ? 'the only document' : `all ${count} documents`;
  return oneLine(
    `${folder} has none of the files of ${prefix}: this would remove ${documents}. To remove, add --force. For another folder, choose another --name.`,
  );
}

/** Another run may have removed the document at the same time. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof NotFoundError)) throw error;
}
