import { Type } from '@sinclair/typebox';
import { describeListing } from '../../core/analytics/listed-figures.ts';
import { IdOf } from '../http/schemas/named-resource.ts';
import { DateTime, Nullable, Strict } from '../http/schemas/schemas.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Rate = (description: string) =>
  Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: `${description} Null where there is none to count.` }),
  );

const Percentiles = (name: string, description: string) =>
  Type.Object(
    {
      p50: Nullable(
        Type.Integer({ description: 'Half of them took no longer, to 5 %; null where there are none.' }),
      ),
      p90: Nullable(
        Type.Integer({ description: 'Nine of ten took no longer, to 5 %; null where there are none.' }),
      ),
    },
    { $id: name, description },
  );

export const AnalyticsQuery = Strict({
  from: Type.Optional(
    DateTime('The first moment, rounded down to a quarter of an hour; 30 days before `to` by default.'),
  ),
  to: Type.Optional(
    DateTime(
      'The first moment after the range, rounded down to a quarter of an hour, and at most 366 days (and the hour of a 25-hour day) after `from`; by default the end of the quarter that has begun.',
    ),
  ),
  bot_id: Type.Optional(IdOf('bot', 'Only conversations of this bot.')),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'The time zone that `days` are of.',
    examples: ['Europe/Berlin'],
  }),
});

const AnalyticsRatings = Type.Object(
  {
    count: Count('Sessions that were rated.'),
    average: Nullable(Type.Number({ minimum: 1, maximum: 5, description: 'Null where none was rated.' })),
    satisfied_rate: Rate('The part of the ratings that is 4 or 5.'),
    distribution: Type.Array(Type.Integer({ minimum: 0 }), {
      minItems: 5,
      maxItems: 5,
      description: 'How many ratings there are of each kind, from 1 to 5.',
      examples: [[1, 0, 2, 8, 5]],
    }),
  },
  { $id: 'AnalyticsRatings', description: 'How visitors have rated their conversations.' },
);

const AnalyticsHandoffs = Type.Object(
  {
    requested: Count('Requests for a person, by the time of the request.'),
    answered: Count('Those of the requests that a member has taken.'),
    wait_seconds: Percentiles(
      'WaitPercentiles',
      'From a request until the first member had the conversation.',
    ),
  },
  { $id: 'AnalyticsHandoffs', description: 'Requests for a person that were made in the range.' },
);

const AnalyticsDay = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'The day in the time zone.', examples: ['2026-09-03'] }),
    conversations: Count('Conversations that began on it: sessions in which the visitor has said something.'),
    resolved: Count('Those of them that are resolved.'),
    self_served: Count('Those of them in which the bot was enough.'),
    leads: Count('Sessions that began on it and brought a lead.'),
    handoffs: Count('Requests for a person that were made on it.'),
  },
  { $id: 'AnalyticsDay', description: 'A day, as far as it is within the range.' },
);

export const AnalyticsOverviewRead = Type.Object(
  {
    from: DateTime('The first moment of the range.'),
    to: DateTime('The first moment after it.'),
    timezone: Type.String({ description: 'The time zone of the days.', examples: ['Europe/Berlin'] }),
    sessions: Count(
      `Sessions that began, also those in which the visitor has said nothing. ${describeListing('sessions')}`,
    ),
    conversations: Count(
      `Those in which the visitor has said something. ${describeListing('conversations')}`,
    ),
    ended: Count(`Conversations that have ended. ${describeListing('ended')}`),
    resolved: Count(`Conversations that the team has marked as resolved. ${describeListing('resolved')}`),
    resolution_rate: Rate('Resolved conversations among all.'),
    self_served: Count(
      'Ended conversations that never were handed over to people, and are not rated 1 or 2.',
    ),
    self_service_rate: Rate('Self-served conversations among those that have ended.'),
    leads: Count(
      `Sessions in which the visitor left details, also before saying anything. ${describeListing('leads')}`,
    ),
    lead_rate: Rate('Conversations in which the visitor left details among all.'),
    ratings: AnalyticsRatings,
    handoffs: AnalyticsHandoffs,
    latency_ms: Percentiles(
      'LatencyPercentiles',
      'From a turn until the whole answer, of answers given in the range.',
    ),
    ttft_ms: Percentiles(
      'FirstTextPercentiles',
      'From a turn until the first text of a model, of answers given in the range.',
    ),
    errors: Count('Answers of the range that failed.'),
    unanswered: Count('Answers of the range for which the documents had nothing, or that were the fallback.'),
    days: Nullable(
      Type.Array(AnalyticsDay, {
        description: 'Each day that the range touches, in order; null for a range of more than 92 days.',
      }),
    ),
  },
  {
    $id: 'AnalyticsOverview',
    description: 'How the conversations that began in a range have gone, as they are now.',
  },
);
