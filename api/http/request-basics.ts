import type Koa from 'koa';
import type { ErrorCode } from '../../core/error-codes.ts';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import { clientAddress } from './client-address.ts';
import type { Span } from '../../adapters/telemetry/tracing.ts';
import { callerOf, type Caller, type RequestContext } from './principal.ts';

/** What the outermost middleware knows of a request before any operation is found. */
export interface RequestBasics extends Pick<
  RequestContext,
  'requestId' | 'ip' | 'origin' | 'signal' | 'log'
> {
  /** The operation that the request reaches, if any. */
  operation: string | undefined;
  /** Where traces are kept; `reportWhenOver` ends it. */
  span: Span | undefined;
  /** An address until the caller is identified. */
  caller: Caller;
  /** Why the request failed, once it has. */
  errorCode: ErrorCode | undefined;
}

export function newRequestId(): string {
  return `req_${newId().replaceAll('-', '')}`;
}

/** The signal and the logger are made when somebody asks for them: most requests need neither. */
export function requestBasics(koa: Koa.Context, trustedProxies: number, log: Logger): RequestBasics {
  const requestId = newRequestId();
  const ip = clientAddress(koa.req, trustedProxies);
  let signal: AbortSignal | undefined;
  let ownLog: Logger | undefined;
  return {
    requestId,
    ip,
    origin: koa.req.headers.origin,
    operation: undefined,
    span: undefined,
    caller: callerOf({ ip }),
    errorCode: undefined,
    get signal() {
      return (signal ??= signalOf(koa));
    },
    get log() {
      return (ownLog ??= log.child({ requestId }));
    },
  };
}

/** Made once: an error is costly to make, and each answer ends with its connection's. */
const GONE = new DOMException('The answer is out, or its caller is gone.', 'AbortError');

function signalOf(koa: Koa.Context): AbortSignal {
  const gone = new AbortController();
  if (koa.res.closed) gone.abort(GONE);
  else koa.res.once('close', () => gone.abort(GONE));
  return gone.signal;
}
