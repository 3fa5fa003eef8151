import { fetchModel, findDownloadableModel } from '../../scripts/embeddings/fetch-model.ts';

const ENGLISH_MODEL = 'all-MiniLM-L6-v2-int8';
const fetching = new Map<string, Promise<string>>();

/** Downloads a real embedding model once and caches it. Skips the tests of `context` if it cannot be downloaded. */
export async function requireEmbeddingModel(context: Mocha.Context, name = ENGLISH_MODEL): Promise<string> {
  context.timeout(600_000);
  try {
    const path = fetching.get(name) ?? fetchModel(process.env, () => {}, findDownloadableModel(name));
    fetching.set(name, path);
    return await path;
  } catch (error) {
    process.stdout.write(`      without the local model: ${(error as Error).message.split('\n', 1)[0]}\n`);
    return context.skip();
  }
}
