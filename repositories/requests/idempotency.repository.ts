import pg from 'pg';
import { decryptRow, sealRow } from '../../database/content.ts';
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

/**
 * Returns the encryption context of a response that is stored for repeated requests. With another context,
 * decryption fails.
 */
export function buildResponseContext({
  principal,
  key,
}: Pick<IdempotentRequest, 'principal' | 'key'>): string {
  return `idempotency_keys:${principal}:${key}`;
}

/**
 * Result of claiming an idempotency key. `ours`: granted; `same`: an identical request is running; `other`: a
 * different request used the key; `responded`: the response is stored.
 */
export type Claim = 'ours' | 'same' | 'other' | 'responded';

/** Maps error codes of the database function `claim_idempotency_key` to the result of claiming the key. */
const REFUSALS: Readonly<Record<string, Claim>> = { IK001: 'same', IK002: 'other', IK003: 'responded' };

interface NewResponse {
  status: number;
  sealedBody: string;
  isFinal: boolean;
  orgId: string | null;
}

export class IdempotencyRepository {
  /**
   * Claims the idempotency key until the transaction ends. If the claim is refused, the transaction has
   * failed, and later statements in it have no effect.
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

  /** Returns the stored response to each repeated request; null if none is stored. */
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
   * Decrypts the body of a stored response with the workspace's key. The result is still encrypted with the
   * master key.
   * @throws AppError `key_unavailable`
   */
  async openBody(
    db: Database,
    response: Pick<StoredResponse, 'sealedBody' | 'orgId' | 'id' | 'keyId'>,
  ): Promise<string> {
    return (await decryptRow(db, IdempotencyKey, response)).sealedBody;
  }

  /**
   * Stores the response to a write request in the same round trip as COMMIT.
   * @param orgId workspace whose content the response contains, if any
   * @throws AppError `key_unavailable`
   */
  async store(
    db: Database,
    { principal, key, fingerprint }: IdempotentRequest,
    { status, sealedBody, isFinal, orgId }: NewResponse,
  ): Promise<void> {
    const plain = { id: null, orgId: null, keyId: null, sealedBody };
    const sealed =
      orgId === null ? plain : await sealRow(db.dataSource, IdempotencyKey, { ...plain, id: newId(), orgId });
    const parameters = [principal, key, fingerprint, status, sealed.sealedBody, isFinal];
    db.runWithCommit(STORE_RESPONSE, [...parameters, sealed.orgId, sealed.id, sealed.keyId]);
  }

  /**
   * Reserves the idempotency key for this request, before the request has a response.
   * @returns false if the key belongs to another request
   */
  async reserve(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<boolean> {
    const [row] = await db.run(RESERVE_KEY, [principal, key, fingerprint]);
    return row?.fingerprint === fingerprint;
  }

  /** Releases the idempotency key, unless it has a response. */
  async release(db: Database, { principal, key, fingerprint }: IdempotentRequest): Promise<void> {
    await db.repository(IdempotencyKey).delete({ principal, key, fingerprint, status: 0 });
  }
}
