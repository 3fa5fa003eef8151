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
import { signOf } from './making.ts';

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
  /** Reaches the address that the operator configured, wherever it is. */
  client: OutboundClient;
  /** Tokens of a text, near enough to those of any model. */
  count: (text: string) => number;
}

/** A thread that embeds stands back behind those that answer. */
const NICENESS = 10;
const DIGITS_OF_DIGEST = 8;

/**
 * What the settings say vectors are made by; undefined where they name nothing.
 * @throws SettingsError where a file is missing
 */
export async function createEmbedder(deps: EmbedderDeps): Promise<Embedder | undefined> {
  const { settings, client, count } = deps;
  const shared = {
    windowTokens: settings.embeddingWindowTokens,
    passagePrefix: settings.embeddingPassagePrefix ?? '',
    questionPrefix: settings.embeddingQuestionPrefix ?? '',
    timeoutMs: settings.embeddingTimeoutMs,
  };
  const sign = signOf(settings);
  const { embeddingModelPath } = settings;
  if (embeddingModelPath !== undefined && embeddingModelPath !== NO_MODEL) {
    const path = resolve(embeddingModelPath);
    return new LocalEmbedder({
      ...shared,
      path,
      niceness: NICENESS,
      model: (await nameOfLocal(path)) + sign,
    });
  }
  if (settings.embeddingBaseUrl === undefined) return undefined;
  return new EndpointEmbedder({
    ...shared,
    baseUrl: settings.embeddingBaseUrl,
    apiKey: settings.embeddingApiKey,
    name: settings.embeddingModel,
    sign,
    dimensions: settings.embeddingDimensions,
    batchSize: settings.embeddingBatch,
    client,
    count,
  });
}

/** The same file has the same name on every machine, and another file in its place has another one. */
async function nameOfLocal(path: string): Promise<string> {
  for (const file of [path, join(dirname(path), 'tokenizer.json')]) {
    if (!existsSync(file))
      throw new SettingsError([
        `PARLEY_EMBEDDING_MODEL_PATH needs ${file}, which is not there. \`npm run parley -- embeddings fetch\` gets a model with its tokenizer.`,
      ]);
  }
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest);
  return `local:${basename(dirname(path))}@${digest.digest('hex').slice(0, DIGITS_OF_DIGEST)}`;
}
