import { Type, type Static } from '@sinclair/typebox';
import { alertChannels } from '../../entities/alerts/alert-destination.entity.ts';
import { digests } from '../../entities/alerts/alert-policy.entity.ts';
import { alertEvents, intensities } from '../../services/alerts/alert-events.ts';
import { MOST_OBSERVED_DAYS } from '../../services/alerts/estimate-alerts.ts';
import { MOST_A_DAY } from '../../services/alerts/alert-policy-service.ts';
import { IdOf } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, OneOf, Strict, Uuid } from '../http/schemas/schemas.ts';

export const PolicyParams = Type.Object({ policy_id: Uuid('The alert policy.') });

export const PolicyListQuery = Strict({
  bot_id: Type.Optional(IdOf('bot', 'Only policies of this bot.')),
});

const Destination = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Telegram: the id of a chat, or the @name of a public one. WhatsApp: a number with its country code.',
  examples: ['123456789'],
});

const policy = {
  channel: Type.String({
    pattern: `^(${alertChannels.join('|')})$`,
    description: 'The messaging app.',
    examples: [...alertChannels],
  }),
  destination: Destination,
  bot_id: Nullable(Uuid('Whose events are told; null for those of all bots, and of the workspace itself.')),
  intensity: OneOf(intensities, {
    default: 'leads',
    description:
      'off: nothing. critical: a visitor waits for a person, a webhook endpoint was disabled, the calendar fails, a limit is reached. leads: also leads and bookings. all: also documents, conversations and contacts. digest: nothing at once, all of it summed up.',
  }),
  events: Nullable(
    Type.Array(OneOf(alertEvents, { description: 'Name of an event.' }), {
      maxItems: alertEvents.length,
      description:
        'What is told at once, in place of what the intensity says. `message.created` comes by no other way.',
      examples: [['handoff.requested', 'lead.captured']],
    }),
  ),
  digest: OneOf(digests, {
    default: 'none',
    description: 'How often all is summed up; with the intensity digest daily, unless weekly is asked for.',
  }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    default: 9,
    description: 'At which hour of the time zone.',
  }),
  digest_weekday: Type.Integer({
    minimum: 0,
    maximum: 6,
    default: 1,
    description: 'On which day, of weekly ones; 0 is Sunday.',
  }),
  daily_cap: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: MOST_A_DAY,
      description: `Messages of a local day; what comes after is held for a summary the next day. Null for ${MOST_A_DAY}.`,
      examples: [50],
    }),
  ),
  label: Type.String({ maxLength: 120, default: '', description: 'For the team.', examples: ['Reception'] }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Whose days and hours count; by default the calendar’s, else the workspace’s, else UTC.',
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
      'Who is told of what. Bot, channel and destination name the policy; the rest replaces what it was.',
  },
);
export type PolicyRequest = Static<typeof PolicyRequest>;

const policyStatuses = ['active', 'off', 'unverified', 'blocked'] as const;

export const AlertPolicyRead = Type.Object(
  {
    id: Uuid('The policy’s id.'),
    ...policy,
    destination_name: Nullable(Type.String({ description: 'What the chat or its person is called there.' })),
    verified: Type.Boolean({ description: 'Whether whoever has the destination was asked.' }),
    verified_at: Nullable(DateTime('Since when.')),
    status: OneOf(policyStatuses, {
      description:
        'off: nothing is sent. blocked: the destination takes nothing. unverified: nothing is sent until it is verified.',
    }),
    blocked_reason: Nullable(Type.String({ description: 'Why the destination takes nothing.' })),
    sent_today: Type.Integer({ description: 'Messages of this local day that count.' }),
    held_today: Type.Integer({ description: 'Alerts of this local day that found the cap used up.' }),
    day_resets_at: DateTime('When the local day ends.'),
    next_digest_at: Nullable(DateTime('When the next digest is due, or the summary of what is held.')),
    last_error: Nullable(Type.String({ description: 'Why the last message did not go out.' })),
    created_at: DateTime('When it was made.'),
    updated_at: DateTime('When it was changed last.'),
  },
  { $id: 'AlertPolicyRead', description: 'A destination, what it is told of, and where it stands today.' },
);
export type AlertPolicyRead = Static<typeof AlertPolicyRead>;

