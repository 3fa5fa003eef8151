import { consoleLink } from '../../../core/console-link.ts';
import type { Clock } from '../../../core/clock.ts';
import { languageOf, type Language } from '../../../core/languages.ts';
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
import { countPeriod, periodOf, type DigestPeriod, type PeriodCounts } from './digest-period.ts';
import { isTooLate, LATE } from './digest-sweep.ts';
import { digestContent, sumOf, tellsOf, type DigestFacts } from './digest-text.ts';
import { dayAt, summaryAfter } from './local-days.ts';
import { summedUp } from '../told-events.ts';

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
  quota: Pick<AlertQuota, 'objection'>;
}

/** What operators are shown of a digest: ids and counts. */
export interface DigestProgress {
  state: Exclude<DigestState, 'due'> | 'gone';
  reason: string | null;
  from: string | null;
  to: string | null;
  tellsOf: string[];
}

/** A digest that is being made. */
interface Made {
  policy: AlertPolicy;
  digest: AlertDigest;
  now: Date;
}

/** What it is about, and for whom. */
interface Told {
  name: string;
  language: Language;
  held: Record<string, number>;
  period: (DigestPeriod & PeriodCounts) | null;
}

type End = Pick<AlertDigest, 'state'> & Partial<AlertDigest>;

const MOST_NAMED = 5;
const ANY_NUMBER = 1_000_000;
const GONE: DigestProgress = {
  state: 'gone',
  reason: 'The policy is not there any more.',
  from: null,
  to: null,
  tellsOf: [],
};

/** Sums up what has happened since a policy's last digest, and what was held, and hands it to the policy's queue. */
export class Digests {
  readonly #deps: DigestsDeps;

  constructor(deps: DigestsDeps) {
    this.#deps = deps;
  }

  /** Done again, it returns what came of it the first time. */
  make(db: Database, { orgId, policyId, date }: SendDigestInput): Promise<DigestProgress> {
    return inTransaction({ db, orgId }, async (tx) => {
      const found = await this.#deps.digests.findLocked(tx, { policyId, date });
      if (!found) return GONE;
      if (found.digest.state !== 'due') return progressOf(found.policy, found.digest);
      return this.#make(tx, { ...found, now: this.#deps.clock.now() });
    });
  }

  /** The next one tells of what this one would have told of. */
  skip(db: Database, { orgId, policyId, date }: SendDigestInput): Promise<DigestProgress> {
    return inTransaction({ db, orgId }, async (tx) => {
      const found = await this.#deps.digests.findLocked(tx, { policyId, date });
      if (!found) return GONE;
      if (found.digest.state !== 'due') return progressOf(found.policy, found.digest);
      const reason = 'An operator skipped it: the next one tells of it.';
      return this.#end(tx, { ...found, now: this.#deps.clock.now() }, { state: 'skipped', reason });
    });
  }

  async #make(tx: OrgScope, made: Made): Promise<DigestProgress> {
    const { policy, digest, now } = made;
    const subject = await this.#deps.facts.findSubject(tx, policy.botId);
    const objection = subject
      ? ((await this.#objection(tx, policy)) ?? (await this.#deps.quota.objection(tx)))
      : 'The workspace or bot is deleted.';
    if (!subject || objection !== null) return this.#end(tx, made, { state: 'unsent', reason: objection });
    const held = await this.#deps.facts.countHeld(tx, policy.id);
    const isLate = digest.isDigest && isTooLate(digest.dueAt, now);
    const isDigest = digest.isDigest && !isLate && policy.digest !== 'none';
    if (!isDigest && sumOf(held) === 0) {
      const reason = isLate ? LATE : 'There is nothing held any more.';
      return this.#end(tx, made, { state: isLate ? 'late' : 'empty', reason });
    }
    const period = isDigest ? await this.#periodOf(tx, policy, now) : null;
    const language = languageOf(subject.settings);
    return this.#send(tx, made, { name: subject.name, language, held, period });
  }

  async #send(tx: OrgScope, made: Made, told: Told): Promise<DigestProgress> {
    const { policy, digest, now } = made;
    const { held, period, language } = told;
    const facts = await this.#factsOf(tx, made, told);
    const covered: End = {
      state: 'sent',
      beginsAt: period?.from ?? null,
      endsAt: period?.to ?? null,
      counts: period?.counts ?? {},
      seen: period?.seen ?? {},
      waiting: facts.waiting.count,
      bookings: facts.bookings.count,
      held: sumOf(held),
    };
    if (sumOf(facts.counts) + covered.waiting! + covered.bookings! + covered.held! === 0)
      return this.#end(tx, made, { ...covered, state: 'empty', reason: 'Nothing has happened.' });
    const { queue, alerts, days } = this.#deps;
    // It counts, and finds room always: otherwise those who use up their days would never hear of the rest.
    const countedOn = dayAt(now, policy.timezone);
    await days.claim(tx, policy.id, countedOn, ANY_NUMBER);
    const messageId = await queue.enqueue(tx, policy, {
      countedOn,
      kind: period ? 'digest' : 'summary',
      content: digestContent(facts, language),
      key: `digest/${policy.id}/${digest.date}`,
    });
    await alerts.move(tx, policy.id, 'held', { state: 'sent', messageId });
    return this.#end(tx, made, covered);
  }

