import { parentPort, type MessagePort } from 'node:worker_threads';
import type { PageToRecognize, RecognizedPage } from '../../../adapters/extraction/page-recognition.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { threadStatPath } from '../../../core/concurrency/thread-cpu-time.ts';
import {
  OUT_OF_MEMORY,
  type ThreadMessage,
  type ThreadReply,
  type ThreadRequest,
} from './extraction-protocol.ts';
import { readAndChunk } from './read-and-chunk.ts';

/**
 * Maximum bytes outside of V8's heap that a document may take in this thread. The parent cannot enforce this
 * limit by watching the process's memory: memory freed by earlier documents still counts as used. A document
 * could reuse that memory unnoticed.
 */
const MAX_BUFFER_BYTES = 400 * 1024 * 1024;
const CHECK_MS = 50;

// Entry point of the worker thread that reads documents, which `extraction-thread-client.ts` starts. The
// thread performs a step only when the client asks for one, so that memory stays bounded.
if (parentPort) listen(parentPort);

function listen(port: MessagePort): void {
  let replies: AsyncGenerator<ThreadReply, void> | undefined;
  let onRecognized: (page: RecognizedPage) => void = () => {};
  const recognize = (page: PageToRecognize) =>
    new Promise<RecognizedPage>((resolve) => {
      onRecognized = resolve;
      const reply: ThreadReply = { kind: 'page', page };
      port.postMessage(reply, [page.picture.pixels.buffer as ArrayBuffer]);
    });
  port.postMessage(threadStatPath());
  port.on('message', (message: ThreadMessage) => {
    if (message !== 'next' && 'recognized' in message) return onRecognized(message.recognized);
    if (message !== 'next') replies = replyTo(message, recognize);
    void nextReply(replies).then((reply) => port.postMessage(reply));
  });
}

/** Returns the thread's next reply, or a failure as soon as the document takes too much memory. */
async function nextReply(replies: AsyncGenerator<ThreadReply, void> | undefined): Promise<ThreadReply> {
  let watch: NodeJS.Timeout | undefined;
  const outgrown = new Promise<ThreadReply>((resolve) => {
    watch = setInterval(() => {
      if (process.memoryUsage().arrayBuffers > MAX_BUFFER_BYTES) resolve(OUT_OF_MEMORY);
    }, CHECK_MS);
  });
  try {
    const nextStep = Promise.resolve(replies?.next()).then(
      (result): ThreadReply => result?.value ?? { kind: 'done' },
    );
    return await Promise.race([nextStep, outgrown]);
  } finally {
    clearInterval(watch);
  }
}

async function* replyTo(
  request: ThreadRequest,
  recognize: (page: PageToRecognize) => Promise<RecognizedPage>,
): AsyncGenerator<ThreadReply, void> {
  const { recognition } = request;
  try {
    yield* readAndChunk(request, recognition === 'ask' ? recognize : recognition);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    yield { kind: 'unreadable', reason: error.reason, message: error.message };
  }
}
