/** Context to which a wrapped key is bound, as sent to the key service. */
export interface KeyPlace {
  orgId: string;
  version: number;
}

/** A service that holds a key which never leaves it, and wraps others with it. */
export interface KeyService {
  /** @throws KeyServiceError */
  wrap(key: Buffer, place: KeyPlace): Promise<string>;
  /** @throws KeyServiceError */
  unwrap(wrapped: string, place: KeyPlace): Promise<Buffer>;
  /** Keeps the credentials from running out, where they would. @throws KeyServiceError */
  renew(): Promise<void>;
}

/**
 * `refused`: the service says that the key may not be used. `unreachable`: it has not answered, or not about that.
 * `url_refused`: its address may not be contacted.
 */
export type KeyServiceFailure = 'refused' | 'unreachable' | 'url_refused';

/** The message is for people; it names neither credentials nor keys. */
export class KeyServiceError extends Error {
  readonly failure: KeyServiceFailure;

  constructor(failure: KeyServiceFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyServiceError';
    this.failure = failure;
  }
}
