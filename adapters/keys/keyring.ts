import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import { decryptValue, sealValue } from './sealed-value.ts';

export type SigningPurpose =
  | 'visitor-token'
  | 'visitor-secret'
  | 'access-token'
  | 'refresh-token'
  | 'mfa-challenge'
  | 'sign-in-code'
  | 'file-link'
  | 'cursor'
  | 'unsubscribe'
  | 'mail-pages'
  | 'meeting'
  | 'alert-code'
  | 'erased-person'
  | 'refused-address'
  | 'backup'
  | 'recipient'
  | 'named-request'
  | 'logged-text'
  | 'archive-link'
  | 'conversation-file';

/**
 * Encrypts the installation's stored secrets (AES-256-GCM) and signs tokens (HMAC-SHA-256). Each purpose has
 * a separate key, derived from the master key by HKDF.
 */
export class Keyring {
  readonly #master: Buffer;
  readonly #derived = new Map<string, Buffer>();

  /** @param masterKey master key of the installation: 32 bytes in base64 */
  constructor(masterKey: string) {
    this.#master = Buffer.from(masterKey, 'base64');
    if (this.#master.length !== 32) throw new Error('PARLEY_MASTER_KEY must be 32 bytes in base64.');
  }

  /**
   * Encrypts one of the installation's secrets for storage.
   * @param context location of the secret (`bots.api_key:<id>`); the value can only be decrypted there
   */
  seal(plaintext: string, context: string): string {
    return `v1.${sealValue(this.#deriveKey('seal'), plaintext, context).toString('base64url')}`;
  }

  /**
   * Decrypts a secret that `seal` encrypted.
   * @throws UndecryptableValue
   */
  open(sealed: string, context: string): string {
    if (!sealed.startsWith('v1.')) throw new UndecryptableValue('A sealed value has an unknown format.');
    return decryptValue(this.#deriveKey('seal'), Buffer.from(sealed.slice(3), 'base64url'), context).toString(
      'utf8',
    );
  }

  /** Creates a signed token: `<payload>.<signature>`, both in base64url. The payload is not encrypted. */
  sign(purpose: SigningPurpose, payload: object): string {
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${body}.${this.#computeSignature(purpose, body)}`;
  }

  /**
   * Verifies a signed token. Returns the payload if `sign` created the token for the same purpose, and null
   * if not.
   */
  verify<T extends object>(purpose: SigningPurpose, token: string): T | null {
    const [body, signature, ...rest] = token.split('.');
    if (!body || !signature || rest.length > 0) return null;
    // Compare the text, not the decoded bytes, since several base64 texts decode to the same bytes.
    const expected = Buffer.from(this.#computeSignature(purpose, body));
    const actual = Buffer.from(signature);
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
    return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as T;
  }

  /** Returns a keyed digest of a secret, for secrets so short that a plain digest could be guessed. */
  digest(purpose: SigningPurpose, secret: string): string {
    return this.#computeSignature(purpose, secret);
  }

  /**
   * Returns the secret with which a workspace's server signs identity tokens for a bot's visitors. The
   * characters of the text are the HMAC key.
   */
  deriveIdentitySecret(botId: string, version = 0): string {
    const name = version === 0 ? botId : `${botId}/${version}`;
    const secret = createHmac('sha256', this.#deriveKey('identity')).update(name).digest('base64url');
    return `idsec_${secret}`;
  }

  /**
   * Returns the token in the link of an invitation to a workspace. Parley derives the token again whenever
   * necessary, and never stores it.
   * @param linkKind whether Parley emails the link or the inviter shares it
   */
  deriveInvitationToken(
    invitationId: string,
    revision: number,
    linkKind: 'mailed' | 'handed' = 'mailed',
  ): string {
    return createHmac('sha256', this.#deriveKey('invitation'))
      .update(`${invitationId}:${revision}${linkKind === 'mailed' ? '' : `:${linkKind}`}`)
      .digest('base64url');
  }

  #computeSignature(purpose: SigningPurpose, body: string): string {
    return createHmac('sha256', this.#deriveKey(purpose)).update(body).digest('base64url');
  }

  #deriveKey(purpose: string): Buffer {
    let key = this.#derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#master, Buffer.alloc(0), `parley/${purpose}`, 32));
      this.#derived.set(purpose, key);
    }
    return key;
  }
}
