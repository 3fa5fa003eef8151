import type { IncomingHttpHeaders } from 'node:http';
import type { Device } from '../../../repositories/accounts/session.repository.ts';
import type { RequestContext } from './principal.ts';

const MAX_USER_AGENT = 400;

/** Describes the device that sent a request by its user agent and IP address. */
export function describeDevice({ ip }: RequestContext, headers: IncomingHttpHeaders): Device {
  return { userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null, ip };
}
