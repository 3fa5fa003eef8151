import { beginsWith, idempotentAnswerPlace } from '../requests/idempotency.repository.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** A contact that is hidden, and what its copies are found by. */
export interface ErasedContact {
  /** Of the contact, those merged into it, its conversations and the team's messages. */
  ids: string[];
  firstSeenAt: Date;
}

/** Where a walk through the log of deliveries goes on. */
export interface LogPosition {
  id: string;
  createdAt: Date;
}

/** A stored answer to a write of one of the workspace's API keys, or to the start of somebody's session. */
export interface SealedAnswer {
  principal: string;
  key: string;
  sealedBody: string;
  /** What it is sealed for. */
  place: string;
}

const LOG_BATCH = 2000;
const ANSWER_BATCH = 500;

const NAMES_ONE = `(payload->>'contact_id' = ANY($1::text[]) OR payload->>'conversation_id' = ANY($1::text[]))`;

/** Copies of what erased contacts have said and are called. Every step may be repeated. */
export class ErasureRepository {
  /** Removes the conversations' messages; returns the ids of what the team said. */
  async removeMessages({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<string[]> {
    const rows = await db.sql<{ id: string; role: string }>(
      'DELETE FROM messages WHERE conversation_id = ANY($1) AND org_id = $2 RETURNING id, role',
      [conversationIds, orgId],
    );
    return rows.filter(({ role }) => role === 'agent').map(({ id }) => id);
  }

  async find({ db, orgId }: OrgScope, contactId: string): Promise<ErasedContact | null> {
    const [row] = await db.sql<ErasedContact>(
      `SELECT id || erased_ids AS ids, first_seen_at AS "firstSeenAt" FROM contacts
       WHERE id = $1 AND org_id = $2 AND deleted_at IS NOT NULL`,
      [contactId, orgId],
    );
    return row ?? null;
  }

  /** Removes the mails that told the team of the lead, or that somebody waits, and those to the visitor, sent or not. */
  async removeMails({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.sql(
      `DELETE FROM mails WHERE org_id = $2
         AND split_part(key, '/', 1) IN ('notify-lead', 'notify-handoff', 'mail-visitor') AND split_part(key, '/', 2) = ANY($1)`,
      [ids, orgId],
    );
  }

  /** What was done stays in the audit log, and to whom does not. */
  async forgetInAuditLog({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.sql('UPDATE audit_events SET resource_id = NULL WHERE org_id = $2 AND resource_id = ANY($1)', [
      ids,
      orgId,
    ]);
  }

  /** Removes events that no relay has taken yet; those that one has at this moment become deliveries first. */
  async removeEvents({ db, orgId }: OrgScope, ids: string[]): Promise<void> {
    await db.sql(`DELETE FROM outbox WHERE org_id = $2 AND kind = 'event' AND ${NAMES_ONE}`, [ids, orgId]);
  }

  /**
   * Removes a batch of the log's deliveries, sent or not; returns where the next begins, or null after the last. A batch
   * of which some are in use at this moment is to be repeated, from where it began.
   */
  async removeDeliveries(
    { db, orgId }: OrgScope,
    ids: string[],
    { createdAt, id }: LogPosition,
  ): Promise<{ next: LogPosition | null; isBusy: boolean }> {
    const [last] = await db.sql<LogPosition & { isBusy: boolean }>(
      `WITH batch AS MATERIALIZED (
         SELECT id, created_at, payload FROM webhook_deliveries
         WHERE org_id = $2 AND (created_at, id) > ($3, $4) ORDER BY created_at, id LIMIT ${LOG_BATCH}
       ), wanted AS MATERIALIZED (
         SELECT id FROM batch WHERE ${NAMES_ONE}
       ), held AS MATERIALIZED (
         SELECT id FROM webhook_deliveries WHERE id IN (SELECT id FROM wanted) ORDER BY id FOR UPDATE SKIP LOCKED
       ), removed AS (
         DELETE FROM webhook_deliveries d USING held WHERE d.id = held.id
       )
       SELECT id, created_at AS "createdAt", (SELECT count(*) FROM wanted) > (SELECT count(*) FROM held) AS "isBusy"
       FROM batch ORDER BY batch.created_at DESC, batch.id DESC LIMIT 1`,
      [ids, orgId, createdAt, id],
    );
    return { next: last ? { id: last.id, createdAt: last.createdAt } : null, isBusy: last?.isBusy ?? false };
  }

  /** Removes what is kept of the sessions of conversations: answers to their visitors, and how much they have called. */
  async removeSessions({ db }: OrgScope, ids: string[]): Promise<void> {
    await db.sql('DELETE FROM idempotency_keys WHERE principal = ANY($1)', [
      ids.map((id) => `visitor:${id}`),
    ]);
    await db.sql('DELETE FROM rate_windows WHERE key = ANY($1)', [
      ids.flatMap((id) => [`session:${id}`, `messages:${id}`]),
    ]);
  }

  /** A batch of the stored answers to writes of the workspace's keys and members and of callers nobody knows, behind the one given. */
  async answersBehind(
    { db, orgId }: OrgScope,
    after: Pick<SealedAnswer, 'principal' | 'key'>,
  ): Promise<SealedAnswer[]> {
    const rows = await db.sql<Omit<SealedAnswer, 'place'>>(
      `SELECT answer.principal, answer.key, answer.sealed_body AS "sealedBody"
       FROM (SELECT 'key:' || id FROM api_keys WHERE org_id = $1
             UNION ALL VALUES ('user:' || $1 || ':'), ('address:')) AS sender (prefix)
       CROSS JOIN LATERAL (
         SELECT principal, key, sealed_body FROM idempotency_keys
         WHERE ${beginsWith('sender.prefix')} AND (principal, key) > ($2, $3) AND sealed_body <> ''
         ORDER BY principal, key LIMIT ${ANSWER_BATCH}) answer
       ORDER BY answer.principal, answer.key LIMIT ${ANSWER_BATCH}`,
      [orgId, after.principal, after.key],
    );
    return rows.map((row) => ({ ...row, place: idempotentAnswerPlace(row) }));
  }

  async removeAnswers({ db }: OrgScope, answers: Pick<SealedAnswer, 'principal' | 'key'>[]): Promise<void> {
    await db.sql(
      `DELETE FROM idempotency_keys k USING unnest($1::text[], $2::text[]) AS gone (principal, key)
       WHERE k.principal = gone.principal AND k.key = gone.key`,
      [answers.map(({ principal }) => principal), answers.map(({ key }) => key)],
    );
  }

  /** Removes the empty row that is left of the contact. */
  async removeContact({ db, orgId }: OrgScope, contactId: string): Promise<void> {
    await db.sql('DELETE FROM contacts WHERE id = $1 AND org_id = $2 AND deleted_at IS NOT NULL', [
      contactId,
      orgId,
    ]);
  }
}
