import { findExcess, parseLightJson, type JsonWeight } from '../../core/text/json-weight.ts';
import { asObject } from '../http/answer-values.ts';

/** JSON limits of a response, which openid-client parses on the main thread. */
const MAX_WEIGHT: JsonWeight = { values: 20_000, keys: 2000, levels: 32 };

/**
 * Returns the first limit that an issuer's response exceeds, itself or in a token; null if none. openid-client also
 * parses header and claims of an ID token, and of a userinfo response that is a token.
 */
export function findAnswerExcess(answer: string, contentType = ''): keyof JsonWeight | null {
  const isToken = contentType.startsWith('application/jwt');
  const token = isToken ? answer : asObject(parseLightJson(answer, MAX_WEIGHT))['id_token'];
  const parts = typeof token === 'string' ? token.split('.', 2) : [];
  for (const json of [answer, ...parts.map(decodePart)]) {
    const excess = findExcess(json, MAX_WEIGHT);
    if (excess !== null) return excess;
  }
  return null;
}

function decodePart(part: string): string {
  return Buffer.from(part, 'base64url').toString();
}
