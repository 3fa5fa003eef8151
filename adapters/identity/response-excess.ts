import { findExcess, type JsonWeight } from '../../core/text/json-weight.ts';
import { asObject } from '../http/response-values.ts';

/** JSON limits of an OpenID issuer's response, which the library openid-client parses on the main thread. */
const MAX_WEIGHT: JsonWeight = { values: 20_000, keys: 2000, levels: 32 };

/**
 * Returns the first limit that an issuer's response exceeds, in the response itself or in a token; null if it
 * exceeds none. The library openid-client also parses header and claims of an ID token, and of a userinfo
 * response that is a token.
 */
export function findResponseExcess(answer: string, contentType = ''): keyof JsonWeight | null {
  const ownExcess = findExcess(answer, MAX_WEIGHT);
  if (ownExcess !== null) return ownExcess;
  const token = contentType.startsWith('application/jwt') ? answer : readIdToken(answer);
  const parts = typeof token === 'string' ? token.split('.', 2) : [];
  for (const part of parts) {
    const excess = findExcess(Buffer.from(part, 'base64url').toString(), MAX_WEIGHT);
    if (excess !== null) return excess;
  }
  return null;
}

/**
 * Returns the ID token in an issuer's response that is within the limits; undefined if the response has no
 * token or is not JSON.
 */
function readIdToken(answer: string): unknown {
  try {
    return asObject(JSON.parse(answer))['id_token'];
  } catch {
    return undefined;
  }
}
