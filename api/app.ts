import Koa from 'koa';
import { applyCors } from './http/cors.ts';
import { discardRest } from './http/discard-rest.ts';
import type { Operation } from './http/operation.ts';
import type { EngineDeps } from './http/pipeline.ts';
import { problemOf, toAppError } from './http/problem.ts';
import { announceBudget } from './http/rate-limit.ts';
import { requestBasics, type RequestBasics } from './http/request-basics.ts';
import { compileRoutes, type RouteMatch } from './http/routes.ts';
import { createReferencePage } from './meta/reference-page.ts';

const commonHeaders: [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Frame-Options', 'DENY'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
];

/** The whole API as one Koa application. */
export function createApp(operations: readonly Operation[], deps: EngineDeps): Koa {
  const routes = compileRoutes(operations, deps);
  const referencePage = createReferencePage();
  const { settings, versions, log } = deps;
  const app = new Koa({ proxy: false });
  app.silent = true;
  app.use(async (koa) => {
    const basics = requestBasics(koa, settings.trustedProxies, log);
    const startedAt = performance.now();
    koa.res.setHeader('X-Request-ID', basics.requestId);
    koa.res.setHeader('X-API-Version', versions.current);
    for (const [name, value] of commonHeaders) koa.res.setHeader(name, value);
    announceBudget(koa, settings);
    const route = routes(koa.method, koa.path);
    try {
      if (!(await referencePage(koa))) await runRoute(koa, basics, route);
    } catch (error) {
      sendProblem(koa, error, basics, deps);
    } finally {
      const durationMs = Math.round(performance.now() - startedAt);
      const { requestId } = basics;
      log.info(
        { requestId, operation: route.operationId, method: koa.method, status: koa.status, durationMs },
        'request',
      );
    }
  });
  return app;
}

async function runRoute(koa: Koa.Context, basics: RequestBasics, route: RouteMatch): Promise<void> {
  applyCors(koa, route);
  if (koa.method === 'OPTIONS' && route.allowed.length > 0) koa.status = 204;
  else await route.run(koa, basics);
}

function sendProblem(
  koa: Koa.Context,
  error: unknown,
  { requestId, log }: RequestBasics,
  { settings }: EngineDeps,
): void {
  const failure = toAppError(error);
  if (failure.status >= 500) log.error({ err: failure.cause ?? failure }, failure.message);
  koa.status = failure.status;
  koa.set(failure.headers);
  koa.remove('Content-Length');
  koa.type = 'application/problem+json';
  koa.body = JSON.stringify(problemOf(failure, requestId, settings.baseUrl));
  if (!koa.req.complete) discardRest(koa.req);
}
