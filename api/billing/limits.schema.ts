import { Type, type Static } from '@sinclair/typebox';
import { Nullable } from '../http/schemas/schemas.ts';

const limit = (description: string) =>
  Nullable(Type.Integer({ minimum: 0, description: `${description}; null for no limit.`, examples: [2000] }));

export const Limits = Type.Object(
  {
    messages_per_month: limit('Visitors’ messages that bots answer per calendar month (UTC)'),
    documents: limit('Documents, including crawled pages'),
    bots: limit('Bots that are not archived'),
    seats: limit('People and invitees with more than read access'),
    alerts_per_month: limit('Messages to messaging apps per calendar month (UTC)'),
  },
  { $id: 'Limits', description: 'The limits of a plan, shared by a workspace and all workspaces below it.' },
);
export type Limits = Static<typeof Limits>;
