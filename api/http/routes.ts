import type Koa from 'koa';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { cutText } from '../../core/cut-text.ts';
import { AppError } from '../../core/errors.ts';
import type { Operation } from './operation.ts';
import { compileOperation, type EngineDeps, type OperationRunner } from './pipeline.ts';
import type { RequestBasics } from './request-basics.ts';

const PATH_SHOWN = 200;

/** A path of the API with all that it knows. */
interface Resource {
  runners: Map<string, { id: string; run: OperationRunner }>;
  allowed: string[];
  isCors: boolean;
}

export interface RouteMatch {
  operationId: string | undefined;
  /** Methods that the path knows; none where there is no such path. */
  allowed: readonly string[];
  isCors: boolean;
  /** @throws AppError `not_found` or `method_not_allowed` where no operation matches */
  run(koa: Koa.Context, basics: RequestBasics): Promise<void>;
}

export type Routes = (method: string, path: string) => RouteMatch;

/** The router matches paths alone, under one method, so that a path also answers for methods it does not know. */
const ANY: HTTPMethod = 'GET';

export function compileRoutes(operations: readonly Operation[], deps: EngineDeps): Routes {
  const router = createRouter({ caseSensitive: true, maxParamLength: 2000 });
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const known = operations.filter((operation) => operation.path === path);
    const resource: Resource = {
      runners: new Map(
        known.map((operation) => [
          operation.method,
          { id: operation.id, run: compileOperation(operation, deps) },
        ]),
      ),
      allowed: allowedMethods(known),
      isCors: known.some(({ cors }) => cors),
    };
    router.on(ANY, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, resource);
  }
  return (method, path) => {
    const match = router.find(ANY, path);
    if (!match || Object.values(match.params).includes(''))
      return { operationId: undefined, allowed: [], isCors: false, run: () => refuse('not_found', path, []) };
    const { runners, allowed, isCors } = match.store as Resource;
    const runner = runners.get(method === 'HEAD' ? 'GET' : method);
    return {
      operationId: runner?.id,
      allowed,
      isCors,
      run: (koa, basics) =>
        runner ? runner.run(koa, basics, match.params) : refuse('method_not_allowed', path, allowed),
    };
  };
}

async function refuse(
  code: 'not_found' | 'method_not_allowed',
  path: string,
  allowed: string[],
): Promise<never> {
  if (code === 'not_found') throw new AppError(code, `There is nothing at ${cutText(path, PATH_SHOWN)}.`);
  throw new AppError(code, `${path} knows ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = new Set<string>([...operations.map(({ method }) => method), 'OPTIONS']);
  if (methods.has('GET')) methods.add('HEAD');
  return methodOrder.filter((method) => methods.has(method));
}
