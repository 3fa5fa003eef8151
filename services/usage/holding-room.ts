/** Limit of a plan for a kind, and its use. */
export interface HoldingRoom {
  limit: number;
  used: number;
  payerId: string;
}
