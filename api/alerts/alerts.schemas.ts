import { Type, type Static } from '@sinclair/typebox';
import { alertChannels } from '../../entities/alerts/alert-destination.entity.ts';
import { digests } from '../../entities/alerts/alert-policy.entity.ts';
import { alertEvents, intensities } from '../../services/alerts/alert-events.ts';
import { MAX_OBSERVED_DAYS } from '../../services/alerts/estimate-alerts.ts';
import { DEFAULT_DAILY_CAP } from '../../core/alerts/daily-cap.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

export const PolicyParams = Type.Object({ policy_id: Uuid('The alert policy.') });

export const PolicyListQuery = Strict({
  bot_id: Type.Optional(ResourceId('bot', 'Only policies of this bot.')),
});

const Destination = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Telegram: the id of a chat, or the @name of a public chat. WhatsApp: a number with its country code.',
  examples: ['123456789'],
});

const policy = {
  channel: Type.String({
    pattern: `^(${alertChannels.join('|')})$`,
    description: 'The messaging app.',
    examples: [...alertChannels],
  }),
  destination: Destination,
  bot_id: Nullable(Uuid('The bot whose events are sent; null for all bots and the workspace itself.')),
  intensity: StringEnum(intensities, {
    default: 'leads',
    description:
      'off: no alerts. critical: a visitor is waiting for a person, a webhook endpoint was disabled, the calendar connection is failing, or a limit was reached. leads: critical, plus leads and bookings. all: leads, plus documents, conversations and contacts. digest: no immediate alerts, only a summary.',
  }),
  events: Nullable(
    Type.Array(StringEnum(alertEvents, { description: 'Name of an event.' }), {
      maxItems: alertEvents.length,
      description:
        'Events to send immediately, instead of those that the intensity selects. `message.created` is sent only if listed here.',
      examples: [['handoff.requested', 'lead.captured']],
    }),
  ),
  digest: StringEnum(digests, {
    default: 'none',
    description: 'The interval of digests; with the intensity digest it defaults to daily.',
  }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    default: 9,
    description: 'The hour of the digest, in the time zone.',
  }),
  digest_weekday: Type.Integer({
    minimum: 0,
    maximum: 6,
    default: 1,
    description: 'The day of weekly digests; 0 is Sunday.',
  }),
  daily_cap: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: DEFAULT_DAILY_CAP,
      description: `Maximum messages per local day; later alerts are held for a summary the next day. Null for ${DEFAULT_DAILY_CAP}.`,
      examples: [50],
    }),
  ),
  label: SingleLine({
    maxLength: 120,
    default: '',
    description: 'A label for the team.',
    examples: ['Reception'],
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'The time zone for days and hours; defaults to that of the calendar, then that of the workspace, then UTC.',
    examples: ['Europe/Lisbon'],
  }),
};

export const PolicyRequest = Strict(
  {
    channel: policy.channel,
    destination: policy.destination,
    bot_id: Type.Optional(policy.bot_id),
    intensity: Type.Optional(policy.intensity),
    events: Type.Optional(policy.events),
    digest: Type.Optional(policy.digest),
    digest_hour: Type.Optional(policy.digest_hour),
    digest_weekday: Type.Optional(policy.digest_weekday),
    daily_cap: Type.Optional(policy.daily_cap),
    label: Type.Optional(policy.label),
    timezone: Type.Optional(Nullable(policy.timezone)),
  },
  {
    $id: 'PolicyRequest',
    description:
      'An alert policy. Bot, channel and destination identify it; the other fields replace the stored ones.',
  },
);
export type PolicyRequest = Static<typeof PolicyRequest>;

const policyStatuses = ['active', 'off', 'unverified', 'blocked'] as const;

export const AlertPolicyRead = Type.Object(
  {
    id: Uuid('The policy’s id.'),
    ...policy,
    destination_name: Nullable(
      Type.String({ description: 'Name of the chat or person in the messaging app.' }),
    ),
    verified: Type.Boolean({ description: 'Whether the recipient has agreed to receive alerts.' }),
    verified_at: Nullable(DateTime('Time at which the recipient agreed to receive alerts.')),
    status: StringEnum(policyStatuses, {
      description:
        'off: nothing is sent. blocked: the destination rejects messages. unverified: nothing is sent until the destination is verified.',
    }),
    blocked_reason: Nullable(Type.String({ description: 'Reason why the destination rejects messages.' })),
    sent_today: Type.Integer({ description: 'Messages of the current local day that count toward the cap.' }),
    held_today: Type.Integer({
      description: 'Alerts of the current local day that are held because the cap was reached.',
    }),
    day_resets_at: DateTime('Time at which the current local day ends.'),
    next_digest_at: Nullable(DateTime('Time of the next digest, or of the next summary of held alerts.')),
    last_error: Nullable(Type.String({ description: 'Reason why the last message failed.' })),
    created_at: DateTime('Time of creation.'),
    updated_at: DateTime('Time of the last change.'),
  },
  { $id: 'AlertPolicyRead', description: 'A destination, its alert settings, and its current state.' },
);
export type AlertPolicyRead = Static<typeof AlertPolicyRead>;

