import { fetchModel } from '../../scripts/launcher/embedding-model.ts';

let fetching: Promise<string> | undefined;

/** Downloads the real local model once and caches it. Skips the tests of `context` if it cannot be downloaded. */
export async function requireEmbeddingModel(context: Mocha.Context): Promise<string> {
  context.timeout(600_000);
  try {
    return await (fetching ??= fetchModel(process.env, () => {}));
  } catch (error) {
    process.stdout.write(`      without the local model: ${(error as Error).message.split('\n', 1)[0]}\n`);
    return context.skip();
  }
}
