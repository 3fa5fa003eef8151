import pg from 'pg';
import type { Database, PreparedStatement } from '../../database/database.ts';

/** A write as its sender named it, and what it asked. */
export interface IdempotentRequest {
  principal: string;
  key: string;
  fingerprint: string;
}

export interface StoredAnswer {
  fingerprint: string;
  status: number;
  sealedBody: string;
  /** The request has committed, but is still waiting for what completes its answer. */
  isRunning: boolean;
}

/** What a stored answer is sealed for. */
export function idempotentAnswerPlace({
  principal,
  key,
}: Pick<IdempotentRequest, 'principal' | 'key'>): string {
  return `idempotency_keys:${principal}:${key}`;
}

/** Of all principals that begin with a prefix, which are neighbours in the index of their keys. */
export const beginsWith = (prefix: string) =>
  `principal >= ${prefix} AND principal < ${prefix} || chr(x'10ffff'::int)`;

/** What came of asking for a key: it is had, held by another call for the same or for something else, or done with. */
export type Claim = 'ours' | 'same' | 'other' | 'answered';

/** What the database's function fails with. */
const REFUSALS: Readonly<Record<string, Claim>> = { IK001: 'same', IK002: 'other', IK003: 'answered' };

/** No request waits longer; one whose answer is not final by then has broken off. */
const LONGEST_WAIT_SECONDS = 180;

const IS_RECENT = `created_at > now() - interval '${LONGEST_WAIT_SECONDS} seconds'`;

const STORED = `fingerprint, status, sealed_body AS "sealedBody", NOT is_final AND ${IS_RECENT} AS "isRunning"`;

/** One that is still without an answer counts as long as it may get one. */
const COUNTS = `expires_at > now() AND (is_final OR status > 0 OR ${IS_RECENT})`;

const CLAIM: PreparedStatement = {
  name: 'claim-idempotency-key',
  text: 'SELECT claim_idempotency_key($1, $2, $3, $4)',
};

const FIND_EACH: PreparedStatement = {
  name: 'find-idempotency-keys',
  text: `SELECT principal, key, ${STORED}
         FROM unnest($1::text[], $2::text[]) AS asked (principal, key) JOIN idempotency_keys USING (principal, key)
         WHERE ${COUNTS}`,
};

const KEEP: PreparedStatement = {
  name: 'keep-idempotent-answer',
  text: `INSERT INTO idempotency_keys (principal, key, fingerprint, status, sealed_body, is_final, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + interval '24 hours')
         ON CONFLICT (principal, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status,
           sealed_body = excluded.sealed_body, is_final = excluded.is_final, created_at = excluded.created_at, expires_at = excluded.expires_at`,
};

const RESERVE: PreparedStatement = {
  name: 'reserve-idempotency-key',
  text: `INSERT INTO idempotency_keys AS present (principal, key, fingerprint, status, sealed_body, expires_at)
         VALUES ($1, $2, $3, 0, '', now() + interval '24 hours')
         ON CONFLICT (principal, key) DO UPDATE SET
           fingerprint = CASE WHEN present.expires_at <= now() THEN excluded.fingerprint ELSE present.fingerprint END,
           expires_at = CASE WHEN present.expires_at <= now() THEN excluded.expires_at ELSE present.expires_at END
         RETURNING fingerprint`,
};

const RELEASE: PreparedStatement = {
  name: 'release-idempotency-key',
  text: 'DELETE FROM idempotency_keys WHERE principal = $1 AND key = $2 AND fingerprint = $3 AND status = 0',
};

export class IdempotencyRepository {
  /**
   * Takes the key until the transaction ends, however it ends. Where it is not to be had, the transaction has failed:
   * what was sent after this statement does nothing.
   */
  async claim(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<Claim> {
    try {
      await db.prepared(CLAIM, [principal, key, fingerprint, LONGEST_WAIT_SECONDS]);
      return 'ours';
    } catch (error) {
      const refusal = error instanceof pg.DatabaseError ? REFUSALS[error.code ?? ''] : undefined;
      if (refusal) return refusal;
      throw error;
    }
  }

  /** The answer of each, or null. */
  async find(db: Database, requests: IdempotentRequest[]): Promise<(StoredAnswer | null)[]> {
    const rows = await db.prepared<StoredAnswer & Pick<IdempotentRequest, 'principal' | 'key'>>(FIND_EACH, [
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
    db.preparedWithCommit(KEEP, [principal, key, fingerprint, status, sealedBody, isFinal]);
  }

  /** Keeps the key for this request, without an answer; returns whether it is not another's. */
  async reserve(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<boolean> {
    const [row] = await db.prepared<{ fingerprint: string }>(RESERVE, [principal, key, fingerprint]);
    return row?.fingerprint === fingerprint;
  }

  /** Frees the key unless it has its answer. */
  async release(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<void> {
    await db.prepared(RELEASE, [principal, key, fingerprint]);
  }
}
