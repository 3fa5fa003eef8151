import { Value } from '@sinclair/typebox/value';
import { Type, type Static, type TSchema } from '@sinclair/typebox';
import type { OutboundClient } from '../../http/outbound-client.ts';
import { OutboundError } from '../../http/outbound-error.ts';
import { KeyServiceError } from './key-service.ts';

/**
 * Timeout in milliseconds of a call to a key service. It is short, since a visitor may be waiting. A slow key
 * service counts as unavailable.
 */
const TIMEOUT_MS = 2000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const TOO_MANY_REQUESTS = 429;

/**
 * Stored form of a key that a key service has encrypted: printable ASCII, with room for several times the
 * length that Vault and KMS return.
 */
export const WrappedKey = Type.String({ pattern: '^[!-~]{1,8192}$' });

export interface KeyServiceCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Returns whether a key service's response means a temporary failure. Each kind of key service has its own
 * rule.
 */
export type IsTransient = (status: number, body: string) => boolean;

/**
 * Sends a POST request to a key service, and parses the JSON response.
 * @throws KeyServiceError
 */
export async function callKeyService<S extends TSchema>(
  client: OutboundClient,
  { url, headers, body }: KeyServiceCall,
  schema: S,
  isPassing: IsTransient = () => false,
): Promise<Static<S>> {
  const { status, text } = await postCall(client, { url, headers, body });
  if (status >= 300 && status < 400)
    throw new KeyServiceError(
      'url_refused',
      'The key service responded with a redirect; use the URL to which the redirect leads.',
    );
  if (status >= 500 || status === TOO_MANY_REQUESTS || isPassing(status, text))
    throw new KeyServiceError('unreachable', `The key service responded with status ${status}.`);
  if (status >= 400)
    throw new KeyServiceError('refused', `The key service refused the request with status ${status}.`);
  return parseServiceResponse(text, schema);
}

async function postCall(
  client: OutboundClient,
  call: KeyServiceCall,
): Promise<{ status: number; text: string }> {
  try {
    const { status, body } = await client.request({
      ...call,
      method: 'POST',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_RESPONSE_BYTES,
      redirect: 'manual',
    });
    return { status, text: body.toString('utf8') };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const failure = error.kind === 'refused' ? 'url_refused' : 'unreachable';
    throw new KeyServiceError(failure, `The request to the key service failed: ${error.message}`, {
      cause: error,
    });
  }
}

function parseServiceResponse<S extends TSchema>(text: string, schema: S): Static<S> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    if (Value.Check(schema, value)) return value;
  } catch {
    // Throw the error below if the response is not valid JSON.
  }
  throw new KeyServiceError('unreachable', 'The key service returned an unexpected response.');
}
