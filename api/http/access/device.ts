import type { IncomingHttpHeaders } from 'node:http';
import type { Device } from '../../../repositories/accounts/session.repository.ts';
import type { RequestContext } from './principal.ts';

const MAX_USER_AGENT = 400;

/** Origin of a request. */
export function describeDevice({ ip }: RequestContext, headers: IncomingHttpHeaders): Device {
  return { userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, ip };
}