const Estimated = (description: string) => Type.Number({ minimum: 0, description });

export const AlertEstimate = Type.Object(
  {
    observed_days: Type.Integer({
      minimum: 0,
      maximum: MOST_OBSERVED_DAYS,
      description:
        'Of how many days it is made: the last 30, or as many as the workspace has. 0 where nothing has happened on its first day.',
    }),
    events: Type.Integer({
      minimum: 0,
      description: 'How often what the policy tells of has happened on them.',
    }),
    messages_per_month: Estimated('Messages of 30 days, digests apart.'),
    digests_per_month: Estimated('Digests of 30 days that would have something to say.'),
    capped_days: Type.Integer({
      minimum: 0,
      description: 'Of the observed days, those on which the cap would have been reached.',
    }),
    unit_price_usd: Estimated(
      'Of a message to the destination, as the operator has set it; 0 where nothing is set.',
    ),
    cost_usd: Estimated(
      'Of messages and digests of 30 days. WhatsApp takes nothing for answers within a day, so it may be less.',
    ),
    by_event: Type.Array(
      Type.Object({
        event: OneOf(alertEvents, { description: 'Name of the event.' }),
        count: Type.Integer({ minimum: 1, description: 'How often it has happened on the observed days.' }),
      }),
      { description: 'What has happened, the most frequent first.' },
    ),
  },
  {
    $id: 'AlertEstimate',
    description: 'What a policy would send in a month, by what has happened in the last one.',
  },
);
export type AlertEstimate = Static<typeof AlertEstimate>;

export const AlertConnectResponse = Type.Object(
  {
    attempt_id: Uuid('What to poll with.'),
    link: Type.String({
      description: 'Open it, or scan it as a QR code, on the device that has the messaging app.',
      examples: ['https://t.me/acme_alerts_bot?start=Gk3…'],
    }),
    group_link: Nullable(Type.String({ description: 'The same for a group; null where there are none.' })),
    expires_at: DateTime('Until when the links work.'),
  },
  { $id: 'AlertConnectResponse', description: 'Links by which a chat is tied to the workspace, once.' },
);

export const AlertPollRequest = Strict(
  { attempt_id: Uuid('From connect.') },
  { $id: 'AlertPollRequest', description: 'Which attempt to look at.' },
);

export const AlertConnectionState = Type.Object(
  {
    attempt_id: Uuid('The attempt.'),
    status: OneOf(['pending', 'connected', 'expired'], {
      description: 'connected: the destination is verified; save a policy for it.',
    }),
    destination: Nullable(Type.String({ description: 'The chat or number; null until it is connected.' })),
    name: Nullable(Type.String({ description: 'What the chat or its person is called there.' })),
  },
  { $id: 'AlertConnectionState', description: 'Whether a link was opened, and by whom.' },
);

export const AlertTestResponse = Type.Object(
  {
    alert_id: Uuid('The message.'),
    ok: Type.Boolean({ description: 'The provider has taken it.' }),
    duration_ms: Type.Integer({ description: 'How long that took.' }),
    error: Nullable(Type.String({ description: 'Why it has not.' })),
  },
  { $id: 'AlertTestResponse', description: 'What became of a test.' },
);

export const AlertVerificationStarted = Type.Object(
  {
    ok: Type.Boolean({ description: 'The provider has taken the code.' }),
    error: Nullable(Type.String({ description: 'Why it has not.' })),
    expires_at: DateTime('Until when the code is good.'),
    next_send_at: DateTime('When another one can be sent.'),
  },
  { $id: 'AlertVerificationStarted', description: 'A code that was sent to a destination.' },
);

export const AlertVerifyRequest = Strict(
  {
    code: Type.String({ pattern: '^[0-9]{6}$', description: 'The code that arrived.', examples: ['123456'] }),
  },
  { $id: 'AlertVerifyRequest', description: 'The code that a destination was sent.' },
);
