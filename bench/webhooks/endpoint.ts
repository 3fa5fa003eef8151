export interface Endpoint {
  id: string;
  secret: string;
  /** Path of the endpoint at the receiver. */
  hook: string;
}
