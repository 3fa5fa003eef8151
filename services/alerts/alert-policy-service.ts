import type { Clock } from '../../core/clock.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';
import { requireTimeZone } from '../../core/require-time-zone.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import type { AlertDay } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../repositories/alerts/alert-message.repository.ts';
import type {
  AlertPolicyRepository,
  PlacedPolicy,
} from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import type { AlertZoneRepository } from '../../repositories/alerts/alert-zone.repository.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { wakeCommand } from './alert-commands.ts';
import type { AlertQueue } from './alert-queue.ts';
import { destinationOf, destinationRules } from './channels/destination.ts';
import { nextDigest } from './digests/digest-times.ts';
import { dayAt, endOfDay, summaryOn } from './digests/local-days.ts';

/** Messages of a day where a policy sets no other number. */
export const MOST_A_DAY = 2000;
const MOST_POLICIES = 50;

/** What people ask for, as the API has it. */
export interface GivenPolicy extends Pick<
  AlertPolicy,
  | 'botId'
  | 'channel'
  | 'destination'
  | 'label'
  | 'intensity'
  | 'events'
  | 'digestHour'
  | 'digestWeekday'
  | 'dailyCap'
> {
  /** Undefined where nothing was said: a digest alone is a daily one. */
  digest: AlertPolicy['digest'] | undefined;
  /** Null for that of the calendar. */
  timezone: string | null;
}

/** What is to be stored of a request. */
export type SettledPolicy = Omit<GivenPolicy, 'digest' | 'timezone'> &
  Pick<AlertPolicy, 'digest' | 'timezone'>;

type PolicyStatus = 'active' | 'off' | 'unverified' | 'blocked';

/** A policy with where it stands today. */
export interface SeenPolicy extends PlacedPolicy {
  status: PolicyStatus;
  day: Pick<AlertDay, 'sent' | 'held'>;
  dayResetsAt: Date;
}

export interface AlertPolicyServiceDeps {
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  alerts: AlertRepository;
  messages: AlertMessageRepository;
  zones: AlertZoneRepository;
  bots: BotRepository;
  queue: AlertQueue;
  outbox: OutboxService;
  clock: Clock;
}

/** Who is told of what. */
export class AlertPolicyService {
  readonly #deps: AlertPolicyServiceDeps;

  constructor(deps: AlertPolicyServiceDeps) {
    this.#deps = deps;
  }

  /** Newest first. */
  async list(scope: OrgScope, botId?: string): Promise<SeenPolicy[]> {
    const { policies } = this.#deps;
    return this.#seen(scope, await policies.listPlaced(scope, botId === undefined ? {} : { botId }));
  }

  /** @throws AppError `forbidden` or `not_found` */
  async get(scope: OrgScope, id: string): Promise<SeenPolicy> {
    const [seen] = await this.#seen(scope, await this.#deps.policies.listPlaced(scope, { id }));
    return seen ?? this.#deps.policies.refuse(scope, id);
  }

  /** What a request comes to. @throws AppError `validation_error`, and like `bots.get` */
  async settle(scope: OrgScope, given: GivenPolicy): Promise<SettledPolicy> {
    const { bots, zones } = this.#deps;
    const { channel, intensity, digest, events } = given;
    const destination = destinationOf(channel, given.destination);
    if (destination === null) throw invalidField('destination', destinationRules[channel]);
    if (intensity === 'digest' && digest === 'none')
      throw invalidField('digest', 'must be daily or weekly where the intensity is digest');
    const zone = given.timezone === null ? null : requireTimeZone(given.timezone, 'timezone');
    if (given.botId !== null) await bots.get(scope, given.botId);
    return {
      ...given,
      destination,
      label: given.label.trim(),
      events: events && [...new Set(events)],
      digest: digest ?? (intensity === 'digest' ? 'daily' : 'none'),
      timezone: zone ?? (await zones.find(scope)) ?? 'UTC',
    };
  }

