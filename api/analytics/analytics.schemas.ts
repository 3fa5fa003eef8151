import { Type } from '@sinclair/typebox';
import { describeListing } from '../../core/analytics/listable-figures.ts';
import { ResourceId } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, Strict } from '../http/schemas/schemas.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Rate = (description: string) => Nullable(Type.Number({ minimum: 0, maximum: 1, description }));

const Percentiles = (name: string, description: string) =>
  Type.Object(
    {
      p50: Nullable(
        Type.Integer({ description: 'The median, accurate to within 5%; null if there are no values.' }),
      ),
      p90: Nullable(
        Type.Integer({
          description: 'The 90th percentile, accurate to within 5%; null if there are no values.',
        }),
      ),
    },
    { $id: name, description },
  );

export const AnalyticsQuery = Strict({
  from: Type.Optional(
    DateTime(
      'The start of the range, rounded down to a quarter of an hour. Defaults to 30 days before `to`.',
    ),
  ),
  to: Type.Optional(
    DateTime(
      'The exclusive end of the range, rounded down to a quarter of an hour, at most 366 days after `from` (plus one hour if daylight saving time ends in between). Defaults to the end of the current quarter hour.',
    ),
  ),
  bot_id: Type.Optional(ResourceId('bot', 'Only conversations of this bot.')),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'The time zone of `days`.',
    examples: ['Europe/Berlin'],
  }),
});

const AnalyticsRatings = Type.Object(
  {
    count: Count('Sessions that were rated.'),
    average: Nullable(
      Type.Number({
        minimum: 1,
        maximum: 5,
        description: 'The average rating; null if there are no ratings.',
      }),
    ),
    satisfied_rate: Rate('Share of ratings that are 4 or 5; null if there are no ratings.'),
    distribution: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 5,
      maxItems: 5,
      description: 'Number of ratings of each value, from 1 to 5.',
      examples: [[1, 0, 2, 8, 5]],
    }),
  },
  { $id: 'AnalyticsRatings', description: 'Visitors’ ratings of conversations.' },
);

const AnalyticsHandoffs = Type.Object(
  {
    requested: Count('Requests for a person, counted by the time of the request.'),
    answered: Count('Requests that a member has claimed.'),
    wait_seconds: Percentiles(
      'WaitPercentiles',
      'Time from a request until the first member claimed the conversation.',
    ),
  },
  { $id: 'AnalyticsHandoffs', description: 'Requests for a person that were made in the range.' },
);

const AnalyticsDay = Type.Object(
  {
    date: Type.String({
      format: 'date',
      description: 'The date in the requested time zone.',
      examples: ['2026-09-03'],
    }),
    conversations: Count('Conversations that began on this day: sessions with a visitor message.'),
    resolved: Count('Resolved conversations.'),
    self_served: Count('Conversations that the bot handled alone.'),
    leads: Count('Sessions that started on this day and produced a lead.'),
    handoffs: Count('Requests for a person that were made on this day.'),
  },
  {
    $id: 'AnalyticsDay',
    description: 'The results of one day, limited to the part of the day that lies in the range.',
  },
);

export const AnalyticsOverviewRead = Type.Object(
  {
    from: DateTime('The start of the range.'),
    to: DateTime('The exclusive end of the range.'),
    timezone: Type.String({ description: 'The time zone of the days.', examples: ['Europe/Berlin'] }),
    sessions: Count(
      `Sessions that began, including those without a visitor message. ${describeListing('sessions')}`,
    ),
    conversations: Count(
      `Sessions in which the visitor has sent a message. ${describeListing('conversations')}`,
    ),
    ended: Count(`Conversations that have ended. ${describeListing('ended')}`),
    resolved: Count(`Conversations that the team has marked as resolved. ${describeListing('resolved')}`),
    resolution_rate: Rate('Share of conversations that are resolved; null if there are no conversations.'),
    self_served: Count('Ended conversations that were never handed over to people and are not rated 1 or 2.'),
    self_service_rate: Rate(
      'Share of ended conversations that were self-served; null if no conversation has ended.',
    ),
    leads: Count(
      `Sessions in which the visitor left contact details, including those with no message yet. ${describeListing('leads')}`,
    ),
    lead_rate: Rate(
      'Share of conversations in which the visitor left contact details; null if there are no conversations.',
    ),
    ratings: AnalyticsRatings,
    handoffs: AnalyticsHandoffs,
    latency_ms: Percentiles(
      'LatencyPercentiles',
      'Time from a message to the complete answer, for answers in the range.',
    ),
    ttft_ms: Percentiles(
      'FirstTextPercentiles',
      'Time from a message to the first text from the model, for answers in the range.',
    ),
    errors: Count('Answers in the range that failed.'),
    unanswered: Count('Answers in the range that used no passage, were the fallback message, or failed.'),
    days: Nullable(
      Type.Array(AnalyticsDay, {
        description:
          'Each day that lies at least partly in the range, in order; null if the range is longer than 92 days.',
      }),
    ),
  },
  {
    $id: 'AnalyticsOverview',
    description: 'Current outcomes of the conversations that started in a range.',
  },
);
