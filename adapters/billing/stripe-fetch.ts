import { findExcess, type JsonWeight } from '../../core/text/json-weight.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';

/**
 * Maximum size in bytes of Stripe's response, several times that of a hundred invoices with ten lines each.
 */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** JSON limits of a response from Stripe, which Stripe's SDK parses on the main thread. */
const MAX_RESPONSE_WEIGHT: JsonWeight = { values: 200_000, keys: 10_000, levels: 64 };

/**
 * Creates a `fetch` function for Stripe's SDK that limits the size of responses. The SDK alone reads and
 * parses any size.
 */
export function createStripeFetch(client: Pick<OutboundClient, 'request'>, timeoutMs: number): typeof fetch {
  return async (request, { method, headers: sent, body: content, signal } = {}) => {
    const url = new URL(request instanceof Request ? request.url : request).href;
    const { status, headers, body } = await client.request({
      url,
      ...(method !== undefined && { method }),
      headers: Object.fromEntries(new Headers(sent)),
      ...(typeof content === 'string' && { body: content }),
      ...(signal && { signal }),
      redirect: 'manual',
      timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
    });
    const excess = findExcess(body.toString(), MAX_RESPONSE_WEIGHT);
    if (excess !== null) throw new OutboundError('too_large', `Stripe’s response has too many ${excess}.`);
    return new Response(body.length > 0 ? new Uint8Array(body) : null, { status, headers });
  };
}
