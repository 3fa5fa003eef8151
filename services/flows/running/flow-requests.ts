import { OutboundError } from '../../../adapters/http/outbound-error.ts';
import type {
  BufferedRequest,
  OutboundClient,
  OutboundResponse,
} from '../../../adapters/http/outbound-client.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { runBounds } from '../../../core/flows/flow-graph.ts';
import type { FlowRequest } from '../../../core/flows/node-type.ts';
import { decryptHeaderSecret } from '../header-secrets.ts';
import { parseFlowResponse, ResponseTooComplex } from './parse-response.ts';

export interface FlowRequestsDeps {
  outbound: OutboundClient;
  secretOutbound: OutboundClient;
  keyring: Keyring;
}

export interface FlowRequestInput {
  flowId: string;
  request: FlowRequest;
  /**
   * Idempotency key, which is sent with the flow's HTTP request. It stays the same if the answer is generated
   * again.
   */
  idempotencyKey: string;
  signal: AbortSignal;
}

/** Result of an HTTP request that a flow has sent. */
export interface FlowResponse {
  port: 'out' | 'error';
  body: unknown;
  /** Reason why no usable response to the flow's request arrived; null for a response with any status. */
  problem: string | null;
}

/**
 * Sends HTTP requests of flows to public addresses. Secrets are sent only to the server for which they were
 * entered, over HTTPS.
 */
export class FlowRequests {
  readonly #deps: FlowRequestsDeps;

  constructor(deps: FlowRequestsDeps) {
    this.#deps = deps;
  }

  async send({ flowId, request, idempotencyKey, signal }: FlowRequestInput): Promise<FlowResponse> {
    const { outbound, secretOutbound } = this.#deps;
    const hasSecret = request.headers.some(({ sealed }) => sealed !== undefined);
    const client = hasSecret ? secretOutbound : outbound;
    const headers = this.#buildHeaders(flowId, request, idempotencyKey);
    try {
      const bufferedRequest: BufferedRequest = {
        url: request.url,
        method: request.method,
        headers,
        timeoutMs: request.timeoutMs,
        maxBytes: runBounds.replyLength,
        // Does not follow redirects: a redirect could pass a secret to another server.
        redirect: hasSecret ? 'manual' : 'follow',
        signal,
        ...(request.body !== null && { body: request.body }),
      };
      return toFlowResponse(await client.request(bufferedRequest));
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof ResponseTooComplex)) throw error;
      return { port: 'error', body: null, problem: error.message };
    }
  }

  /**
   * Returns the default headers of a flow's request. Headers that the flow's author has set take precedence.
   */
  #buildHeaders(
    flowId: string,
    { url, headers, body }: FlowRequest,
    idempotencyKey: string,
  ): Record<string, string> {
    const authorHeaders = headers.flatMap(({ name, value, sealed }): [string, string][] => {
      const key = name.toLowerCase();
      if (sealed === undefined) return value === '' ? [] : [[key, value]];
      return [[key, decryptHeaderSecret(this.#deps.keyring, { flowId, url, name, sealed })]];
    });
    return {
      accept: 'application/json',
      ...(body !== null && { 'content-type': 'application/json' }),
      'idempotency-key': idempotencyKey,
      ...Object.fromEntries(authorHeaders),
    };
  }
}

function toFlowResponse({ status, body }: OutboundResponse): FlowResponse {
  const isGood = status >= 200 && status < 300;
  return { port: isGood ? 'out' : 'error', body: parseFlowResponse(body.toString('utf8')), problem: null };
}
