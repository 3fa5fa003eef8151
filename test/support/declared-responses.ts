import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listErrorCodes } from '../../api/http/openapi/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { EVENT_STREAM } from '../../api/http/response/event-stream.ts';
import { listMediaTypes } from '../../api/http/response/respond.ts';
import { operations } from '../../api/registry.ts';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import { listPairs } from './select-sample.ts';
import { unheldOperations } from './operation-sets.ts';

/** Patterns of the headers that every API response has. */
const COMMON_HEADERS = {
  'x-request-id': /^req_[0-9a-f]{32}$/,
  'x-api-version': /^\d{4}-\d\d-\d\d$/,
  'ratelimit-limit': /^\d+$/,
  'ratelimit-remaining': /^\d+$/,
  'ratelimit-reset': /^\d+$/,
  'cache-control': /^no-store$/,
  'content-security-policy': /^default-src '(none|self)';/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
};

/** Operations whose responses clients may cache without limit, because they never change. */
const IMMUTABLE = new Set(['getPublicAsset']);
/** Matches paths of files that browsers load and may cache for a while; they are not operations. */
const WIDGET_FILE = /^\/widget(\.js|\/[\w-]+\.js(on)?)$/;
const REVALIDATED =
  /^\/((docs\/(guides|pages)|llms\.txt|console|sign-in|register|welcome|forgot-password|reset-password|verify-email|device|invitations)(\/|$)|docs(\/reference\.(js|css))?$|openapi(\.ext)?\.json$)/;

const PROBLEM = 'application/problem+json';

/** Error codes that the API may return for an unsupported method on a known path. */
const UNROUTED = ['method_not_allowed', 'rate_limited', 'internal_error', 'not_ready'];

/** Name of the file in a test run's folder to which each process appends the errors that its tests have met. */
const REACHED_ERRORS = 'reached-errors.txt';

const reached = new Set<string>();

const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => countParameters(a.operation) - countParameters(b.operation));

let isWatching = false;

interface ReceivedResponse {
  status: number;
  headers: Headers;
  /** Body of the response; error responses always have one. */
  text?: string;
}

/** Checks every API response that this process receives by `fetch` from now on. */
export function watchResponses(): void {
  if (isWatching) return;
  isWatching = true;
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await send(input, init);
    const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) };
    const { status, headers } = response;
    const isProblem = parseMediaType(headers) === PROBLEM && isApiResponse(headers);
    const text = isProblem ? await response.clone().text() : '';
    checkResponse(init?.method ?? method, url, { status, headers, text });
    return response;
  };
}

/** Kinds of operations by credential (values of `auth`) that need no credential of a team member. */
const NEEDS_NO_TEAM: ReadonlySet<string> = new Set(['public', 'visitor']);
/** Words about a workspace's set-up and its team's tasks, which no error may reveal to strangers. */
const TEAM_WORDS =
  /\bis_active\b|allowed_domains|calendar’s settings|has no calendar|[Cc]onnect the calendar again|key service|emails from workspaces|a plan raises/;

/** Checks a response against the API's description if it comes from the API. */
export function checkResponse(method: string, url: string, response: ReceivedResponse): void {
  if (isWatching && isApiResponse(response.headers)) checkDeclared(method, url, response);
}

function isApiResponse(headers: Headers): boolean {
  return headers.has('x-request-id') || headers.has('x-api-version');
}

/**
 * Checks an API response against its operation: status, error code, media type and common headers.
 * @throws AssertionError if the operation does not declare it
 */
