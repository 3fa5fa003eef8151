import type { AddressBudget } from '../../../services/requests/address-budget.ts';
import { budgetAddress, siteAddress } from '../access/client-address.ts';

/**
 * Request limit of an IPv6 site (/48), as a multiple of the limit of a network (/64). Providers assign both
 * to customers, and a site has 65,536 networks.
 */
const NETWORKS_PER_SITE = 16;

/** Request limit whose key gets an IP address appended. */
interface AddressLimit {
  key: string;
  limit: number;
}

/** Returns the request limit for the caller's IP address and, for IPv6, a wider limit for its site. */
export function limitByAddress<L extends AddressLimit>(ip: string, limit: L): L[] {
  return listBudgets(ip).map(({ address, multiple }) => ({
    ...limit,
    key: `${limit.key}:${address}`,
    limit: multiple * limit.limit,
  }));
}

/**
 * Returns the caller's IP address and, for IPv6, its site. Adds to each the multiple of a limit that it may
 * use.
 */
export function listBudgets(ip: string): AddressBudget[] {
  const site = siteAddress(ip);
  return [
    { address: budgetAddress(ip), multiple: 1 },
    ...(site === null ? [] : [{ address: site, multiple: NETWORKS_PER_SITE }]),
  ];
}
