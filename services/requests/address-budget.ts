/** Network whose callers share a multiple of a limit: an address, or the IPv6 site that contains it. */
export interface AddressBudget {
  address: string;
  multiple: number;
}
