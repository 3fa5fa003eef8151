import type { IncomingHttpHeaders } from 'node:http';
import type { SignInContext } from '../../services/accounts/sign-in-service.ts';
import { describeDevice } from '../http/access/device.ts';
import type { RequestContext } from '../http/access/principal.ts';

/**
 * Describes how a user signs in: device, address, request and operation.
 * @param operation id of the sign-in operation
 */
export function toSignInContext(
  ctx: RequestContext,
  headers: IncomingHttpHeaders,
  operation: string,
): SignInContext {
  return { ...describeDevice(ctx, headers), requestId: ctx.requestId, operation };
}
