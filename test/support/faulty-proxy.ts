import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A fault that happens to one request or its response. */
export type Fault =
  | { kind: 'pass' }
  /** The connection breaks before the server receives the request. */
  | { kind: 'refuse' }
  /** The server handles the request, and its response is lost. */
  | { kind: 'lose_answer' }
  /** The connection breaks in the middle of the response's body. */
  | { kind: 'cut_body' }
  /** The server receives the request twice; the proxy returns the second response. */
  | { kind: 'duplicate' }
  /** The request is delayed by `ms`. */
  | { kind: 'delay'; ms: number }
  /** The request is never answered. */
  | { kind: 'hang' }
  /** The proxy responds in place of the server. */
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string }
  /** A stream breaks (`cut_stream`) or ends normally (`end_stream`) after `after_events` events. */
  | { kind: 'cut_stream' | 'end_stream'; after_events: number };

export interface RecordedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A proxy in front of the API that applies faults to requests. */
export class FaultyProxy {
  readonly requests: RecordedRequest[] = [];
  readonly #target: URL;
  readonly #faults: Fault[];
  readonly #server = createServer((incoming, response) => void this.#handle(incoming, response));

  private constructor(target: string, faults: readonly Fault[]) {
    this.#target = new URL(target);
    this.#faults = [...faults];
  }

  /** @param faults faults of the first requests; later requests pass */
  static async start(target: string, faults: readonly Fault[]): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target, faults);
    await once(proxy.#server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#faults.shift() ?? { kind: 'pass' };
    response.on('error', () => undefined);
    const seen = await readSeenRequest(incoming).catch(() => undefined);
    if (!seen) return;
    this.requests.push(seen);
    if (fault.kind === 'hang') return;
    if (fault.kind === 'refuse') return void response.destroy();
    if (fault.kind === 'answer') {
      response.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
      return void response.end(fault.body ?? '');
    }
    if (fault.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (fault.kind === 'duplicate') await text(await this.#forward(seen));
    const answer = await this.#forward(seen).catch(() => undefined);
    if (!answer) return void response.destroy();
    await sendFaultyResponse(answer, response, fault);
  }

  async #forward({ method, path, headers, body }: RecordedRequest): Promise<IncomingMessage> {
    const { hostname, port } = this.#target;
    const forwarded = request({
      hostname,
      port,
      method,
      path,
      headers: stripHopHeaders(headers),
      agent: false,
    });
    forwarded.end(body, 'latin1');
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    return answer;
  }
}

async function readSeenRequest(incoming: IncomingMessage): Promise<RecordedRequest> {
  incoming.setEncoding('latin1');
  const { method = '', url: path = '', headers } = incoming;
  return { method, path, headers, body: await text(incoming) };
}

function stripHopHeaders({
  connection: _,
  'transfer-encoding': __,
  ...headers
}: IncomingHttpHeaders): OutgoingHttpHeaders {
  return headers;
}

async function sendFaultyResponse(
  answer: IncomingMessage,
  response: ServerResponse,
  fault: Fault,
): Promise<void> {
  if (fault.kind === 'lose_answer') {
    await text(answer);
    return void response.destroy();
  }
  const { 'content-length': length, 'transfer-encoding': _, ...headers } = answer.headers;
  // Send the whole length with a truncated body, because clients recognize the truncation by it.
  response.writeHead(
    answer.statusCode ?? 0,
    fault.kind === 'cut_body' ? { ...headers, 'content-length': length } : headers,
  );
  if (fault.kind === 'cut_body') {
    response.write((await text(answer)).slice(0, 10), () => response.destroy());
  } else if (fault.kind === 'cut_stream' || fault.kind === 'end_stream') {
    await sendEventsUntilCut(answer, response, fault.after_events);
    if (fault.kind === 'end_stream') response.end();
    else response.destroy();
    answer.destroy();
  } else {
    answer.pipe(response);
    response.once('close', () => answer.destroy());
  }
}

async function sendEventsUntilCut(
  answer: IncomingMessage,
  response: ServerResponse,
  count: number,
): Promise<void> {
  let rest = '';
  let sentEvents = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    const blocks = `${rest}${chunk.toString()}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      if (sentEvents === count) return;
      if (block.includes('data:')) sentEvents += 1;
      await new Promise((resolve) => response.write(`${block}\n\n`, resolve));
      if (sentEvents === count) return;
    }
  }
}
