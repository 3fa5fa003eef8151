import { parentPort, type MessagePort } from 'node:worker_threads';
import type { PageToRecognize, RecognizedPage } from '../../../adapters/extraction/page-recognition.ts';
import { isUnreadable } from '../../../adapters/extraction/unreadable-document.ts';
import { threadStatPath } from '../../../core/concurrency/thread-cpu-time.ts';
import type { ThreadMessage, ThreadReply, ThreadRequest } from './extraction-protocol.ts';
import { readAndChunk } from './read-and-chunk.ts';

// Entry point of the worker thread that `extraction-thread-client.ts` starts. It reads a step only when
// asked, so that memory stays bounded.
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
    void replies?.next().then(({ value }) => port.postMessage(value ?? { kind: 'done' }));
  });
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
