import pg from 'pg';
import type { Database } from '../../database/database.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import {
  CLAIM_KEY,
  FIND_ANSWERS,
  KEEP_ANSWER,
  LONGEST_WAIT_SECONDS,
  RESERVE_KEY,
} from './idempotency.sql.ts';
import type { IdempotentRequest, StoredAnswer } from './idempotency.sql.ts';

/** What a stored answer is sealed for. */
export function idempotentAnswerPlace({
  principal,
  key,
}: Pick<IdempotentRequest, 'principal' | 'key'>): string {
  return `idempotency_keys:${principal}:${key}`;
}

/** What came of asking for a key: it is had, held by another call for the same or for something else, or done with. */
export type Claim = 'ours' | 'same' | 'other' | 'answered';

/** What the database's function fails with. */
const REFUSALS: Readonly<Record<string, Claim>> = { IK001: 'same', IK002: 'other', IK003: 'answered' };

export class IdempotencyRepository {
  /**
   * Takes the key until the transaction ends, however it ends. Where it is not to be had, the transaction has failed:
   * what was sent after this statement does nothing.
   */
  async claim(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<Claim> {
    try {
      await db.run(CLAIM_KEY, [principal, key, fingerprint, LONGEST_WAIT_SECONDS]);
      return 'ours';
    } catch (error) {
      const refusal = error instanceof pg.DatabaseError ? REFUSALS[error.code ?? ''] : undefined;
      if (refusal) return refusal;
      throw error;
    }
  }

  /** The answer of each, or null. */
  async findAnswers(db: Database, requests: IdempotentRequest[]): Promise<(StoredAnswer | null)[]> {
    const rows = await db.run(FIND_ANSWERS, [
      requests.map(({ principal }) => principal),
      requests.map(({ key }) => key),
    ]);
    return requests.map(
      ({ principal, key }) => rows.find((row) => row.principal === principal && row.key === key) ?? null,
    );
  }

  /** Keeps the answer from the transaction's commit on. */
  keep(
    db: Database,
    { principal, key, fingerprint }: IdempotentRequest,
    { status, sealedBody, isFinal }: { status: number; sealedBody: string; isFinal: boolean },
  ): void {
    db.runWithCommit(KEEP_ANSWER, [principal, key, fingerprint, status, sealedBody, isFinal]);
  }

  /** Keeps the key for this request, without an answer; returns whether it is not another's. */
  async reserve(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<boolean> {
    const [row] = await db.run(RESERVE_KEY, [principal, key, fingerprint]);
    return row?.fingerprint === fingerprint;
  }

  /** Frees the key unless it has its answer. */
  async release(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<void> {
    await db.repository(IdempotencyKey).delete({ principal, key, fingerprint, status: 0 });
  }
}
