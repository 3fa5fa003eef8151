import { DEFAULT_DAILY_CAP } from '../../core/alerts/daily-cap.ts';
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
  PolicyWithDestination,
} from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import type { AlertZoneRepository } from '../../repositories/alerts/alert-zone.repository.ts';
import type { BotRepository } from '../../repositories/bots/bot.repository.ts';
import type { OutboxService } from '../outbox/outbox-service.ts';
import { createWakeCommand } from './alert-commands.ts';
import type { AlertQueue } from './alert-queue.ts';
import { parseDestination, destinationRules } from './channels/destination.ts';
import { findNextDigest } from './digests/digest-times.ts';
import { dayAt, endOfDay, summaryTimeOn } from './digests/local-days.ts';

const MAX_POLICIES = 50;

/** Fields of an alert policy in an API request. */
export interface PolicyInput extends Pick<
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
  /**
   * Whether the policy sends digests. Undefined if the request has no `digest`: the default is `daily` for
   * the intensity `digest`, and `none` for any other.
   */
  digest: AlertPolicy['digest'] | undefined;
  /**
   * Time zone of the alert policy. Null if the request has none: the default is the time zone of the
   * workspace's calendar.
   */
  timezone: string | null;
}

/** Fields of a validated alert policy, with defaults filled in. */
export type ResolvedPolicy = Omit<PolicyInput, 'digest' | 'timezone'> &
  Pick<AlertPolicy, 'digest' | 'timezone'>;

type PolicyStatus = 'active' | 'off' | 'unverified' | 'blocked';

/** An alert policy with its current status and the counts of today's messages. */
export interface PolicyWithStatus extends PolicyWithDestination {
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

/** Manages alert policies. A policy defines which events are reported to which destination. */
export class AlertPolicyService {
  readonly #deps: AlertPolicyServiceDeps;

  constructor(deps: AlertPolicyServiceDeps) {
    this.#deps = deps;
  }

  async list(scope: OrgScope, botId?: string): Promise<PolicyWithStatus[]> {
    const { policies } = this.#deps;
    return this.#withStatus(
      scope,
      await policies.listWithDestinations(scope, botId === undefined ? {} : { botId }),
    );
  }

