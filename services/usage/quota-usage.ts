/** Limit of a plan for a kind, and its use. */
export interface QuotaUsage {
  limit: number;
  used: number;
  payerId: string;
}
