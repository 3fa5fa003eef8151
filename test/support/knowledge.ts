import { newId } from '../../core/ids.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import type { Database } from '../../database/database.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ChunkIndex } from '../../services/knowledge/ingestion/chunk-index.ts';
import type { Services } from '../../services/services.ts';
import { buildBot } from './build-bot.ts';
import type { TestOrg, SharedParley } from './parley.ts';

export interface CommandRow {
  name: string;
  payload: Record<string, unknown>;
}

/** Creates a bot in a new workspace; also returns the path of its documents. */
export async function buildKnowledgeBase(parley: SharedParley) {
  const { bot, ...org } = await buildBot(parley);
  return { ...org, botId: bot.id, path: `/api/bots/${bot.id}/knowledge` as const };
}

/** Returns the commands to Temporal that a workspace has stored in the outbox, oldest first. */
export function findCommands(database: Database, orgId: string): Promise<CommandRow[]> {
  return database.sql("SELECT name, payload FROM outbox WHERE org_id = $1 AND kind = 'command' ORDER BY id", [
    orgId,
  ]);
}

/** Inserts an indexed document with `chunkCount` chunks and updates its bot's count; returns its id. */
export async function buildDocument(
  database: Database,
  overrides: Partial<Document> & Pick<Document, 'orgId' | 'botId'>,
): Promise<string> {
  const id = newId();
  const { orgId, botId, chunkCount = 0 } = overrides;
  await database.repository(Document).insert({ id, sourceType: 'raw_text', status: 'indexed', ...overrides });
  for (let position = 0; position < chunkCount; position += 1) {
    await database.sql(
      `INSERT INTO chunks (id, org_id, bot_id, document_id, position, text, token_count, search_config, search)
       VALUES ($1, $2, $3, $4, $5, 'text', 1, 'simple', '')`,
      [newId(), orgId, botId, id, position],
    );
  }
  await database.repository(Bot).increment({ id: botId }, 'indexedChunkCount', chunkCount);
  return id;
}

/** Inserts an English document of one passage that searches find; returns its id. */
export async function buildPassage(
  database: Database,
  { orgId, botId }: Pick<Document, 'orgId' | 'botId'>,
  text: string,
): Promise<string> {
  const documentId = await buildDocument(database, { orgId, botId, title: 'Guide' });
  const chunk = { position: 0, headings: [], text, tokenCount: 8, searchText: text };
  await inTransaction({ orgId, db: database }, (scope) =>
    new ChunkIndex().replaceChunks(scope, { botId, documentId, title: 'Guide' }, [[chunk]], 'english'),
  );
  await database.repository(Bot).increment({ id: botId }, 'indexedChunkCount', 1);
  return documentId;
}

export interface MultipartBody {
  headers: { 'content-type': string };
  body: Buffer;
}

const BOUNDARY = 'parley-test-boundary';

/** Builds a multipart body of an upload by hand, so that names are sent exactly as given. */
export function buildMultipartUpload(
  filename: string,
  content: Uint8Array | string,
  fields: { type?: string; before?: Record<string, string>; after?: Record<string, string> } = {},
): MultipartBody {
  const { type = 'application/octet-stream', before = {}, after = {} } = fields;
  const part = (headers: string, value: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--${BOUNDARY}\r\n${headers}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]);
  const texts = (values: Record<string, string>) =>
    Object.entries(values).map(([name, value]) =>
      part(`Content-Disposition: form-data; name="${name}"`, value),
    );
  const disposition = `Content-Disposition: form-data; name="file"; filename="${filename}"`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body: Buffer.concat([
      ...texts(before),
      part(`${disposition}\r\nContent-Type: ${type}`, content),
      ...texts(after),
      Buffer.from(`--${BOUNDARY}--\r\n`),
    ]),
  };
}

type Intake = Services['knowledge']['documentIntake'];

/** Registers a document's source as the API does. */
export async function addDocument(
  intake: Intake,
  scope: OrgScope,
  botId: string,
  input: Parameters<Intake['receive']>[2],
): Promise<Document> {
  return intake.register(scope, await intake.receive(scope, botId, input));
}

/** Adds a short text to the bot's documents, for a worker to index; returns the document's id. */
export async function addText(
  { runtime, database: db }: Pick<SharedParley, 'runtime' | 'database'>,
  { orgId }: Pick<TestOrg, 'orgId'>,
  botId: string,
): Promise<string> {
  const text = { source_type: 'raw_text', raw_text: 'Bees make honey.' } as const;
  const { id } = await addDocument(runtime.services.knowledge.documentIntake, { orgId, db }, botId, text);
  return id;
}

/** Stores and registers a document's file as the API does. */
export async function addUpload(
  intake: Intake,
  scope: OrgScope,
  botId: string,
  upload: Parameters<Intake['receiveUpload']>[2],
): Promise<Document> {
  return intake.register(scope, await intake.receiveUpload(scope, botId, upload));
}
