import type Koa from 'koa';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { escapeHtml } from '../../../core/text/escape-html.ts';
import { renderPage, pagePolicy } from '../../../web/page.ts';
import { sendEncoded } from '../../../web/encoded-content.ts';
import { EVENT_STREAM, STREAM_HEADERS, sendEventStream } from './event-stream.ts';
import {
  isContentSpec,
  type ContentSpec,
  type Operation,
  type Reply,
  type ResponseSpec,
} from '../operation.ts';
import type { JsonResponse } from '../idempotency.ts';
import { compileLongLists } from './long-lists.ts';
import { compileEventRenderer, compileRenderer } from './render.ts';
import type { RequestBasics } from '../request-basics.ts';
import type { VersionedOperations } from '../version.ts';

const JSON_TYPE = 'application/json';

/** Returns the media types of a response, the preferred type first. */
export function listMediaTypes(spec: ResponseSpec): string[] {
  return isContentSpec(spec) ? Object.keys(spec.content) : [JSON_TYPE];
}

/** Assumed memory in bytes of a file that is generated while it is sent: about one batch of its rows. */
const GENERATED_BYTES = 4 * 1024 * 1024;

/**
 * Returns the bytes of a response that stay in memory until it is sent. For text, returns the number of
 * characters as an estimate.
 */
export function countBufferedBytes(response: JsonResponse | Reply): number {
  if (!isReply(response)) return response.body.length;
  if (response.kind !== 'file') return 0;
  const { sizeBytes = GENERATED_BYTES, isInMemory = false } = response;
  return isInMemory || response.sizeBytes === undefined ? sizeBytes : 0;
}

export interface Responder {
  /**
   * Renders a handler's result as JSON for a version of the API, without undeclared fields. Returns streams,
   * files, pages and redirects unchanged.
   */
  render(result: unknown, version: string): JsonResponse | Reply | Promise<JsonResponse | Reply>;
  send(koa: Koa.Context, response: JsonResponse | Reply, basics: RequestBasics): void;
}

/**
 * Compiles the renderer of an operation's responses. With the setting `checkResponses` (tests), it throws if
 * a JSON result does not match its schema.
 */
export function compileResponder(
  { id, success, isLarge, isWrite }: Operation,
  versioned: VersionedOperations,
  settings: Settings,
): Responder {
  const { checkResponses: isChecked } = settings;
  const content: ContentSpec['content'] = isContentSpec(success.spec)
    ? success.spec.content
    : { [JSON_TYPE]: success.spec };
  const { [JSON_TYPE]: json, [EVENT_STREAM]: events } = content;
  const renderJson = json ? compileRenderer(json, id, { isChecked, isLarge }) : undefined;
  const renderLong = json && !isLarge && !isWrite ? compileLongLists(json, id, isChecked) : undefined;
  const renderEvent = events ? compileEventRenderer(events, id, { isChecked }) : undefined;
  return {
    render: (result, version) => {
      if (isReply(result)) return result;
      if (!renderJson) throw new Error(`${id} responded with JSON, which it does not declare.`);
      const { status } = success;
      const versionedOperation = versioned.get(version);
      const long = versionedOperation ? undefined : renderLong?.(result);
      if (long) return long.then((body) => (typeof body === 'string' ? { status, body } : body));
      const body = renderJson(result);
      return { status, body: versionedOperation?.downgrade(body) ?? body };
    },
    send: (koa, response, basics) => {
      if (isReply(response)) {
        koa.status = success.status;
        if (response.kind === 'stream') {
          if (!renderEvent) throw new Error(`${id} responded with events, which it does not declare.`);
          koa.set(STREAM_HEADERS);
          if (koa.method === 'HEAD') return;
          koa.respond = false;
          basics.startStream = () =>
            sendEventStream(koa.res, response.events, renderEvent, { settings, basics });
        } else sendReply(koa, response);
      } else {
        koa.status = response.status;
        koa.type = JSON_TYPE;
        koa.body = response.body;
      }
    },
  };
}

export function isReply(result: unknown): result is Reply {
  return (
    typeof result === 'object' && result !== null && 'kind' in result && replyKinds.has(String(result.kind))
  );
}

const replyKinds = new Set<string>([
  'stream',
  'file',
  'encoded',
  'page',
  'redirect',
] satisfies Reply['kind'][]);

function sendReply(koa: Koa.Context, reply: Exclude<Reply, { kind: 'stream' }>): void {
  if (reply.kind === 'file') {
    // Sets the header Content-Type directly, since `koa.type` would add a charset to text.
    koa.set({ ...reply.headers, 'Content-Type': reply.contentType });
    if (reply.sizeBytes !== undefined) koa.length = reply.sizeBytes;
    koa.body = reply.content;
  } else if (reply.kind === 'encoded') {
    koa.set('Cache-Control', 'no-cache');
    koa.vary(reply.vary);
    koa.type = reply.contentType;
    sendEncoded(koa, reply.content);
  } else if (reply.kind === 'redirect') {
    koa.set({ Location: reply.location, 'Content-Security-Policy': pagePolicy });
    koa.type = 'text/html; charset=utf-8';
    koa.body = renderPage('Redirecting', `<p><a href="${escapeHtml(reply.location)}">Continue</a></p>`);
  } else {
    koa.set('Content-Security-Policy', pagePolicy);
    koa.type = 'text/html; charset=utf-8';
    koa.body = reply.html;
  }
}

/** Maximum number of characters in the header Accept that an error repeats. */
const MAX_SHOWN_ACCEPT = 100;

/**
 * Returns the media type of the response that the client prefers.
 * @throws AppError `not_acceptable`
 */
export function negotiate(koa: Koa.Context, mediaTypes: string[]): string {
  const [preferred] = mediaTypes;
  const accept = koa.req.headers.accept;
  if (preferred !== undefined && [undefined, '*/*', preferred].includes(accept)) return preferred;
  // Adds the charset UTF-8, since clients may ask for a charset, and Parley has no other charset.
  const acceptedType = koa.accepts(mediaTypes.map((type) => `${type}; charset=utf-8`));
  if (typeof acceptedType === 'string') return acceptedType.replace('; charset=utf-8', '');
  const asked = String(accept).slice(0, MAX_SHOWN_ACCEPT);
  const origin = accept === 'application/json' ? '; curl --json sets it' : '';
  throw new AppError(
    'not_acceptable',
    `The header Accept allows only ${asked}, but this operation returns ${mediaTypes.join(' or ')}. Omit the header${origin}.`,
  );
}
