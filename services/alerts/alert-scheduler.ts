import type { Clock } from '../../core/clock.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { AlertDestination } from '../../entities/alerts/alert-destination.entity.ts';
import type { MessageKind } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertDayRepository } from '../../repositories/alerts/alert-day.repository.ts';
import type { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository, WaitingAlerts } from '../../repositories/alerts/alert.repository.ts';
import type { AlertQuota } from '../usage/alert-quota.ts';
import { dayAt, nextSummaryTime } from './digests/local-days.ts';
import { DEFAULT_DAILY_CAP } from '../../core/alerts/daily-cap.ts';

/** Next action of an alert policy's workflow. */
export type NextStep =
  | { step: 'send'; messageId: string; kind: MessageKind; count: number }
  /**
   * Wait `waitMs` milliseconds, either to collect more alerts or to keep the minimum interval between
   * messages.
   */
  | { step: 'wait'; waitMs: number; count: number }
  /** Wait until a message or alert is queued. If messages exist but may not be sent, `note` is the reason. */
  | { step: 'rest'; note: string | null }
  | { step: 'gone' };

const DAILY_CAP_USED = 'The daily cap of messages was reached.';

export interface AlertSchedulerDeps {
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  alerts: AlertRepository;
  messages: AlertMessageRepository;
  days: AlertDayRepository;
  clock: Clock;
  settings: Pick<Settings, 'alertPauses'>;
  quota: Pick<AlertQuota, 'getBlockReason'>;
}

/** Decides which message of an alert policy is sent next, and when. */
export class AlertScheduler {
  readonly #deps: AlertSchedulerDeps;
  readonly #pauses: { criticalMs: number; collectMs: number; pauseMs: number };

  constructor(deps: AlertSchedulerDeps) {
    this.#deps = deps;
    const [criticalMs = 0, collectMs = 0, pauseMs = 0] = deps.settings.alertPauses.split(',').map(Number);
    this.#pauses = { criticalMs, collectMs, pauseMs };
  }

  /**
   * Determines the next step of an alert policy's workflow. Prepares the step, for example by creating a
   * message.
   * @param waitingMessageId id of a message that waits for its next attempt, or null. While it waits, only codes and
   * tests are sent.
   */
  next(scope: OrgScope, policyId: string, waitingMessageId: string | null): Promise<NextStep> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations, messages } = this.#deps;
      const policy = await policies.findLocked(tx, policyId);
      if (!policy) return { step: 'gone' };
      const destination = await destinations.find(tx, policy);
      const blockReason = findBlockReason(destination);
      if (blockReason !== null) await this.#failWaiting(tx, policyId, blockReason);
      const message = await messages.findNextUnfinished(tx, policyId, waitingMessageId);
      if (message) return { step: 'send', messageId: message.id, kind: message.kind, count: 0 };
      if (waitingMessageId !== null) return { step: 'rest', note: null };
      const waiting = blockReason === null ? await this.#deps.alerts.findWaiting(tx, policyId) : null;
      if (waiting) return this.#scheduleAlerts(tx, policy, waiting);
      await policies.update(tx, policyId, { wokenAt: null });
      return { step: 'rest', note: blockReason };
    });
  }

  async #scheduleAlerts(tx: OrgScope, policy: AlertPolicy, waiting: WaitingAlerts): Promise<NextStep> {
    const { messages, alerts, days, clock, quota } = this.#deps;
    const now = clock.now();
    const waitMs = this.#computeDueAt(policy, waiting) - now.getTime();
    if (waitMs > 0) return { step: 'wait', waitMs, count: waiting.count };
    const date = dayAt(now, policy.timezone);
    const cap = policy.dailyCap ?? DEFAULT_DAILY_CAP;
    const blockReason = await quota.getBlockReason(tx);
    if (blockReason !== null) return this.#holdForSummary(tx, policy, date, blockReason);
    if ((await days.claim(tx, policy.id, date, cap)) === null)
      return this.#holdForSummary(tx, policy, date, DAILY_CAP_USED);
    const id = newId();
    const { id: policyId, channel, destination } = policy;
    await messages.insertOnce(tx, { id, policyId, channel, destination, kind: 'alerts', countedOn: date });
    await alerts.assignToMessage(tx, policyId, id);
    return { step: 'send', messageId: id, kind: 'alerts', count: waiting.count };
  }

  #computeDueAt({ alertedAt }: AlertPolicy, { isCritical, since }: WaitingAlerts): number {
    const { criticalMs, collectMs, pauseMs } = this.#pauses;
    const last = alertedAt?.getTime() ?? 0;
    if (isCritical) return last + criticalMs;
    return Math.max(since.getTime() + collectMs, last + pauseMs);
  }

  /**
   * Holds the policy's waiting alerts back for a summary. The summary is due the next day, or once the plan
   * allows messages again.
   */
  async #holdForSummary(tx: OrgScope, policy: AlertPolicy, date: string, reason: string): Promise<NextStep> {
    const { alerts, days, policies, clock } = this.#deps;
    const count = await alerts.updateInState(tx, policy.id, 'pending', { state: 'held', reason });
    await days.countHeld(tx, policy.id, date, count);
    await policies.update(tx, policy.id, {
      wokenAt: null,
      summaryDueAt: policy.summaryDueAt ?? nextSummaryTime(clock.now(), policy),
    });
    return { step: 'rest', note: `${reason} ${count} alerts are held for a summary.` };
  }

  /**
   * Marks the policy's waiting alerts and messages as failed, because the destination accepts no messages.
   * Codes are still sent, because they can verify the destination.
   */
  async #failWaiting(tx: OrgScope, policyId: string, reason: string): Promise<void> {
    const { alerts, messages } = this.#deps;
    await alerts.updateInState(tx, policyId, 'pending', { state: 'failed', reason });
    await messages.failUnfinished(tx, policyId, reason);
  }
}

function findBlockReason(destination: AlertDestination | null): string | null {
  if (!destination?.verifiedAt) return 'The destination is not verified.';
  if (destination.blockedAt) return destination.blockedReason ?? 'The destination rejects messages.';
  return null;
}