  async #factsOf(
    tx: OrgScope,
    { policy, digest: { date } }: Made,
    { name, held, period }: Told,
  ): Promise<DigestFacts> {
    const { facts, settings } = this.#deps;
    const { timezone, label } = policy;
    const link = consoleLink(settings.baseUrl, tx.orgId, ['inbox']);
    const nothing = { count: 0, first: [] };
    const about = { name, label, timezone, held, link };
    if (!period) return { ...about, period, counts: {}, before: {}, waiting: nothing, bookings: nothing };
    const told = (counts: Record<string, number>) =>
      Object.fromEntries(summedUp(policy).map((event) => [event, counts[event] ?? 0]));
    const day = {
      from: firstInstantAt(date, 0, timezone),
      to: firstInstantAt(addDays(date, 1), 0, timezone),
    };
    return {
      ...about,
      period,
      counts: told(period.counts),
      before: told(period.before),
      waiting: await facts.findWaiting(tx, policy, MOST_NAMED),
      bookings: await facts.findBookings(tx, policy, { ...day, limit: MOST_NAMED }),
    };
  }

  async #periodOf(tx: OrgScope, policy: AlertPolicy, to: Date): Promise<DigestPeriod & PeriodCounts> {
    const { digests, counts } = this.#deps;
    const period = periodOf(policy, await digests.findLast(tx, policy.id), {
      since: await digests.findFirstDue(tx, policy.id),
      to,
    });
    const { botId } = policy;
    const totals = await counts.listTotals(tx, { botId, from: period.readFrom, to, since: period.from });
    return { ...period, ...countPeriod(period, totals) };
  }

  /** Why nobody can be told, or null. */
  async #objection(tx: OrgScope, { intensity, channel, destination }: AlertPolicy): Promise<string | null> {
    if (intensity === 'off') return 'The policy is switched off.';
    const place = await this.#deps.destinations.find(tx, { channel, destination });
    if (place?.blockedAt) return 'The destination is blocked.';
    return place?.verifiedAt ? null : 'The destination is not verified.';
  }

  async #end(tx: OrgScope, { policy, digest, now }: Made, end: End): Promise<DigestProgress> {
    const { digests, policies } = this.#deps;
    await digests.update(tx, digest, end);
    const isHolding = end.state !== 'sent' && sumOf(await this.#deps.facts.countHeld(tx, policy.id)) > 0;
    await policies.update(tx, policy.id, {
      summaryDueAt: isHolding ? summaryAfter(now, policy) : null,
      ...(end.endsAt && { digestedAt: end.endsAt }),
    });
    return progressOf(policy, { ...digest, ...end });
  }
}

function progressOf(policy: AlertPolicy, digest: AlertDigest): DigestProgress {
  const { state, reason, beginsAt, endsAt } = digest;
  const told = summedUp(policy).map((event) => [event, digest.counts[event] ?? 0] as const);
  return {
    state: state === 'due' ? 'sent' : state,
    reason,
    from: beginsAt?.toISOString() ?? null,
    to: endsAt?.toISOString() ?? null,
    tellsOf: tellsOf({ ...digest, counts: Object.fromEntries(told) }),
  };
}
