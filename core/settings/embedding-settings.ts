import { Type } from '@sinclair/typebox';
import {
  setting,
  optional,
  nonEmptyText,
  textWithDefault,
  integerWithin,
  type SettingDefinition,
} from './setting-definition.ts';

/**
 * Value of the embedding model's setting that turns embeddings off, even if `npm start` finds a local
 * embedding model.
 */
export const NO_MODEL = 'none';

export const embeddingSettings = {
  embeddingBaseUrl: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_BASE_URL',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as https://api.openai.com/v1',
      description:
        'OpenAI-compatible endpoint for embeddings, e.g. `https://api.openai.com/v1`. If neither this nor `PARLEY_EMBEDDING_MODEL_PATH` is set, search uses words only.',
    }),
  ),
  embeddingApiKey: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_API_KEY',
    nonEmptyText('Key for `PARLEY_EMBEDDING_BASE_URL`.'),
    true,
  ),
  embeddingModel: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_MODEL',
    textWithDefault(
      'text-embedding-3-small',
      'Model at `PARLEY_EMBEDDING_BASE_URL`. A change re-embeds all passages; the current vectors stay in use until then.',
    ),
  ),
  embeddingDimensions: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_DIMENSIONS',
    Type.Integer({
      minimum: 8,
      maximum: 4000,
      description: 'Dimensions to request, if the model supports several.',
    }),
  ),
  embeddingModelPath: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_MODEL_PATH',
    nonEmptyText(
      'Local model instead of an endpoint: an ONNX file next to its tokenizer.json. By default, `npm start` uses the model that `npm run parley -- embeddings fetch` downloaded; `none` disables this.',
    ),
  ),
  embeddingWindowTokens: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_WINDOW_TOKENS',
    integerWithin(
      256,
      32,
      8192,
      'Tokens per vector; must not exceed the model’s maximum input. A longer passage gets several vectors; the best match counts.',
    ),
  ),
  embeddingPassagePrefix: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_PASSAGE_PREFIX',
    nonEmptyText('Prefix that the model expects before passages, e.g. `search_document: `.'),
  ),
  embeddingQuestionPrefix: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_QUESTION_PREFIX',
    nonEmptyText('Prefix before questions, e.g. `search_query: `.'),
  ),
  embeddingLanguages: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_LANGUAGES',
    Type.String({
      pattern: '^[a-z]{2}(,[a-z]{2})*$',
      form: 'a comma-separated list of languages, such as en,de',
      description:
        'Languages that the model supports, if not all: `en,de`. In other languages, words count more than vectors. Default: the known languages for models that `npm run parley -- embeddings list` lists, and all languages for other models.',
    }),
  ),
  embeddingRelevance: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_RELEVANCE',
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Minimum cosine similarity between question and passage. Below this value, a passage is found only by matching words. If unset, Parley computes a minimum from the model and the passages of each bot.',
    }),
  ),
  embeddingStrictRelevance: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_STRICT_RELEVANCE',
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Minimum cosine similarity at which a bot with `strict_kb_mode` answers although no words match. Needs `PARLEY_EMBEDDING_RELEVANCE`.',
    }),
  ),
  rerankUrl: optional(
    'Embeddings',
    'PARLEY_RERANK_URL',
    Type.String({
      pattern: '^https?://',
      form: 'a URL with http:// or https://, such as https://api.jina.ai/v1/rerank',
      description:
        'Reranking endpoint compatible with Cohere and Jina, e.g. `https://api.jina.ai/v1/rerank`. If this is not set, or if reranking fails, results keep the order of the search.',
    }),
  ),
  rerankApiKey: optional(
    'Embeddings',
    'PARLEY_RERANK_API_KEY',
    nonEmptyText('Key for `PARLEY_RERANK_URL`.'),
    true,
  ),
  rerankModel: optional('Embeddings', 'PARLEY_RERANK_MODEL', nonEmptyText('Model at `PARLEY_RERANK_URL`.')),
} satisfies Record<string, SettingDefinition>;
