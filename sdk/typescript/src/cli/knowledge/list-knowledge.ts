import { collect } from '../collect.ts';
import type { Context } from '../command.ts';
import { writeTable } from '../write-list.ts';

/**
 * Writes the documents of a bot. Documents of a synchronized folder have external ids, which end in the path
 * of the file.
 */
export async function listKnowledge(context: Context): Promise<void> {
  const { client, args, isJson } = context;
  const [botId = ''] = args;
  const documents = await collect(client.knowledge.list(botId, { page_size: 100 }));
  const withIds = isJson ? [] : await collect(client.knowledge.listExternal(botId, { page_size: 100 }));
  const externalIds = new Map(withIds.map(({ id, external_id: externalId }) => [id, externalId]));
  writeTable(context, documents, 'documents', ({ id, status, title }) => [
    id,
    status,
    title,
    externalIds.get(id) ?? '',
  ]);
}