function checkDeclared(
  method: string,
  url: string,
  { status, headers: received, text }: ReceivedResponse,
): void {
  const { pathname } = new URL(url);
  const { isKnown, operation } = findOperation(method, pathname);
  const call = `${operation?.id ?? `${method} ${url}`} returned ${status}`;
  const isKept = status < 300 && IMMUTABLE.has(operation?.id ?? '');
  const cacheControl = isKept
    ? /^public, .*immutable$/
    : WIDGET_FILE.test(pathname) && status < 400
      ? /^(public, |no-store$)/
      : REVALIDATED.test(pathname) && [200, 304].includes(status)
        ? /^no-cache$/
        : parseMediaType(received) === EVENT_STREAM
          ? /^no-store, no-transform$/
          : undefined;
  const headers = cacheControl ? { ...COMMON_HEADERS, 'cache-control': cacheControl } : COMMON_HEADERS;
  for (const [name, expected] of Object.entries(headers))
    assert.match(received.get(name) ?? '', expected, `${call} with another ${name}`);
  const type = parseMediaType(received);
  if (type !== PROBLEM) {
    if (operation) checkSuccess(operation, call, status, type);
    return;
  }
  if (method === 'HEAD') return;
  const { error } = JSON.parse(text ?? '') as { error: { code: keyof typeof errorCodes } };
  assert.equal(status, errorCodes[error.code].status, `${call} ${error.code}`);
  if (operation && NEEDS_NO_TEAM.has(operation.auth))
    assert.doesNotMatch(text ?? '', TEAM_WORDS, `${call} with a text for the team`);
  if (!isKnown) return;
  const declared: string[] = operation ? listErrorCodes(operation) : UNROUTED;
  assert.ok(declared.includes(error.code), `${call} ${error.code}, which it does not declare`);
  if (operation) recordReached(`${operation.id} ${error.code}`);
}

function parseMediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0] ?? '';
}

function checkSuccess({ id, success }: Operation, call: string, status: number, type: string): void {
  assert.equal(status, success.status, `${call}, which it does not declare`);
  const declared = listMediaTypes(success.spec);
  assert.ok(declared.includes(type), `${call} with ${type}; ${id} declares ${declared.join(', ')}`);
}

/**
 * Returns each declared error that no test of a run has met, with its operation. The API returns some errors
 * before an operation runs. They count as met for an operation if every pair of its declarations occurs in
 * operations that met them.
 */
export function findUnreachedErrors(folder: string): string[] {
  const file = join(folder, REACHED_ERRORS);
  const met = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const declared = operations.flatMap((operation) =>
    listErrorCodes(operation).map((code) => ({
      operation,
      code,
      name: `${operation.id} ${code}`,
      pairs: listPairs(operation).map((pair) => `${pair} ${code}`),
    })),
  );
  const metPairs = new Set(declared.filter(({ name }) => met.has(name)).flatMap(({ pairs }) => pairs));
  return declared
    .filter(({ operation, code }) => !isNeverRepeated(operation, code))
    .filter(({ operation, code, name, pairs }) =>
      operation.errors.includes(code) ? !met.has(name) : !pairs.every((pair) => metPairs.has(pair)),
    )
    .map(({ name }) => name);
}

/**
 * Returns whether generated calls of the operation cannot meet this error: some operations cannot meet the
 * idempotency errors.
 */
function isNeverRepeated({ id }: Operation, code: ErrorCode): boolean {
  return unheldOperations.has(id) && code.startsWith('idempotency_');
}

function recordReached(pair: string): void {
  const folder = process.env['TEST_FOLDER'];
  if (folder === undefined || reached.has(pair)) return;
  reached.add(pair);
  appendFileSync(join(folder, REACHED_ERRORS), `${pair}\n`);
}

/** Finds the operation of a request by the most exact pattern that matches the path. Tests may serve other paths. */
function findOperation(method: string, path: string): { isKnown: boolean; operation: Operation | undefined } {
  const known = routes.filter(({ pattern }) => pattern.test(path));
  const [best] = known;
  const routedMethod = method === 'HEAD' ? 'GET' : method;
  const match = known.find(
    ({ operation }) => operation.path === best?.operation.path && operation.method === routedMethod,
  );
  return { isKnown: best !== undefined, operation: match?.operation };
}

function countParameters({ path }: Operation): number {
  return path.split('{').length;
}
