/** A plan's limit for one kind of resource, and the number of these resources that the payer has. */
export interface QuotaUsage {
  limit: number;
  used: number;
  payerId: string;
}
