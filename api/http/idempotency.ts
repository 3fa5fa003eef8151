import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Keyring } from '../../adapters/keys/keyring.ts';
import { Batcher } from '../../core/concurrency/batcher.ts';
import { AppError, validationError } from '../../core/errors/errors.ts';
import { yieldBeforeLongWork, splitText } from '../../core/concurrency/cooperative.ts';
import type { Database } from '../../database/database.ts';
import {
  buildResponseContext,
  IdempotencyRepository,
} from '../../repositories/requests/idempotency.repository.ts';
import type { IdempotentRequest, StoredResponse } from '../../repositories/requests/idempotency.sql.ts';

const MAX_KEY_LENGTH = 255;
const PRINTABLE = /^[\x20-\x7e]+$/;

/** A rendered JSON response. */
export interface JsonResponse {
  status: number;
  body: string;
}

/**
 * Parses the Idempotency-Key header. `"x"` (a structured-field string) and `x` are the same key. Undefined
 * without the header.
 * @throws AppError `validation_error`
 */
export function readIdempotencyKey(request: IncomingMessage): string | undefined {
  const values = request.headersDistinct['idempotency-key'];
  if (values === undefined) return undefined;
  const [value = ''] = values;
  const key = /^"(.*)"$/.exec(value.trim())?.[1] ?? value.trim();
  if (values.length > 1) throw invalidKey('must be sent once');
  if (key.length === 0) throw invalidKey('must not be empty');
  if (key.length > MAX_KEY_LENGTH) throw invalidKey(`must have at most ${MAX_KEY_LENGTH} characters`);
  if (!PRINTABLE.test(key)) throw invalidKey('must consist of printable ASCII characters');
  return key;
}

function invalidKey(message: string): AppError {
  return validationError([{ field: 'Idempotency-Key', in: 'header', code: 'invalid', message }]);
}

/**
 * Returns a digest of the parts of a request, by which a repeated request is recognized. The digest is
 * independent of the order of keys in JSON.
 */
export async function fingerprintRequest(parts: unknown[]): Promise<string> {
  const text = JSON.stringify(parts, sortedKeys);
  const hash = createHash('sha256');
  for (const piece of splitText(text)) {
    hash.update(piece);
    await yieldBeforeLongWork(text.length);
  }
  return hash.digest('base64url');
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // Creates an object without prototype, so that `__proto__` in a request body is an ordinary key.
  const sorted = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).sort()) sorted[key] = (value as Record<string, unknown>)[key];
  return sorted;
}

/** Thrown in the transaction of a repeated request: the response to the first request must be replayed. */
export class AlreadyResponded extends Error {}

/**
 * Runs each write with an idempotency key only once. Key and response are stored in the write's transaction,
 * so they commit together with its effect. A failure releases the key.
 */
export class IdempotencyGuard {
  readonly #keys = new IdempotencyRepository();
  readonly #storedResponses: Batcher<IdempotentRequest, StoredResponse | null>;
  readonly #database: Database;
  readonly #keyring: Keyring;

  constructor(database: Database, keyring: Keyring) {
    this.#database = database;
    this.#storedResponses = new Batcher((requests) => this.#keys.findResponses(database, requests));
    this.#keyring = keyring;
  }

  /**
   * Returns a request with the caller's identity, the idempotency key and a fingerprint. The fingerprint is a
   * keyed digest, so that short requests cannot be guessed from a copy of the database.
   * @param parts everything that must be equal in a repeated request
   */
  async identifyRequest(principal: string, key: string, parts: unknown[]): Promise<IdempotentRequest> {
    const fingerprint = this.#keyring.digest('named-request', await fingerprintRequest(parts));
    return { principal, key, fingerprint };
  }

  /**
   * Returns the stored response to the first request with this idempotency key; null if no such request was
   * made.
   * @throws AppError `idempotency_in_progress`, `idempotency_key_reused`, `key_unavailable`
   */
  async recall(request: IdempotentRequest): Promise<JsonResponse | null> {
    const stored = await this.#storedResponses.load(request);
    return stored && this.#decryptResponse(request, stored);
  }

