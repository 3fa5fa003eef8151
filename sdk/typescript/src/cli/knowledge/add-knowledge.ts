import type { DocumentRead } from '../../generated/models.ts';
import { writeResult, Unsuccessful, type Context } from '../command.ts';
import { oneLine } from '../safe-text.ts';
import {
  addSource,
  checkSourceOptions,
  isManySources,
  listSources,
  type KnowledgeSource,
} from './knowledge-source.ts';
import { sendEach, sendOne } from './send-each.ts';
import { waitForDocuments, waitForIndexing } from './wait-for-indexing.ts';

export async function addKnowledge(context: Context): Promise<void> {
  const { args, values } = context;
  const [botId = '', ...names] = args;
  checkSourceOptions(context, names);
  const sources = listSources(names);
  if (names.length > 1 || isManySources(names[0] ?? '')) return addMany(context, sources);
  const added = await sendOne(sources[0]!, (source) => addSource(context, source));
  const document = values['wait'] === true ? await waitForIndexing(context, botId, added.id) : added;
  writeResult(context, document, () => oneLine(document.id));
}

/**
 * Adds several sources to a bot's knowledge, and writes each document immediately after adding it.
 * @throws Unsuccessful if a source was refused, or could not be indexed
 */
async function addMany(context: Context, sources: readonly KnowledgeSource[]): Promise<void> {
  const { args, values, isJson, json, out } = context;
  const names = new Map<string, string>();
  let added: DocumentRead[] = [];
  try {
    const refusals = await sendEach(context, sources, async (source) => {
      const document = await addSource(context, source);
      added.push(document);
      names.set(document.id, source.name);
      if (!isJson) out(`${oneLine(`${document.id}  ${source.name}`)}\n`);
    });
    if (values['wait'] === true) added = await waitForDocuments(context, args[0] ?? '', added, names);
    const isRefused = refusals.some(({ isLeftOut }) => !isLeftOut);
    if (isRefused || added.some(({ status }) => status === 'failed')) throw new Unsuccessful();
  } finally {
    if (isJson) json(added);
  }
}
