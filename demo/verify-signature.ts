import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * What every receiver of Parley's webhooks should check before it believes one.
 * @param rawBody the bytes as they arrived: JSON that was parsed and written again has another signature
 * @param header the request's `x-webhook-signature`
 * @param secret the endpoint's secret, `whsec_` included
 */
export function isAuthentic(rawBody: Buffer, header: string, secret: string, now = new Date()): boolean {
  const { t = '', v1 = '' } = Object.fromEntries(header.split(',').map((part) => part.split('='))) as {
    t?: string;
    v1?: string;
  };
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  const given = Buffer.from(v1, 'hex');
  const isRecent = Math.abs(now.getTime() / 1000 - Number(t)) <= TOLERANCE_SECONDS;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}
