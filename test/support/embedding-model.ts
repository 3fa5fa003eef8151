import { fetchModel } from '../../scripts/launcher/embedding-model.ts';

let fetching: Promise<string> | undefined;

/** The real local model, fetched once and kept; skips the tests of `context` where it is not to be had. */
export async function embeddingModelFor(context: Mocha.Context): Promise<string> {
  context.timeout(600_000);
  try {
    return await (fetching ??= fetchModel(process.env, () => {}));
  } catch (error) {
    process.stdout.write(`      without the local model: ${(error as Error).message.split('\n', 1)[0]}\n`);
    return context.skip();
  }
}
