import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { parseLightJson } from '../../core/text/json-weight.ts';
import { asObject, readTextValue } from '../http/response-values.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { EmbeddingError, toUnitLength, type Embedder, type PassageToEmbed, type Vector } from './embedder.ts';
import { stripFingerprint } from './embedding-config.ts';
import { splitIntoWindows } from './windows.ts';

export interface EndpointEmbedderOptions {
  baseUrl: string;
  apiKey: string | undefined;
  /** Name of the embedding model that is sent to the endpoint. */
  name: string;
  /** Suffix of the stored model name, which identifies the settings (`embedding-config.ts`). */
  fingerprint: string;
  /** Number of dimensions that the vectors should have; undefined for the model's default. */
  dimensions: number | undefined;
  batchSize: number;
  windowTokens: number;
  passagePrefix: string;
  questionPrefix: string;
  timeoutMs: number;
  client: OutboundClient;
  /** Function that estimates the number of tokens in a text, close enough for any model. */
  count: (text: string) => number;
}

/** Maximum size in bytes of one vector's JSON, which may have thousands of numbers. */
const MAX_VECTOR_BYTES = 256 * 1024;
/**
 * Maximum numbers of JSON values in one vector, and in the remainder of a response. Together with the limits
 * of keys and levels, these limits bound the parsing time.
 */
const MAX_VECTOR_VALUES = 20_000;
const MAX_FRAME_VALUES = 2000;
const MAX_KEYS = 2000;
const MAX_LEVELS = 64;
/** Maximum JSON size in bytes of the endpoint's response without its vectors. */
const MAX_FRAME_BYTES = 64 * 1024;
/**
 * Maximum number of questions sent to the embedding endpoint at once. One payer can use at most half of this
 * number.
 */
const MAX_CONCURRENT = 32;
const SHOWN_CHARACTERS = 200;
/** Matches the name of an embedding model with a number of dimensions: `text-embedding-3-small@512`. */
const NAME_WITH_DIMENSIONS = /^(.+)@(\d+)$/;

/** Embedder that calls an OpenAI-compatible `/embeddings` endpoint. */
export class EndpointEmbedder implements Embedder {
  readonly model: string;
  readonly batchSize: number;
  readonly maxConcurrent = MAX_CONCURRENT;
  readonly #options: EndpointEmbedderOptions;

  constructor(options: EndpointEmbedderOptions) {
    const { name, fingerprint: nameSuffix, dimensions, batchSize } = options;
    this.model = (dimensions === undefined ? name : `${name}@${dimensions}`) + nameSuffix;
    this.batchSize = batchSize;
    this.#options = options;
  }

