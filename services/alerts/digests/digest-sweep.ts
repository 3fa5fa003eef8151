import type { Clock } from '../../../core/clock.ts';
import { HOUR_MS } from '../../../core/hours.ts';
import { localTimeAt } from '../../../core/local-time.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { AlertPolicyRepository } from '../../../repositories/alerts/alert-policy.repository.ts';
import type { DigestRepository, NewDigest } from '../../../repositories/alerts/digest.repository.ts';
import { digestWorkflowId } from '../../../core/workflows/commands.ts';
import type { OutboxService } from '../../outbox/outbox-service.ts';
import { findLatestDigest, findNextDigest, type DueDigest } from './digest-times.ts';
import { nextSummaryTime } from './local-days.ts';

const BATCH = 100;
const MAX_DELAY_MS = 6 * HOUR_MS;

export interface DigestSweepDeps {
  digests: DigestRepository;
  policies: Pick<AlertPolicyRepository, 'update'>;
  outbox: OutboxService;
  clock: Clock;
}

/** Work that is due for an alert policy: a digest, a summary of held alerts, or both. */
interface DueWork {
  /** The due digest; null if only the summary of held alerts is due. */
  digest: DueDigest | null;
  isLate: boolean;
  hasSummary: boolean;
}

/**
 * Finds alert policies whose digest or summary of held alerts is due. Marks the digest as started and starts
 * its workflow in one transaction.
 */
export class DigestSweep {
  readonly #deps: DigestSweepDeps;

  constructor(deps: DigestSweepDeps) {
    this.#deps = deps;
  }

  /** Starts the workflows of all due digests and summaries. Returns the number of workflows. */
  async startDue(database: Database): Promise<number> {
    let started = 0;
    for (;;) {
      const { dueCount, startedCount } = await database.transaction((db) => this.#startBatch(db));
      started += startedCount;
      if (dueCount < BATCH) return started;
    }
  }

  async #startBatch(db: Database): Promise<{ dueCount: number; startedCount: number }> {
    const now = this.#deps.clock.now();
    const duePolicies = await this.#deps.digests.listDueLocked(db, now, BATCH);
    let startedCount = 0;
    for (const policy of duePolicies) if (await this.#startDigest(db, policy, now)) startedCount += 1;
    return { dueCount: duePolicies.length, startedCount };
  }

  async #startDigest(db: Database, policy: AlertPolicy, now: Date): Promise<boolean> {
    const scope = { db, orgId: policy.orgId };
    const { digests, policies, outbox } = this.#deps;
    const dueWork = findDueWork(policy, now);
    if (dueWork === null) {
      await policies.update(scope, policy.id, { summaryDueAt: policy.nextDigestAt });
      return false;
    }
    const row = toDigestRow(policy, dueWork, now);
    const isNew = await digests.insert(db, row);
    await policies.update(scope, policy.id, {
      nextDigestAt: dueWork.digest
        ? (findNextDigest(policy, now, row.date)?.at ?? null)
        : policy.nextDigestAt,
      // If the day already has a digest, postpones the summary of held alerts to the next day.
      ...(dueWork.hasSummary && { summaryDueAt: isNew ? null : nextSummaryTime(now, policy) }),
    });
    if (!isNew) return false;
    await digests.deleteOld(scope, policy.id);
    await outbox.command(scope, {
      workflow: 'sendDigest',
      action: 'start',
      workflowId: digestWorkflowId(policy.id, row.date),
      args: [{ orgId: policy.orgId, policyId: policy.id, date: row.date }],
      summary: row.isDigest ? 'Send a digest' : 'Send a summary of held alerts',
    });
    return true;
  }
}

/**
 * Returns the work that is due for an alert policy. Null if a digest later that day will include the held
 * alerts.
 */
function findDueWork(policy: AlertPolicy, now: Date): DueWork | null {
  const digest = findLatestDigest(policy, policy.nextDigestAt, now);
  const hasSummary = policy.summaryDueAt !== null && policy.summaryDueAt <= now;
  const isLate = digest !== null && isTooLate(digest.at, now);
  const { nextDigestAt, timezone } = policy;
  const toLocalDate = (at: Date) => localTimeAt(at, timezone).date;
  if (!digest && nextDigestAt && toLocalDate(nextDigestAt) === toLocalDate(now)) return null;
  return { digest, isLate, hasSummary };
}

function toDigestRow(policy: AlertPolicy, { digest, isLate, hasSummary }: DueWork, now: Date): NewDigest {
  const isNow = (digest !== null && !isLate) || hasSummary;
  const usesDigestDate = digest !== null && !(isLate && hasSummary);
  return {
    policyId: policy.id,
    orgId: policy.orgId,
    date: usesDigestDate ? digest.date : localTimeAt(now, policy.timezone).date,
    isDigest: digest !== null,
    dueAt: digest?.at ?? now,
    state: isNow ? 'due' : 'late',
    reason: isNow ? null : LATE_REASON,
  };
}

export const LATE_REASON = 'This digest is more than six hours late; the next digest includes its events.';

export function isTooLate(dueAt: Date, now: Date): boolean {
  return now.getTime() - dueAt.getTime() > MAX_DELAY_MS;
}
