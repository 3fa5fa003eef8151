/**
 * Workspace and version of an encrypted key, by which the key is identified. The key service binds the
 * encrypted key to this context.
 */
export interface KeyContext {
  orgId: string;
  version: number;
}

/**
 * External service that encrypts (wraps) the keys of workspaces with its own key, which never leaves the
 * service.
 */
export interface KeyService {
  /**
   * Encrypts the key of a workspace.
   * @throws KeyServiceError
   */
  wrap(key: Buffer, context: KeyContext): Promise<string>;
  /**
   * Decrypts the key of a workspace that the service encrypted.
   * @throws KeyServiceError
   */
  unwrap(wrapped: string, context: KeyContext): Promise<Buffer>;
  /**
   * Extends the lifetime of Parley's credentials for the key service, if such credentials expire.
   * @throws KeyServiceError
   */
  renew(): Promise<void>;
}

/**
 * Reasons why a key service failed.
 * - `refused`: the service denies the use of the key.
 * - `unreachable`: the service does not respond, or responds with something invalid.
 * - `url_refused`: its URL may not be contacted.
 */
export type KeyServiceFailure = 'refused' | 'unreachable' | 'url_refused';

/**
 * Thrown if a call to a key service failed. The message is for people; it contains neither credentials nor
 * keys.
 */
export class KeyServiceError extends Error {
  readonly failure: KeyServiceFailure;

  constructor(failure: KeyServiceFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KeyServiceError';
    this.failure = failure;
  }
}
