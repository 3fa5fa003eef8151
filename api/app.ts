import Koa from 'koa';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { AppError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { clientAddress } from './http/client-address.ts';
import { applyCors } from './http/cors.ts';
import {
  compileOperation,
  type EngineDeps,
  type OperationRunner,
  type RequestBasics,
} from './http/pipeline.ts';
import { problemOf, toAppError } from './http/problem.ts';
import { announceBudget } from './http/rate-limit.ts';
import { CURRENT_VERSION } from './http/version.ts';
import type { Operation } from './http/operation.ts';
import { createReferencePage } from './meta/reference-page.ts';

interface Route {
  run: OperationRunner;
  operation: Operation;
}

/** The whole API as one Koa application. */
export function createApp(operations: readonly Operation[], deps: EngineDeps): Koa {
  const router = createRoutes(operations, deps);
  const referencePage = createReferencePage();
  const app = new Koa({ proxy: false });
  app.silent = true;
  app.use(async (koa) => {
    const basics = basicsOf(koa, deps);
    const startedAt = performance.now();
    prepareHeaders(koa, basics, deps);
    let operationId: string | undefined;
    try {
      if (await referencePage(koa)) return;
      const found = router.find(koa.method, koa.path);
      operationId = found.operation?.id;
      applyCors(koa, found.allowed, found.isCors);
      if (koa.method === 'OPTIONS') koa.status = 204;
      else await found.run(koa, basics);
    } catch (error) {
      sendProblem(koa, error, basics, deps);
    } finally {
      basics.log.info(
        {
          operation: operationId,
          method: koa.method,
          status: koa.status,
          durationMs: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    }
  });
  return app;
}

function basicsOf(koa: Koa.Context, { settings, log }: EngineDeps): RequestBasics {
  const requestId = `req_${newId().replaceAll('-', '')}`;
  const gone = new AbortController();
  koa.res.once('close', () => gone.abort());
  return {
    requestId,
    ip: clientAddress(koa.req, settings.trustedProxies),
    origin: koa.get('origin') || undefined,
    signal: gone.signal,
    log: log.child({ requestId }),
  };
}

function prepareHeaders(koa: Koa.Context, { requestId }: RequestBasics, { settings }: EngineDeps): void {
  koa.set({
    'X-Request-ID': requestId,
    'X-API-Version': CURRENT_VERSION,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  announceBudget(koa, settings);
}

function createRoutes(operations: readonly Operation[], deps: EngineDeps) {
  const routes = createRouter({ ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 2000 });
  const methodsOf = new Map<string, Operation[]>();
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    const route: Route = { run: compileOperation(operation, deps), operation };
    routes.on(operation.method as HTTPMethod, path, () => undefined, route);
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), operation]);
  }
  // Every path also has an entry for any method, so that an undeclared one is told which there are.
  for (const [path, known] of methodsOf) routes.on('TRACE', path, () => undefined, known);

  return {
    find(method: string, path: string) {
      const siblings = (routes.find('TRACE', path)?.store ?? []) as Operation[];
      const allowed = allowedMethods(siblings);
      const isCors = siblings.some(({ cors }) => cors);
      const match = routes.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, path);
      const route = method === 'TRACE' ? undefined : (match?.store as Route | undefined);
      const run = async (koa: Koa.Context, basics: RequestBasics): Promise<void> => {
        if (route) return route.run(koa, basics, match?.params ?? {});
        if (siblings.length === 0) throw new AppError('not_found', `There is nothing at ${path}.`);
        throw new AppError('method_not_allowed', `${path} knows ${allowed.join(', ')}.`, {
          headers: { Allow: allowed.join(', ') },
        });
      };
      return { operation: route?.operation, allowed, isCors, run };
    },
  };
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function allowedMethods(operations: Operation[]): string[] {
  if (operations.length === 0) return [];
  const methods = new Set<string>([...operations.map(({ method }) => method), 'OPTIONS']);
  if (methods.has('GET')) methods.add('HEAD');
  return methodOrder.filter((method) => methods.has(method));
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
  // What was not read of the request is not worth reading any more.
  if (!koa.req.complete) koa.set('Connection', 'close');
}
