import { buildConsoleLink } from '../../../core/console-link.ts';
import type { Clock } from '../../../core/clock.ts';
import { getDefaultLanguage, type Language } from '../../../core/languages.ts';
import { addDays, firstInstantAt } from '../../../core/local-time.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import { inTransaction, type OrgScope } from '../../../database/org-scope.ts';
import type { AlertDigest, DigestState } from '../../../entities/alerts/alert-digest.entity.ts';
import type { AlertPolicy } from '../../../entities/alerts/alert-policy.entity.ts';
import type { AlertDayRepository } from '../../../repositories/alerts/alert-day.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertPolicyRepository } from '../../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../../repositories/alerts/alert.repository.ts';
import type { DigestFactsRepository } from '../../../repositories/alerts/digest-facts.repository.ts';
import type { DigestRepository } from '../../../repositories/alerts/digest.repository.ts';
import type { EventCountRepository } from '../../../repositories/alerts/event-count.repository.ts';
import type { SendDigestInput } from '../../../core/workflows/commands.ts';
import type { AlertQuota } from '../../usage/alert-quota.ts';
import type { AlertQueue } from '../alert-queue.ts';
import { countPeriod, planDigestPeriod, type DigestPeriod, type PeriodCounts } from './digest-period.ts';
import { isTooLate, LATE_REASON } from './digest-sweep.ts';
import { composeDigest, sumCounts, describeCounts, type DigestFacts } from './digest-text.ts';
import { dayAt, nextSummaryTime } from './local-days.ts';
import { listDigestEvents } from '../event-selection.ts';

export interface DigestsDeps {
  digests: DigestRepository;
  facts: DigestFactsRepository;
  counts: EventCountRepository;
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  alerts: AlertRepository;
  days: AlertDayRepository;
  queue: AlertQueue;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl'>;
  quota: Pick<AlertQuota, 'getBlockReason'>;
}

/**
 * Progress of a digest message, as operators see it. Contains ids and counts, but no content of
 * conversations.
 */
export interface DigestProgress {
  state: Exclude<DigestState, 'due'> | 'gone';
  reason: string | null;
  from: string | null;
  to: string | null;
  tellsOf: string[];
}

/** A digest message that is being composed. */
interface DigestRun {
  policy: AlertPolicy;
  digest: AlertDigest;
  now: Date;
}

/** Content of a digest message, and the language of its reader. */
interface DigestContents {
  name: string;
  language: Language;
  held: Record<string, number>;
  period: (DigestPeriod & PeriodCounts) | null;
}

type DigestEnd = Pick<AlertDigest, 'state'> & Partial<AlertDigest>;

const MAX_LISTED = 5;
const NO_CAP = 1_000_000;
const GONE: DigestProgress = {
  state: 'gone',
  reason: 'The policy was deleted.',
  from: null,
  to: null,
  tellsOf: [],
};

/**
 * Composes digests and queues them as messages. A digest counts the events since the alert policy's last
 * digest, and lists held alerts.
 */
export class Digests {
  readonly #deps: DigestsDeps;

  constructor(deps: DigestsDeps) {
    this.#deps = deps;
  }

  /**
   * Composes the digest of an alert policy and queues its message. A repeated call returns the first result.
   */
  compose(db: Database, { orgId, policyId, date }: SendDigestInput): Promise<DigestProgress> {
    return inTransaction({ db, orgId }, async (tx) => {
      const stored = await this.#deps.digests.findLocked(tx, { policyId, date });
      if (!stored) return GONE;
      if (stored.digest.state !== 'due') return toDigestProgress(stored.policy, stored.digest);
      return this.#compose(tx, { ...stored, now: this.#deps.clock.now() });
    });
  }

  /** Skips the digest of a date. The alert policy's next digest includes the skipped events. */
  skip(db: Database, { orgId, policyId, date }: SendDigestInput): Promise<DigestProgress> {
    return inTransaction({ db, orgId }, async (tx) => {
      const stored = await this.#deps.digests.findLocked(tx, { policyId, date });
      if (!stored) return GONE;
      if (stored.digest.state !== 'due') return toDigestProgress(stored.policy, stored.digest);
      const reason = 'An operator skipped this digest; the next digest includes its events.';
      return this.#endDigest(tx, { ...stored, now: this.#deps.clock.now() }, { state: 'skipped', reason });
    });
  }