  /**
   * Makes the policy of a bot, channel and destination, or replaces it. `isOpening`: a verified destination gets alerts that got none before.
   * @throws AppError like `settle`; `conflict` for one too many
   */
  save(scope: OrgScope, given: GivenPolicy): Promise<{ seen: SeenPolicy; isOpening: boolean }> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations } = this.#deps;
      const settled = await this.settle(tx, given);
      await policies.lockAll(tx);
      const known = await policies.findByKeyLocked(tx, settled);
      if (!known && (await policies.countAll(tx)) >= MOST_POLICIES)
        throw new AppError(
          'conflict',
          `A workspace has at most ${MOST_POLICIES} alert policies; delete one first.`,
        );
      const wasInUse = await policies.isInUse(tx, settled);
      await destinations.upsert(tx, settled);
      const id = known?.id ?? newId();
      const row = {
        ...settled,
        nextDigestAt: this.#nextDigestOf(settled, known),
        summaryDueAt: summaryOf(settled, known),
      };
      if (known) {
        await policies.update(tx, id, { ...row, updatedAt: () => 'now()' });
        await this.#release(tx, { ...known, ...row });
      } else await policies.insert(tx, { ...row, id });
      const seen = await this.get(tx, id);
      const isSending = seen.policy.intensity !== 'off' && seen.destination.verifiedAt !== null;
      return { seen, isOpening: isSending && !wasInUse };
    });
  }

  /** With what waits to be sent. @throws AppError `forbidden` or `not_found` */
  delete(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { policies, alerts, messages, outbox } = this.#deps;
      const policy = await policies.lock(tx, id);
      await alerts.deleteOpen(tx, id);
      await messages.deleteOpen(tx, id);
      await policies.delete(tx, id);
      // Its workflow ends, and removes what is left of the log.
      await outbox.command(tx, wakeCommand(policy));
    });
  }

  /** What a policy does not want any more is dropped; what was held may have found room. */
  async #release(scope: OrgScope, policy: AlertPolicy): Promise<void> {
    const { alerts, policies, queue, clock } = this.#deps;
    if (policy.intensity === 'off') {
      const reason = 'The policy was switched off.';
      for (const state of ['pending', 'held'] as const)
        await alerts.move(scope, policy.id, state, { state: 'dropped', reason });
      return;
    }
    // They are summed up then, as all else is.
    if (policy.intensity === 'digest') return;
    const today = { policyId: policy.id, date: dayAt(clock.now(), policy.timezone) };
    const day = (await policies.listDays(scope, [today])).get(policy.id);
    if ((day?.sent ?? 0) >= (policy.dailyCap ?? MOST_A_DAY)) return;
    if ((await alerts.move(scope, policy.id, 'held', { state: 'pending', reason: null })) === 0) return;
    await alerts.forgetHeld(scope, policy.id);
    await policies.update(scope, policy.id, { summaryDueAt: null });
    await queue.wake(scope, policy);
  }

  #nextDigestOf(settled: SettledPolicy, known: AlertPolicy | null): Date | null {
    const now = this.#deps.clock.now();
    const last = known?.digestedAt ? dayAt(known.digestedAt, settled.timezone) : null;
    return settled.intensity === 'off' ? null : (nextDigest(settled, now, last)?.at ?? null);
  }

  async #seen(scope: OrgScope, placed: PlacedPolicy[]): Promise<SeenPolicy[]> {
    const now = this.#deps.clock.now();
    const days = await this.#deps.policies.listDays(
      scope,
      placed.map(({ policy: { id, timezone } }) => ({ policyId: id, date: dayAt(now, timezone) })),
    );
    return placed.map(({ policy, destination }) => ({
      policy,
      destination,
      status: statusOf({ policy, destination }),
      day: days.get(policy.id) ?? { sent: 0, held: 0 },
      dayResetsAt: endOfDay(now, policy.timezone),
    }));
  }
}

/** What is held already is summed up on its day, at the hour that is asked for now. */
function summaryOf(settled: SettledPolicy, known: AlertPolicy | null): Date | null {
  if (!known?.summaryDueAt || settled.intensity === 'off') return null;
  const { digestHour, timezone, summaryDueAt } = known;
  if (settled.digestHour === digestHour && settled.timezone === timezone) return summaryDueAt;
  return summaryOn(dayAt(summaryDueAt, timezone), settled);
}

function statusOf({ policy, destination }: PlacedPolicy): PolicyStatus {
  if (policy.intensity === 'off') return 'off';
  if (destination.blockedAt) return 'blocked';
  return destination.verifiedAt ? 'active' : 'unverified';
}
