export interface Endpoint {
  id: string;
  secret: string;
  /** Its path at the receiver. */
  hook: string;
}
