import { callRules, checkOptions, text } from './check-options.ts';
import type { TimeLimit } from './deadline.ts';
import { describeCharacter, describeType, isObject, isPromise } from './describe-type.ts';
import { InvalidArgumentError, MissingCredentialError } from './errors.ts';
import { isBrowser, type Address } from './environment.ts';
import { API_VERSION, SDK_VERSION } from './generated/version.ts';
import { timeouts, type CallOptions, type ClientOptions, type Fetch, type Operation } from './options.ts';
import { randomId } from './random-id.ts';
import { buildUploadBody, type SentBody, type Upload } from './uploads.ts';

/** Arguments of a call of an API operation: path, query, headers and body. */
export interface Arguments {
  path?: readonly (string | number)[];
  query?: object | undefined;
  json?: unknown;
  raw?: string | Uint8Array;
  upload?: { field: string; file: Upload; fields: object };
  headers?: Readonly<Record<string, string | null | undefined>> | undefined;
}

/** A request to the API that can be sent repeatedly, even after its arguments have changed. */
export interface PreparedRequest {
  url: string;
  init: RequestInit;
  isRepeatable: boolean;
  limit: TimeLimit;
  findReadFault?: SentBody['findReadFault'];
  /** Whether a redirect is a valid response of the operation. */
  mayRedirect: boolean;
}

export interface Settings extends ClientOptions, Address {
  baseUrl: string;
  fetch: Fetch;
}

export const USER_AGENT = `parley-sdk-typescript/${SDK_VERSION}`;

/** @throws InvalidArgumentError, MissingCredentialError if the request cannot be sent */
export function prepareRequest(
  operation: Operation,
  args: Arguments,
  options: CallOptions,
  settings: Settings,
): PreparedRequest {
  checkCallOptions(operation, args, options);
  const { content, contentType, isRepeatable, findReadFault } = buildBody(operation, args);
  const headers: Record<string, string> = { accept: operation.accept, 'x-api-version': API_VERSION };
  if (!isBrowser) headers['user-agent'] = USER_AGENT;
  const token = chooseToken(operation, options, settings);
  if (token !== undefined) headers['authorization'] = `Bearer ${requireToken(token)}`;
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (operation.takesIdempotencyKey) headers['idempotency-key'] = options.idempotencyKey ?? randomId();
  for (const [name, value] of Object.entries({ ...args.headers, ...options.headers })) {
    if (isPromise(value)) throw createPromiseError(name, operation.id);
    if (value !== undefined && value !== null) headers[name.toLowerCase()] = value;
  }
  checkHeaders(operation, headers);
  const init: RequestInit & { duplex?: 'half' } = { method: operation.method, headers };
  if (content !== undefined) init.body = content;
  if (content instanceof ReadableStream) init.duplex = 'half';
  return {
    url: buildUrl(operation, args, settings.baseUrl),
    init,
    isRepeatable,
    findReadFault,
    limit: chooseLimit(operation, options.timeoutMs ?? settings.timeoutMs),
    mayRedirect: operation.redirects === true,
  };
}

/** Matches a character that an HTTP header cannot contain. */
const UNSENDABLE = /[^\t -~\u0080-\u00FF]/u;

/**
 * Checks that the request's headers can be sent. `fetch` would throw an error that looks like a broken
 * connection.
 * @throws InvalidArgumentError for a control character, and for a character beyond Latin-1
 */
function checkHeaders({ id }: Operation, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    const [wrong] = UNSENDABLE.exec(value) ?? [];
    if (wrong !== undefined)
      throw new InvalidArgumentError(
        `The header ${name} of ${id} contains the character ${describeCharacter(wrong)}, so no request was sent. Headers can only contain Latin-1 characters.`,
        name,
      );
  }
}

/** The headers that an operation declares are options of its method, such as `ifMatch`. */
function checkCallOptions({ id }: Operation, { headers = {} }: Arguments, options: CallOptions): void {
  const names = Object.keys(headers).map((name) =>
    name.toLowerCase().replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  );
  checkOptions(id, options, { ...callRules, ...Object.fromEntries(names.map((name) => [name, text])) });
}

function chooseLimit({ timeoutClass }: Operation, timeoutMs: number | undefined): TimeLimit {
  // Callers in JavaScript may pass null.
  return typeof timeoutMs === 'number'
    ? { ms: timeoutMs, option: 'timeoutMs' }
    : { ms: timeouts[timeoutClass] };
}

function buildBody({ id }: Operation, { json, raw, upload }: Arguments): SentBody {
  if (upload) {
    const fields = requireRecord('fields', id, upload.fields) as Record<
      string,
      string | readonly string[] | null | undefined
    >;
    return buildUploadBody(upload.field, upload.file, fields);
  }
  if (isPromise(raw)) throw createPromiseError('The body', id, 'body');
  const content = raw ?? (json === undefined ? undefined : serializeBody(id, json));
  return {
    content: content as SentBody['content'],
    contentType: content === undefined ? undefined : 'application/json',
    isRepeatable: true,
  };
}

/**
 * @throws InvalidArgumentError for text in place of the request body, or a value in it that JSON would omit
 *   or change
 */
