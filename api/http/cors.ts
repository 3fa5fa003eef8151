import type Koa from 'koa';
import type { RouteMatch } from './routes.ts';

const EXPOSED =
  'Deprecation, Idempotent-Replay, Link, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, X-API-Version, X-Request-ID';

/** Lets customers' pages call what the widget needs, and nothing else; the bot's allowed domains are checked later. */
export function applyCors(koa: Koa.Context, { allowed, isCors }: RouteMatch): void {
  if (koa.method === 'OPTIONS' && allowed.length > 0) koa.set('Allow', allowed.join(', '));
  if (!isCors) return;
  koa.vary('Origin');
  koa.set('Access-Control-Allow-Origin', '*');
  koa.set('Access-Control-Expose-Headers', EXPOSED);
  if (koa.method !== 'OPTIONS') return;
  koa.set({
    'Access-Control-Allow-Methods': allowed.join(', '),
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-API-Version',
    'Access-Control-Max-Age': '7200',
  });
}
