import { budgetAddress, siteAddress } from '../access/client-address.ts';

/**
 * Limit of a site (/48), as a multiple of that of a network (/64). Providers assign both to customers, and a
 * site has 65,536 networks.
 */
const NETWORKS_PER_SITE = 16;

/** Limit whose key gets an address appended. */
interface AddressLimit {
  key: string;
  limit: number;
}

/** Returns the limit for the caller's address and, for IPv6, a wider one for its site. */
export function limitByAddress<L extends AddressLimit>(ip: string, limit: L): L[] {
  const own = { ...limit, key: `${limit.key}:${budgetAddress(ip)}` };
  const site = siteAddress(ip);
  if (site === null) return [own];
  return [own, { ...limit, key: `${limit.key}:${site}`, limit: NETWORKS_PER_SITE * limit.limit }];
}
