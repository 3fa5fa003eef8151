import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import { clientAddress } from './access/client-address.ts';
import type { Span } from '../../adapters/telemetry/tracing.ts';
import { toCaller, type Caller, type RequestContext } from './access/principal.ts';

/** Data that the outermost middleware knows before an operation is found. */
export interface RequestBasics extends Pick<RequestContext, 'requestId' | 'ip' | 'origin'> {
  readonly log: Logger;
  /** The operation that the request reaches, if any. */
  operation: string | undefined;
  /** The request's span if traces are exported; `reportWhenOver` ends it. */
  span: Span | undefined;
  /** The IP address until the caller is identified. */
  caller: Caller;
  /** Why the request failed, once it has. */
  errorCode: ErrorCode | undefined;
  /** Begins a streamed response, once all its headers are known. */
  begin: (() => void) | undefined;
}

export function newRequestId(): string {
  return `req_${newId().replaceAll('-', '')}`;
}

/** Collects the data of a request. The logger is created lazily: most requests need none. */
export function requestBasics(koa: Koa.Context, trustedProxies: number, log: Logger): RequestBasics {
  const requestId = newRequestId();
  const ip = clientAddress(koa.req, trustedProxies);
  let ownLog: Logger | undefined;
  return {
    requestId,
    ip,
    origin: koa.req.headers.origin,
    operation: undefined,
    span: undefined,
    caller: toCaller({ ip }),
    errorCode: undefined,
    begin: undefined,
    get log() {
      return (ownLog ??= log.child({ requestId }));
    },
  };
}

/** Shared, since creating an error is costly, and every response ends with it. */
const GONE = new DOMException('The response is out, or its caller is gone.', 'AbortError');

/** Returns a signal that aborts when the response is sent, or the caller has disconnected. */
export function untilClosed(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort(GONE);
  else response.once('close', () => gone.abort(GONE));
  return gone.signal;
}
