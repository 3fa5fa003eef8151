import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import type { Logger } from '../../core/logger.ts';

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;
const CACHE_MS = 1000;
const MIN_LOG_INTERVAL_MS = 60_000;

export function generateEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the last characters of an endpoint's secret, which the API shows so that people can distinguish two
 * secrets.
 */
export function toSecretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/**
 * Returns the context to which the encryption binds an endpoint's secret. With another context, decryption
 * fails.
 */
export const endpointSecretContext = (webhookId: string): string => `webhooks.secret:${webhookId}`;

/**
 * Decrypts the endpoints' secrets that sign deliveries. Caches each secret for a second, because deliveries
 * to an endpoint come in bursts.
 */
export class EndpointSecrets {
  readonly #keyring: Keyring;
  readonly #log: Logger;
  /** Decrypted secrets of endpoints by their encrypted value, which differs for each endpoint. */
  readonly #secretCache = new Map<string, { webhookId: string; secret: string }>();
  #silentUntil = 0;

  constructor(keyring: Keyring, log: Logger) {
    this.#keyring = keyring;
    this.#log = log;
  }

  /**
   * Decrypts the secret of an endpoint. Returns undefined if it was encrypted with another master key. Logs
   * that at most once a minute.
   */
  decrypt(webhookId: string, sealed: string): string | undefined {
    const cached = this.#secretCache.get(sealed);
    if (cached?.webhookId === webhookId) return cached.secret;
    try {
      const secret = this.#keyring.open(sealed, endpointSecretContext(webhookId));
      if (this.#secretCache.size === 0) setTimeout(() => this.#secretCache.clear(), CACHE_MS).unref();
      this.#secretCache.set(sealed, { webhookId, secret });
      return secret;
    } catch (error) {
      if (!(error instanceof UndecryptableValue)) throw error;
      this.#logUnreadable(webhookId);
      return undefined;
    }
  }

  #logUnreadable(webhookId: string): void {
    const now = performance.now();
    if (now < this.#silentUntil) return;
    this.#silentUntil = now + MIN_LOG_INTERVAL_MS;
    this.#log.error(
      { webhookId },
      'PARLEY_MASTER_KEY cannot decrypt the signing secret of an endpoint, so its deliveries wait: start the worker with the key that encrypted the secret, or have the owner rotate the secret',
    );
  }
}
