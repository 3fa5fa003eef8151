import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import type { Embedder } from './embedder.ts';
import { EndpointEmbedder } from './endpoint-embedder.ts';
import { LocalEmbedder } from './local-embedder.ts';
import { embeddingFingerprint } from './embedding-config.ts';

export type EmbedderSettings = Pick<
  Settings,
  | 'embeddingBaseUrl'
  | 'embeddingApiKey'
  | 'embeddingModel'
  | 'embeddingDimensions'
  | 'embeddingBatch'
  | 'embeddingModelPath'
  | 'embeddingWindowTokens'
  | 'embeddingPassagePrefix'
  | 'embeddingQuestionPrefix'
  | 'embeddingTimeoutMs'
>;

export interface EmbedderDeps {
  settings: EmbedderSettings;
  /** Client for the URL that the operator configured, which may be internal. */
  client: OutboundClient;
  /** Counts tokens, close enough to any model's own count. */
  count: (text: string) => number;
}

/** Lowers the priority of an embedding thread below that of threads that serve requests. */
const NICENESS = 10;
const DIGEST_DIGITS = 8;

/**
 * Creates the configured embedder; undefined if none is configured.
 * @throws SettingsError if a file is missing
 */
export async function createEmbedder(deps: EmbedderDeps): Promise<Embedder | undefined> {
  const { settings, client, count } = deps;
  const shared = {
    windowTokens: settings.embeddingWindowTokens,
    passagePrefix: settings.embeddingPassagePrefix ?? '',
    questionPrefix: settings.embeddingQuestionPrefix ?? '',
    timeoutMs: settings.embeddingTimeoutMs,
  };
  const sign = embeddingFingerprint(settings);
  const { embeddingModelPath } = settings;
  if (embeddingModelPath !== undefined && embeddingModelPath !== NO_MODEL) {
    const path = resolve(embeddingModelPath);
    return new LocalEmbedder({
      ...shared,
      path,
      niceness: NICENESS,
      model: (await nameLocalModel(path)) + sign,
    });
  }
  if (settings.embeddingBaseUrl === undefined) return undefined;
  return new EndpointEmbedder({
    ...shared,
    baseUrl: settings.embeddingBaseUrl,
    apiKey: settings.embeddingApiKey,
    name: settings.embeddingModel,
    fingerprint: sign,
    dimensions: settings.embeddingDimensions,
    batchSize: settings.embeddingBatch,
    client,
    count,
  });
}

/** Names a local model by a digest of its file: the same on every machine, and another for a replaced file. */
async function nameLocalModel(path: string): Promise<string> {
  for (const file of [path, join(dirname(path), 'tokenizer.json')]) {
    if (!existsSync(file))
      throw new SettingsError([
        `PARLEY_EMBEDDING_MODEL_PATH needs ${file}, which is not there. \`npm run parley -- embeddings fetch\` gets a model with its tokenizer.`,
      ]);
  }
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `local:${basename(dirname(path))}@${digest.digest('hex').slice(0, DIGEST_DIGITS)}`;
}
