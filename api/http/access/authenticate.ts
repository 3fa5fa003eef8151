import type { IncomingMessage } from 'node:http';
import { API_KEY_LENGTH, API_KEY_PREFIX, isWellFormedApiKey } from '../../../adapters/keys/api-key.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { PUBLIC_KEY_PREFIX } from '../../../adapters/keys/public-key.ts';
import { Batcher } from '../../../core/concurrency/batcher.ts';
import { AppError, createUnauthenticatedError } from '../../../core/errors/errors.ts';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import {
  ApiKeyRepository,
  type KeyFault,
  type PresentedKey,
} from '../../../repositories/team/api-key.repository.ts';
import type { Holder } from '../../../repositories/accounts/credential-holder.ts';
import { SessionRepository } from '../../../repositories/accounts/session.repository.ts';
import {
  VisitorRepository,
  type VisitorToken,
} from '../../../repositories/conversations/visitor.repository.ts';
import type { AccessClaims, SessionTokens } from '../../../services/accounts/session-tokens.ts';
import {
  createSessionExpiredError,
  createSessionRemovedError,
} from '../../../services/conversations/session-errors.ts';
import type { Visitor } from '../../../repositories/conversations/visitor.sql.ts';
import type { PresentedSession } from '../../../repositories/accounts/session.sql.ts';

