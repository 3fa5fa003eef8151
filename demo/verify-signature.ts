import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of a webhook request, as every receiver should.
 * @param rawBody body as received; JSON that was parsed and serialized again has another signature
 * @param header value of `x-webhook-signature`
 * @param secret the endpoint's secret including `whsec_`
 */
export function isAuthentic(rawBody: Buffer, header: string, secret: string, now = new Date()): boolean {
  const { t = '', v1 = '' } = Object.fromEntries(header.split(',').map((part) => part.split('='))) as {
    t?: string;
    v1?: string;
  };
  const expected = createHmac('sha256', secret).update(`${t}.`).update(rawBody).digest();
  const received = Buffer.from(v1, 'hex');
  const isRecent = Math.abs(now.getTime() / 1000 - Number(t)) <= TOLERANCE_SECONDS;
  return isRecent && received.length === expected.length && timingSafeEqual(received, expected);
}
