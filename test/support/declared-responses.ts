import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorsOf } from '../../api/http/openapi/openapi.ts';
import type { Operation } from '../../api/http/operation.ts';
import { mediaTypesOf } from '../../api/http/response/respond.ts';
import { operations } from '../../api/registry.ts';
import { errorCodes, type ErrorCode } from '../../core/errors/error-codes.ts';
import { describeKind } from './one-of-each-kind.ts';
import { neverHeld } from './spends-tries.ts';

/** What every response carries. */
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

/** What may be kept, because it never changes. */
const IMMUTABLE = new Set(['getPublicAsset']);
/** What browsers load and may keep for a while; not operations. */
const WIDGET_FILE = /^\/widget(\.js|\/[\w-]+\.js(on)?)$/;
const GUIDE = /^\/(docs\/(guides|pages)|llms\.txt)(\/|$)/;

const PROBLEM = 'application/problem+json';

/** What a known path responds to a method that it does not know. */
const UNROUTED = ['method_not_allowed', 'rate_limited', 'internal_error', 'not_ready'];

/** In the folder of a run; each of its processes adds what its tests have reached. */
const REACHED_ERRORS = 'reached-errors.txt';

const reached = new Set<string>();

const routes = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  .sort((a, b) => parametersIn(a.operation) - parametersIn(b.operation));

let isWatching = false;

interface ReceivedResponse {
  status: number;
  headers: Headers;
  /** Of a problem, at least. */
  text?: string;
}

/** Checks every response of the API that this process gets by `fetch` from now on, whoever asks for it. */
export function watchResponses(): void {
  if (isWatching) return;
  isWatching = true;
  const send = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const response = await send(input, init);
    const { method, url } = input instanceof Request ? input : { method: 'GET', url: String(input) };
    const { status, headers } = response;
    const isProblem = typeOf(headers) === PROBLEM && isOfApi(headers);
    const text = isProblem ? await response.clone().text() : '';
    checkResponse(init?.method ?? method, url, { status, headers, text });
    return response;
  };
}

/** Operations that need no credential of a team. */
const NEEDS_NO_TEAM: ReadonlySet<string> = new Set(['public', 'visitor']);
/** How a workspace is set up, and what its team has to do: no error says so to strangers. */
const TEAM_WORDS =
  /\bis_active\b|allowed_domains|calendar’s settings|has no calendar|connected again|key service|mails of workspaces|with a plan/;

/** Checks a response, if it is one of the API. */
export function checkResponse(method: string, url: string, response: ReceivedResponse): void {
  if (isWatching && isOfApi(response.headers)) checkDeclared(method, url, response);
}

function isOfApi(headers: Headers): boolean {
  return headers.has('x-request-id') || headers.has('x-api-version');
}

/**
 * Throws where the API returns something that the operation does not declare: a status, an error code, a media
 * type, or without what every response carries.
 */
function checkDeclared(
  method: string,
  url: string,
  { status, headers: received, text }: ReceivedResponse,
): void {
  const { pathname } = new URL(url);
  const { isKnown, operation } = operationAt(method, pathname);
  const call = `${operation?.id ?? `${method} ${url}`} returned ${status}`;
  const isKept = status < 300 && IMMUTABLE.has(operation?.id ?? '');
  const cacheControl = isKept
    ? /^public, .*immutable$/
    : WIDGET_FILE.test(pathname) && status < 400
      ? /^(public, |no-store$)/
      : GUIDE.test(pathname) && [200, 304].includes(status)
        ? /^no-cache$/
        : undefined;
  const headers = cacheControl ? { ...COMMON_HEADERS, 'cache-control': cacheControl } : COMMON_HEADERS;
  for (const [name, expected] of Object.entries(headers))
    assert.match(received.get(name) ?? '', expected, `${call} with another ${name}`);
  const type = typeOf(received);
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
  const declared: string[] = operation ? errorsOf(operation) : UNROUTED;
  assert.ok(declared.includes(error.code), `${call} ${error.code}, which it does not declare`);
  if (operation) note(`${operation.id} ${error.code}`);
}

function typeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';')[0] ?? '';
}

function checkSuccess({ id, success }: Operation, call: string, status: number, type: string): void {
  assert.equal(status, success.status, `${call}, which it does not declare`);
  const declared = mediaTypesOf(success.spec);
  assert.ok(declared.includes(type), `${call} with ${type}; ${id} declares ${declared.join(', ')}`);
}

/**
 * The declared errors that no test of a run has met, each with its operation. The pipeline's own errors count as met once
 * an operation of the same kind has met them.
 */
export function unreachedErrors(folder: string): string[] {
  const file = join(folder, REACHED_ERRORS);
  const met = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const declared = operations.flatMap((operation) =>
    errorsOf(operation).map((code) => ({
      operation,
      code,
      pair: `${operation.id} ${code}`,
      kind: `${describeKind(operation)} ${code}`,
    })),
  );
  const metByKind = new Set(declared.filter(({ pair }) => met.has(pair)).map(({ kind }) => kind));
  return declared
    .filter(({ operation, code }) => !isNeverRepeated(operation, code))
    .filter(({ operation, code, pair, kind }) =>
      operation.errors.includes(code) ? !met.has(pair) : !metByKind.has(kind),
    )
    .map(({ pair }) => pair);
}

/** A generated call cannot hold the first of these while it is repeated. */
function isNeverRepeated({ id }: Operation, code: ErrorCode): boolean {
  return neverHeld.has(id) && code.startsWith('idempotency_');
}

function note(pair: string): void {
  const folder = process.env['TEST_FOLDER'];
  if (folder === undefined || reached.has(pair)) return;
  reached.add(pair);
  appendFileSync(join(folder, REACHED_ERRORS), `${pair}\n`);
}

/** What the path knows is what its most exact pattern knows; tests may serve paths of their own. */
function operationAt(method: string, path: string): { isKnown: boolean; operation: Operation | undefined } {
  const known = routes.filter(({ pattern }) => pattern.test(path));
  const [best] = known;
  const wanted = method === 'HEAD' ? 'GET' : method;
  const match = known.find(
    ({ operation }) => operation.path === best?.operation.path && operation.method === wanted,
  );
  return { isKnown: best !== undefined, operation: match?.operation };
}

function parametersIn({ path }: Operation): number {
  return path.split('{').length;
}
