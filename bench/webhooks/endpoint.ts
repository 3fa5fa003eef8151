export interface Endpoint {
  id: string;
  secret: string;
  /** URL path of the webhook endpoint at the bench's receiver. */
  hook: string;
}