  async #compose(tx: OrgScope, run: DigestRun): Promise<DigestProgress> {
    const { policy, digest, now } = run;
    const subject = await this.#deps.facts.findSubject(tx, policy.botId);
    const blockReason = subject
      ? ((await this.#findBlockReason(tx, policy)) ?? (await this.#deps.quota.getBlockReason(tx)))
      : 'The workspace or bot is deleted.';
    if (!subject || blockReason !== null)
      return this.#endDigest(tx, run, { state: 'unsent', reason: blockReason });
    const heldCounts = await this.#deps.facts.countHeld(tx, policy.id);
    const isLate = digest.isDigest && isTooLate(digest.dueAt, now);
    const isDigest = digest.isDigest && !isLate && policy.digest !== 'none';
    if (!isDigest && sumCounts(heldCounts) === 0) {
      const reason = isLate ? LATE_REASON : 'No alerts are held anymore.';
      return this.#endDigest(tx, run, { state: isLate ? 'late' : 'empty', reason });
    }
    const period = isDigest ? await this.#loadPeriod(tx, policy, now) : null;
    const language = getDefaultLanguage(subject.settings);
    return this.#sendDigest(tx, run, { name: subject.name, language, held: heldCounts, period });
  }

  async #sendDigest(tx: OrgScope, run: DigestRun, contents: DigestContents): Promise<DigestProgress> {
    const { policy, digest, now } = run;
    const { held, period, language } = contents;
    const facts = await this.#loadFacts(tx, run, contents);
    const covered: DigestEnd = {
      state: 'sent',
      beginsAt: period?.from ?? null,
      endsAt: period?.to ?? null,
      counts: period?.counts ?? {},
      seen: period?.seen ?? {},
      waiting: facts.waiting.count,
      bookings: facts.bookings.count,
      held: sumCounts(held),
    };
    if (sumCounts(facts.counts) + covered.waiting! + covered.bookings! + covered.held! === 0)
      return this.#endDigest(tx, run, { ...covered, state: 'empty', reason: 'No events happened.' });
    const { queue, alerts, days } = this.#deps;
    // Counts the digest toward the day's messages, but sends it even if the daily cap is reached. Held alerts
    // would otherwise never be reported.
    const countedOn = dayAt(now, policy.timezone);
    await days.claim(tx, policy.id, countedOn, NO_CAP);
    const messageId = await queue.enqueue(tx, policy, {
      countedOn,
      kind: period ? 'digest' : 'summary',
      content: composeDigest(facts, language),
      key: `digest/${policy.id}/${digest.date}`,
    });
    await alerts.updateInState(tx, policy.id, 'held', { state: 'sent', messageId });
    return this.#endDigest(tx, run, covered);
  }

  async #loadFacts(
    tx: OrgScope,
    { policy, digest: { date } }: DigestRun,
    { name, held, period }: DigestContents,
  ): Promise<DigestFacts> {
    const { facts, settings } = this.#deps;
    const { timezone, label } = policy;
    const link = buildConsoleLink(settings.baseUrl, tx.orgId, ['inbox']);
    const noRows = { count: 0, first: [] };
    const heading = { name, label, timezone, held, link };
    if (!period) return { ...heading, period, counts: {}, before: {}, waiting: noRows, bookings: noRows };
    const pickCounts = (counts: Record<string, number>) =>
      Object.fromEntries(listDigestEvents(policy).map((event) => [event, counts[event] ?? 0]));
    const day = {
      from: firstInstantAt(date, 0, timezone),
      to: firstInstantAt(addDays(date, 1), 0, timezone),
    };
    return {
      ...heading,
      period,
      counts: pickCounts(period.counts),
      before: pickCounts(period.before),
      waiting: await facts.findWaiting(tx, policy, MAX_LISTED),
      bookings: await facts.findBookings(tx, policy, { ...day, limit: MAX_LISTED }),
    };
  }

  async #loadPeriod(tx: OrgScope, policy: AlertPolicy, to: Date): Promise<DigestPeriod & PeriodCounts> {
    const { digests, counts } = this.#deps;
    const period = planDigestPeriod(policy, await digests.findLast(tx, policy.id), {
      since: await digests.findFirstDue(tx, policy.id),
      to,
    });
    const { botId } = policy;
    const totals = await counts.listTotals(tx, { botId, from: period.readFrom, to, since: period.from });
    return { ...period, ...countPeriod(period, totals) };
  }

  /** Returns the reason why the alert policy may not send messages; null if the policy may send them. */
  async #findBlockReason(
    tx: OrgScope,
    { intensity, channel, destination }: AlertPolicy,
  ): Promise<string | null> {
    if (intensity === 'off') return 'The policy is switched off.';
    const storedDestination = await this.#deps.destinations.find(tx, { channel, destination });
    if (storedDestination?.blockedAt) return 'The destination is blocked.';
    return storedDestination?.verifiedAt ? null : 'The destination is not verified.';
  }

  async #endDigest(
    tx: OrgScope,
    { policy, digest, now }: DigestRun,
    end: DigestEnd,
  ): Promise<DigestProgress> {
    const { digests, policies } = this.#deps;
    await digests.update(tx, digest, end);
    const isHolding = end.state !== 'sent' && sumCounts(await this.#deps.facts.countHeld(tx, policy.id)) > 0;
    await policies.update(tx, policy.id, {
      summaryDueAt: isHolding ? nextSummaryTime(now, policy) : null,
      ...(end.endsAt && { digestedAt: end.endsAt }),
    });
    return toDigestProgress(policy, { ...digest, ...end });
  }
}

function toDigestProgress(policy: AlertPolicy, digest: AlertDigest): DigestProgress {
  const { state, reason, beginsAt, endsAt } = digest;
  const reportedCounts = listDigestEvents(policy).map((event) => [event, digest.counts[event] ?? 0] as const);
  return {
    state: state === 'due' ? 'sent' : state,
    reason,
    from: beginsAt?.toISOString() ?? null,
    to: endsAt?.toISOString() ?? null,
    tellsOf: describeCounts({ ...digest, counts: Object.fromEntries(reportedCounts) }),
  };
}
