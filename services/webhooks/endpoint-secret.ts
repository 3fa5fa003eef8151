import { randomBytes } from 'node:crypto';
import type { Keyring } from '../../adapters/keys/keyring.ts';

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;
const OPEN_MS = 1000;

export function newEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What stays readable of a secret, so that people can tell two apart. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/** Where a sealed secret belongs; it opens nowhere else. */
export const secretPlace = (webhookId: string): string => `webhooks.secret:${webhookId}`;

/** Opens secrets for signing. An endpoint's deliveries come together, so its secret stays open, for a second at most. */
export class EndpointSecrets {
  readonly #keyring: Keyring;
  readonly #opened = new Map<string, string>();

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** @throws Error when it was sealed with another key or for another endpoint */
  open(webhookId: string, sealed: string): string {
    const place = secretPlace(webhookId);
    const key = `${place} ${sealed}`;
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const secret = this.#keyring.open(sealed, place);
    if (this.#opened.size === 0) setTimeout(() => this.#opened.clear(), OPEN_MS).unref();
    this.#opened.set(key, secret);
    return secret;
  }
}
