import type { AlertAttempt } from '../../entities/alerts/alert-destination.entity.ts';
import type { AlertEstimate as Estimate } from '../../services/alerts/alert-estimator.ts';
import type { AlertEvent } from '../../services/alerts/alert-events.ts';
import type { StartedConnection } from '../../services/alerts/channels/alert-connection-service.ts';
import type { PolicyInput, PolicyWithStatus } from '../../services/alerts/alert-policy-service.ts';
import type { AlertEstimate, AlertPolicyRead, PolicyRequest } from './alerts.schemas.ts';

/**
 * Converts a request about an alert policy to the input of the policy service.
 * @param sentFields names of the fields in the request: they distinguish a digest in the request from the
 *   default digest
 */
export function toPolicyInput(body: PolicyRequest, sentFields: readonly string[]): PolicyInput {
  return {
    botId: body.bot_id ?? null,
    channel: body.channel as PolicyInput['channel'],
    destination: body.destination,
    label: body.label ?? '',
    intensity: body.intensity ?? 'leads',
    events: body.events ?? null,
    digest: sentFields.includes('digest') ? body.digest : undefined,
    digestHour: body.digest_hour ?? 9,
    digestWeekday: body.digest_weekday ?? 1,
    dailyCap: body.daily_cap ?? null,
    timezone: body.timezone ?? null,
  };
}

export function presentPolicy({
  policy,
  destination,
  status,
  day,
  dayResetsAt,
}: PolicyWithStatus): AlertPolicyRead {
  const { nextDigestAt, summaryDueAt } = policy;
  const dueTimes = [nextDigestAt, summaryDueAt].filter((at) => at !== null).map((at) => at.getTime());
  return {
    id: policy.id,
    channel: policy.channel,
    destination: policy.destination,
    bot_id: policy.botId,
    intensity: policy.intensity,
    events: policy.events as AlertEvent[] | null,
    digest: policy.digest,
    digest_hour: policy.digestHour,
    digest_weekday: policy.digestWeekday,
    daily_cap: policy.dailyCap,
    label: policy.label,
    timezone: policy.timezone,
    destination_name: destination.name,
    verified: destination.verifiedAt !== null,
    verified_at: destination.verifiedAt?.toISOString() ?? null,
    status,
    blocked_reason: destination.blockedReason,
    sent_today: day.sent,
    held_today: day.held,
    day_resets_at: dayResetsAt.toISOString(),
    next_digest_at: dueTimes.length > 0 ? new Date(Math.min(...dueTimes)).toISOString() : null,
    last_error: policy.lastError,
    created_at: policy.createdAt.toISOString(),
    updated_at: policy.updatedAt.toISOString(),
  };
}

export function presentEstimate(estimate: Estimate): AlertEstimate {
  return {
    observed_days: estimate.observedDays,
    events: estimate.events,
    messages_per_month: estimate.messagesPerMonth,
    digests_per_month: estimate.digestsPerMonth,
    capped_days: estimate.cappedDays,
    unit_price_usd: estimate.unitPriceUsd,
    cost_usd: estimate.costUsd,
    by_event: estimate.byEvent.map(({ event, count }) => ({ event: event as AlertEvent, count })),
  };
}

export function presentConnection({ attempt, link, groupLink }: StartedConnection) {
  return {
    attempt_id: attempt.id,
    link,
    group_link: groupLink,
    expires_at: attempt.expiresAt.toISOString(),
  };
}

export function presentAttempt(attempt: AlertAttempt, status: 'pending' | 'connected' | 'expired') {
  const { id, destination, name } = attempt;
  return { attempt_id: id, status, destination, name };
}
