import type { AlertEvent, AlertPolicy, AlertRequest } from '../client/types.ts';
import { alertEvents, type AlertChannel, type Intensity } from './alert-words.ts';

/** Form values of an alert policy, as the fields hold them. */
export interface AlertDraft {
  channel: AlertChannel;
  destination: string;
  /** Empty for the whole workspace. */
  botId: string;
  intensity: Intensity;
  hasOwnEvents: boolean;
  /** Event names, separated by spaces. */
  events: string;
  digest: NonNullable<AlertRequest['digest']>;
  hour: string;
  weekday: string;
  /** Empty for the default limit. */
  cap: string;
  /** Empty for the time zone of the calendar or the workspace. */
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

/** Whether the draft can be saved: its own list of events must not be empty. */
export function isCompleteDraft({ hasOwnEvents, events }: AlertDraft): boolean {
  return !hasOwnEvents || events !== '';
}

/** Joins events in a fixed order, so that equal selections give equal text. */
export function joinEvents(events: Iterable<string>): string {
  const chosen = new Set(events);
  return Object.keys(alertEvents)
    .filter((name) => chosen.has(name))
    .join(' ');
}
