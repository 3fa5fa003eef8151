import { Type } from '@sinclair/typebox';
import {
  setting,
  optional,
  text,
  textWithDefault,
  count,
  type SettingDefinition,
} from './setting-definition.ts';

/** Value that disables the model that `npm start` would find. */
export const NO_MODEL = 'none';

export const embeddingSettings = {
  embeddingBaseUrl: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_BASE_URL',
    Type.String({
      pattern: '^https?://',
      description:
        'OpenAI-compatible endpoint that embeds passages and questions, e.g. `https://api.openai.com/v1`. Without it, and without PARLEY_EMBEDDING_MODEL_PATH, passages are found by their words alone.',
    }),
  ),
  embeddingApiKey: optional('Embeddings', 'PARLEY_EMBEDDING_API_KEY', text('Key for that endpoint.'), true),
  embeddingModel: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_MODEL',
    textWithDefault(
      'text-embedding-3-small',
      'Embedding model at that endpoint. Changing it re-embeds all passages, while the current vectors stay in use.',
    ),
  ),
  embeddingDimensions: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_DIMENSIONS',
    Type.Integer({
      minimum: 8,
      maximum: 4000,
      description:
        'Number of dimensions to request, if the model supports several. Default: the model’s own.',
    }),
  ),
  embeddingModelPath: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_MODEL_PATH',
    text(
      'Local model to use instead of an endpoint: an ONNX file with its tokenizer.json next to it. `npm run parley -- embeddings fetch` gets one, which `npm start` then uses by itself, unless this is `none`.',
    ),
  ),
  embeddingWindowTokens: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_WINDOW_TOKENS',
    count(
      256,
      32,
      8192,
      'The longest text, in tokens, that is made one vector of; a longer passage has several, and its best one counts. No more than the model reads.',
    ),
  ),
  embeddingPassagePrefix: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_PASSAGE_PREFIX',
    text('Prefix that the model expects before each passage, e.g. `search_document: `; see its description.'),
  ),
  embeddingQuestionPrefix: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_QUESTION_PREFIX',
    text('Prefix that the model expects before each question, e.g. `search_query: `.'),
  ),
  embeddingLanguages: optional(
    'Embeddings',
    'PARLEY_EMBEDDING_LANGUAGES',
    Type.String({
      pattern: '^[a-z]{2}(,[a-z]{2})*$',
      description:
        'Languages that the model reads, where it does not read all: `en`, or `en,de`. For a question in another one, words count for more than vectors. The model that `embeddings fetch` gets is known to be English.',
    }),
  ),
  embeddingRelevance: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_RELEVANCE',
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.3,
      description:
        'How near to a question a passage is that is about it, as the cosine of their vectors; below it, a passage is found by its words alone. Each model has its own: the default suits the one that `embeddings fetch` gets.',
    }),
  ),
  embeddingStrictRelevance: setting(
    'Embeddings',
    'PARLEY_EMBEDDING_STRICT_RELEVANCE',
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.55,
      description:
        'The same for a bot that must not guess: where no passage has the words, one has to be so near for a question to be answered.',
    }),
  ),
  rerankUrl: optional(
    'Embeddings',
    'PARLEY_RERANK_URL',
    Type.String({
      pattern: '^https?://',
      description:
        'Endpoint of a model that puts the passages found in order, as Cohere and Jina have it, e.g. `https://api.jina.ai/v1/rerank`. Without it, or where it fails, they stay in the order of the search.',
    }),
  ),
  rerankApiKey: optional('Embeddings', 'PARLEY_RERANK_API_KEY', text('Key for that endpoint.'), true),
  rerankModel: optional('Embeddings', 'PARLEY_RERANK_MODEL', text('Model at that endpoint.')),
} satisfies Record<string, SettingDefinition>;
