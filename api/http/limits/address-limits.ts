import type { Limit } from '../../../services/requests/rate-limiter.ts';
import { budgetAddress, siteAddress } from '../access/client-address.ts';

/** Providers delegate single networks (/64) and whole sites (/48), which have 65,536 of them. */
const NETWORKS_PER_SITE = 16;

/**
 * Returns the limit of the caller's address and, for IPv6, a wider one of its site.
 * @param limit its key lacks the address
 */
export function limitByAddress(ip: string, limit: Limit): Limit[] {
  const own = { ...limit, key: `${limit.key}:${budgetAddress(ip)}` };
  const site = siteAddress(ip);
  if (site === null) return [own];
  return [own, { ...limit, key: `${limit.key}:${site}`, limit: NETWORKS_PER_SITE * limit.limit }];
}
