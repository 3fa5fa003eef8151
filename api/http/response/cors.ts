import type Koa from 'koa';
import type { RouteMatch } from '../routes.ts';

const EXPOSED =
  'Deprecation, Idempotent-Replay, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, X-API-Version, X-Request-ID';

const NEEDED = ['Authorization', 'Content-Type', 'Idempotency-Key', 'Last-Event-ID', 'X-API-Version'];
const MAX_OTHERS = 50;
/** Matches a valid name of a request header (RFC 9110, section 5.6.2) of plausible length. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/**
 * Permits pages of any origin to call the widget's operations, and no other operations. A later check decides
 * whether the bot allows the page's domain.
 */
export function applyCors(koa: Koa.Context, { allowed, isCors }: RouteMatch): void {
  if (koa.method === 'OPTIONS' && allowed.length > 0) koa.set('Allow', allowed.join(', '));
  if (!isCors) return;
  koa.vary('Origin');
  koa.set('Access-Control-Allow-Origin', '*');
  koa.set('Access-Control-Expose-Headers', EXPOSED);
  if (koa.method !== 'OPTIONS') return;
  koa.vary('Access-Control-Request-Headers');
  koa.set({
    'Access-Control-Allow-Methods': allowed.join(', '),
    'Access-Control-Allow-Headers': [
      ...NEEDED,
      ...listFurtherHeaders(koa.get('Access-Control-Request-Headers')),
    ].join(', '),
    'Access-Control-Max-Age': '7200',
  });
}

/**
 * Returns further request headers to permit in CORS responses. Tools on a page add headers such as
 * `traceparent` to every `fetch`; such headers do no harm without cookies.
 */
function listFurtherHeaders(requested: string): string[] {
  const names = requested.split(',').map((name) => name.trim());
  const needed = new Set(NEEDED.map((name) => name.toLowerCase()));
  return names.filter((name) => TOKEN.test(name) && !needed.has(name.toLowerCase())).slice(0, MAX_OTHERS);
}
