/** A plan's limit for one kind of resource, and the number that the payer has. */
export interface QuotaUsage {
  limit: number;
  used: number;
  payerId: string;
}
