import type { Settings } from '../../core/settings/settings.ts';
import { parseLightJson } from '../../core/text/json-weight.ts';
import { asObject } from '../http/response-values.ts';
import type { OutboundClient } from '../http/outbound-client.ts';

export interface RerankerDeps {
  settings: Pick<Settings, 'rerankUrl' | 'rerankApiKey' | 'rerankModel' | 'rerankMs'>;
  /** HTTP client for the URL of the reranking service in the settings, which may be internal. */
  client: OutboundClient;
}

/**
 * Maximum size in bytes of a reranking service's response: enough for a hundred passages with their scores,
 * since some services return the passages.
 */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

/** JSON limits of a reranking service's response with a hundred results of about ten values each. */
const MAX_WEIGHT = { values: 20_000, keys: 2000, levels: 64 };

/**
 * A model that scores passages for a question, behind a `/rerank` endpoint like the endpoints of Cohere and
 * Jina.
 */
export class Reranker {
  readonly #deps: RerankerDeps;

  constructor(deps: RerankerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns the indexes of the passages, the most relevant to the question first.
   * @throws Error on a timeout or an invalid response
   */
  async rank(query: string, documents: readonly string[]): Promise<number[]> {
    const { settings, client } = this.#deps;
    const { rerankUrl: url = '', rerankApiKey: key, rerankModel: model, rerankMs: timeoutMs } = settings;
    const { status, body } = await client.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        query,
        documents,
        top_n: documents.length,
        return_documents: false,
        ...(model !== undefined && { model }),
      }),
      timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      // Do not follow redirects, since the redirect's target would receive the API key.
      redirect: 'manual',
    });
    if (status !== 200) throw new Error(`The re-ranker responded with status ${status}.`);
    return parseOrder(body, documents.length);
  }
}

interface RankedDocument {
  index?: unknown;
  relevance_score?: unknown;
}

/**
 * Parses the order of the passages in the service's response. Passages that the response omits come last, in
 * their original order.
 */
function parseOrder(body: Buffer, count: number): number[] {
  const { results } = asObject(parseLightJson(body.toString(), MAX_WEIGHT));
  if (!Array.isArray(results)) throw new Error('The re-ranker returned no list of results.');
  const ranked = (results as (RankedDocument | null)[]).map((result) => ({
    index: Number(result?.index),
    score: Number(result?.relevance_score),
  }));
  const isValid = ranked.every(
    ({ index, score }) => Number.isInteger(index) && index >= 0 && index < count && Number.isFinite(score),
  );
  if (!isValid) throw new Error('The re-ranker returned results without a passage or a score.');
  const order = ranked.sort((a, b) => b.score - a.score).map(({ index }) => index);
  return [...new Set([...order, ...Array.from({ length: count }, (_, index) => index)])];
}

/** Creates the client of the reranking service; undefined if the settings have no reranking URL. */
export function createReranker(deps: RerankerDeps): Reranker | undefined {
  return deps.settings.rerankUrl === undefined ? undefined : new Reranker(deps);
}
