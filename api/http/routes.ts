import type Koa from 'koa';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { isUuid } from '../../core/ids.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { AppError } from '../../core/errors/errors.ts';
import type { Operation } from './operation.ts';
import { compileOperation, type OperationRunner } from './pipeline.ts';
import { addressCharge, enforceLimit } from './limits/rate-limit.ts';
import { adviseOnMethod, createNearPathFinder, explainPath, type KnownPath } from './problems/near-paths.ts';
import { isPublicFacing } from './access/principal.ts';
import { readPathOrgId } from './access/ended-caller-principals.ts';
import type { OperationTarget } from '../../services/requests/request-log.ts';
import type { RequestBasics } from './request-basics.ts';
import type { EngineDeps } from './engine-deps.ts';

const MAX_SHOWN_PATH = 200;

/** A path of the API, with its operations by method. */
interface Resource {
  path: string;
  runners: Map<
    string,
    { id: string; isPublicFacing: boolean; concernsAccount: boolean; run: OperationRunner }
  >;
  allowed: string[];
  isCors: boolean;
}

export interface RouteMatch {
  operationId: string | undefined;
  /** Path of the matching operation with parameter names; undefined for an unknown path. */
  path: string | undefined;
  /** Returns the method and path that the request log shows; undefined for an unknown path or method. */
  describeTarget: (() => OperationTarget) | undefined;
  /** HTTP methods that the path supports; empty for an unknown path. */
  allowed: readonly string[];
  isCors: boolean;
  /** True for pages and for operations of visitors or the public. False if only members get the response. */
  isPublicFacing: boolean;
  /**
   * Runs the matching operation. If none matches, counts the request against the limit of its IP address.
   * @throws AppError `not_found` or `method_not_allowed`
   */
  run(koa: Koa.Context, basics: RequestBasics): Promise<void>;
}

export type Routes = (method: string, path: string) => RouteMatch;

/**
 * Method under which all paths are registered, so that the router also finds a path for a method that the
 * path does not support.
 */
const ANY: HTTPMethod = 'GET';

/**
 * @param pagePaths paths of pages and files, which are not operations; an error response suggests such a path
 *   if the caller probably meant it
 */
export function compileRoutes(
  operations: readonly Operation[],
  deps: EngineDeps,
  pagePaths: readonly KnownPath[] = [],
): Routes {
  const knownPaths = operations.map(toKnownPath);
  const findNearPaths = createNearPathFinder([...knownPaths, ...pagePaths]);
  const pages = new Map(pagePaths.map((page) => [page.path, page.methods]));
  const router = createRouter({ caseSensitive: true, maxParamLength: 2000 });
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const operationsOfPath = operations.filter((operation) => operation.path === path);
    const resource: Resource = {
      path,
      runners: new Map(
        operationsOfPath.map((operation) => [
          operation.method,
          {
            id: operation.id,
            isPublicFacing: isPublicFacing(operation.auth),
            concernsAccount: operation.auth === 'account' || operation.auth === 'user',
            run: compileOperation(operation, deps, operations),
          },
        ]),
      ),
      allowed: allowedMethods(operationsOfPath),
      isCors: operationsOfPath.some(({ cors }) => cors),
    };
    router.on(ANY, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, resource);
  }
  const createRefusal =
    (createError: () => AppError): RouteMatch['run'] =>
    async (koa, { ip }) => {
      await enforceLimit(koa, deps.rateLimiter, addressCharge(ip, deps.settings));
      throw createError();
    };
  const createUnknownPathError = (method: string, path: string, empty?: EmptyParameter): AppError => {
    const pageMethods = pages.get(path);
    if (pageMethods !== undefined && !pageMethods.includes(method))
      return unknownMethod(method, path, pageMethods);
    return unknownPath(path, findNearPaths(method, path), empty);
  };
  return (method, path) => {
    const match = router.find(ANY, path);
    const empty = match ? findEmptyParameter(match.store as Resource, match.params) : undefined;
    if (!match || empty)
      return {
        operationId: undefined,
        path: undefined,
        describeTarget: undefined,
        allowed: [],
        isCors: false,
        isPublicFacing: true,
        run: createRefusal(() => createUnknownPathError(method, path, empty)),
      };
    const { path: declared, runners, allowed, isCors } = match.store as Resource;
    const runner = runners.get(method === 'HEAD' ? 'GET' : method);
    return {
      operationId: runner?.id,
      path: declared,
      describeTarget:
        runner &&
        (() => ({
          path: fillIds(declared, match.params),
          orgId: readPathOrgId(match.params),
          concernsAccount: runner.concernsAccount,
        })),
      allowed,
      isCors,
      isPublicFacing: runner?.isPublicFacing ?? true,
      run: runner
        ? (koa, basics) => runner.run(koa, basics, match.params)
        : createRefusal(() =>
            unknownMethod(method, path, allowed, adviseOnMethod(method, declared, knownPaths)),
          ),
    };
  };
}

/**
 * Replaces parameters in an operation's path by their values if these are ids, for the request log. Other
 * values may be secrets or content.
 */
function fillIds(path: string, params: Record<string, string | undefined>): string {
  return path.replaceAll(/\{(\w+)\}/g, (parameter, name: string) => {
    const value = params[name];
    return value !== undefined && isUuid(value) ? value : parameter;
  });
}

function toKnownPath({ path, method }: Operation): KnownPath {
  return { path, methods: method === 'GET' ? ['GET', 'HEAD'] : [method] };
}

/** A parameter that is empty in the path of a request. */
interface EmptyParameter {
  name: string;
  /** Path of the operation with parameter names. */
  path: string;
}

function findEmptyParameter(
  { path }: Resource,
  params: Record<string, string | undefined>,
): EmptyParameter | undefined {
  const [name] = Object.keys(params).filter((each) => params[each] === '');
  return name === undefined ? undefined : { name, path };
}

function unknownPath(path: string, near: readonly string[], empty: EmptyParameter | undefined): AppError {
  return new AppError(
    'not_found',
    `There is nothing at ${cutText(path, MAX_SHOWN_PATH)}.${suggestPath(path, near, empty)}`,
  );
}

function suggestPath(path: string, near: readonly string[], empty: EmptyParameter | undefined): string {
  const explanation = explainPath(path);
  if (explanation) return ` ${explanation}`;
  if (empty && !path.endsWith('/')) return ` ${empty.name} of ${empty.path} is empty. Is its variable set?`;
  if (near.length > 0)
    return ` Did you mean ${near.join(' or ')}${empty ? `, or is ${empty.name} empty` : ''}?`;
  return /^\/api(\/|$)/.test(path) ? ' See /docs for all operations.' : '';
}

function unknownMethod(method: string, path: string, allowed: readonly string[], advice = ''): AppError {
  const allowedList = allowed.join(', ');
  const message = `${cutText(path, MAX_SHOWN_PATH)} does not support ${method}, only ${allowedList}.${advice}`;
  return new AppError('method_not_allowed', message, { headers: { Allow: allowedList } });
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = new Set<string>([...operations.map(({ method }) => method), 'OPTIONS']);
  if (methods.has('GET')) methods.add('HEAD');
  return methodOrder.filter((method) => methods.has(method));
}
