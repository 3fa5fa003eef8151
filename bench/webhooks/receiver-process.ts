import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMonotonicMs } from '../support/monotonic.ts';
import type { DeliveryArrival, HookSummary, Sample } from './receiver.ts';

/**
 * A customer's server for webhooks in a separate process, which counts the deliveries of each path by id.
 * Prints its port. `PUT` sets the response of a path (a status, or `hang`); `GET` returns its deliveries, or
 * the summaries of all paths.
 */
interface Hook extends HookSummary {
  answer: string;
  arrivals: Map<string, DeliveryArrival>;
  samples: Sample[];
}

/** Interval of sampling: the receiver stores the first of this many webhook requests to a path whole. */
const SAMPLE_EVERY = 100;
const hooks = new Map<string, Hook>();

function getHook(path: string): Hook {
  const known = hooks.get(path);
  if (known) return known;
  const hook: Hook = {
    answer: '200',
    arrivals: new Map(),
    samples: [],
    requests: 0,
    deliveries: 0,
    accepted: 0,
    lastAcceptedAtMs: 0,
  };
  hooks.set(path, hook);
  return hook;
}

function receiveDelivery(request: IncomingMessage, response: ServerResponse): void {
  const atMs = readMonotonicMs();
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => (body += part));
  request.on('end', () => {
    const hook = getHook(request.url ?? '/');
    const isAccepted = hook.answer === '200';
    recordArrival(hook, request.headers['x-webhook-delivery'] as string, isAccepted, atMs, body);
    if (hook.requests++ % SAMPLE_EVERY === 0) hook.samples.push({ headers: request.headers, body });
    if (hook.answer === 'hang') return;
    response.writeHead(Number(hook.answer));
    response.end('thanks');
  });
}

function recordArrival(hook: Hook, id: string, isAccepted: boolean, atMs: number, body: string): void {
  let arrival = hook.arrivals.get(id);
  if (!arrival) {
    const [, conversationId = ''] = /"conversation_id":"([^"]+)"/.exec(body) ?? [];
    arrival = { conversationId, firstAtMs: atMs, acceptedAtMs: null };
    hook.arrivals.set(id, arrival);
    hook.deliveries += 1;
  }
  if (!isAccepted || arrival.acceptedAtMs !== null) return;
  arrival.acceptedAtMs = atMs;
  hook.accepted += 1;
  hook.lastAcceptedAtMs = atMs;
}

function sendHookState(path: string, response: ServerResponse): void {
  response.end(JSON.stringify(path === '/' ? summarizeHooks() : toHookDetails(getHook(path))));
}

function summarizeHooks(): Record<string, HookSummary> {
  const summary = ({ arrivals: _, samples: __, ...rest }: Hook): HookSummary => rest;
  return Object.fromEntries([...hooks].map(([path, hook]) => [path.slice(1), summary(hook)]));
}

function toHookDetails({ arrivals, samples }: Hook): { arrivals: DeliveryArrival[]; samples: Sample[] } {
  return { arrivals: [...arrivals.values()], samples };
}

const server = createServer({ keepAlive: true }, (request, response) => {
  if (request.method === 'POST') return receiveDelivery(request, response);
  const url = new URL(request.url ?? '/', 'http://receiver');
  if (request.method === 'GET') return sendHookState(url.pathname, response);
  getHook(url.pathname).answer = url.search.slice(1);
  return response.end();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
