import { LRUCache } from 'lru-cache';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { Clock } from '../../core/clock.ts';
import type { AppError } from '../../core/errors/errors.ts';
import { KEY_RETRY_SECONDS, keyUnavailable } from './key-unavailable.ts';

/**
 * Maximum number of seconds for which a workspace's cached keys stay usable while its key service is
 * unreachable.
 */
const MAX_UNREACHABLE_SECONDS = 3600;
/** Fraction of the cache's lifetime after which a workspace's keys are renewed in the background. */
const RENEW_AFTER = 0.8;
const MAX_CACHED_WORKSPACES = 10_000;

interface CacheEntry<T> {
  value: T;
  /** Time at which the workspace's keys were decrypted, in milliseconds since the epoch. */
  unwrappedAt: number;
}

interface UnwrapFailure {
  error: unknown;
  at: number;
}

export interface UnwrappedKeyCacheOptions<T> {
  /**
   * Decrypts the encryption keys of a workspace. Keys in `known` stay valid and need no call to the key
   * service.
   */
  unwrap(orgId: string, known: T | null): Promise<T>;
  clock: Clock;
  cacheSeconds: number;
}

/**
 * Caches the decrypted keys of workspaces. Concurrent callers share one call to the key service. If the
 * service refuses, the cache removes the keys at once. If the service is unreachable, the keys stay usable
 * for an hour.
 */
export class UnwrappedKeyCache<T> {
  readonly #unwrap: UnwrappedKeyCacheOptions<T>['unwrap'];
  readonly #clock: Clock;
  readonly #cacheMs: number;
  readonly #entries = new LRUCache<string, CacheEntry<T>>({ max: MAX_CACHED_WORKSPACES });
  readonly #failures = new LRUCache<string, UnwrapFailure>({ max: MAX_CACHED_WORKSPACES });
  readonly #inFlight = new Map<string, Promise<T>>();

  constructor({ unwrap, clock, cacheSeconds }: UnwrappedKeyCacheOptions<T>) {
    this.#unwrap = unwrap;
    this.#clock = clock;
    this.#cacheMs = cacheSeconds * 1000;
  }

  /** Returns the workspace's cached keys; null if they are missing or too old. */
  peek(orgId: string): T | null {
    const entry = this.#entries.get(orgId);
    if (!entry) return null;
    const age = this.#now - entry.unwrappedAt;
    const maxAge = this.#isUnreachable(orgId)
      ? Math.max(this.#cacheMs, MAX_UNREACHABLE_SECONDS * 1000)
      : this.#cacheMs;
    if (age >= maxAge) return null;
    // Renews the workspace's keys in the background, so that no caller waits.
    if (age >= this.#cacheMs * RENEW_AFTER && !this.#hasJustFailed(orgId))
      this.#unwrapOnce(orgId, null).catch(() => undefined);
    return entry.value;
  }

  /**
   * Returns the workspace's cached keys; decrypts them if they are not cached.
   * @throws AppError `key_unavailable`
   */
  async get(orgId: string): Promise<T> {
    return this.peek(orgId) ?? this.renew(orgId);
  }

  /**
   * Decrypts the workspace's keys again, unless the last attempt has just failed.
   * @throws AppError `key_unavailable`
   */
  async renew(orgId: string): Promise<T> {
    const failure = this.#failures.get(orgId);
    if (failure && this.#hasJustFailed(orgId)) return this.#peekAfterFailure(orgId, failure.error);
    try {
      return await this.#unwrapOnce(orgId, null);
    } catch (error) {
      return this.#peekAfterFailure(orgId, error);
    }
  }

  /**
   * Decrypts the workspace's keys with the key service, even if they are cached.
   * @throws KeyServiceError
   */
  unwrapUncached(orgId: string): Promise<T> {
    return this.#unwrapOnce(orgId, null);
  }

  /**
   * Reloads the workspace's list of keys, and decrypts only new keys.
   * @throws AppError `key_unavailable`
   */
  async reread(orgId: string): Promise<T> {
    const cached = this.peek(orgId);
    if (cached === null) return this.renew(orgId);
    return this.#unwrapOnce(orgId, cached);
  }

  /** Creates the error that explains why the workspace's keys are unavailable. */
  createUnavailableError(orgId: string): AppError {
    return keyUnavailable(this.#failures.get(orgId)?.error);
  }

  /** Removes the workspace's keys from the cache. The result of a call in progress is not cached either. */
  forget(orgId: string): void {
    this.#entries.delete(orgId);
    this.#failures.delete(orgId);
    this.#inFlight.delete(orgId);
  }

  #unwrapOnce(orgId: string, known: T | null): Promise<T> {
    const running = this.#inFlight.get(orgId);
    if (running) return running;
    const isStillCurrent = () => this.#inFlight.get(orgId) === unwrapping;
    const unwrapping = this.#unwrapAndCache(orgId, known, isStillCurrent).finally(() => {
      if (isStillCurrent()) this.#inFlight.delete(orgId);
    });
    this.#inFlight.set(orgId, unwrapping);
    return unwrapping;
  }

  /**
   * Decrypts the workspace's keys and caches them.
   * @param isStillCurrent returns false once `forget` was called, in which case the result is not cached
   */
  async #unwrapAndCache(orgId: string, known: T | null, isStillCurrent: () => boolean): Promise<T> {
    const unwrappedBefore = this.#entries.get(orgId)?.unwrappedAt;
    try {
      const value = await this.#unwrap(orgId, known);
      if (!isStillCurrent()) return value;
      this.#entries.set(orgId, {
        value,
        unwrappedAt: known === null ? this.#now : (unwrappedBefore ?? this.#now),
      });
      this.#failures.delete(orgId);
      return value;
    } catch (error) {
      if (!(error instanceof KeyServiceError) || !isStillCurrent()) throw error;
      this.#failures.set(orgId, { error, at: this.#now });
      if (error.failure !== 'unreachable') this.#entries.delete(orgId);
      throw error;
    }
  }

  /**
   * Returns the workspace's cached keys if they are still usable after the key service's failure; throws
   * otherwise.
   * @throws AppError `key_unavailable` if the workspace has no usable keys
   */
  #peekAfterFailure(orgId: string, error: unknown): T {
    const value = this.peek(orgId);
    if (value !== null) return value;
    throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
  }

  #hasJustFailed(orgId: string): boolean {
    const failure = this.#failures.get(orgId);
    return failure !== undefined && this.#now - failure.at < KEY_RETRY_SECONDS * 1000;
  }

  #isUnreachable(orgId: string): boolean {
    const error = this.#failures.get(orgId)?.error;
    return error instanceof KeyServiceError && error.failure === 'unreachable';
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}