function serializeBody(id: string, json: unknown): string {
  if (isPromise(json)) throw createPromiseError('The body', id, 'body');
  if (!isObject(json))
    throw new InvalidArgumentError(
      `The body of ${id} is ${describeType(json)}, so no request was sent. Pass an object with its fields.`,
      'body',
    );
  const parents: unknown[] = [];
  return JSON.stringify(json, function checkValue(this: Record<string, unknown>, name, value: unknown) {
    // JSON.stringify has already called toJSON for `value`, so the original value is read from its object.
    const sent = this[name];
    const label = name === '' ? 'The body' : /^\d+$/.test(name) ? 'An item in the body' : name;
    if (isPromise(sent)) throw createPromiseError(label, id, name);
    while (parents.length > 0 && parents.at(-1) !== this) parents.pop();
    const fault = parents.includes(sent) ? 'an object that contains itself' : describeUnsendable(sent);
    if (fault !== undefined)
      throw new InvalidArgumentError(
        `${label} of ${id} is ${fault}, so no request was sent.`,
        name || 'body',
      );
    if (isObject(value) || Array.isArray(value)) parents.push(value);
    return value;
  });
}

/**
 * Describes a value in a request body that JSON would omit or change, with what to pass; undefined for any
 * other value.
 */
function describeUnsendable(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value}, not a finite number`;
  if (typeof value === 'bigint') return 'a bigint, not a number';
  if (typeof value === 'function' || typeof value === 'symbol') return describeType(value);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'bytes, not a string';
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid date';
  const [, type] =
    /^\[object (Map|Set|FormData|URLSearchParams|Blob|File)\]$/.exec(Object.prototype.toString.call(value)) ??
    [];
  return type === undefined ? undefined : `a ${type}, not a plain object, list or string`;
}

/** @throws InvalidArgumentError for text in place of an object, or a promise in it */
function requireRecord(argument: string, id: string, record: object): object {
  if (isPromise(record)) throw createPromiseError(`The ${argument}`, id, argument);
  if (!isObject(record))
    throw new InvalidArgumentError(
      `The ${argument} of ${id} must be an object, but is ${describeType(record)}, so no request was sent.`,
      argument,
    );
  for (const [name, value] of Object.entries(record))
    if (isPromise(value)) throw createPromiseError(name, id);
  return record;
}

/**
 * Writes the value of a parameter. Writes a date as ISO 8601, which the API expects.
 * @throws InvalidArgumentError for an invalid date
 */
function toParameter(name: string, id: string, value: unknown): string {
  if (!(value instanceof Date)) return String(value);
  if (Number.isNaN(value.getTime()))
    throw new InvalidArgumentError(`${name} of ${id} is an invalid date, so no request was sent.`, name);
  return value.toISOString();
}

function createPromiseError(name: string, id: string, argument = name): InvalidArgumentError {
  return new InvalidArgumentError(
    `${name} of ${id} is a promise, so no request was sent. Await it.`,
    argument,
  );
}

/** External document ids that a URL path cannot have, because they would address another operation. */
const RESERVED_EXTERNAL_IDS = ['.', '..', 'upload'];

function chooseToken({ id, auth }: Operation, options: CallOptions, settings: Settings): string | undefined {
  if (auth === 'none') return undefined;
  const isVisitors = auth === 'visitor' || auth === 'visitorIfAny';
  const token = isVisitors ? (options.visitorToken ?? settings.visitorToken) : settings.apiKey;
  if (token !== undefined || auth === 'visitorIfAny') return token;
  throw auth === 'visitor'
    ? new MissingCredentialError(
        `${id} is for visitors: pass the visitor_token of their session as visitorToken.`,
        'visitorToken',
      )
    : new MissingCredentialError(
        `${id} needs credentials: pass an apiKey to new Parley(), or set PARLEY_API_KEY, which is only sent to PARLEY_URL.`,
        'key',
      );
}

/** Quotation marks that are not ASCII, which text editors may insert around an API key. */
const QUOTATION_MARKS = '“”„‟‘’‚‛«»‹›';

/**
 * Returns an API key or token without white space around it, such as the newline at the end of a file.
 * @throws InvalidArgumentError for a character that no key or token has, such as the … of an example
 */
function requireToken(token: string): string {
  const trimmed = token.trim();
  if (/^bearer\s/i.test(trimmed))
    throw new InvalidArgumentError('The key or token begins with “Bearer ”. Omit this word.', 'apiKey');
  const [wrong] = /[^!-~]/u.exec(trimmed) ?? [];
  if (wrong === undefined) return trimmed;
  const advice = QUOTATION_MARKS.includes(wrong) ? ', without quotation marks' : '';
  throw new InvalidArgumentError(
    `The key or token contains the character ${describeCharacter(wrong)}, which is not allowed in keys and tokens. Copy the whole key${advice}.`,
    'apiKey',
  );
}

function buildUrl(
  { id, path }: Operation,
  { path: values = [], query = {} }: Arguments,
  baseUrl: string,
): string {
  let position = 0;
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const sent: string | number | null | undefined = values[position++];
    if (isPromise(sent)) throw createPromiseError(name, id);
    if (name === 'external_id' && RESERVED_EXTERNAL_IDS.includes(String(sent)))
      throw new InvalidArgumentError(
        `external_id of ${id} is "${sent}", so no request was sent. external_id must not be ".", ".." or "upload".`,
        name,
      );
    if (typeof sent === 'object' && sent !== null)
      throw new InvalidArgumentError(
        `${name} of ${id} is an object, so no request was sent. Pass its id.`,
        name,
      );
    const value = String(sent ?? '');
    // An empty path segment, or one of dots, would address another operation.
    if (/^\.{0,2}$/.test(value)) {
      const shown = typeof sent === 'string' ? JSON.stringify(sent) : String(sent);
      throw new InvalidArgumentError(
        `${name} of ${id} is ${shown}, so no request was sent. Is its variable set?`,
        name,
      );
    }
    return encodeURIComponent(value);
  });
  const parameters = Object.entries(requireRecord('query', id, query)).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  if (parameters.length === 0) return baseUrl + filledPath;
  const search = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, toParameter(name, id, value)]),
  );
  return `${baseUrl}${filledPath}?${search.toString()}`;
}
