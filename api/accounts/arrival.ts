import type { IncomingHttpHeaders } from 'node:http';
import type { Arrival } from '../../services/accounts/sign-in-service.ts';
import { describeDevice } from '../http/access/device.ts';
import type { RequestContext } from '../http/access/principal.ts';

/**
 * Describes how a user signs in: device, address, request and operation.
 * @param operation id of the sign-in operation
 */
export function toArrival(ctx: RequestContext, headers: IncomingHttpHeaders, operation: string): Arrival {
  return { ...describeDevice(ctx, headers), requestId: ctx.requestId, operation };
}
