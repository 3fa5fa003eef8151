import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createEmbedder } from '../../adapters/embedding/create-embedder.ts';
import type { Embedder, PassageToEmbed, Vector } from '../../adapters/embedding/embedder.ts';
import { OutboundClient } from '../../adapters/http/outbound-client.ts';
import { loadSettings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { EmbeddingQueueRepository } from '../../repositories/knowledge/embedding-queue.repository.ts';
import { fetchModel, findDownloadableModel } from '../../scripts/embeddings/fetch-model.ts';
import { resolveModelsFolder } from '../../scripts/embeddings/fetched-model.ts';
import { EmbeddingRotation } from '../../services/knowledge/vectors/embedding-rotation.ts';
import { EmbeddingService } from '../../services/knowledge/vectors/embedding-service.ts';
import { countTextTokens } from '../../services/knowledge/ingestion/token-count.ts';

/** Downloads the embedding model that `BENCH_MODEL` names, or else the default model. */
const fetchNamedModel = () =>
  fetchModel(process.env, () => {}, findDownloadableModel(process.env['BENCH_MODEL']));

/**
 * Opens the embedding model that the settings name, or else one that `embeddings fetch` downloads.
 * @throws LaunchError if it cannot be downloaded
 */
export async function openEmbedder(): Promise<Embedder> {
  const environmentSettings = loadSettings(process.env);
  const isNamed =
    environmentSettings.embeddingBaseUrl !== undefined ||
    environmentSettings.embeddingModelPath !== undefined;
  const settings = isNamed
    ? environmentSettings
    : { ...environmentSettings, embeddingModelPath: await fetchNamedModel() };
  const client = OutboundClient.createTrusted({ userAgent: 'Parley bench' });
  const embedder = await createEmbedder({ settings, client, count: countTextTokens });
  if (!embedder) throw new Error('No model is set.');
  return new CachingEmbedder(embedder, settings.embeddingWindowTokens);
}

/** Computes the embedding vectors of all indexed passages, as the worker does. */
export async function indexVectors({ db }: Pick<OrgScope, 'db'>, embedder: Embedder): Promise<void> {
  await db.sql(
    'UPDATE documents d SET chunk_count = (SELECT count(*) FROM chunks c WHERE c.document_id = d.id) WHERE chunk_count = 0',
  );
  await db.sql(
    'UPDATE bots b SET indexed_chunk_count = (SELECT count(*) FROM chunks c WHERE c.bot_id = b.id)',
  );
  const service = new EmbeddingService({ embedder, queue: new EmbeddingQueueRepository() });
  const rotation = new EmbeddingRotation();
  const never = new AbortController().signal;
  for (;;) {
    const turns = await service.leaseNext(db, rotation);
    if (!turns) return;
    await service.embed(db, turns, never);
  }
}

/** Caches embedding vectors of passages on disk, since most of a run would compute the same vectors again. */
class CachingEmbedder implements Embedder {
  readonly model: string;
  readonly batchSize = 32;
  readonly maxConcurrent = 1;
  readonly #embedder: Embedder;
  readonly #file: string;
  readonly #known = new Map<string, Vector[]>();

  constructor(embedder: Embedder, windowTokens: number) {
    this.#embedder = embedder;
    this.model = embedder.model;
    const name = `${embedder.model.replaceAll(/[^\w@.-]/g, '_')}-${windowTokens}.jsonl`;
    this.#file = join(resolveModelsFolder(process.env), 'remembered', name);
    mkdirSync(dirname(this.#file), { recursive: true });
    const lines = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').split('\n').filter(Boolean) : [];
    for (const line of lines) {
      const [key, windows] = JSON.parse(line) as [string, string[]];
      this.#known.set(key, windows.map(vectorFromText));
    }
  }

  async embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]> {
    const keys = passages.map(({ context, text }) =>
      createHash('sha256').update(`${context}\n${text}`).digest('base64url'),
    );
    for (let at = 0; at < passages.length; at += 1) {
      const key = keys[at]!;
      if (this.#known.has(key)) continue;
      const [windows = []] = await this.#embedder.embedPassages([passages[at]!], signal);
      this.#known.set(key, windows);
      appendFileSync(this.#file, `${JSON.stringify([key, windows.map(vectorToText)])}\n`);
    }
    return keys.map((key) => this.#known.get(key) ?? []);
  }

  embedQuestion(question: string, signal: AbortSignal): Promise<Vector> {
    return this.#embedder.embedQuestion(question, signal);
  }

  forModel(model: string): Embedder | undefined {
    return model === this.model ? this : undefined;
  }

  warm(): void {
    this.#embedder.warm();
  }

  close(): Promise<void> {
    return this.#embedder.close();
  }
}

const vectorToText = (vector: Vector) =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');

function vectorFromText(text: string): Vector {
  const bytes = Buffer.from(text, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
