/** By what ends the name of a local model (`create-embedder.ts`), where its makers name the languages: all-MiniLM-L6-v2-int8. */
const LANGUAGES_OF_FILES: Readonly<Record<string, readonly string[]>> = { '8199be6f': ['en'] };
const FILE = /^local:.*@([0-9a-f]{8})(?:#|$)/;

/**
 * The languages (ISO 639-1) that a model reads; undefined where it may read all.
 * @param named what the operator has named, with commas between them
 */
export function languagesOf(model: string, named: string | undefined): readonly string[] | undefined {
  return named?.split(',') ?? LANGUAGES_OF_FILES[FILE.exec(model)?.[1] ?? ''];
}
