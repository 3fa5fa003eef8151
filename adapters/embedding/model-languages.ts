/**
 * Languages of known local models, by the digest in the model's name (`create-embedder.ts`). The entry is
 * all-MiniLM-L6-v2-int8.
 */
const FILE_LANGUAGES: Readonly<Record<string, readonly string[]>> = { '8199be6f': ['en'] };
const FILE = /^local:.*@([0-9a-f]{8})(?:#|$)/;

/**
 * Returns the languages (ISO 639-1) that a model supports; undefined if unknown, or if it supports all.
 * @param configured comma-separated languages from the settings, which take precedence
 */
export function findModelLanguages(
  model: string,
  configured: string | undefined,
): readonly string[] | undefined {
  return configured?.split(',') ?? FILE_LANGUAGES[FILE.exec(model)?.[1] ?? ''];
}
