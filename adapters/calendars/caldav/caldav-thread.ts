import { parentPort } from 'node:worker_threads';
import { threadStatPath } from '../../../core/concurrency/thread-cpu-time.ts';
import type { CalendarBusy } from '../calendar-provider.ts';
import { ReadingBudget } from './bounded-expansion.ts';
import { CalDavAccount } from './caldav-account.ts';
import type { DavReply, SendToServer } from './dav-http.ts';
import { discoverAccount } from './discover.ts';
import {
  CONNECTING_PAYER_ID,
  toFailure,
  unwrapOutcome,
  type CalDavTask,
  type FromThread,
  type Outcome,
  type ToThread,
} from './thread-protocol.ts';

// Entry point of the thread that `thread-client.ts` starts. The thread parses the data of CalDAV servers; the
// main thread sends all HTTP requests.
if (parentPort) {
  const port = parentPort;
  const calls = new Map<number, AbortController>();
  const requests = new Map<number, (outcome: Outcome<DavReply>) => void>();
  let lastRequestId = 0;
  const postMessage = (message: FromThread): void => port.postMessage(message);

  const createCallSender =
    (callId: number): SendToServer =>
    async (request) => {
      const requestId = ++lastRequestId;
      const outcome = await new Promise<Outcome<DavReply>>((resolve) => {
        requests.set(requestId, resolve);
        postMessage({ kind: 'request', callId, requestId, request });
      });
      requests.delete(requestId);
      return unwrapOutcome(outcome);
    };

  const handleCall = async (callId: number, task: CalDavTask): Promise<void> => {
    const controller = new AbortController();
    calls.set(callId, controller);
    const outcome = await toOutcome(runTask(task, createCallSender(callId), controller.signal));
    calls.delete(callId);
    postMessage({ kind: 'settled', callId, outcome });
  };

  port.on('message', (message: ToThread) => {
    if (message.kind === 'call') void handleCall(message.callId, message.task);
    else if (message.kind === 'abort') calls.get(message.callId)?.abort();
    else if (message.kind === 'reply') requests.get(message.requestId)?.(message.outcome);
    else postMessage({ kind: 'pong' });
  });
  postMessage({ kind: 'started', statPath: threadStatPath() });
}

async function runTask(task: CalDavTask, send: SendToServer, signal: AbortSignal): Promise<unknown> {
  if (task.kind === 'discover')
    return discoverAccount(task.login, send, new ReadingBudget(CONNECTING_PAYER_ID, signal));
  const { credentials, options, method, args } = task;
  const account = new CalDavAccount(credentials, send, options);
  const ask = account[method] as (...args: unknown[]) => Promise<unknown>;
  const value = await ask.call(account, ...args, { signal });
  return method === 'readBusy' ? (value as CalendarBusy[]).map(toMessage) : value;
}

function toMessage(calendar: CalendarBusy): object {
  if ('busy' in calendar) return calendar;
  return { calendarId: calendar.calendarId, failure: toFailure(calendar.error) };
}

async function toOutcome<T>(promise: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await promise };
  } catch (error) {
    return { failure: toFailure(error) };
  }
}
