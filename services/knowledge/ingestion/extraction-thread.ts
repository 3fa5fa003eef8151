import { parentPort } from 'node:worker_threads';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { threadStatPath } from '../../../core/concurrency/thread-cpu-time.ts';
import type { ThreadMessage, ThreadReply, ThreadRequest } from './extraction-protocol.ts';
import { readAndChunk } from './read-and-chunk.ts';

// Runs in the thread of `extraction-thread-client.ts`. Never reads ahead, so that memory stays bounded.
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
