import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PutDocumentRead } from '../../api/knowledge/external-documents.schemas.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { ReceivedResponse } from '../support/api-client.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../support/knowledge.ts';
import type { SharedParley, TestOrg } from '../support/parley.ts';

/** Builds a bot in a new workspace, and functions that call the operations on documents by `external_id`. */
export async function buildExternalBase(parley: SharedParley) {
  const { path: knowledgePath, ...base } = await buildKnowledgeBase(parley);
  return { ...base, knowledgePath, ...buildExternalCalls(parley, base, base.botId) };
}

/** Returns functions that call the operations on a bot's documents by `external_id`, for one workspace. */
export function buildExternalCalls(parley: SharedParley, { client, orgId }: TestOrg, botId: string) {
  const path = `/api/ext/bots/${botId}/documents` as const;
  const folder = join(parley.runtime.settings.home, 'files', orgId, botId);
  const pathTo = (externalId: string) => `${path}/${encodeURIComponent(externalId)}` as const;
  return {
    path,
    put: (externalId: string, body: object) => client.put(pathTo(externalId), body),
    putText: (externalId: string, text: string, others: object = {}) =>
      client.put(pathTo(externalId), { source_type: 'raw_text', raw_text: text, ...others }),
    get: (externalId: string) => client.get(pathTo(externalId)),
    remove: (externalId: string) => client.delete(pathTo(externalId)),
    list: (query: Record<string, string> = {}) =>
      client.get(`${path}?${new URLSearchParams(query).toString()}`),
    /** Uploads a file with form fields. */
    putFile: async (name: string, content: Uint8Array | string, fields: Record<string, string> = {}) => {
      const { headers, body } = buildMultipartUpload(name, content, { after: fields });
      const response = await client.fetch(`${path}/upload`, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: new Uint8Array(body),
      });
      return new ReceivedResponse(response, (await response.json()) as PutDocumentRead);
    },
    readRow: (id: string) => parley.database.repository(Document).findOneByOrFail({ id }),
    countRows: () => parley.database.repository(Document).countBy({ botId }),
    setRow: (id: string, row: Partial<Document>) => parley.database.repository(Document).update(id, row),
    readOriginal: (storageKey: string) =>
      readFile(join(parley.runtime.settings.home, 'files', storageKey), 'utf8'),
    /** Counts the bot's files in storage. */
    countFiles: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isFile()).length;
    },
  };
}
