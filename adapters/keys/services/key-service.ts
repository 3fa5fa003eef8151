/** Context to which a wrapped key is bound, as sent to the key service. */
export interface KeyPlace {
  orgId: string;
  version: number;
}

/** A service that wraps keys with its own key, which never leaves it. */
export interface KeyService {
  /** @throws KeyServiceError */
  wrap(key: Buffer, place: KeyPlace): Promise<string>;
  /** @throws KeyServiceError */
  unwrap(wrapped: string, place: KeyPlace): Promise<Buffer>;
  /**
   * Extends the credentials if they would expire.
   * @throws KeyServiceError
   */
  renew(): Promise<void>;
}

/**
 * `refused`: the service denies the use of the key. `unreachable`: it does not respond, or not usefully. `url_refused`:
 * its URL may not be contacted.
 */
export type KeyServiceFailure = 'refused' | 'unreachable' | 'url_refused';

/** A failed call. The message is for people; it contains neither credentials nor keys. */
export class KeyServiceError extends Error {
  readonly failure: KeyServiceFailure;

  constructor(failure: KeyServiceFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyServiceError';
    this.failure = failure;
  }
}
