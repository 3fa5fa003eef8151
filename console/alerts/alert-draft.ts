import type { AlertEvent, AlertPolicy, AlertRequest } from '../client/types.ts';
import { alertEvents, type AlertChannel, type Intensity } from './alert-words.ts';

/** Values of the form for an alert policy. */
export interface AlertDraft {
  channel: AlertChannel;
  destination: string;
  /** Bot whose alerts are sent; empty for all bots of the workspace. */
  botId: string;
  intensity: Intensity;
  hasOwnEvents: boolean;
  /** Names of the events that send an alert, separated by spaces. */
  events: string;
  digest: NonNullable<AlertRequest['digest']>;
  hour: string;
  weekday: string;
  /** Maximum messages a day that the alert policy sends; empty for the default. */
  cap: string;
  /** Time zone of the alert policy; empty for the time zone of the calendar or workspace. */
  zone: string;
  label: string;
}

export const emptyAlert: AlertDraft = {
  channel: 'telegram',
  destination: '',
  botId: '',
  intensity: 'leads',
  hasOwnEvents: false,
  events: '',
  digest: 'none',
  hour: '9',
  weekday: '1',
  cap: '',
  zone: '',
  label: '',
};

export function toAlertDraft(policy: AlertPolicy): AlertDraft {
  return {
    channel: policy.channel as AlertChannel,
    destination: policy.destination,
    botId: policy.bot_id ?? '',
    intensity: policy.intensity,
    hasOwnEvents: policy.events !== null,
    events: joinEvents(policy.events ?? []),
    digest: policy.digest,
    hour: String(policy.digest_hour),
    weekday: String(policy.digest_weekday),
    cap: String(policy.daily_cap ?? ''),
    zone: policy.timezone,
    label: policy.label,
  };
}

export function toAlertRequest(draft: AlertDraft): AlertRequest {
  return {
    channel: draft.channel,
    destination: draft.destination.trim(),
    bot_id: draft.botId || null,
    intensity: draft.intensity,
    events: draft.hasOwnEvents ? parseEvents(draft) : null,
    digest: draft.digest,
    digest_hour: Number(draft.hour),
    digest_weekday: Number(draft.weekday),
    daily_cap: draft.cap.trim() === '' ? null : Number(draft.cap),
    label: draft.label.trim(),
    timezone: draft.zone.trim() || null,
  };
}

function parseEvents({ events }: AlertDraft): AlertEvent[] {
  return events.split(' ').filter(Boolean) as AlertEvent[];
}

/**
 * Whether the draft of an alert policy can be saved. A policy with its own list of events needs at least one
 * event.
 */
export function isCompleteDraft({ hasOwnEvents, events }: AlertDraft): boolean {
  return !hasOwnEvents || events !== '';
}

/** Joins names of alert events in a fixed order, so that equal selections are equal strings. */
export function joinEvents(events: Iterable<string>): string {
  const chosenEvents = new Set(events);
  return Object.keys(alertEvents)
    .filter((name) => chosenEvents.has(name))
    .join(' ');
}
