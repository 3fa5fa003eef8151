import { parentPort } from 'node:worker_threads';
import type { ThreadStarted } from '../../core/concurrency/task-thread.ts';
import { threadStatPath } from '../../core/concurrency/thread-cpu-time.ts';
import { isUnreadable } from '../extraction/unreadable-document.ts';
import { digestPage } from './page-digest.ts';
import { readPageMetadata } from './page-metadata.ts';
import { findColors } from './page-style.ts';
import type { PageReply, PageTask } from './page-tasks.ts';

// Entry point of the thread that `page-tasks.ts` starts to read web pages.
if (parentPort) {
  const port = parentPort;
  port.on('message', (task: PageTask) => port.postMessage(runTask(task)));
  port.postMessage({ statPath: threadStatPath() } satisfies ThreadStarted);
}

function runTask(task: PageTask): PageReply {
  try {
    return { value: performTask(task) };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { unreadable: error.reason, message: error.message };
  }
}

function performTask(task: PageTask): unknown {
  if (task.kind === 'colors') return findColors(task.css);
  // Restore the Buffer, which messages convert to a plain Uint8Array.
  const source = { ...task.source, body: Buffer.from(task.source.body.buffer) };
  return task.kind === 'digest' ? digestPage(source) : readPageMetadata(source);
}
