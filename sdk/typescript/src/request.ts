import { InvalidArgumentError, MissingCredentialError } from './errors.ts';
import { isBrowser } from './environment.ts';
import { API_VERSION, SDK_VERSION } from './generated/version.ts';
import { timeouts, type CallOptions, type ClientOptions, type Fetch, type Operation } from './options.ts';
import { randomId } from './random-id.ts';
import { buildUploadBody, type SentBody, type Upload } from './uploads.ts';

/** Arguments of a method. */
export interface Arguments {
  path?: readonly (string | number)[];
  query?: object | undefined;
  json?: unknown;
  raw?: string | Uint8Array;
  upload?: { field: string; file: Upload; fields: object };
  headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A request that can be sent repeatedly, even after its arguments have changed. */
export interface PreparedRequest {
  url: string;
  init: RequestInit;
  isRepeatable: boolean;
  timeoutMs: number;
  /** Whether a redirect is a valid response. */
  mayRedirect: boolean;
}

export interface Settings extends ClientOptions {
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
  const { content, contentType, isRepeatable } = buildBody(args);
  const headers: Record<string, string> = { accept: operation.accept, 'x-api-version': API_VERSION };
  if (!isBrowser) headers['user-agent'] = USER_AGENT;
  const token = chooseToken(operation, options, settings);
  if (token !== undefined) headers['authorization'] = `Bearer ${requireToken(token)}`;
  if (contentType !== undefined) headers['content-type'] = contentType;
  if (operation.takesIdempotencyKey) headers['idempotency-key'] = options.idempotencyKey ?? randomId();
  for (const [name, value] of Object.entries({ ...args.headers, ...options.headers }))
    if (value !== undefined) headers[name.toLowerCase()] = value;
  const init: RequestInit & { duplex?: 'half' } = { method: operation.method, headers };
  if (content !== undefined) init.body = content;
  if (content instanceof ReadableStream) init.duplex = 'half';
  return {
    url: buildUrl(operation, args, settings.baseUrl),
    init,
    isRepeatable,
    timeoutMs: options.timeoutMs ?? settings.timeoutMs ?? timeouts[operation.patience],
    mayRedirect: operation.redirects === true,
  };
}

function buildBody({ json, raw, upload }: Arguments): SentBody {
  if (upload)
    return buildUploadBody(upload.field, upload.file, upload.fields as Record<string, string | undefined>);
  const content = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  return {
    content: content as SentBody['content'],
    contentType: content === undefined ? undefined : 'application/json',
    isRepeatable: true,
  };
}

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

/** Quotation marks that are not ASCII. */
const QUOTATION_MARKS = '“”„‟‘’‚‛«»‹›';

/**
 * Returns a key or token without white space around it, such as the newline at the end of a file.
 * @throws InvalidArgumentError for a character that no key or token has, such as the … of an example
 */
function requireToken(token: string): string {
  const trimmed = token.trim();
  const [wrong] = /[^!-~]/u.exec(trimmed) ?? [];
  if (wrong === undefined) return trimmed;
  const advice = QUOTATION_MARKS.includes(wrong) ? ', without quotation marks' : '';
  throw new InvalidArgumentError(
    `The key or token has the character “${wrong}”, which none has. Copy the whole key${advice}.`,
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
    if (typeof sent === 'object' && sent !== null)
      throw new InvalidArgumentError(
        `${name} of ${id} is an object, so no request was sent. Pass its id.`,
        name,
      );
    const value = String(sent ?? '');
    // An empty part or dots would address another operation.
    if (/^\.{0,2}$/.test(value)) {
      const shown = typeof sent === 'string' ? JSON.stringify(sent) : String(sent);
      throw new InvalidArgumentError(
        `${name} of ${id} is ${shown}, so no request was sent. Is its variable set?`,
        name,
      );
    }
    return encodeURIComponent(value);
  });
  const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.length === 0) return baseUrl + filledPath;
  const search = new URLSearchParams(
    parameters.map(([name, value]): [string, string] => [name, String(value)]),
  );
  return `${baseUrl}${filledPath}?${search.toString()}`;
}
