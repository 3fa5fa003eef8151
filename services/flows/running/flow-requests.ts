import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import type {
  BufferedRequest,
  OutboundClient,
  OutboundResponse,
} from '../../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { runBounds } from '../../../core/flows/flow-graph.ts';
import type { FlowRequest } from '../../../core/flows/node-type.ts';
import { openedSecret } from '../header-secrets.ts';
import { readReply, ReplyTooComplex } from './read-reply.ts';

export interface FlowRequestsDeps {
  outbound: OutboundClient;
  secretOutbound: OutboundClient;
  keyring: Keyring;
}

export interface SentRequest {
  flowId: string;
  request: FlowRequest;
  /** The same whenever the turn is made again. */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** What came back. */
export interface FlowReply {
  port: 'out' | 'error';
  body: unknown;
  /** Why nothing did. */
  problem: string | null;
}

/** Requests of flows: to public addresses alone, with secrets by https alone and to their own server. */
export class FlowRequests {
  readonly #deps: FlowRequestsDeps;

  constructor(deps: FlowRequestsDeps) {
    this.#deps = deps;
  }

  async send({ flowId, request, idempotencyKey, signal }: SentRequest): Promise<FlowReply> {
    const { outbound, secretOutbound } = this.#deps;
    const hasSecret = request.headers.some(({ sealed }) => sealed !== undefined);
    const client = hasSecret ? secretOutbound : outbound;
    const headers = this.#headersOf(flowId, request, idempotencyKey);
    try {
      const asked: BufferedRequest = {
        url: request.url,
        method: request.method,
        headers,
        timeoutMs: request.timeoutMs,
        maxBytes: runBounds.replyLength,
        // Nobody but the server that it was given for sees a secret.
        redirect: hasSecret ? 'manual' : 'follow',
        signal,
        ...(request.body !== null && { body: request.body }),
      };
      return replyOf(await client.request(asked));
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof ReplyTooComplex)) throw error;
      return { port: 'error', body: null, problem: error.message };
    }
  }

  /** What the author has set comes before what is set for all. */
  #headersOf(
    flowId: string,
    { url, headers, body }: FlowRequest,
    idempotencyKey: string,
  ): Record<string, string> {
    const own = headers.flatMap(({ name, value, sealed }): [string, string][] => {
      const key = name.toLowerCase();
      if (sealed === undefined) return value === '' ? [] : [[key, value]];
      return [[key, openedSecret(this.#deps.keyring, { flowId, url, name, sealed })]];
    });
    return {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      'idempotency-key': idempotencyKey,
      ...Object.fromEntries(own),
    };
  }
}

function replyOf({ status, body }: OutboundResponse): FlowReply {
  const isGood = status >= 200 && status < 300;
  return { port: isGood ? 'out' : 'error', body: readReply(body.toString('utf8')), problem: null };
}
