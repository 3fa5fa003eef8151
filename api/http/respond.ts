import type Koa from 'koa';
import fastJson from 'fast-json-stringify';
import { AppError } from '../../core/errors.ts';
import { eventStream } from './event-stream.ts';
import { isContentSpec, type Operation, type Reply, type ResponseSpec } from './operation.ts';
import type { JsonAnswer } from './idempotency.ts';
import type { RequestBasics } from './request-basics.ts';
import type { VersionedOperations } from './version.ts';
import { compileResponseCheck, withoutIds } from './validate.ts';

const JSON_TYPE = 'application/json';

/** The media types of a response, the preferred one first. */
export function mediaTypesOf(spec: ResponseSpec): string[] {
  return isContentSpec(spec) ? Object.keys(spec.content) : [JSON_TYPE];
}

export interface Responder {
  /** JSON through the serializer of its schema, so that nothing undeclared gets out, and as `version` has it; a reply as it is. */
  render(result: unknown, version: string): JsonAnswer | Reply;
  send(koa: Koa.Context, answer: JsonAnswer | Reply, basics: RequestBasics): void;
}

/** @param isChecked throw where a JSON result does not fit its schema (tests) */
export function compileResponder(
  { id, success }: Operation,
  versioned: VersionedOperations,
  isChecked: boolean,
): Responder {
  const schema = isContentSpec(success.spec) ? success.spec.content[JSON_TYPE] : success.spec;
  const stringify = schema ? fastJson(withoutIds(schema)) : undefined;
  const check = schema && isChecked ? compileResponseCheck(schema) : undefined;
  return {
    render: (result, version) => {
      if (isReply(result)) return result;
      if (!stringify) throw new Error(`${id} answered with JSON, which it does not declare.`);
      const complaint = check?.(result);
      if (complaint)
        throw new Error(`${id} answered with something that does not fit its schema: ${complaint}`);
      const body = stringify(result);
      return { status: success.status, body: versioned.get(version)?.downgrade(body) ?? body };
    },
    send: (koa, answer, basics) => {
      if (isReply(answer)) {
        koa.status = success.status;
        sendReply(koa, answer, basics);
      } else {
        koa.status = answer.status;
        koa.type = JSON_TYPE;
        koa.body = answer.body;
      }
    },
  };
}

export function isReply(result: unknown): result is Reply {
  return (
    typeof result === 'object' && result !== null && 'kind' in result && replyKinds.has(String(result.kind))
  );
}

const replyKinds = new Set<string>(['stream', 'file', 'text'] satisfies Reply['kind'][]);

function sendReply(koa: Koa.Context, reply: Reply, basics: RequestBasics): void {
  if (reply.kind === 'stream') {
    koa.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    koa.body = eventStream(reply.events, basics.signal, basics.log);
  } else if (reply.kind === 'file') {
    // Not by `koa.type`, which would claim UTF-8 for any text.
    koa.set({ ...reply.headers, 'Content-Type': reply.contentType });
    koa.length = reply.sizeBytes;
    koa.body = reply.content;
  } else {
    koa.type = reply.contentType;
    koa.body = reply.text;
  }
}

/** The media type that a request gets. @throws AppError `not_acceptable` */
export function negotiate(koa: Koa.Context, mediaTypes: string[]): string {
  const [preferred] = mediaTypes;
  const accept = koa.req.headers.accept;
  if (preferred !== undefined && (accept === undefined || accept === '*/*')) return preferred;
  const chosen = koa.accepts(mediaTypes);
  if (typeof chosen === 'string') return chosen;
  throw new AppError('not_acceptable', `This operation answers with ${mediaTypes.join(' or ')}.`);
}
