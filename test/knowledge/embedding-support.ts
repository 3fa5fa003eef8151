import { Document } from '../../entities/knowledge/document.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { inTransaction } from '../../database/org-scope.ts';
import { ChunkIndex } from '../../services/knowledge/ingestion/chunk-index.ts';
import { EmbeddingRotation } from '../../services/knowledge/vectors/embedding-rotation.ts';
import { newId } from '../../core/ids.ts';
import {
  startModelServer,
  embedWords,
  type EmbeddingRequestBody,
  type ModelScript,
  type ModelServer,
} from '../support/model-server.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';

export type Embed = (body: EmbeddingRequestBody) => number[][] | ModelScript;

export const refusal = (status: number, headers = {}): ModelScript => ({
  raw: { status, contentType: 'application/json', body: '{"error":{}}', headers },
});

interface EmbeddingScene {
  parley: TestParley;
  model: ModelServer;
  /** Function that returns the embedding model’s response, reset to word vectors before each test. */
  embed: Embed;
}

/** Starts a Parley without a worker, and a fake embedding model, around the tests of a `describe`. */
export function useEmbedding() {
  const scene = { embed: embedWords as Embed } as EmbeddingScene;
  const never = new AbortController().signal;
  before(async () => {
    scene.model = await startModelServer({ embed: (body) => scene.embed(body) });
    scene.parley = await startParley({
      PARLEY_EMBEDDING_BASE_URL: scene.model.baseUrl,
      PARLEY_EMBEDDING_MODEL: 'words',
      embeddingBatch: 4,
      PARLEY_EMBEDDING_RELEVANCE: '0.6',
      PARLEY_EMBEDDING_STRICT_RELEVANCE: '0.9',
      embeddingQuestionMs: 10000,
    });
  });
  beforeEach(async () => {
    scene.embed = embedWords;
    scene.model.requests.length = 0;
    await scene.parley.database.sql('UPDATE documents SET chunk_count = 0');
  });
  after(async () => {
    await scene.parley.stop();
    await scene.model.close();
  });

  const getEmbedding = () => scene.parley.runtime.services.knowledge.embedding!;

  async function buildBot(org?: TestOrg) {
    const owner = org ?? (await scene.parley.buildOrg());
    const { body } = await owner.client.post('/api/bots', { name: 'Guide' });
    return { ...owner, botId: body.id as string };
  }

  /** Builds a workspace below `parent`, for which the same workspace pays. */
  async function buildChild({ orgId }: TestOrg): Promise<TestOrg> {
    const id = newId();
    const row = { id, payerId: orgId, parentOrgId: orgId, name: 'Branch', slug: `branch-${id}` };
    await scene.parley.database.repository(Org).insert(row);
    return scene.parley.buildOrg({ orgId: id });
  }

  /** Builds an indexed document with one chunk for each text. */
  async function addDocument({ orgId, botId }: { orgId: string; botId: string }, ...texts: string[]) {
    const documentId = newId();
    const scope = { orgId, db: scene.parley.database };
    await inTransaction(scope, async (inside) => {
      await inside.db.repository(Document).insert({
        id: documentId,
        orgId,
        botId,
        sourceType: 'raw_text',
        status: 'indexed',
        title: 'Guide',
        chunkCount: texts.length,
      });
      await replaceChunks(inside, { botId, documentId }, texts);
    });
    return documentId;
  }

  async function replaceChunks(
    scope: Parameters<ChunkIndex['replaceChunks']>[0],
    document: { botId: string; documentId: string },
    texts: string[],
  ) {
    const chunks = texts.map((text, position) => ({
      position,
      headings: [],
      text,
      tokenCount: 8,
      searchText: text,
    }));
    await new ChunkIndex().replaceChunks(scope, { ...document, title: 'Guide' }, [chunks], 'english');
  }

  /**
   * Computes embedding vectors until no chunks wait. Returns the workspaces in the order in which their
   * chunks were embedded.
   */
  async function embedAll(embedding = getEmbedding()): Promise<string[]> {
    const orgIds: string[] = [];
    const rotation = new EmbeddingRotation();
    for (;;) {
      const turns = await embedding.leaseNext(scene.parley.database, rotation);
      if (!turns) return orgIds;
      orgIds.push(turns.orgId);
      try {
        await embedding.embed(scene.parley.database, turns, never);
      } catch (error) {
        await embedding.release(scene.parley.database, turns);
        throw error;
      }
    }
  }

  const readModel = async (id: string) =>
    (await scene.parley.database.repository(Document).findOneByOrFail({ id })).embeddingModel;

  return Object.assign(scene, {
    service: getEmbedding,
    buildBot,
    buildChild,
    addDocument,
    replace: replaceChunks,
    embedAll,
    readModel,
  });
}
