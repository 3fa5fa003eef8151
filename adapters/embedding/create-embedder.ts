import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NO_MODEL } from '../../core/settings/embedding-settings.ts';
import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import type { Embedder } from './embedder.ts';
import { EndpointEmbedder } from './endpoint-embedder.ts';
import { findKnownModel } from './known-models.ts';
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
  /** HTTP client for the URL of the embedding endpoint in the settings, which may be internal. */
  client: OutboundClient;
  /** Function that estimates the number of tokens in a text, close enough for any model. */
  count: (text: string) => number;
}

/**
 * Nice value (priority) of the threads that compute embeddings: lower priority than threads that serve
 * requests.
 */
const NICENESS = 10;
const DIGEST_DIGITS = 8;

/**
 * Creates the embedder (client of an embedding model) that the settings configure. Returns undefined if they
 * configure no model.
 * @throws SettingsError if a model file is missing
 */
export async function createEmbedder(deps: EmbedderDeps): Promise<Embedder | undefined> {
  const { settings, client, count } = deps;
  const shared = {
    windowTokens: settings.embeddingWindowTokens,
    passagePrefix: settings.embeddingPassagePrefix ?? '',
    questionPrefix: settings.embeddingQuestionPrefix ?? '',
    timeoutMs: settings.embeddingTimeoutMs,
  };
  const fingerprint = embeddingFingerprint(settings);
  const { embeddingModelPath } = settings;
  if (embeddingModelPath !== undefined && embeddingModelPath !== NO_MODEL) {
    const path = resolve(embeddingModelPath);
    const model = (await nameLocalModel(path)) + fingerprint;
    const knownModel = findKnownModel(model);
    return new LocalEmbedder({
      ...shared,
      passagePrefix: settings.embeddingPassagePrefix ?? knownModel?.passagePrefix ?? '',
      questionPrefix: settings.embeddingQuestionPrefix ?? knownModel?.questionPrefix ?? '',
      questionMean: knownModel?.questionMean,
      path,
      niceness: NICENESS,
      model,
    });
  }
  if (settings.embeddingBaseUrl === undefined) return undefined;
  return new EndpointEmbedder({
    ...shared,
    baseUrl: settings.embeddingBaseUrl,
    apiKey: settings.embeddingApiKey,
    name: settings.embeddingModel,
    fingerprint,
    dimensions: settings.embeddingDimensions,
    batchSize: settings.embeddingBatch,
    client,
    count,
  });
}

/**
 * Returns a name for a local embedding model with a digest of its file. The name is the same on every
 * machine, and changes with the file.
 */
async function nameLocalModel(path: string): Promise<string> {
  for (const file of [path, join(dirname(path), 'tokenizer.json')]) {
    if (!existsSync(file))
      throw new SettingsError([
        `PARLEY_EMBEDDING_MODEL_PATH needs ${file}, which does not exist. \`npm run parley -- embeddings fetch\` downloads a model with its tokenizer.`,
      ]);
  }
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `local:${basename(dirname(path))}@${digest.digest('hex').slice(0, DIGEST_DIGITS)}`;
}
