interface ProviderEmbeddings {
  embeddingModel: string;
  embeddingPassagePrefix?: string;
  embeddingQuestionPrefix?: string;
  embeddingLanguages?: string;
}

type Optional<Names extends string> = Readonly<Record<Names, string | undefined>>;
type Prefixes = Optional<'embeddingPassagePrefix' | 'embeddingQuestionPrefix' | 'embeddingLanguages'>;
type EmbeddingSettings = Prefixes &
  Optional<'modelBaseUrl' | 'modelApiKey' | 'embeddingBaseUrl' | 'embeddingApiKey' | 'embeddingModelPath'>;
type DerivedEmbeddings = Partial<
  Prefixes & Optional<'embeddingBaseUrl' | 'embeddingApiKey'> & Pick<ProviderEmbeddings, 'embeddingModel'>
>;

/** Embedding models of providers that also offer language models, by host and port. */
const PROVIDERS: readonly { matches: (url: URL) => boolean; embeddings: ProviderEmbeddings }[] = [
  {
    matches: ({ hostname }) => hostname === 'api.openai.com',
    embeddings: { embeddingModel: 'text-embedding-3-small' },
  },
  {
    matches: ({ hostname }) => hostname === 'api.mistral.ai',
    embeddings: { embeddingModel: 'mistral-embed' },
  },
  {
    matches: ({ hostname }) => hostname === 'generativelanguage.googleapis.com',
    embeddings: { embeddingModel: 'gemini-embedding-001' },
  },
  {
    // Recognize Ollama by its default port.
    matches: ({ port }) => port === '11434',
    embeddings: {
      embeddingModel: 'nomic-embed-text',
      embeddingPassagePrefix: 'search_document: ',
      embeddingQuestionPrefix: 'search_query: ',
      embeddingLanguages: 'en',
    },
  },
];

/**
 * Returns the settings for embeddings from the provider of the language model. Returns an empty object if the
 * operator names another model or `none`, or if the provider is unknown.
 * @param embeddingModel model that the operator names; undefined for the provider's default model
 */
export function deriveEmbeddings(
  settings: EmbeddingSettings,
  embeddingModel: string | undefined,
): DerivedEmbeddings {
  const { modelBaseUrl, modelApiKey, embeddingBaseUrl, embeddingModelPath } = settings;
  if (modelBaseUrl === undefined || embeddingBaseUrl !== undefined || embeddingModelPath !== undefined)
    return {};
  const url = new URL(modelBaseUrl);
  const provider = PROVIDERS.find(({ matches }) => matches(url));
  if (!provider) return {};
  const access = {
    embeddingBaseUrl: modelBaseUrl,
    embeddingApiKey: settings.embeddingApiKey ?? modelApiKey,
  };
  // Omit prefixes and languages, because another embedding model than the provider's default needs others.
  if (embeddingModel !== undefined && embeddingModel !== provider.embeddings.embeddingModel) return access;
  const { embeddings } = provider;
  return {
    ...access,
    embeddingModel: embeddings.embeddingModel,
    embeddingPassagePrefix: settings.embeddingPassagePrefix ?? embeddings.embeddingPassagePrefix,
    embeddingQuestionPrefix: settings.embeddingQuestionPrefix ?? embeddings.embeddingQuestionPrefix,
    embeddingLanguages: settings.embeddingLanguages ?? embeddings.embeddingLanguages,
  };
}
