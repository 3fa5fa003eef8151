import { parentPort } from 'node:worker_threads';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { threadStatPath } from '../../../core/concurrency/thread-cpu-time.ts';
import type { ThreadMessage, ThreadReply, ThreadRequest } from './extraction-protocol.ts';
import { readAndChunk } from './read-and-chunk.ts';

// Entry point of the worker thread that `extraction-thread-client.ts` starts. It reads a step only when
// asked, so that memory stays bounded.
if (parentPort) {
  const port = parentPort;
  port.postMessage(threadStatPath());
  let replies: AsyncGenerator<ThreadReply, void> | undefined;
  port.on('message', (message: ThreadMessage) => {
    if (message !== 'next') replies = replyTo(message);
    void replies?.next().then(({ value }) => port.postMessage(value ?? { kind: 'done' }));
  });
}

async function* replyTo(request: ThreadRequest): AsyncGenerator<ThreadReply, void> {
  try {
    yield* readAndChunk(request);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    yield { kind: 'unreadable', reason: error.reason, message: error.message };
  }
}