const Estimated = (description: string) => Type.Number({ minimum: 0, description });

export const AlertEstimate = Type.Object(
  {
    observed_days: Type.Integer({
      minimum: 0,
      maximum: MAX_OBSERVED_DAYS,
      description:
        'Number of observed days: 30, or the age of the workspace if it is younger. 0 if the workspace is less than a day old and has no matching events.',
    }),
    events: Type.Integer({
      minimum: 0,
      description: 'Number of matching events on the observed days.',
    }),
    messages_per_month: Estimated('Estimated messages in 30 days, excluding digests.'),
    digests_per_month: Estimated('Estimated digests in 30 days, excluding empty digests.'),
    capped_days: Type.Integer({
      minimum: 0,
      description: 'Number of observed days on which the cap would have been reached.',
    }),
    unit_price_usd: Estimated('Cost of a message to the destination, as set by the operator; 0 if unset.'),
    cost_usd: Estimated(
      'Estimated cost of messages and digests in 30 days. WhatsApp does not charge for replies within a day, so the actual cost may be lower.',
    ),
    by_event: Type.Array(
      Type.Object({
        event: StringEnum(alertEvents, { description: 'Name of the event.' }),
        count: Type.Integer({ minimum: 1, description: 'Number of occurrences on the observed days.' }),
      }),
      { description: 'Events, most frequent first.' },
    ),
  },
  {
    $id: 'AlertEstimate',
    description: 'An estimate of a policy’s messages per month, from the events of the last 30 days.',
  },
);
export type AlertEstimate = Static<typeof AlertEstimate>;

export const AlertConnectResponse = Type.Object(
  {
    attempt_id: Uuid('The id of the attempt, for polling.'),
    link: Type.String({
      description:
        'The link for a person. Open it, or scan it as a QR code, on the device that has the messaging app.',
      examples: ['https://t.me/acme_alerts_bot?start=Gk3…'],
    }),
    group_link: Nullable(
      Type.String({
        description: 'The link for a group; null if the messaging app does not support groups.',
      }),
    ),
    expires_at: DateTime('Time at which the links expire.'),
  },
  {
    $id: 'AlertConnectResponse',
    description: 'Links that connect a chat to the workspace. Each link works once.',
  },
);

export const AlertPollRequest = Strict(
  { attempt_id: Uuid('The `attempt_id` from the connect operation.') },
  { $id: 'AlertPollRequest', description: 'The id of the attempt.' },
);

export const AlertConnectionState = Type.Object(
  {
    attempt_id: Uuid('The attempt.'),
    status: StringEnum(['pending', 'connected', 'expired'], {
      description: 'connected: the destination is verified; save a policy for it.',
    }),
    destination: Nullable(Type.String({ description: 'The chat or number; null until it is connected.' })),
    name: Nullable(Type.String({ description: 'Name of the chat or person in the messaging app.' })),
  },
  {
    $id: 'AlertConnectionState',
    description: 'Whether a link was opened, and the destination that it connected.',
  },
);

export const AlertTestResponse = Type.Object(
  {
    alert_id: Uuid('Id of the test alert.'),
    ok: Type.Boolean({ description: 'Whether the provider has accepted the test message.' }),
    duration_ms: Type.Integer({ description: 'Duration of the request to the provider.' }),
    error: Nullable(Type.String({ description: 'Reason why the provider did not accept the message.' })),
  },
  { $id: 'AlertTestResponse', description: 'The result of a test.' },
);

export const AlertVerificationStarted = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the provider has accepted the code.' }),
    error: Nullable(Type.String({ description: 'Reason why the provider did not accept the message.' })),
    expires_at: DateTime('Time at which the code expires.'),
    next_send_at: DateTime('Time from which another code can be sent.'),
  },
  { $id: 'AlertVerificationStarted', description: 'A code that was sent to a destination.' },
);

export const AlertVerifyRequest = Strict(
  {
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The received code.', examples: ['123456'] }),
  },
  { $id: 'AlertVerifyRequest', description: 'The code that was sent to a destination.' },
);
