import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '../../services/accounts/sign-in-service.ts';
import { describeDevice } from '../http/access/device.ts';
import type { RequestContext } from '../http/access/principal.ts';

/**
 * Describes a sign-in for the account's log of sign-ins: device, address and request.
 * @param operation id of the sign-in operation
 */
export function toArrival(ctx: RequestContext, headers: IncomingHttpHeaders, operation: string): Arrival {
  return { ...describeDevice(ctx, headers), requestId: ctx.requestId, operation };
}
