import { createHmac } from 'node:crypto';

export const encodeJsonBase64url = (value: object) =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Signs an identity token by hand, so that tests can also build invalid tokens. The token expires in five
 * minutes unless the claims say otherwise.
 */
export function signIdentityToken(
  secret: string | Buffer,
  claims: object,
  header: object = { alg: 'HS256', typ: 'JWT' },
): string {
  const expiry = Math.floor(Date.now() / 1000) + 300;
  const body = `${encodeJsonBase64url(header)}.${encodeJsonBase64url({ exp: expiry, ...claims })}`;
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}