  /**
   * Returns whether a response is stored for this idempotency key and one of the caller's identities,
   * regardless of the request's content.
   */
  async hasResponse(principals: readonly string[], key: string): Promise<boolean> {
    const found = await Promise.all(
      principals.map((principal) => this.#storedResponses.load({ principal, key, fingerprint: '' })),
    );
    return found.some((stored) => stored !== null);
  }

  /**
   * Returns the stored response to a request with this idempotency key and content, by any of the caller's
   * identities; null if none is stored.
   */
  async recallAny(
    principals: readonly string[],
    key: string,
    parts: unknown[],
  ): Promise<JsonResponse | null> {
    for (const principal of principals) {
      const request = await this.identifyRequest(principal, key, parts);
      const stored = await this.#storedResponses.load(request);
      if (stored?.fingerprint === request.fingerprint && !stored.isRunning)
        return this.#decryptResponse(request, stored);
    }
    return null;
  }

  /**
   * Claims the idempotency key of a request in the transaction.
   * @throws AppError `idempotency_in_progress`, `idempotency_key_reused`
   * @throws AlreadyResponded if the first response must be replayed
   */
  async claim(db: Database, request: IdempotentRequest): Promise<void> {
    const claim = await this.#keys.claim(db, request);
    if (claim === 'same') throw inProgress();
    if (claim === 'other') throw createKeyReusedError();
    if (claim === 'responded') throw new AlreadyResponded();
  }

  /**
   * Returns the stored response of the first request, after `claim` has thrown `AlreadyResponded`.
   * @throws AppError `idempotency_in_progress`, `idempotency_key_reused`
   */
  async recallAgain(request: IdempotentRequest): Promise<JsonResponse> {
    const response = await this.recall(request);
    if (!response) throw inProgress();
    return response;
  }

  /**
   * Stores the response to a request in the transaction. A preliminary response (`isFinal` false) is replaced
   * soon, and the request counts as running until the replacement. If it is not replaced within a limit, the
   * preliminary response counts as final.
   * @throws AppError `key_unavailable`
   */
  async storeResponse(
    db: Database,
    request: IdempotentRequest,
    { status, body }: JsonResponse,
    { isFinal, orgId }: { isFinal: boolean; orgId: string | null },
  ): Promise<void> {
    const sealedBody = this.#keyring.seal(body, buildResponseContext(request));
    await this.#keys.store(db, request, { status, sealedBody, isFinal, orgId });
  }

  /** Stores only the idempotency key in the transaction; the response follows later. */
  async storeKeyOnly(db: Database, request: IdempotentRequest): Promise<void> {
    await this.#keys.store(db, request, { status: 0, sealedBody: '', isFinal: false, orgId: null });
  }

  /**
   * Releases an idempotency key that has no response. Ignores errors, since the same request can be repeated
   * even if the key is not released.
   */
  async release(db: Database, request: IdempotentRequest): Promise<void> {
    await this.#keys.release(db, request).catch(() => undefined);
  }

  /**
   * Runs a write that detects repeated requests itself. The idempotency key only ensures that repeated
   * requests are identical.
   * @throws AppError `idempotency_key_reused`
   */
  async withReservation<T>(db: Database, request: IdempotentRequest, write: () => Promise<T>): Promise<T> {
    if (!(await this.#keys.reserve(db, request))) throw createKeyReusedError();
    try {
      return await write();
    } catch (error) {
      await this.release(db, request);
      throw error;
    }
  }

  async #decryptResponse(request: IdempotentRequest, stored: StoredResponse): Promise<JsonResponse> {
    if (stored.fingerprint !== request.fingerprint) throw createKeyReusedError();
    if (stored.isRunning) throw inProgress();
    const sealedBody = await this.#keys.openBody(this.#database, stored);
    const body = this.#keyring.open(sealedBody, buildResponseContext(request));
    return { status: stored.status, body };
  }
}

function inProgress(): AppError {
  return new AppError(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { headers: { 'Retry-After': '1' } },
  );
}

function createKeyReusedError(): AppError {
  return new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for a different request; use a new one.',
  );
}
