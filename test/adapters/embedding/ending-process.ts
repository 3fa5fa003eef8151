import { spawnSync } from 'node:child_process';

const ENDING_PROCESS = `
  const [module, path, way, delayMs] = process.argv.slice(1);
  const { LocalEmbedder } = await import(module);
  const options = { passagePrefix: '', questionPrefix: '', windowTokens: 256, niceness: 0, timeoutMs: 60_000 };
  const embedder = new LocalEmbedder({ ...options, path, model: 'local:model' });
  const never = new AbortController().signal;
  if (delayMs !== '0') await embedder.embedQuestion('Ready?', never);
  const text = 'The warranty covers the frame for five years. '.repeat(200);
  const asking = embedder.embedPassages([{ context: 'Manual', text }], never).catch((error) => error.failure);
  await new Promise((resolve) => setTimeout(resolve, Number(delayMs)));
  if (way === 'exit') process.exit(7);
  await embedder.close();
  const later = await embedder.embedQuestion('Too late?', never).catch((error) => error.failure);
  console.log(await asking, later);
`;

/**
 * Runs a process that ends `delayMs` after it began to embed a long passage: by `process.exit`, or after
 * `close` of the embedder.
 */
export function runEndingProcess(path: string, way: 'close' | 'exit', delayMs: number) {
  const module = new URL('../../../dist/adapters/embedding/local-embedder.js', import.meta.url).href;
  const args = ['--input-type=module', '--eval', ENDING_PROCESS, module, path, way, String(delayMs)];
  return spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
}
