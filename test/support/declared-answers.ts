import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsOf } from '../../api/http/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { mediaTypesOf } from '../../api/http/respond.ts';
import { operations } from '../../api/registry.ts';
import { errorCodes } from '../../core/error-codes.ts';

const REQUIRED_HEADERS = [
  'x-request-id',
  'x-api-version',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
];

const PROBLEM = 'application/problem+json';

/** What no operation declares: the path or the method is not one of the API's. */
const UNROUTED = ['not_found', 'method_not_allowed', 'rate_limited'];

/** In the folder of a run; each of its processes adds what its tests have reached. */
const REACHED_ERRORS = 'reached-errors.txt';

const reached = new Set<string>();

const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => parametersIn(a.operation) - parametersIn(b.operation));

/**
 * Throws where the API answers with something that the operation does not declare: a status, an error code, a media
 * type, or without a header that every answer has.
 */
export async function checkDeclared(
  method: string,
  url: string,
  response: Pick<Response, 'status' | 'headers' | 'clone'>,
): Promise<void> {
  const operation = operationAt(method, new URL(url).pathname);
  const call = `${operation?.id ?? `${method} ${url}`} answered ${response.status}`;
  const missing = REQUIRED_HEADERS.filter((name) => !response.headers.has(name));
  if (method !== 'OPTIONS') assert.deepEqual(missing, [], `${call} without these headers`);
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  if (type !== PROBLEM) {
    if (operation) checkSuccess(operation, call, response.status, type);
    return;
  }
  if (method === 'HEAD') return;
  const { error } = (await response.clone().json()) as { error: { code: keyof typeof errorCodes } };
  assert.equal(response.status, errorCodes[error.code].status, `${call} ${error.code}`);
  const declared: string[] = operation ? errorsOf(operation) : UNROUTED;
  assert.ok(declared.includes(error.code), `${call} ${error.code}, which it does not declare`);
  if (operation) note(`${operation.id} ${error.code}`);
}

function checkSuccess({ id, success }: Operation, call: string, status: number, type: string): void {
  assert.equal(status, success.status, `${call}, which it does not declare`);
  const declared = mediaTypesOf(success.spec);
  assert.ok(declared.includes(type), `${call} with ${type}; ${id} declares ${declared.join(', ')}`);
}

/** Every pair of an operation and an error that it declares. */
export function declaredErrors(): string[] {
  return operations.flatMap((operation) => errorsOf(operation).map((code) => `${operation.id} ${code}`));
}

/** Those of them that the tests of a run have reached. */
export function reachedErrors(folder: string): Set<string> {
  const file = join(folder, REACHED_ERRORS);
  return new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
}

function note(pair: string): void {
  const folder = process.env['TEST_FOLDER'];
  if (folder === undefined || reached.has(pair)) return;
  reached.add(pair);
  appendFileSync(join(folder, REACHED_ERRORS), `${pair}\n`);
}

function operationAt(method: string, path: string): Operation | undefined {
  const known = routes.filter(({ pattern }) => pattern.test(path));
  const [best] = known;
  const wanted = method === 'HEAD' ? 'GET' : method;
  return known.find(({ operation }) => operation.path === best?.operation.path && operation.method === wanted)
    ?.operation;
}

function parametersIn({ path }: Operation): number {
  return path.split('{').length;
}
