import { LRUCache } from 'lru-cache';
import { KeyServiceError } from '../../adapters/keys/services/key-service.ts';
import type { Clock } from '../../core/clock.ts';
import type { AppError } from '../../core/errors/errors.ts';
import { FAILURE_SECONDS, keyUnavailable } from './key-unavailable.ts';

/** How long keys stay good whose service merely does not answer. */
const LONGEST_SECONDS = 3600;
/** Of the time that keys are kept: then they are renewed beside what goes on. */
const RENEWED_AFTER = 0.8;
const KEPT_WORKSPACES = 10_000;

interface Kept<T> {
  value: T;
  /** In milliseconds. */
  openedAt: number;
}

interface Failure {
  error: unknown;
  at: number;
}

export interface KeptKeysOptions<T> {
  /** Opens the keys of a workspace; `known` are those that are good still, so that nobody need be asked for them. */
  open(orgId: string, known: T | null): Promise<T>;
  clock: Clock;
  keepSeconds: number;
}

/**
 * The opened keys of workspaces. Whoever holds a workspace's key is asked once for all who wait for it; a refusal takes the
 * keys away at once, and silence leaves them for an hour.
 */
export class KeptKeys<T> {
  readonly #open: KeptKeysOptions<T>['open'];
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #kept = new LRUCache<string, Kept<T>>({ max: KEPT_WORKSPACES });
  readonly #failures = new LRUCache<string, Failure>({ max: KEPT_WORKSPACES });
  readonly #opening = new Map<string, Promise<T>>();

  constructor({ open, clock, keepSeconds }: KeptKeysOptions<T>) {
    this.#open = open;
    this.#clock = clock;
    this.#keepMs = keepSeconds * 1000;
  }

  /** Those that may be used at this moment; null where they would have to be opened. */
  peek(orgId: string): T | null {
    const kept = this.#kept.get(orgId);
    if (!kept) return null;
    const age = this.#now - kept.openedAt;
    const longest = this.#isSilent(orgId) ? Math.max(this.#keepMs, LONGEST_SECONDS * 1000) : this.#keepMs;
    if (age >= longest) return null;
    // Whoever needs them next waits for nobody.
    if (age >= this.#keepMs * RENEWED_AFTER && !this.#hasJustFailed(orgId))
      this.#ask(orgId, null).catch(() => undefined);
    return kept.value;
  }

  /** @throws AppError `key_unavailable` */
  async get(orgId: string): Promise<T> {
    return this.peek(orgId) ?? this.renew(orgId);
  }

  /** Has whoever holds the key asked again. @throws AppError `key_unavailable` */
  async renew(orgId: string): Promise<T> {
    const failure = this.#failures.get(orgId);
    if (failure && this.#hasJustFailed(orgId)) return this.#despite(orgId, failure.error);
    try {
      return await this.#ask(orgId, null);
    } catch (error) {
      return this.#despite(orgId, error);
    }
  }

  /** Has whoever holds the key asked, whatever is open still. @throws KeyServiceError */
  ask(orgId: string): Promise<T> {
    return this.#ask(orgId, null);
  }

  /** Reads anew which keys there are; those that are open stay so. @throws AppError `key_unavailable` */
  async reread(orgId: string): Promise<T> {
    const known = this.peek(orgId);
    if (known === null) return this.renew(orgId);
    return this.#ask(orgId, known);
  }

  /** Why the keys cannot be had. */
  refusal(orgId: string): AppError {
    return keyUnavailable(this.#failures.get(orgId)?.error);
  }

  /** What is being opened at this moment is not kept either. */
  forget(orgId: string): void {
    this.#kept.delete(orgId);
    this.#failures.delete(orgId);
    this.#opening.delete(orgId);
  }

  #ask(orgId: string, known: T | null): Promise<T> {
    const underWay = this.#opening.get(orgId);
    if (underWay) return underWay;
    const isPresent = () => this.#opening.get(orgId) === asked;
    const asked = this.#openNow(orgId, known, isPresent).finally(() => {
      if (isPresent()) this.#opening.delete(orgId);
    });
    this.#opening.set(orgId, asked);
    return asked;
  }

  /** @param isPresent whether the keys have not been forgotten meanwhile */
  async #openNow(orgId: string, known: T | null, isPresent: () => boolean): Promise<T> {
    const before = this.#kept.get(orgId)?.openedAt;
    try {
      const value = await this.#open(orgId, known);
      if (!isPresent()) return value;
      this.#kept.set(orgId, { value, openedAt: known === null ? this.#now : (before ?? this.#now) });
      this.#failures.delete(orgId);
      return value;
    } catch (error) {
      if (!(error instanceof KeyServiceError) || !isPresent()) throw error;
      this.#failures.set(orgId, { error, at: this.#now });
      if (error.failure !== 'unreachable') this.#kept.delete(orgId);
      throw error;
    }
  }

  /** What there is in spite of a failure. @throws AppError `key_unavailable` */
  #despite(orgId: string, error: unknown): T {
    const value = this.peek(orgId);
    if (value !== null) return value;
    throw error instanceof KeyServiceError ? keyUnavailable(error) : error;
  }

  #hasJustFailed(orgId: string): boolean {
    const failure = this.#failures.get(orgId);
    return failure !== undefined && this.#now - failure.at < FAILURE_SECONDS * 1000;
  }

  #isSilent(orgId: string): boolean {
    const error = this.#failures.get(orgId)?.error;
    return error instanceof KeyServiceError && error.failure === 'unreachable';
  }

  get #now(): number {
    return this.#clock.now().getTime();
  }
}