const QUOTATION_MARK = /^["']/;
/**
 * Matches the beginning of a placeholder that a caller sent in place of an API key, such as `$KEY` or
 * `<token>`.
 */
const PLACEHOLDER = /^[$<{%…]/;
/** Descriptions of credentials that are not API keys but that callers mistake for them, by prefix. */
const OTHER_CREDENTIALS: Readonly<Record<string, string>> = {
  [PUBLIC_KEY_PREFIX]: 'a bot’s public key',
  idsec_: 'a bot’s identity secret',
  whsec_: 'the secret of a webhook',
};

function readBearerToken(request: IncomingMessage): string | undefined {
  return /^Bearer +([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function bearerToken(request: IncomingMessage): string {
  const token = readBearerToken(request);
  if (token !== undefined) return token;
  const advice = adviseOnHeader(request.headers.authorization ?? '');
  throw new AppError('unauthenticated', `Send the header "Authorization: Bearer <token>".${advice}`, {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

function adviseOnHeader(header: string): string {
  if (/^Bearer +Bearer\b/i.test(header))
    return ' The header contains "Bearer" twice; pass only the token to an SDK.';
  if (/^Bearer *$/i.test(header)) return ' The token in the header is empty. Is its variable set?';
  return header !== '' && !/^Bearer\b/i.test(header)
    ? ' The header that was sent does not begin with "Bearer".'
    : '';
}

function describeUnknownToken(token: string): string {
  for (const [prefix, name] of Object.entries(OTHER_CREDENTIALS))
    if (token.startsWith(prefix))
      return `${prefix}… is ${name}, not an API key, which starts with ${API_KEY_PREFIX}.`;
  const advice = QUOTATION_MARK.test(token)
    ? ' Send the token without quotation marks.'
    : PLACEHOLDER.test(token)
      ? ' The token looks like a placeholder. Is its variable set, and not in single quotes?'
      : '';
  return `The token is neither an API key, which starts with ${API_KEY_PREFIX}, nor an access token.${advice}`;
}

const KEY_FAULTS: Readonly<Record<KeyFault, string>> = {
  unknown: 'This server does not know the API key. It may belong to another installation of Parley.',
  revoked: 'The API key was revoked; use another one.',
  expired: 'The API key has expired; create another one.',
  without_access:
    'The API key gives no access: its creator has left the workspace, or the workspace is not active.',
};

/** Describes a text sent as an API key that Parley cannot have generated, such as a part of a key. */
function describeMalformedKey(key: string): string {
  return key.length === API_KEY_LENGTH
    ? 'The API key has a mistyped character. Copy the whole key again.'
    : `The API key has ${key.length} characters, but a key has ${API_KEY_LENGTH}. Copy the whole key.`;
}

export interface AuthenticatorDeps {
  database: Database;
  keyring: Keyring;
  tokens: SessionTokens;
  settings: Pick<Settings, 'visitorTokenSeconds'>;
}

/**
 * Identifies callers. Reads their rights from the database for each request, so that a revocation takes
 * effect immediately.
 */
export class Authenticator {
  readonly #apiKeys = new ApiKeyRepository();
  readonly #sessionRows = new SessionRepository();
  readonly #database: Database;
  readonly #keys: Batcher<PresentedKey, Holder | null>;
  readonly #sessions: Batcher<PresentedSession, Holder | null>;
  readonly #visitors: Batcher<string, Visitor | null>;
  readonly #keyring: Keyring;
  readonly #tokens: SessionTokens;
  readonly #internalCallers = new WeakMap<IncomingMessage, Holder>();

  constructor({ database, keyring, tokens, settings }: AuthenticatorDeps) {
    const visitors = new VisitorRepository(settings.visitorTokenSeconds);
    this.#keys = new Batcher((keys) => this.#apiKeys.findHolders(database, keys));
    this.#sessions = new Batcher((tokens) => this.#sessionRows.findHolders(database, tokens));
    this.#visitors = new Batcher((ids) => visitors.loadVisitors(database, ids));
    this.#database = database;
    this.#keyring = keyring;
    this.#tokens = tokens;
  }

  /**
   * Returns the person to whom the API key or the access token belongs.
   * @param pathOrgId workspace in the path, whose role is loaded as well
   * @throws AppError `unauthenticated`
   */
  async requirePerson(request: IncomingMessage, pathOrgId: string | null): Promise<Holder> {
    const internalCaller = this.#internalCallers.get(request);
    if (internalCaller && pathOrgId === null) return internalCaller;
    const token = bearerToken(request);
    return token.startsWith(API_KEY_PREFIX)
      ? this.#loadKeyHolder(token, pathOrgId)
      : this.#loadSessionHolder(token, pathOrgId);
  }

  /**
   * Reads a request's credential from the database again within a transaction. Returns its holder, or null if
   * the credential is no longer valid.
   */
  async reloadHolder(
    db: Database,
    request: IncomingMessage,
    pathOrgId: string | null,
  ): Promise<Holder | null> {
    const credential = this.#readCredential(request);
    if (!credential) return null;
    const [holder = null] =
      'digest' in credential
        ? await this.#apiKeys.findHolders(db, [{ ...credential, pathOrgId }])
        : await this.#sessionRows.findHolders(db, [{ ...credential, pathOrgId }]);
    return holder;
  }

  /**
   * Returns an identifier of the session or API key of a request, even if the credential was revoked. Null
   * for a token that is malformed, forged or expired.
   */
  identifyCredential(request: IncomingMessage): string | null {
    const credential = this.#readCredential(request);
    if (!credential) return null;
    return 'digest' in credential ? `key:${credential.digest}` : `session:${credential.sessionId}`;
  }

  #readCredential(request: IncomingMessage): { digest: string } | AccessClaims | null {
    const token = readBearerToken(request);
    if (token === undefined) return null;
    if (!token.startsWith(API_KEY_PREFIX)) return this.#tokens.readAccess(token);
    return isWellFormedApiKey(token) ? { digest: digestSecret(token) } : null;
  }

  /** Sets the caller of a request that this process creates itself, such as a call of an MCP tool. */
  setInternalCaller(request: IncomingMessage, holder: Holder): void {
    this.#internalCallers.set(request, holder);
  }

  async #loadKeyHolder(key: string, pathOrgId: string | null): Promise<Holder> {
    if (!isWellFormedApiKey(key)) throw createUnauthenticatedError(describeMalformedKey(key));
    const digest = digestSecret(key);
    const holder = await this.#keys.load({ digest, pathOrgId });
    if (holder) return holder;
    const fault = await this.#apiKeys.findFault(this.#database, digest);
    throw createUnauthenticatedError(KEY_FAULTS[fault]);
  }

  async #loadSessionHolder(token: string, pathOrgId: string | null): Promise<Holder> {
    if (!token.includes('.')) throw createUnauthenticatedError(describeUnknownToken(token));
    const claims = this.#tokens.readAccess(token);
    const holder = claims && (await this.#sessions.load({ ...claims, pathOrgId }));
    if (holder) return holder;
    throw createUnauthenticatedError(
      this.#keyring.verify<VisitorToken>('visitor-token', token)
        ? 'This is a visitor’s token; send an API key, or sign in.'
        : 'The access token is not valid or has expired; refresh it, or sign in again.',
    );
  }

  /**
   * Returns the visitor to whom the token of a widget's request belongs.
   * @param sessionId id of the conversation in the path
   * @throws AppError `unauthenticated`; `forbidden` for the token of another session
   */
  async requireVisitor(request: IncomingMessage, sessionId: string): Promise<Visitor> {
    const sentToken = bearerToken(request);
    if (sentToken.startsWith(API_KEY_PREFIX))
      throw createUnauthenticatedError(
        'Visitors send the visitor_token of their session in place of an API key.',
      );
    const token = this.#keyring.verify<VisitorToken>('visitor-token', sentToken);
    if (!token) throw createUnauthenticatedError(this.#describeUnknownVisitorToken(sentToken));
    if (token.conversation_id !== sessionId.toLowerCase()) {
      throw new AppError('forbidden', 'The visitor token belongs to another session.');
    }
    const visitor = await this.#visitors.load(token.conversation_id);
    if (!visitor) throw createSessionRemovedError();
    if (visitor.isExpired) throw createSessionExpiredError();
    return visitor;
  }

  #describeUnknownVisitorToken(token: string): string {
    if (token.startsWith(PUBLIC_KEY_PREFIX))
      return `${PUBLIC_KEY_PREFIX}… is the bot’s public key. Start a session with it, and send the session’s visitor_token.`;
    return this.#keyring.verify('visitor-secret', token)
      ? 'This is a visitor_secret. Send the visitor_token of the session.'
      : 'The visitor token is not valid; start a new session.';
  }
}