  /**
   * Returns an alert policy with its status.
   * @throws AppError `forbidden` or `not_found`
   */
  async get(scope: OrgScope, id: string): Promise<PolicyWithStatus> {
    const [policyWithStatus] = await this.#withStatus(
      scope,
      await this.#deps.policies.listWithDestinations(scope, { id }),
    );
    return policyWithStatus ?? this.#deps.policies.throwMissing(scope, id);
  }

  /**
   * Validates the fields of an alert policy and fills in defaults.
   * @throws AppError `validation_error`; the errors of `bots.get`
   */
  async resolve(scope: OrgScope, input: PolicyInput): Promise<ResolvedPolicy> {
    const { bots, zones } = this.#deps;
    const { channel, intensity, digest, events } = input;
    const destination = parseDestination(channel, input.destination);
    if (destination === null) throw invalidField('destination', destinationRules[channel]);
    if (intensity === 'digest' && digest === 'none')
      throw invalidField('digest', 'must be daily or weekly if the intensity is digest');
    const zone = input.timezone === null ? null : requireTimeZone(input.timezone, 'timezone');
    if (input.botId !== null) await bots.get(scope, input.botId);
    return {
      ...input,
      destination,
      label: input.label.trim(),
      events: events && [...new Set(events)],
      digest: digest ?? (intensity === 'digest' ? 'daily' : 'none'),
      timezone: zone ?? (await zones.find(scope)) ?? 'UTC',
    };
  }

  /**
   * Creates or replaces the alert policy for a bot, channel and destination. `startsSending` is true if a
   * verified destination begins to receive alerts.
   * @throws AppError the errors of `resolve`; `conflict` if the workspace has too many policies
   */
  save(scope: OrgScope, input: PolicyInput): Promise<{ policy: PolicyWithStatus; startsSending: boolean }> {
    return inTransaction(scope, async (tx) => {
      const { policies, destinations } = this.#deps;
      const resolved = await this.resolve(tx, input);
      await policies.lockAll(tx);
      const existing = await policies.findByKeyLocked(tx, resolved);
      if (!existing && (await policies.countAll(tx)) >= MAX_POLICIES)
        throw new AppError(
          'conflict',
          `A workspace can have at most ${MAX_POLICIES} alert policies; delete one first.`,
        );
      const wasInUse = await policies.isInUse(tx, resolved);
      await destinations.upsert(tx, resolved);
      const id = existing?.id ?? newId();
      const row = {
        ...resolved,
        nextDigestAt: this.#computeNextDigest(resolved, existing),
        summaryDueAt: rescheduleSummary(resolved, existing),
      };
      if (existing) {
        await policies.update(tx, id, { ...row, updatedAt: () => 'now()' });
        await this.#applyToAlerts(tx, { ...existing, ...row });
      } else await policies.insert(tx, { ...row, id });
      const policy = await this.get(tx, id);
      const isSending = policy.policy.intensity !== 'off' && policy.destination.verifiedAt !== null;
      return { policy, startsSending: isSending && !wasInUse };
    });
  }

  /**
   * Deletes an alert policy with its waiting alerts and messages.
   * @throws AppError `forbidden` or `not_found`
   */
  delete(scope: OrgScope, id: string): Promise<void> {
    return inTransaction(scope, async (tx) => {
      const { policies, alerts, messages, outbox } = this.#deps;
      const policy = await policies.lock(tx, id);
      await alerts.deleteUnsent(tx, id);
      await messages.deleteUnfinished(tx, id);
      await policies.delete(tx, id);
      // Signals the alert policy's workflow, which deletes the rest of the policy's log and ends.
      await outbox.command(tx, createWakeCommand(policy));
    });
  }

  /**
   * Applies a changed alert policy to its waiting alerts. Drops all of them if the policy was switched off.
   * Releases held alerts if the daily cap allows more messages.
   */
  async #applyToAlerts(scope: OrgScope, policy: AlertPolicy): Promise<void> {
    const { alerts, policies, queue, clock } = this.#deps;
    if (policy.intensity === 'off') {
      const reason = 'The policy was switched off.';
      for (const state of ['pending', 'held'] as const)
        await alerts.updateInState(scope, policy.id, state, { state: 'dropped', reason });
      return;
    }
    // Alerts that were held back by the daily cap stay held, because the next digest includes them.
    if (policy.intensity === 'digest') return;
    const today = { policyId: policy.id, date: dayAt(clock.now(), policy.timezone) };
    const day = (await policies.listDays(scope, [today])).get(policy.id);
    if ((day?.sent ?? 0) >= (policy.dailyCap ?? DEFAULT_DAILY_CAP)) return;
    if ((await alerts.updateInState(scope, policy.id, 'held', { state: 'pending', reason: null })) === 0)
      return;
    await alerts.resetHeldCount(scope, policy.id);
    await policies.update(scope, policy.id, { summaryDueAt: null });
    await queue.wake(scope, policy);
  }

  #computeNextDigest(resolved: ResolvedPolicy, existing: AlertPolicy | null): Date | null {
    const now = this.#deps.clock.now();
    const last = existing?.digestedAt ? dayAt(existing.digestedAt, resolved.timezone) : null;
    return resolved.intensity === 'off' ? null : (findNextDigest(resolved, now, last)?.at ?? null);
  }

  async #withStatus(
    scope: OrgScope,
    policiesWithDestination: PolicyWithDestination[],
  ): Promise<PolicyWithStatus[]> {
    const now = this.#deps.clock.now();
    const days = await this.#deps.policies.listDays(
      scope,
      policiesWithDestination.map(({ policy: { id, timezone } }) => ({
        policyId: id,
        date: dayAt(now, timezone),
      })),
    );
    return policiesWithDestination.map(({ policy, destination }) => ({
      policy,
      destination,
      status: derivePolicyStatus({ policy, destination }),
      day: days.get(policy.id) ?? { sent: 0, held: 0 },
      dayResetsAt: endOfDay(now, policy.timezone),
    }));
  }
}

/**
 * Returns when the summary of held alerts is due after the policy has changed: on the same day, at the new
 * hour. Null if no summary is due or the policy is off.
 */
function rescheduleSummary(resolved: ResolvedPolicy, existing: AlertPolicy | null): Date | null {
  if (!existing?.summaryDueAt || resolved.intensity === 'off') return null;
  const { digestHour, timezone, summaryDueAt } = existing;
  if (resolved.digestHour === digestHour && resolved.timezone === timezone) return summaryDueAt;
  return summaryTimeOn(dayAt(summaryDueAt, timezone), resolved);
}

function derivePolicyStatus({ policy, destination }: PolicyWithDestination): PolicyStatus {
  if (policy.intensity === 'off') return 'off';
  if (destination.blockedAt) return 'blocked';
  return destination.verifiedAt ? 'active' : 'unverified';
}
