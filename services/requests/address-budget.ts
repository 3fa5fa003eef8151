/**
 * Network whose callers together may use a multiple of a limit: an IP address, or the IPv6 site that contains
 * it.
 */
export interface AddressBudget {
  address: string;
  multiple: number;
}
