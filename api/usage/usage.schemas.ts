import { Type, type Static } from '@sinclair/typebox';
import { limitNames } from '../../core/billing/plans.ts';
import { Limits } from '../billing/limits.schema.ts';
import { CalendarDay, DateTime, Nullable, StringEnum, Strict, Uuid } from '../http/schemas/schemas.ts';

const IncludeChildren = Type.Boolean({
  default: false,
  description: 'Include the workspaces below this one; for the workspace that pays, also deleted workspaces.',
});

export const UsageQuery = Strict({
  month: Type.Optional(
    Type.String({
      pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$',
      description: 'A month (UTC) until 9998-12; the current one by default. Future months have no usage.',
      examples: ['2026-09'],
    }),
  ),
  include_children: Type.Optional(IncludeChildren),
});

export const UsageDayQuery = Strict({
  from: Type.Optional(CalendarDay('The first day (UTC); 29 days before `to` by default.')),
  to: Type.Optional(
    CalendarDay('The last day (UTC), inclusive; a range has at most 366 days. Today by default.'),
  ),
  group_by: Type.Optional(
    StringEnum(['bot', 'model'], {
      description: 'The grouping. By default, each day has one row, including days without usage.',
    }),
  ),
  bot_id: Type.Optional(Uuid('Only the usage of this bot, which may have been deleted.')),
  include_children: Type.Optional(IncludeChildren),
});

const Int64 = (description: string) => Type.Integer({ format: 'int64', description });
const Count = (description: string) => Type.Integer({ minimum: 0, format: 'int64', description });
const figures = {
  messages: Count('Visitors’ messages that bots answer, counted when they were accepted.'),
  input_tokens: Count('Tokens that models have read.'),
  output_tokens: Count('Tokens that models have written.'),
  cost_usd: Type.Number({
    minimum: 0,
    description: 'Cost of the models, by known prices, in US dollars.',
  }),
};

export const UsageSummary = Type.Object(
  {
    from: DateTime('Start of the month.'),
    to: DateTime('Exclusive end of the month: the start of the next month.'),
    workspaces: Type.Integer({ minimum: 1, description: 'The number of workspaces in the sum.' }),
    ...figures,
    documents: Count('Current documents, including pages of sites.'),
    bots: Count('Current bots that are not archived.'),
    seats: Count('Current members and invitees other than viewers.'),
    alerts: Count('Messages that were sent in messaging apps.'),
    messages_left: Nullable(
      Int64(
        'Remaining messages of the current month for all workspaces that the payer pays for, without top-ups. Null for other months, if unlimited, and if another workspace pays.',
      ),
    ),
    topup_credits_left: Nullable(
      Int64('Remaining messages of top-ups; null if messages are unlimited or another workspace pays.'),
    ),
    limits: Limits,
    exceeded: Type.Array(StringEnum(limitNames, { description: 'Name of a limit.' }), {
      description:
        'Limits of the current month that are used up (including top-ups) or exceeded; empty for other months.',
    }),
  },
  { $id: 'UsageSummary', description: 'The usage of a month, and the plan’s limits.' },
);
export type UsageSummary = Static<typeof UsageSummary>;

export const UsageDay = Type.Object(
  {
    date: CalendarDay('The day (UTC).'),
    bot_id: Nullable(Uuid('The bot; null for usage without a bot, and if not grouped by bot.')),
    model: Nullable(
      Type.String({
        description: 'The model; null if none was called, and if not grouped by model.',
        examples: ['gpt-4o-mini'],
      }),
    ),
    ...figures,
  },
  { $id: 'UsageDay', description: 'The usage of a day.' },
);
export type UsageDay = Static<typeof UsageDay>;
