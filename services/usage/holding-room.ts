/** What a plan has of a kind. */
export interface HoldingRoom {
  limit: number;
  used: number;
  payerId: string;
}
