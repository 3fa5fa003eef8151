import type { IncomingMessage } from 'node:http';
import { digestApiKey, isWellFormedApiKey } from '../../adapters/keys/api-key.ts';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { Batcher } from '../../core/batcher.ts';
import { AppError } from '../../core/errors.ts';
import type { Database } from '../../entities/database.ts';
import { ApiKeyRepository, type KeyHolder } from '../../repositories/api-key.repository.ts';
import { VisitorRepository, type Visitor, type VisitorToken } from '../../repositories/visitor.repository.ts';
import { sessionExpired } from '../../services/conversations/session-expired.ts';

function bearerToken(request: IncomingMessage): string {
  const match = /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '');
  if (match?.[1]) return match[1];
  throw new AppError('unauthenticated', 'Send the header "Authorization: Bearer <token>".', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

const rejected = (message: string) =>
  new AppError('unauthenticated', message, {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });

/** Finds out who calls. Rights are read anew at each request: what is revoked stops at the next one. */
export class Authenticator {
  readonly #holders: Batcher<string, KeyHolder | null>;
  readonly #visitors: Batcher<string, Visitor | null>;
  readonly #keyring: Keyring;

  constructor(database: Database, keyring: Keyring) {
    const apiKeys = new ApiKeyRepository();
    const visitors = new VisitorRepository();
    this.#holders = new Batcher((digests) => apiKeys.holdersOf(database, digests));
    this.#visitors = new Batcher((ids) => visitors.present(database, ids));
    this.#keyring = keyring;
  }

  /** @throws AppError `unauthenticated` */
  async apiKey(request: IncomingMessage): Promise<KeyHolder> {
    const key = bearerToken(request);
    const holder = isWellFormedApiKey(key) ? await this.#holders.load(digestApiKey(key)) : null;
    if (!holder) throw rejected('The API key is unknown, revoked or expired.');
    return holder;
  }

  /**
   * @param sessionId the conversation that the path names
   * @throws AppError `unauthenticated`; `forbidden` for the token of another session
   */
  async visitor(request: IncomingMessage, sessionId: string): Promise<Visitor> {
    const token = this.#keyring.verify<VisitorToken>('visitor-token', bearerToken(request));
    if (!token) throw rejected('The visitor token is not valid; start a new session.');
    if (token.conversation_id !== sessionId.toLowerCase()) {
      throw new AppError('forbidden', 'The visitor token belongs to another session.');
    }
    const visitor = await this.#visitors.load(token.conversation_id);
    if (!visitor) throw sessionExpired();
    return visitor;
  }
}
