import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { threadStatPath } from '../../core/concurrency/thread-cpu-time.ts';
import { EmbeddingError } from './embedder.ts';
import { LocalModel } from './local-model.ts';
import { THREAD_END, type ThreadData, type ThreadReply, type ThreadRequest } from './local-model-protocol.ts';
import { NativeGate } from './native-gate.ts';

// Entry point of the thread that `local-embedder.ts` starts to compute embeddings. The thread handles one
// request at a time.
if (parentPort) {
  const port = parentPort;
  const { path, windowTokens, niceness, gate: state } = workerData as ThreadData;
  const gate = new NativeGate(state);
  lowerPriority(niceness);
  const loading = LocalModel.load(path, windowTokens, gate);
  loading.catch(() => {}); // Ignore the failure here: each request reports it itself.
  let last: Promise<unknown> = Promise.resolve();
  const releaseModel = async (): Promise<void> => {
    await loading.then((model) => model.release()).catch(() => {});
    port.close();
  };
  const reply = (message: ThreadReply) => port.postMessage(message);
  port.on('message', (request: ThreadRequest | typeof THREAD_END) => {
    last = last.then(async () => {
      if (request === THREAD_END) return releaseModel();
      try {
        if (gate.isClosed) return;
        const model = await loading;
        reply({ id: request.id, vectors: await embedRequest(model, request) });
      } catch (error) {
        const failure = error instanceof EmbeddingError ? error.failure : 'unfit';
        reply({ id: request.id, failure, message: error instanceof Error ? error.message : String(error) });
      }
    });
  });
}

async function embedRequest(model: LocalModel, { prefix, ...request }: ThreadRequest) {
  if ('passages' in request) return model.embedPassages(request.passages, prefix);
  return [[await model.embedQuestion(request.question, prefix)]];
}

/**
 * Lowers the priority of this thread on Linux. Other systems only have a priority per process, which stays
 * unchanged.
 */
function lowerPriority(niceness: number): void {
  const threadId = Number(/\/task\/(\d+)\//.exec(threadStatPath() ?? '')?.[1]);
  if (!(threadId > 0)) return;
  try {
    setPriority(threadId, niceness);
  } catch {
    // Ignore the failure: the thread then continues at normal priority.
  }
}
