import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '../../services/accounts/sign-in-service.ts';
import { deviceOf } from '../http/access/device.ts';
import type { RequestContext } from '../http/access/principal.ts';

/** @param operation the sign-in operation */
export function arrivalOf(ctx: RequestContext, headers: IncomingHttpHeaders, operation: string): Arrival {
  return { ...deviceOf(ctx, headers), requestId: ctx.requestId, operation };
}
