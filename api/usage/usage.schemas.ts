import { Type, type Static } from '@sinclair/typebox';
import { limitNames } from '../../core/billing/plans.ts';
import { Limits } from '../billing/limits.schema.ts';
import { CalendarDay, DateTime, Nullable, OneOf, Strict, Uuid } from '../http/schemas/schemas.ts';

const IncludeChildren = Type.Boolean({
  default: false,
  description:
    'Also of the workspaces below this one; for the workspace that pays, of those that were deleted as well.',
});

export const UsageQuery = Strict({
  month: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
      description:
        'A month of UTC until 9998-12; the present one by default. One that is to come has used nothing.',
      examples: ['2026-09'],
    }),
  ),
  include_children: Type.Optional(IncludeChildren),
});

export const UsageDayQuery = Strict({
  from: Type.Optional(CalendarDay('The first day (UTC); 29 days before `to` by default.')),
  to: Type.Optional(CalendarDay('The last day (UTC), at most 366 with the first; today by default.')),
  group_by: Type.Optional(
    OneOf(['bot', 'model'], {
      description: 'What is told apart. Without it there is one row a day, also where nothing was used.',
    }),
  ),
  bot_id: Type.Optional(Uuid('Only the usage of this bot, which may be deleted.')),
  include_children: Type.Optional(IncludeChildren),
});

const Int64 = (description: string) => Type.Integer({ format: 'int64', description });
const Count = (description: string) => Type.Integer({ minimum: 0, format: 'int64', description });
const figures = {
  messages: Count('Visitors’ turns that bots answer, as they were taken.'),
  input_tokens: Count('Tokens that models have read.'),
  output_tokens: Count('Tokens that models have written.'),
  cost_usd: Type.Number({
    minimum: 0,
    description: 'What models have cost, by the prices that are known, in US dollars.',
  }),
};

export const UsageSummary = Type.Object(
  {
    from: DateTime('When the month begins.'),
    to: DateTime('When it ends; the first moment of the next one.'),
    workspaces: Type.Integer({ minimum: 1, description: 'How many workspaces are added up.' }),
    ...figures,
    documents: Count('Documents that there are now, pages of sites among them.'),
    bots: Count('Bots that there are now and that are not archived.'),
    seats: Count('People but viewers now, those who are invited among them.'),
    alerts: Count('Messages that were sent in messaging apps.'),
    messages_left: Nullable(
      Int64(
        'What is left of the present month’s messages for all whom the workspace pays for, without top-ups; null for another month, where nothing limits them, and where another workspace pays.',
      ),
    ),
    topup_credits_left: Nullable(
      Int64(
        'Messages of top-ups that there are now; null where nothing limits messages, or another workspace pays.',
      ),
    ),
    limits: Limits,
    exceeded: Type.Array(OneOf(limitNames, { description: 'Name of a limit.' }), {
      description:
        'Limits of the present month that are used up, top-ups included, and others that more is kept of than the plan has; empty for another month.',
    }),
  },
  { $id: 'UsageSummary', description: 'What was used in a month, and what the plan has.' },
);
export type UsageSummary = Static<typeof UsageSummary>;

export const UsageDay = Type.Object(
  {
    date: CalendarDay('The day (UTC).'),
    bot_id: Nullable(Uuid('Which bot; null for what belongs to none, and where bots are not told apart.')),
    model: Nullable(
      Type.String({
        description: 'Which model; null where none was asked, and where models are not told apart.',
        examples: ['gpt-4o-mini'],
      }),
    ),
    ...figures,
  },
  { $id: 'UsageDay', description: 'What was used on a day.' },
);
export type UsageDay = Static<typeof UsageDay>;
