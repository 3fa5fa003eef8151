import type Koa from 'koa';
import { newId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import { clientAddress } from './client-address.ts';
import type { RequestContext } from './principal.ts';

/** What the outermost middleware knows of a request before any operation is found. */
export type RequestBasics = Pick<RequestContext, 'requestId' | 'ip' | 'origin' | 'signal' | 'log'>;

export function newRequestId(): string {
  return `req_${newId().replaceAll('-', '')}`;
}

/** The signal and the logger are made when somebody asks for them: most requests need neither. */
export function requestBasics(koa: Koa.Context, trustedProxies: number, log: Logger): RequestBasics {
  const requestId = newRequestId();
  let signal: AbortSignal | undefined;
  let ownLog: Logger | undefined;
  return {
    requestId,
    ip: clientAddress(koa.req, trustedProxies),
    origin: koa.req.headers.origin,
    get signal() {
      return (signal ??= signalOf(koa));
    },
    get log() {
      return (ownLog ??= log.child({ requestId }));
    },
  };
}

function signalOf(koa: Koa.Context): AbortSignal {
  const gone = new AbortController();
  if (koa.res.closed) gone.abort();
  else koa.res.once('close', () => gone.abort());
  return gone.signal;
}