  async embedPassages(passages: readonly PassageToEmbed[], signal: AbortSignal): Promise<Vector[][]> {
    const { windowTokens, count, passagePrefix, batchSize } = this.#options;
    const windows = passages.map((passage) => splitIntoWindows(passage, { maxTokens: windowTokens, count }));
    const texts = windows.flat().map((window) => passagePrefix + window);
    const vectors: Vector[] = [];
    for (let at = 0; at < texts.length; at += batchSize)
      vectors.push(...(await this.#embed(texts.slice(at, at + batchSize), signal)));
    return windows.map(({ length }) => vectors.splice(0, length));
  }

  async embedQuestion(question: string, signal: AbortSignal): Promise<Vector> {
    const [vector] = await this.#embed([this.#options.questionPrefix + question], signal);
    return vector!;
  }

  forModel(model: string): Embedder | undefined {
    if (model === this.model) return this;
    if (model.startsWith('local:')) return undefined;
    const unsigned = stripFingerprint(model);
    const [, name = unsigned, dimensions] = NAME_WITH_DIMENSIONS.exec(unsigned) ?? [];
    return new EndpointEmbedder({
      ...this.#options,
      name,
      fingerprint: model.slice(unsigned.length),
      dimensions: dimensions === undefined ? undefined : Number(dimensions),
    });
  }

  warm(): void {}

  async close(): Promise<void> {}

  async #embed(input: string[], signal: AbortSignal): Promise<Vector[]> {
    const { baseUrl, apiKey, name, dimensions, client, timeoutMs } = this.#options;
    const request = { model: name, input, encoding_format: 'float', ...(dimensions && { dimensions }) };
    const response = await client
      .request({
        url: `${baseUrl.replace(/\/$/, '')}/embeddings`,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(request),
        timeoutMs,
        maxBytes: MAX_FRAME_BYTES + input.length * MAX_VECTOR_BYTES,
        // Do not follow redirects, since the redirect's target would receive the API key.
        redirect: 'manual',
        signal,
      })
      .catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof OutboundError)) throw error;
        // The cause of a timeout or a closed connection is unclear: the batch may be too long, or a text may
        // have crashed the model.
        const isDown = error.isTransient && error.kind !== 'timeout' && error.kind !== 'connection_reset';
        throw new EmbeddingError(isDown ? 'unavailable' : 'unclear', error.message, { cause: error });
      });
    const { status, headers, body } = response;
    if (status !== 200) throw toEmbeddingError(status, headers, body);
    return this.#parseVectors(body, input.length);
  }

  #parseVectors(body: Buffer, expected: number): Vector[] {
    const data = parseEmbeddingItems(body, expected);
    if (data.length !== expected)
      throw new EmbeddingError(
        'unclear',
        `The endpoint returned ${data.length} vectors for ${expected} texts.`,
      );
    const ordered = data.map((item, position) => ({ position, ...item })).sort(compareByIndex);
    return ordered.map(({ embedding }) => this.#parseVector(embedding));
  }

  #parseVector(embedding: unknown): Vector {
    const hasOnlyNumbers =
      Array.isArray(embedding) && embedding.length > 0 && embedding.every((value) => Number.isFinite(value));
    if (!hasOnlyNumbers)
      throw new EmbeddingError('unfit', 'The endpoint returned a vector that is not a list of numbers.');
    const { dimensions } = this.#options;
    if (dimensions !== undefined && embedding.length !== dimensions)
      throw new EmbeddingError(
        'misconfigured',
        `The endpoint returned vectors of ${embedding.length} numbers instead of ${dimensions}. Set PARLEY_EMBEDDING_DIMENSIONS to the number that the model returns, or omit it.`,
      );
    return toUnitLength(embedding as number[]);
  }
}

interface EmbeddingItem {
  index?: unknown;
  embedding?: unknown;
}

function compareByIndex(
  a: EmbeddingItem & { position: number },
  b: EmbeddingItem & { position: number },
): number {
  const isNumbered = typeof a.index === 'number' && typeof b.index === 'number';
  return isNumbered ? Number(a.index) - Number(b.index) : a.position - b.position;
}

function parseEmbeddingItems(body: Buffer, expected: number): EmbeddingItem[] {
  const values = MAX_FRAME_VALUES + expected * MAX_VECTOR_VALUES;
  const answer = parseLightJson(body.toString(), { values, keys: MAX_KEYS, levels: MAX_LEVELS });
  const { data } = asObject(answer);
  if (Array.isArray(data)) return data.map(asObject);
  throw new EmbeddingError('unclear', 'The endpoint returned no list of vectors.');
}

function toEmbeddingError(status: number, headers: Record<string, string>, body: Buffer): EmbeddingError {
  const excerpt = cutText(readTextValue(body.toString('utf8')).replaceAll(/\s+/g, ' '), SHOWN_CHARACTERS);
  const message = `The endpoint responded with ${status}${excerpt ? `: ${excerpt}` : ''}`;
  if (status === 400 || status === 413 || status === 422) return new EmbeddingError('unfit', message);
  const waitMs = readRetryAfterMs(headers);
  if (status === 429 || status === 503 || (status >= 500 && waitMs !== undefined))
    return new EmbeddingError('unavailable', message, { retryAfterMs: waitMs });
  // The failure counts as unclear, since some servers return such a status for a text that is too long.
  if (status === 408 || status >= 500) return new EmbeddingError('unclear', message);
  return new EmbeddingError('misconfigured', message);
}

/**
 * Returns the delay in milliseconds that the endpoint requests before a retry. Prefers the header
 * `retry-after-ms`, which some providers send, to Retry-After.
 */
function readRetryAfterMs(headers: Record<string, string>): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? NaN);
  const waitMs = exact >= 0 ? exact : parseRetryAfter(headers['retry-after'], Date.now());
  return waitMs === undefined ? undefined : limitWaitMs(waitMs, MAX_REQUESTED_WAIT_MS);
}
