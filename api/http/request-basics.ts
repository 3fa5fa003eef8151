import type { ServerResponse } from 'node:http';
import type Koa from 'koa';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import { newId, toRequestId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import { clientAddress } from './access/client-address.ts';
import type { Span } from '../../adapters/telemetry/tracing.ts';
import type { OperationTarget } from '../../services/requests/request-log.ts';
import { toCaller, type Caller, type RequestContext } from './access/principal.ts';

/** Data of a request that the outermost middleware collects, before an operation is found. */
export interface RequestBasics extends Pick<RequestContext, 'requestId' | 'ip' | 'origin'> {
  readonly log: Logger;
  /** Id of the operation that the request calls; undefined if no operation matches. */
  operation: string | undefined;
  /** Returns the target for the request log; undefined if no operation matches. */
  describeTarget: (() => OperationTarget) | undefined;
  /** True once the caller is authorized for the operation. */
  isAuthorized: boolean;
  /** Trace span of the request, if traces are exported. `reportWhenFinished` ends it. */
  span: Span | undefined;
  /** The caller of the request: the IP address until authentication, then the key, user or visitor. */
  caller: Caller;
  /** Code of the error with which the request failed; undefined if the request has not failed. */
  errorCode: ErrorCode | undefined;
  /**
   * Subject of the request's error, such as wrong fields, from `describeErrorSubject`; undefined if none is
   * known.
   */
  errorSubject: string | undefined;
  /** Begins a streamed response; called once all its headers are set. */
  startStream: (() => void) | undefined;
}

export function newRequestId(): string {
  return toRequestId(newId());
}

/** Collects the data of a request. Creates its logger only on first use, since most requests need none. */
export function createRequestBasics(koa: Koa.Context, trustedProxies: number, log: Logger): RequestBasics {
  const requestId = newRequestId();
  const ip = clientAddress(koa.req, trustedProxies);
  let ownLog: Logger | undefined;
  return {
    requestId,
    ip,
    origin: koa.req.headers.origin,
    operation: undefined,
    describeTarget: undefined,
    isAuthorized: false,
    span: undefined,
    caller: toCaller({ ip }),
    errorCode: undefined,
    errorSubject: undefined,
    startStream: undefined,
    get log() {
      return (ownLog ??= log.child({ requestId }));
    },
  };
}

/**
 * Reason with which all signals for ended responses abort. Creating an error for each response would be
 * expensive.
 */
const RESPONSE_CLOSED = new DOMException('The response was sent, or the client disconnected.', 'AbortError');

/** Returns a signal that aborts when the response is sent or the client has disconnected. */
export function createCloseSignal(response: ServerResponse): AbortSignal {
  const closeController = new AbortController();
  if (response.closed) closeController.abort(RESPONSE_CLOSED);
  else response.once('close', () => closeController.abort(RESPONSE_CLOSED));
  return closeController.signal;
}
