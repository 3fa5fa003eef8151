import pg from 'pg';
import { openRow, sealRow } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import { newId } from '../../core/ids.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import {
  CLAIM_KEY,
  FIND_RESPONSES,
  STORE_RESPONSE,
  MAX_WAIT_SECONDS,
  RESERVE_KEY,
} from './idempotency.sql.ts';
import type { IdempotentRequest, StoredResponse } from './idempotency.sql.ts';

/** Returns the place that a stored response is encrypted for. */
export function toResponsePlace({ principal, key }: Pick<IdempotentRequest, 'principal' | 'key'>): string {
  return `idempotency_keys:${principal}:${key}`;
}

/** Result of a claim: granted, refused because the same or another request holds the key, or already responded. */
export type Claim = 'ours' | 'same' | 'other' | 'responded';

/** Error codes of the database function. */
const REFUSALS: Readonly<Record<string, Claim>> = { IK001: 'same', IK002: 'other', IK003: 'responded' };

interface NewResponse {
  status: number;
  sealedBody: string;
  isFinal: boolean;
  orgId: string | null;
}

export class IdempotencyRepository {
  /**
   * Claims the key until the transaction ends. If the claim is refused, the transaction has failed: statements sent
   * after this one have no effect.
   */
  async claim(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<Claim> {
    try {
      await db.run(CLAIM_KEY, [principal, key, fingerprint, MAX_WAIT_SECONDS]);
      return 'ours';
    } catch (error) {
      const refusal = error instanceof pg.DatabaseError ? REFUSALS[error.code ?? ''] : undefined;
      if (refusal) return refusal;
      throw error;
    }
  }

  /** Returns the stored response of each request, or null. */
  async findResponses(db: Database, requests: IdempotentRequest[]): Promise<(StoredResponse | null)[]> {
    const rows = await db.run(FIND_RESPONSES, [
      requests.map(({ principal }) => principal),
      requests.map(({ key }) => key),
    ]);
    return requests.map(
      ({ principal, key }) => rows.find((row) => row.principal === principal && row.key === key) ?? null,
    );
  }

  /**
   * Decrypts the body of a stored response with the workspace's key. It is still encrypted with the master key.
   * @throws AppError `key_unavailable`
   */
  async openBody(db: Database, response: StoredResponse): Promise<string> {
    return (await openRow(db, IdempotencyKey, response)).sealedBody;
  }

  /**
   * Stores the response, with COMMIT.
   * @param orgId workspace whose content the response shows, if any
   * @throws AppError `key_unavailable`
   */
  async store(
    db: Database,
    { principal, key, fingerprint }: IdempotentRequest,
    { status, sealedBody, isFinal, orgId }: NewResponse,
  ): Promise<void> {
    const plain = { id: null, orgId: null, keyId: null, sealedBody };
    const stored =
      orgId === null ? plain : await sealRow(db.dataSource, IdempotencyKey, { ...plain, id: newId(), orgId });
    const named = [principal, key, fingerprint, status, stored.sealedBody, isFinal];
    db.runWithCommit(STORE_RESPONSE, [...named, stored.orgId, stored.id, stored.keyId]);
  }

  /**
   * Reserves the key for this request, without a response.
   * @returns false if the key belongs to another request
   */
  async reserve(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<boolean> {
    const [row] = await db.run(RESERVE_KEY, [principal, key, fingerprint]);
    return row?.fingerprint === fingerprint;
  }

  /** Releases the key, unless it has a response. */
  async release(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<void> {
    await db.repository(IdempotencyKey).delete({ principal, key, fingerprint, status: 0 });
  }
}
