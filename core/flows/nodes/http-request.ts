import { Type, type Static } from '@sinclair/typebox';
import { OUT } from '../flow-graph.ts';
import { BODY_PATH, getValueAt } from '../flow-values.ts';
import { leaveStep, defineNodeType, type DataFault, type FlowRequest, type StepInput } from '../node-type.ts';
import { renderUrl, renderHeader, renderEmptyJson, renderJson } from '../templates.ts';
import { Data, OneWord, templateAt, Variable } from './node-schemas.ts';

const MAX_HEADERS = 20;
const MAX_SAVED = 20;
const MAX_URL = 2000;
const MAX_BODY = 20_000;
/** Maximum number of characters in the URL of a flow's HTTP request once values are inserted. */
const MAX_SENT_URL = 2 * MAX_URL;
const MAX_SENT_BODY = 4 * MAX_BODY;
/**
 * Maximum number of characters that inserted values may add to a request header: many servers refuse longer
 * headers.
 */
const MAX_HEADER = 8000;
const DEFAULT_TIMEOUT_MS = 5000;

/**
 * Matches URLs without templates in the origin. Only the flow's author may choose the server; visitors'
 * values may only change the path and query.
 */
const FIXED_ORIGIN = '^https?://[^\\s/?#\\\\{}@]+([/?#]\\S*)?$';
/** Request headers that the HTTP client sets itself, so a flow may not. */
const RESERVED = /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|keep-alive|expect)$/i;
/**
 * Matches values of secret headers. They are sent exactly as entered, so they must be printable ASCII on one
 * line.
 */
const ONE_LINE = /^[\x20-\x7e]*$/;

const Header = Data({
  name: Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$", examples: ['Authorization'] }),
  value: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 4000 })),
  secret: Type.Optional(Type.Boolean()),
  /** Whether a value is stored for a secret header. The API returns this field, and ignores it in requests. */
  has_value: Type.Optional(Type.Boolean()),
});

const RequestData = Data({
  method: OneWord(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: Type.String({
    maxLength: MAX_URL,
    pattern: FIXED_ORIGIN,
    examples: ['https://api.example.com/orders/{{vars.order}}'],
  }),
  headers: Type.Optional(Type.Array(Header, { maxItems: MAX_HEADERS })),
  body: Type.Optional(Type.String({ maxLength: MAX_BODY })),
  timeout_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 10_000 })),
  save: Type.Optional(
    Type.Array(
      Data({
        path: Type.String({ maxLength: 300, pattern: BODY_PATH, examples: ['order.state'] }),
        variable: Variable,
      }),
      {
        maxItems: MAX_SAVED,
      },
    ),
  ),
});
export type RequestData = Static<typeof RequestData>;
/**
 * A header of a flow's HTTP request, as the API receives it or as stored. In a stored header, `sealed` is the
 * encrypted secret.
 */
export type RequestHeader = Static<typeof Header> & { sealed?: string };

/**
 * Flow step that sends an HTTP request to a server chosen by the author, and stores parts of the response in
 * variables.
 */
export const httpRequest = defineNodeType<RequestData>({
  type: 'http_request',
  schema: RequestData,
  ports: () => [OUT, 'error'],
  listRequiredPorts: () => [[OUT], ['error']],
  templates: ({ url, headers = [], body }) => [
    ...templateAt(url, 'url'),
    ...headers.flatMap(({ value, secret }, at) =>
      secret === true ? [] : templateAt(value ?? undefined, 'headers', at, 'value'),
    ),
    ...templateAt(body, 'body'),
  ],
  faults: findFaults,
  step: (data, visit) => {
    const { event } = visit;
    if (event.kind !== 'done') {
      const request = buildRequest(data, visit);
      if (request) return { move: { kind: 'perform', effect: { kind: 'request', request } } };
      return {
        move: leaveStep('error'),
        note: 'A value would have changed the target of the request, or made its URL too long.',
      };
    }
    const http = { ok: event.port === OUT, body: event.body };
    if (event.port !== OUT) return { http, move: leaveStep('error') };
    const saved = (data.save ?? []).map(({ path, variable }) => [variable, getValueAt(event.body, path)]);
    return { http, changes: Object.fromEntries(saved) as Record<string, unknown>, move: leaveStep(OUT) };
  },
});

function findFaults({ method, url, headers = [], body }: RequestData): DataFault[] {
  const faults: DataFault[] = [];
  if (!URL.canParse(url.replaceAll(/\{\{[^{}]*\}\}/g, '0')))
    faults.push({ path: ['url'], message: 'must be a URL' });
  for (const [at, { name, value, secret }] of headers.entries()) {
    const path = ['headers', at, 'name'];
    if (secret === true && !ONE_LINE.test(value ?? ''))
      faults.push({ path: ['headers', at, 'value'], message: 'must consist of printable ASCII characters' });
    if (RESERVED.test(name)) faults.push({ path, message: 'is set by the HTTP client' });
    if (headers.findIndex((each) => each.name.toLowerCase() === name.toLowerCase()) < at)
      faults.push({ path, message: 'must not occur twice' });
  }
  if (body === undefined) return faults;
  if (method === 'GET') faults.push({ path: ['body'], message: 'is not allowed for GET' });
  if (!isJson(renderEmptyJson(body))) faults.push({ path: ['body'], message: 'must be JSON' });
  return faults;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Builds the HTTP request; null if its URL or body is too long, or if an inserted value would change the URL's
 * path.
 */
function buildRequest(data: RequestData, { values, work }: StepInput): FlowRequest | null {
  const url = renderUrl(data.url, values, { maxLength: MAX_SENT_URL + 1, work });
  // Allow twice the limit of the request's body: the renderer also counts a list's plain text, which can be
  // longer than its JSON.
  const body =
    data.body === undefined ? null : renderJson(data.body, values, { maxLength: 2 * MAX_SENT_BODY, work });
  if (url === null || url.length > MAX_SENT_URL || (body ?? '').length > MAX_SENT_BODY) return null;
  const headers = ((data.headers ?? []) as RequestHeader[]).map(
    ({ name, value, secret = false, sealed }) => ({
      name,
      value: secret ? '' : renderHeader(value ?? '', values, { maxLength: MAX_HEADER, work }),
      ...(sealed !== undefined && { sealed }),
    }),
  );
  return { method: data.method, url, headers, body, timeoutMs: data.timeout_ms ?? DEFAULT_TIMEOUT_MS };
}
